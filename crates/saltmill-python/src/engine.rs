// SPDX-License-Identifier: Apache-2.0
//! Who does the work: CPU threads and devices.

use std::{
    sync::{Mutex, OnceLock, PoisonError, atomic::Ordering},
    thread,
    time::Duration,
};

use pyo3::{exceptions::PyValueError, prelude::*};
use saltmill::{
    Error,
    engine::{CancelToken, CpuWorker, Engine as LibraryEngine, Event, Worker},
};

use crate::errors::detached;

/// A job that takes longer has failed.
const JOB_DEADLINE: Duration = Duration::from_secs(60);

pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Engine>()
}

/// Who does the work: so many CPU threads, by default one for each processor. Calls that share an
/// engine wait for each other.
#[pyclass(frozen, module = "saltmill")]
pub struct Engine {
    engine: Mutex<LibraryEngine>,
    workers: usize,
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (workers = None))]
    fn new(workers: Option<usize>) -> PyResult<Self> {
        let workers = workers.unwrap_or_else(processors);
        if workers == 0 {
            return Err(PyValueError::new_err("an engine without workers does nothing"));
        }
        Ok(Self { engine: Mutex::new(on_cpu(workers)), workers })
    }

    fn __repr__(&self) -> String {
        format!("<saltmill.Engine of {} workers>", self.workers)
    }
}

fn processors() -> usize {
    static PROCESSORS: OnceLock<usize> = OnceLock::new();
    *PROCESSORS.get_or_init(|| thread::available_parallelism().map_or(1, usize::from))
}

fn on_cpu(workers: usize) -> LibraryEngine {
    let workers = (0..workers).map(|index| Box::new(CpuWorker::new(index)) as Box<dyn Worker>);
    LibraryEngine::new(workers.collect(), JOB_DEADLINE, CancelToken::default())
}

/// What a call says of who does the work, and of who is told how it goes on.
#[derive(Clone, Copy)]
pub struct Run<'a, 'py> {
    pub engine: Option<&'a Bound<'py, Engine>>,
    pub progress: Option<&'a Bound<'py, PyAny>>,
}

/// The same, for a thread that is not attached.
pub struct Detached<'a> {
    engine: Option<&'a Engine>,
    progress: Option<Py<PyAny>>,
    /// How many workers have something to do.
    jobs: u64,
    /// What Python said.
    raised: Option<PyErr>,
}

impl<'a> Run<'a, '_> {
    pub fn detached(&self, jobs: u64) -> Detached<'a> {
        let progress = self.progress.map(|progress| progress.clone().unbind());
        Detached { engine: self.engine.map(Bound::get), progress, jobs, raised: None }
    }
}

impl Detached<'_> {
    /// Lets `act` use the engine. Python's signals and whoever is told about progress can stop it.
    fn run<T>(
        &mut self,
        act: impl FnOnce(&mut LibraryEngine, &mut dyn FnMut(Event)) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut own;
        let mut lent;
        let engine = if let Some(engine) = self.engine {
            lent = engine.engine.lock().unwrap_or_else(PoisonError::into_inner);
            &mut *lent
        } else {
            let jobs = usize::try_from(self.jobs).unwrap_or(usize::MAX);
            own = on_cpu(if jobs > 1 { processors().min(jobs) } else { 1 });
            &mut own
        };
        let cancel = engine.cancel_token();
        let (raised, progress) = (&mut self.raised, &self.progress);
        let outcome = act(engine, &mut |event| {
            if raised.is_some() {
                return;
            }
            let heard = Python::attach(|py| {
                py.check_signals()?;
                match (progress, event) {
                    (Some(progress), Event::Progress(bytes)) => {
                        progress.bind(py).call1((bytes,)).map(drop)
                    }
                    _ => Ok(()),
                }
            });
            if let Err(error) = heard {
                *raised = Some(error);
                cancel.cancel();
            }
        });
        // It asked for the end of this run only.
        cancel.flag().store(false, Ordering::SeqCst);
        outcome
    }

    /// The same; what Python said goes before what came of it.
    pub fn run_to_end<T>(
        mut self,
        act: impl FnOnce(&mut LibraryEngine, &mut dyn FnMut(Event)) -> Result<T, Error>,
    ) -> PyResult<T> {
        let outcome = self.run(act);
        self.raised.map_or_else(|| outcome.map_err(detached), Err)
    }
}
