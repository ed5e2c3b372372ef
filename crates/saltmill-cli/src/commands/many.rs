// SPDX-License-Identifier: Apache-2.0
//! Many files in one call. What fails is told at the end; the other files are done.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    time::Instant,
};

use saltmill::{
    Batch, Error, Output, Sums, Task,
    engine::{Algorithm, Engine, Event, Report},
};

use super::{
    explain::{call_ended, explain},
    manifest::Manifest,
};
use crate::{
    args::{FilesArguments, RunArguments},
    io::{
        input::NamedInput,
        plan::{Naming, Plan, Planned, plan},
        sources::Sources,
        target::Target,
        walk::tell_skipped,
    },
    report::{
        failure::{Failure, hint, reason},
        interrupt,
        progress::Progress,
        say,
        stats::Statistics,
    },
    workers,
};

/// What is to be done with inputs.
pub trait Prepare {
    /// Whether a stream is made of it, although it is a file: for that nobody is asked for
    /// anything.
    fn is_stream(&self, input: &saltmill::Input) -> bool;

    /// The work on the input of that name; somebody may have to be asked for a passphrase.
    fn task(&mut self, name: &str, input: saltmill::Input) -> Result<Task, Failure>;
}

/// Many files: nothing is made or changed yet.
pub struct Many<'a> {
    arguments: &'a RunArguments,
    naming: Naming,
    plan: Plan,
    statistics: Statistics,
    engine: Engine,
    manifest: Option<Manifest>,
}

impl<'a> Many<'a> {
    /// Finds the files, checks the engines, catches signals from here on; `variant` is the
    /// simulated device if none is named.
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
        let workers = workers::workers(&arguments.engines, variant, None)?;
        let engine = Engine::new(workers, arguments.engines.deadline.0, interrupt::token()?);
        Ok(Self { arguments, naming, plan, statistics, engine, manifest: None })
    }

    /// The same, and a manifest of what is read and written goes there.
    pub fn summed(mut self, path: Option<&Path>) -> Result<Self, Failure> {
        let (sources, force) = (&self.plan.sources, self.arguments.force);
        let prepare = |path| Manifest::prepare(path, sources, force);
        self.manifest = path.map(prepare).transpose()?;
        Ok(self)
    }

    /// Does what can be done.
    pub fn work(
        self,
        algorithm: Option<Algorithm>,
        prepare: &mut dyn Prepare,
    ) -> Result<(), Failure> {
        let Self { arguments, naming, plan, statistics, mut engine, manifest } = self;
        workers::check(&engine, algorithm)?;
        let total = plan.files.iter().filter_map(|file| file.bytes).sum();
        let started = Instant::now();
        let mut files = Files {
            prepare,
            force: arguments.force,
            naming,
            plan: &plan,
            statistics: &statistics,
            made: BTreeSet::new(),
            open: BTreeMap::new(),
            manifest,
            sums: BTreeMap::new(),
            tally: Tally {
                progress: Progress::new(arguments.progress, Some(total)),
                report: Report::default(),
                done: 0,
                failures: Vec::new(),
            },
        };
        let lengths = plan.files.iter().map(|file| file.bytes);
        let mut ended = saltmill::many(&mut engine, lengths, &mut files).map_err(call_ended);
        if interrupt::signal().is_some() {
            ended = ended.and(Err(Failure::interrupted()));
        }
        let Files { mut tally, manifest, .. } = files;
        tally.report.elapsed = started.elapsed();
        // Finished files stay, whatever has become of the others, and so do their lines.
        let written = manifest.map_or(Ok(()), Manifest::write);
        if let (Err(_), Err(failure)) = (&ended, &written) {
            say::tell(failure);
        }
        ended = ended.and(written);
        tally.end(ended, plan, statistics)
    }
}

/// Opens what is read and checks what is written, file by file, and keeps what became of it.
struct Files<'a> {
    prepare: &'a mut dyn Prepare,
    force: bool,
    naming: Naming,
    plan: &'a Plan,
    statistics: &'a Statistics,
    /// Folders that are there.
    made: BTreeSet<PathBuf>,
    /// What the files are called that are under way: input and output.
    open: BTreeMap<usize, (String, Target)>,
    manifest: Option<Manifest>,
    /// Digests of those files.
    sums: BTreeMap<usize, Sums>,
    tally: Tally,
}

impl Files<'_> {
    fn ends(&mut self, file: &Planned) -> Result<(NamedInput, Target, Output), Failure> {
        let input = NamedInput::open(Some(&file.input))?;
        let target = match &file.output {
            None => Target::Nothing,
            Some(output) => {
                self.make_folder(output)?;
                let sources = &self.plan.sources;
                let target = match self.naming {
                    Naming::Kept => Target::renewed(Some(output), &input, sources, self.force),
                    _ => Target::output(Some(output), sources, self.force),
                }?;
                self.statistics.refuse(&target)?;
                self.manifest.as_ref().map_or(Ok(()), |manifest| manifest.refuse(&target))?;
                target
            }
        };
        let output = target.open()?;
        Ok((input, target, output))
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

    /// What was done, or `None` for a file that failed.
    fn known<T>(&mut self, number: usize, outcome: Result<T, Failure>) -> Option<T> {
        outcome.map_err(|failure| self.tally.failures.push((number, failure))).ok()
    }
}

impl Batch for Files<'_> {
    fn open(&mut self, number: usize) -> Option<(saltmill::Input, Output)> {
        // Nobody is asked for another passphrase after Ctrl-C.
        if interrupt::signal().is_some() {
            return None;
        }
        let plan = self.plan;
        let ends = self.ends(&plan.files[number]);
        let (input, target, output) = self.known(number, ends)?;
        self.open.insert(number, (input.name, target));
        Some((input.content, output))
    }

    fn is_stream(&self, input: &saltmill::Input) -> bool {
        self.prepare.is_stream(input)
    }

    fn task(&mut self, number: usize, input: saltmill::Input) -> Option<Task> {
        let (name, _) = self.open.get(&number)?;
        let task = self.prepare.task(name, input);
        let task = self.known(number, task)?;
        self.sums.extend(task.sums().map(|sums| (number, sums)));
        Some(task)
    }

    fn ended(&mut self, number: usize, outcome: Result<Report, Error>) {
        let Some((name, target)) = self.open.remove(&number) else { return };
        let sums = self.sums.remove(&number);
        let outcome = outcome.map_err(|error| explain(error, &name, &target));
        if let Some(report) = self.known(number, outcome) {
            self.tally.done += 1;
            if let (Some(manifest), Some(sums)) = (&mut self.manifest, sums) {
                let file = &self.plan.files[number];
                manifest.add(Some(&file.input), file.output.as_deref(), sums);
            }
            let bytes = self.tally.report.bytes + report.bytes;
            for worker in report.workers {
                self.tally.report.add(worker);
            }
            // What is copied has no worker.
            self.tally.report.bytes = bytes;
            self.tally.progress.update(self.tally.report.bytes);
        }
    }

    fn event(&mut self, _number: Option<usize>, event: Event) {
        match event {
            // Of the file that is under way.
            Event::Progress(bytes) => self.tally.progress.update(self.tally.report.bytes + bytes),
            other => self.tally.progress.event(&other),
        }
    }
}

/// What was done, and what was not.
struct Tally {
    progress: Progress,
    report: Report,
    done: usize,
    failures: Vec<(usize, Failure)>,
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
        tell_skipped(&plan.left_out);
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
