// SPDX-License-Identifier: Apache-2.0
//! Many files in one call: small ones side by side, large ones one after the other, each by all workers.
//! What fails is told at the end; the other files are done.

use std::{
    cell::RefCell,
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    time::Instant,
};

use saltmill_engine::{CancelToken, Engine, Event, Report, Work, Worker, WorkerReport};

use crate::{
    args::{FilesArguments, RunArguments},
    engines,
    failure::{Exit, Failure, hint, reason},
    input::Input,
    interrupt,
    plan::{Naming, Plan, Planned, plan},
    pool::{self, Task, Told},
    progress::Progress,
    say,
    sources::Sources,
    stats::Statistics,
    target::Target,
    transfer::{Job, through},
};

/// Files up to this many bytes are not worth several workers.
const SMALL: u64 = 4 << 20;

/// What is to be done with inputs.
pub trait Prepare {
    /// Whether a stream is made of it, although it is a file: for that nobody is asked for anything.
    fn makes_stream(&self, input: &Input) -> bool;

    /// The work on it; somebody may have to be asked for a passphrase.
    fn job(&mut self, input: Input) -> Result<(Input, Job), Failure>;
}

/// Many files: nothing is made or changed yet.
pub struct Many<'a> {
    arguments: &'a RunArguments,
    plan: Plan,
    statistics: Statistics,
    workers: Vec<Box<dyn Worker>>,
    cancel: CancelToken,
}

impl<'a> Many<'a> {
    /// Finds the files, checks the engines, catches signals from here on; `variant` is the simulated device if none is named.
    pub fn prepare(
        files: &FilesArguments,
        arguments: &'a RunArguments,
        naming: Naming,
        variant: &str,
        sources: Sources,
    ) -> Result<Self, Failure> {
        let mut plan = plan(files, naming)?;
        plan.sources = plan.sources.and(sources);
        let statistics = Statistics::prepare(arguments, &plan.sources)?;
        let workers = engines::workers(&arguments.engines, variant, None)?;
        let cancel = interrupt::token()?;
        Ok(Self { arguments, plan, statistics, workers, cancel })
    }

    /// Does what can be done; `kind` is of the work that `prepare` gives for each file.
    pub fn work(self, kind: &Work, prepare: &mut dyn Prepare) -> Result<(), Failure> {
        let Self { arguments, plan, statistics, mut workers, cancel } = self;
        engines::check(&workers, kind)?;
        let total = plan.files.iter().filter_map(|file| file.bytes).sum();
        let mut tally = Tally {
            progress: Progress::new(arguments.progress, Some(total)),
            report: Report::default(),
            done: 0,
            failures: Vec::new(),
        };
        let started = Instant::now();
        let opener = RefCell::new(Opener {
            prepare,
            force: arguments.force,
            sources: &plan.sources,
            statistics: &statistics,
            made: BTreeSet::new(),
        });
        let mut rest = Vec::new();
        let mut refused = Vec::new();
        let mut files = plan.files.iter().enumerate();
        let tasks = std::iter::from_fn(|| {
            for (number, file) in files.by_ref() {
                if file.bytes.is_none_or(|bytes| bytes > SMALL) {
                    rest.push(number);
                    continue;
                }
                // Nobody is asked for another passphrase after Ctrl-C.
                if interrupt::signal().is_some() {
                    return None;
                }
                match opener.borrow_mut().task(number, file) {
                    Ok(Some(task)) => return Some(task),
                    Ok(None) => rest.push(number),
                    Err(failure) => refused.push((number, failure)),
                }
            }
            None
        });
        let deadline = arguments.engines.deadline.0;
        let mut ended = pool::run(&mut workers, deadline, &cancel, tasks, &mut tally);
        tally.failures.append(&mut refused);
        if interrupt::signal().is_some() {
            ended = ended.and(Err(Failure::interrupted()));
        }
        if ended.is_ok() {
            let rest = rest.iter().map(|&number| (number, &plan.files[number]));
            let mut engine = Engine::new(workers, deadline, cancel);
            ended = spread(&mut engine, rest, &mut opener.borrow_mut(), &mut tally);
        }
        tally.report.elapsed = started.elapsed();
        drop(opener);
        tally.end(ended, plan, statistics)
    }
}

/// The files that are large, or streams: each by all workers.
fn spread<'a>(
    engine: &mut Engine,
    files: impl Iterator<Item = (usize, &'a Planned)>,
    opener: &mut Opener<'_>,
    tally: &mut Tally,
) -> Result<(), Failure> {
    for (number, file) in files {
        if interrupt::signal().is_some() {
            return Err(Failure::interrupted());
        }
        let before = tally.report.bytes;
        let outcome = opener.open(file).and_then(|(input, job, target)| {
            let mut events = |event| match event {
                Event::Progress(bytes) => tally.progress.update(before + bytes),
                other => tally.progress.event(&other),
            };
            through(engine, input, job, target, &mut events)
        });
        match outcome {
            Ok(report) => {
                tally.done += 1;
                report.workers.into_iter().for_each(|worker| tally.report.add(worker));
            }
            Err(failure) if matches!(failure.exit(), Exit::Signal(_) | Exit::Device) => {
                return Err(failure);
            }
            Err(failure) => tally.failures.push((number, failure)),
        }
    }
    Ok(())
}

/// Opens what is read and checks what is written, file by file.
struct Opener<'a> {
    prepare: &'a mut dyn Prepare,
    force: bool,
    sources: &'a Sources,
    statistics: &'a Statistics,
    /// Folders that are there.
    made: BTreeSet<PathBuf>,
}

impl Opener<'_> {
    /// A small file of which no stream is made.
    fn task(&mut self, number: usize, file: &Planned) -> Result<Option<Task>, Failure> {
        let (input, target) = self.ends(file)?;
        if self.prepare.makes_stream(&input) || !Task::takes(&input, &target) {
            return Ok(None);
        }
        let (input, job) = self.prepare.job(input)?;
        Ok(Task::new(number, input, job, target))
    }

    fn open(&mut self, file: &Planned) -> Result<(Input, Job, Target), Failure> {
        let (input, target) = self.ends(file)?;
        let (input, job) = self.prepare.job(input)?;
        Ok((input, job, target))
    }

    fn ends(&mut self, file: &Planned) -> Result<(Input, Target), Failure> {
        let input = Input::open(Some(&file.input))?;
        let target = match &file.output {
            None => Target::Nothing,
            Some(output) => {
                self.make_folder(output)?;
                let target = Target::output(Some(output), self.sources, self.force)?;
                self.statistics.refuse(&target)?;
                target
            }
        };
        Ok((input, target))
    }

    fn make_folder(&mut self, output: &Path) -> Result<(), Failure> {
        let Some(folder) = output.parent() else { return Ok(()) };
        if !self.made.contains(folder) {
            fs::create_dir_all(folder).map_err(|error| {
                let sentence = format!("{} can't be made: {}", say::shown(folder), reason(&error));
                Failure::usage(sentence, hint(&error))
            })?;
            self.made.insert(folder.to_owned());
        }
        Ok(())
    }
}

/// What was done, and what was not.
struct Tally {
    progress: Progress,
    report: Report,
    done: usize,
    failures: Vec<(usize, Failure)>,
}

impl Told for Tally {
    fn done(&mut self, report: WorkerReport) {
        self.done += 1;
        self.report.add(report);
        self.progress.update(self.report.bytes);
    }

    fn failed(&mut self, number: usize, failure: Failure) {
        self.failures.push((number, failure));
    }

    fn event(&mut self, event: &Event) {
        self.progress.event(event);
    }
}

impl Tally {
    /// Tells what has failed, in the order of the files.
    fn end(
        mut self,
        ended: Result<(), Failure>,
        plan: Plan,
        statistics: Statistics,
    ) -> Result<(), Failure> {
        self.progress.finish(self.report.bytes);
        if let Some(first) = plan.left_out.first() {
            let (first, others) = (say::shown(first), plan.left_out.len() - 1);
            let more = if others == 0 { String::new() } else { format!(" and {others} others") };
            let left_out = format!("left out, for they are links or devices: {first}{more}");
            say::warn(&left_out, "name a link on the command line, and it is followed");
        }
        let all = plan.files.len() + plan.failures.len();
        self.failures.sort_by_key(|(number, _)| *number);
        let failures = self.failures.into_iter().map(|(_, failure)| failure);
        let failures: Vec<_> = plan.failures.into_iter().chain(failures).collect();
        for failure in &failures {
            say::tell(failure);
        }
        let written = statistics.write(&self.report);
        let ended = match (ended, failures.first()) {
            (Err(failure), _) => Err(failure.after(self.done, all)),
            (Ok(()), Some(first)) => Err(Failure::some(first.exit(), failures.len(), all)),
            (Ok(()), None) => return written,
        };
        // What has become of the files matters more.
        if let Err(failure) = written {
            say::tell(failure);
        }
        ended
    }
}
