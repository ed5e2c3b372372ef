// SPDX-License-Identifier: Apache-2.0
//! A run with one input and one output: what is checked first, what is shown, what is told at the end.

use saltmill_engine::{CancelToken, Engine, Event, Worker};

use crate::{
    args::RunArguments,
    engines,
    failure::Failure,
    input::{Input, InputKind},
    interrupt,
    progress::Progress,
    sources::Sources,
    stats::Statistics,
    target::Target,
    transfer::{Job, through},
};

/// Everything that can be checked before the work is known: nothing is made or changed yet.
pub struct Run<'a> {
    arguments: &'a RunArguments,
    target: Target,
    statistics: Statistics,
    workers: Vec<Box<dyn Worker>>,
    cancel: CancelToken,
}

impl<'a> Run<'a> {
    /// Checks the statistics and the engines, and catches signals from here on; `variant` is the simulated device if none is named.
    pub fn prepare(
        arguments: &'a RunArguments,
        input: &Input,
        target: Target,
        sources: &Sources,
        variant: &str,
    ) -> Result<Self, Failure> {
        let statistics = Statistics::prepare(arguments, sources)?;
        statistics.refuse(&target)?;
        let workers = engines::workers(&arguments.engines, variant, input.jobs())?;
        let cancel = interrupt::token()?;
        Ok(Self { arguments, target, statistics, workers, cancel })
    }

    /// Does the job. If it fails, no output file is left.
    pub fn work(self, input: Input, job: Job) -> Result<(), Failure> {
        let Self { arguments, target, statistics, workers, cancel } = self;
        engines::check(&workers, &job.work)?;
        let mut engine = Engine::new(workers, arguments.engines.deadline.0, cancel);
        let total = match input.kind {
            InputKind::Regular(_, len) => Some(len.saturating_sub(job.skip)),
            InputKind::Stream(_) => None,
        };
        let mut progress = Progress::new(arguments.progress, total);
        let mut done = 0;
        let mut events = |event| {
            if let Event::Progress(bytes) = event {
                done = bytes;
            }
            progress.event(&event);
        };
        let report = through(&mut engine, input, job, target, &mut events);
        progress.finish(done);
        statistics.write(&report?)
    }
}
