// SPDX-License-Identifier: Apache-2.0
//! A run with one input and one output: what is checked first, what is shown, what is told at the
//! end.

use saltmill::{
    Task,
    engine::{Engine, Event},
};

use super::explain::explain;
use crate::{
    args::RunArguments,
    io::{input::NamedInput, sources::Sources, target::Target},
    report::{failure::Failure, interrupt, progress::Progress, stats::Statistics},
    workers,
};

/// Everything that can be checked before the work is known: nothing is made or changed yet.
pub struct Run<'a> {
    arguments: &'a RunArguments,
    input: String,
    target: Target,
    statistics: Statistics,
    engine: Engine,
}

impl<'a> Run<'a> {
    /// Checks the statistics and the engines, and catches signals from here on; `variant` is the
    /// simulated device if none is named.
    pub fn prepare(
        arguments: &'a RunArguments,
        input: &NamedInput,
        target: Target,
        sources: &Sources,
        variant: &str,
    ) -> Result<Self, Failure> {
        let statistics = Statistics::prepare(arguments, sources)?;
        statistics.refuse(&target)?;
        let workers = workers::workers(&arguments.engines, variant, input.content.jobs())?;
        let engine = Engine::new(workers, arguments.engines.deadline.0, interrupt::token()?);
        Ok(Self { arguments, input: input.name.clone(), target, statistics, engine })
    }

    /// Does the task. If it fails, no output file is left.
    pub fn work(self, task: Task) -> Result<(), Failure> {
        let Self { arguments, input, target, statistics, mut engine } = self;
        workers::check(&engine, task.algorithm())?;
        let mut progress = Progress::new(arguments.progress, task.work_bytes());
        let mut done = 0;
        let mut events = |event| {
            if let Event::Progress(bytes) = event {
                done = bytes;
            }
            progress.event(&event);
        };
        let report = task.run(&mut engine, target.open()?, &mut events);
        progress.finish(done);
        statistics.write(&report.map_err(|error| explain(error, &input, &target))?)
    }
}
