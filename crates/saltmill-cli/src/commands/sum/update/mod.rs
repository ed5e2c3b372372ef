// SPDX-License-Identifier: Apache-2.0
//! A manifest brought up to date: what has not changed is not read (decision 69).

mod gone;
mod journal;
mod listing;
mod manifest;

use std::{
    collections::HashSet,
    fmt,
    fs::{self, Metadata},
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use saltmill::{
    engine::{Event, Key, TaskEvent},
    sum::{
        FileError, HashAlgorithm, Hashed, Request, Source, Version, hash_as_they_end,
        manifest::Style,
    },
};

use self::{
    journal::Journal,
    listing::{Listed, Listing},
};
use super::{
    about, count, engine,
    find::{find, total},
    reason,
};
use crate::{
    args::SumArguments,
    commands::explain::call_ended,
    io::sources::FileId,
    report::{
        failure::{Exit, Failure},
        progress::Progress,
        say,
    },
};

/// Runs `saltmill sum --update`.
pub fn run(arguments: &SumArguments, key: Option<&Key>, path: &Path) -> Result<Exit, Failure> {
    if arguments.inputs.iter().any(|input| input == Path::new("-")) {
        return Err(Failure::usage(
            "standard input can't be in a manifest that is updated",
            "name files, or folders with --recursive",
        ));
    }
    let target = manifest::target(path)?;
    let (mut journal, earlier) = Journal::open(path)?;
    let before = manifest::read(path)?;
    let listing = manifest::parse(arguments, path, before.as_deref().unwrap_or_default())?;
    let mut update = Update::new(arguments, listing);
    let found = find(arguments);
    let own = [path, journal.path()].map(|path| fs::metadata(path).ok().as_ref().map(FileId::of));
    let stale = update.plan(&found.names, own.as_slice(), &earlier);
    update.drop_gone(&found, path)?;
    update.hash(&stale, key, &mut journal)?;
    let text = update.listing.text(update.style());
    // What has not changed keeps its time.
    if before.as_ref() != Some(&text) {
        manifest::write(target, path, &text)?;
    }
    journal.remove()?;
    say::tell(about(path, &update.tally.to_string()));
    let failed = update.tally.failed > 0 || !found.unreadable.is_empty();
    Ok(if failed { Exit::Failed } else { Exit::Done })
}

/// How many files were what.
#[derive(Default)]
struct Tally {
    hashed: usize,
    /// By an earlier run, which was interrupted.
    resumed: usize,
    trusted: usize,
    gone: usize,
    failed: usize,
}

/// A manifest that is brought up to date.
struct Update<'a> {
    arguments: &'a SumArguments,
    listing: Listing,
    algorithms: Arc<[HashAlgorithm]>,
    /// Numbers of the files that were found, and of those that were named and are gone.
    seen: HashSet<usize>,
    tally: Tally,
}

impl<'a> Update<'a> {
    fn new(arguments: &'a SumArguments, listing: Listing) -> Self {
        let mut algorithms = Vec::new();
        for algorithm in &arguments.algorithms {
            if !algorithms.contains(algorithm) {
                algorithms.push(*algorithm);
            }
        }
        if algorithms.is_empty() {
            algorithms = listing.algorithms();
        }
        if algorithms.is_empty() {
            algorithms.push(HashAlgorithm::Sha256);
        }
        let (seen, tally) = (HashSet::new(), Tally::default());
        Self { arguments, listing, algorithms: algorithms.into(), seen, tally }
    }

    /// BLAKE3 and HMAC have lines that name it: without, `--check` takes them for SHA-256.
    fn style(&self) -> Style {
        let named = [HashAlgorithm::Blake3, HashAlgorithm::HmacSha256];
        let is_plain = matches!(&*self.algorithms, [one] if !named.contains(one));
        let tag = self.arguments.tag || self.listing.is_tagged || !is_plain;
        Style { tag, zero: self.arguments.zero }
    }

    /// Finds out which files have to be hashed: those that are not what they were when the manifest
    /// was written, or when an earlier run was interrupted. The manifest is `own`.
    fn plan(&mut self, names: &[PathBuf], own: &[Option<FileId>], earlier: &Listing) -> Vec<usize> {
        let (mut order, mut stale) = (Vec::new(), Vec::new());
        for name in names {
            let metadata = fs::metadata(name);
            if metadata.as_ref().is_ok_and(|metadata| own.contains(&Some(FileId::of(metadata)))) {
                continue;
            }
            let number = self.listing.number(name);
            if !self.seen.insert(number) {
                continue;
            }
            let file = &mut self.listing.files[number];
            if !file.digests.is_empty() && is_missing(&metadata) {
                file.digests.clear();
                self.tally.gone += 1;
                continue;
            }
            order.push(number);
            let version = metadata.ok().as_ref().and_then(Version::of);
            let is_good = |listed: &Listed| {
                version.is_some() && listed.version == version && listed.has(&self.algorithms)
            };
            if is_good(file) {
                self.tally.trusted += 1;
            } else if let Some(done) = earlier.get(name).filter(|done| is_good(done)) {
                file.take(done, &self.algorithms);
                self.tally.resumed += 1;
            } else {
                stale.push(number);
            }
        }
        self.listing.arrange(&order);
        stale
    }

    fn hash(
        &mut self,
        stale: &[usize],
        key: Option<&Key>,
        journal: &mut Journal,
    ) -> Result<(), Failure> {
        if stale.is_empty() {
            return Ok(());
        }
        let one_by_one = *self.algorithms != [HashAlgorithm::Blake3];
        let mut engine = engine(self.arguments, one_by_one.then_some(stale.len() as u64))?;
        let cancel = engine.cancel_token();
        let names: Vec<_> =
            stale.iter().map(|number| self.listing.files[*number].name.clone()).collect();
        let mut progress = Progress::of(self.arguments.progress, || total(&names));
        let algorithms = Arc::clone(&self.algorithms);
        let mut requests = stale.iter().zip(names.iter().cloned()).map(|(number, name)| Request {
            source: Source::File(name),
            algorithms: Arc::clone(&algorithms),
            tag: *number,
        });
        let (mut noted, mut done) = (Ok(()), 0);
        let outcome = hash_as_they_end(&mut engine, key, &mut requests, &mut |event| {
            let written = match event {
                TaskEvent::Ended(number, found) => self.ended(number, found, &progress, journal),
                TaskEvent::Waiting => journal.flush(),
                TaskEvent::Event(event) => {
                    if let Event::Progress(bytes) = event {
                        done = bytes;
                    }
                    progress.event(&event);
                    Ok(())
                }
            };
            if written.is_err() && noted.is_ok() {
                cancel.cancel();
                noted = written;
            }
        });
        progress.finish(done);
        noted?;
        outcome.map_err(|error| journal.resumable(call_ended(error)))
    }

    /// A file has been read, or could not be: then its lines stay.
    fn ended(
        &mut self,
        number: usize,
        found: Result<Hashed, FileError>,
        progress: &Progress,
        journal: &mut Journal,
    ) -> Result<(), Failure> {
        let file = &mut self.listing.files[number];
        match found {
            Ok(hashed) => {
                file.digests = self.algorithms.iter().copied().zip(hashed.digests).collect();
                file.version = hashed.version;
                self.tally.hashed += 1;
                journal.add(file)
            }
            Err(error) => {
                self.tally.failed += 1;
                progress.suspend(|| say::tell(about(&file.name, &reason(&error))));
                Ok(())
            }
        }
    }
}

fn is_missing(metadata: &io::Result<Metadata>) -> bool {
    metadata.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { hashed, resumed, trusted, gone, failed } = *self;
        write!(f, "{} hashed", count(hashed, "file"))?;
        if resumed > 0 {
            write!(f, ", {resumed} hashed by the run that was interrupted")?;
        }
        write!(f, ", {trusted} trusted by size, time and inode")?;
        if gone > 0 {
            write!(f, ", {gone} gone")?;
        }
        if failed > 0 {
            write!(f, ", {failed} not read")?;
        }
        Ok(())
    }
}
