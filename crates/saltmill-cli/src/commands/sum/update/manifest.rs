// SPDX-License-Identifier: Apache-2.0
//! The manifest that is to be updated: read as a whole, and only if nothing of it would be lost.

use std::{
    fs::{self, File},
    io,
    path::Path,
};

use super::listing::{BadLine, Listing};
use crate::{
    args::SumArguments,
    io::{sources::Sources, target::Target},
    report::{
        failure::{Failure, hint, reason},
        say::shown,
    },
};

/// Where the manifest is written: a file that is there, or a new one.
pub fn target(path: &Path) -> Result<Target, Failure> {
    match Target::check("manifest", path, &Sources::default(), true)? {
        Target::File(file) => Ok(Target::File(file)),
        _ => Err(unusable(path, "it is not a file", "name a file; it is made if it is not there")),
    }
}

/// All of it, if it is there.
pub fn read(path: &Path) -> Result<Option<Vec<u8>>, Failure> {
    match fs::read(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => {
            let sentence = format!("manifest {} can't be read: {}", shown(path), reason(&error));
            Err(Failure::usage(sentence, hint(&error)))
        }
    }
}

/// Replaces it. It is on the disk afterwards: what it was made of can go.
pub fn write(target: Target, path: &Path, text: &[u8]) -> Result<(), Failure> {
    target.put(text, |_| Ok(()))?;
    File::open(path).and_then(|file| file.sync_all()).map_err(|error| {
        let sentence = format!("writing manifest {} failed: {}", shown(path), reason(&error));
        Failure::run(sentence, hint(&error))
    })
}

/// What is in it. Something that can't be written again is an error: it may be no manifest at all.
pub fn parse(arguments: &SumArguments, path: &Path, text: &[u8]) -> Result<Listing, Failure> {
    let wanted = match arguments.algorithms[..] {
        [algorithm] => Some(algorithm),
        _ => None,
    };
    let end = if arguments.zero { 0 } else { b'\n' };
    if arguments.zero && text.last().is_some_and(|last| *last != 0) {
        return Err(unusable(path, "its lines don't end with zero bytes", "leave out --zero"));
    }
    Listing::read(text, wanted, end, |number, what| {
        let what = match what {
            BadLine::Malformed if wanted.is_some() => "is not one of that --algorithm".to_owned(),
            BadLine::Malformed => "is not one of a manifest".to_owned(),
            BadLine::Hashdeep => "is one of hashdeep, which are only read".to_owned(),
            BadLine::Contradicts(name) => {
                format!("has another digest of {} than an earlier one", shown(name))
            }
        };
        let hint = "nothing was changed; correct the line, or name another manifest";
        Err(unusable(path, &format!("line {number} {what}"), hint))
    })
}

fn unusable(path: &Path, why: &str, hint: &str) -> Failure {
    Failure::usage(format!("manifest {} can't be updated: {why}", shown(path)), hint)
}
