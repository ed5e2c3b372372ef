// SPDX-License-Identifier: Apache-2.0
//! Whole files.

use std::path::Path;

use saltmill::{Input, Opener, Output, Sealer};

use crate::{
    engine::{Options, run},
    error::{Error, Status, call},
    keys::{Identities, Recipients},
    raw::{Text, needed},
};

/// Seals a file in the age format, version 1 (C2SP, age.md). The target has its name when it is
/// complete, and is not there if anything fails; one that is there already is
/// `SALTMILL_STATUS_SYSTEM` with `EEXIST`, unless the options say `replace`.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_encrypt_file(
    source: Text,
    target: Text,
    recipients: Option<&Recipients>,
    options: Option<&Options<'_>>,
) -> Status {
    call(|| {
        let armor = options.is_some_and(|options| options.armor);
        let sealer = Sealer::new(needed(recipients)?.boxed()).armored(armor);
        let (input, output) = ends(source, target, options)?;
        let (jobs, task) = (input.jobs().unwrap_or(u64::MAX), sealer.task(input)?);
        run(options, jobs, |engine, events| task.run(engine, output, events)).map(drop)
    })
}

/// Opens a file of the age format, with an armor or without. If anything in it was changed, there
/// is no target.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_decrypt_file(
    source: Text,
    target: Text,
    identities: Option<&Identities>,
    options: Option<&Options<'_>>,
) -> Status {
    call(|| {
        let opener = Opener::new(needed(identities)?.boxed());
        let (input, output) = ends(source, target, options)?;
        let (jobs, task) = (input.jobs().unwrap_or(u64::MAX), opener.task(input)?);
        run(options, jobs, |engine, events| task.run(engine, output, events)).map(drop)
    })
}

fn ends(
    source: Text,
    target: Text,
    options: Option<&Options<'_>>,
) -> Result<(Input, Output), Error> {
    let (source, target) = (source.get()?, target.get()?);
    let input = Input::open(source).map_err(|error| Error::system(&error, source))?;
    let replace = options.is_some_and(|options| options.replace);
    if replace {
        return Ok((input, Output::replace(target)));
    }
    // Known before the work is done, too.
    if Path::new(target).symlink_metadata().is_ok() {
        let there = std::io::Error::from_raw_os_error(EEXIST);
        return Err(Error::system(&there, target));
    }
    Ok((input, Output::create(target)))
}

/// POSIX: "File exists"; the same number on Linux, macOS and the BSDs.
const EEXIST: i32 = 17;
