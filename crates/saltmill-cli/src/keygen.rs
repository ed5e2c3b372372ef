// SPDX-License-Identifier: Apache-2.0
//! `saltmill keygen`.

use std::{
    fs::OpenOptions,
    io::{self, BufReader, Read, Write},
    os::unix::fs::OpenOptionsExt,
    path::Path,
};

use age::{IdentityFile, secrecy::ExposeSecret, x25519};
use jiff::{Timestamp, Unit};
use zeroize::Zeroizing;

use crate::{
    args::KeygenArguments,
    failure::{Failure, hint, reason},
    input::{Input, InputKind},
    parties::first_line,
};

/// Runs the command.
pub fn run(arguments: &KeygenArguments) -> Result<(), Failure> {
    let output = arguments.output.as_deref().filter(|path| *path != Path::new("-"));
    let (text, recipient) = if let Some(path) = &arguments.recipients_of {
        (recipients_of(path)?, None)
    } else {
        let (text, recipient) = identity()?;
        (text, Some(recipient))
    };
    let written = match output {
        None => io::stdout().write_all(text.as_bytes()),
        Some(path) => {
            // Only its owner may read it, from the first byte on.
            let mut options = OpenOptions::new();
            options.write(true).mode(0o600);
            if arguments.force {
                options.create(true).truncate(true)
            } else {
                options.create_new(true)
            };
            match options.open(path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    return Err(Failure::usage(
                        format!("output {} exists", path.display()),
                        "name another output; what was encrypted to a key that --force replaces is lost",
                    ));
                }
                opened => opened.and_then(|mut file| file.write_all(text.as_bytes())),
            }
        }
    };
    written.map_err(|error| {
        let name = output.map_or("standard output".into(), |path| path.display().to_string());
        Failure::run(format!("writing {name} failed: {}", reason(&error)), hint(&error))
    })?;
    // Who does not see the file is told whom others encrypt to.
    if let (Some(_), Some(recipient)) = (output, recipient) {
        eprintln!("recipient: {recipient}");
    }
    Ok(())
}

/// The text of a file with a new identity, and its recipient.
fn identity() -> Result<(Zeroizing<String>, x25519::Recipient), Failure> {
    let identity = x25519::Identity::generate();
    let recipient = identity.to_public();
    let now = Timestamp::now().round(Unit::Second).map_err(|error| {
        Failure::run(format!("the clock can't be read: {error}"), "set the machine's clock")
    })?;
    let text = Zeroizing::new(format!(
        "# created: {now}\n# public key: {recipient}\n{}\n",
        identity.to_string().expose_secret()
    ));
    Ok((text, recipient))
}

fn recipients_of(path: &Path) -> Result<Zeroizing<String>, Failure> {
    let input = Input::open(Some(path))?;
    let reader: Box<dyn Read> = match input.kind {
        InputKind::Regular(file, _) => Box::new(file),
        InputKind::Stream(stream) => stream,
    };
    let unusable = |said: &str| {
        Failure::usage(
            format!("{} holds no identity that can be used: {}", input.name, first_line(said)),
            "a file of identities is what `saltmill keygen` writes",
        )
    };
    let file = IdentityFile::from_buffer(BufReader::new(reader))
        .map_err(|error| unusable(&error.to_string()))?;
    let mut text = Vec::new();
    file.write_recipients_file(&mut text).map_err(|error| unusable(&error.to_string()))?;
    Ok(Zeroizing::new(String::from_utf8_lossy(&text).into_owned()))
}
