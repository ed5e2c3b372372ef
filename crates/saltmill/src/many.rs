// SPDX-License-Identifier: Apache-2.0
//! Many files: small ones side by side, each by one worker; then large ones and streams one after
//! the other, each by all workers.

use std::cell::RefCell;

use saltmill_engine::{Engine, EngineError, Event, Report, TaskEvent};

use crate::{Error, Input, Output, Task, system::open_files};

/// Files up to this many bytes are not worth several workers.
const SMALL: u64 = 4 << 20;

/// Open files that others than the tasks need: standard streams, signals, plugins.
const OTHER_FILES: u64 = 32;

/// Many files, by number. What is not to be done gives `None`, and is not told of again.
pub trait Batch {
    /// Opens a file and says where its result goes.
    fn open(&mut self, number: usize) -> Option<(Input, Output)>;

    /// Whether its result is written from front to back: an armor, on either side, or digests of
    /// it. Nobody is asked for anything before that is known.
    fn is_stream(&self, input: &Input) -> bool {
        input.is_armored()
    }

    /// What is to be done; somebody may have to be asked for a passphrase.
    fn task(&mut self, number: usize, input: Input) -> Option<Task>;

    /// A file has ended, well or not.
    fn ended(&mut self, number: usize, outcome: Result<Report, Error>);

    /// Something else happened; `number` if one file alone is under way.
    fn event(&mut self, number: Option<usize>, event: Event);
}

/// A small file under way.
struct Small {
    number: usize,
    task: Task,
    output: Output,
}

/// Does all files of a batch, whose lengths are these as far as they are known. A file that fails
/// does not end it.
///
/// # Errors
/// [`EngineError::Cancelled`], or [`EngineError::NoWorkerLeft`].
pub fn many(
    engine: &mut Engine,
    lengths: impl IntoIterator<Item = Option<u64>>,
    batch: &mut dyn Batch,
) -> Result<(), EngineError> {
    let mut rest = Vec::new();
    side_by_side(engine, lengths.into_iter().enumerate(), batch, &mut rest)?;
    for number in rest {
        if engine.cancel_token().is_cancelled() {
            return Err(EngineError::Cancelled);
        }
        let Some((input, output)) = batch.open(number) else { continue };
        let Some(task) = batch.task(number, input) else { continue };
        let outcome = task.run(engine, output, &mut |event| batch.event(Some(number), event));
        match outcome {
            Err(Error::Engine(error @ (EngineError::Cancelled | EngineError::NoWorkerLeft))) => {
                return Err(error);
            }
            outcome => batch.ended(number, outcome),
        }
    }
    Ok(())
}

/// Does the small files; `rest` are the numbers of the others.
fn side_by_side(
    engine: &mut Engine,
    mut files: impl Iterator<Item = (usize, Option<u64>)>,
    batch: &mut dyn Batch,
    rest: &mut Vec<usize>,
) -> Result<(), EngineError> {
    let cancel = engine.cancel_token();
    let batch = RefCell::new(batch);
    let mut small = std::iter::from_fn(|| {
        for (number, len) in files.by_ref() {
            if cancel.is_cancelled() {
                return None;
            }
            if len.is_none_or(|len| len > SMALL) {
                rest.push(number);
                continue;
            }
            let mut batch = batch.borrow_mut();
            let Some((input, output)) = batch.open(number) else { continue };
            if input.len().is_none() || !output.is_in_place() || batch.is_stream(&input) {
                rest.push(number);
                continue;
            }
            if let Some(task) = batch.task(number, input) {
                return Some(Small { number, task, output });
            }
        }
        None
    });
    // Each has an input and an output.
    let most = usize::try_from(open_files().saturating_sub(OTHER_FILES) / 2).unwrap_or(usize::MAX);
    engine.each(
        most,
        &mut small,
        &|worker, small: &Small| small.task.run_single(worker, &small.output),
        &mut |told| match told {
            TaskEvent::Ended(small, outcome) => {
                let outcome = outcome.map(|worker| {
                    let mut report = Report::default();
                    report.add(worker);
                    report
                });
                batch.borrow_mut().ended(small.number, outcome);
            }
            TaskEvent::Waiting => {}
            TaskEvent::Event(event) => batch.borrow_mut().event(None, event),
        },
    )
}
