// SPDX-License-Identifier: Apache-2.0
//! `saltmill keygen`.

use std::{
    fs::{File, Permissions},
    io,
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::Path,
};

use age::{
    secrecy::{ExposeSecret, SecretString},
    x25519,
};
use jiff::{Timestamp, Unit};
use saltmill::format::hybrid;
use zeroize::Zeroizing;

use crate::{
    args::KeygenArguments,
    io::sources::{Sources, standard},
    io::target::Target,
    keys::identity_files::{ReadIdentities, StandardInput},
    keys::prompt::may_ask,
    keys::unusable::{first_line, unreadable},
    report::failure::Failure,
    report::say::{self, shown},
};

/// Runs the command.
pub fn run(arguments: &KeygenArguments) -> Result<(), Failure> {
    let output = arguments.output.as_deref().unwrap_or(Path::new("-"));
    let sources = Sources::of("identity file", &arguments.recipients_of);
    let target = Target::output(Some(output), &sources, arguments.force)?;
    let (text, recipient) = if let Some(path) = &arguments.recipients_of {
        (recipients_of(path, arguments.work.most)?, None)
    } else {
        let (text, recipient) = identity(arguments.post_quantum)?;
        (text, Some(recipient))
    };
    let is_file = matches!(target, Target::File(_));
    if recipient.is_some() && matches!(target, Target::Standard) {
        warn_of_readers();
    }
    // Only its owner may read it, also where it replaces a file that others could read.
    let private = |file: &File| file.set_permissions(Permissions::from_mode(0o600));
    target.put(text.as_bytes(), private)?;
    // Who does not see the file is told whom others encrypt to.
    if let (true, Some(recipient)) = (is_file, recipient) {
        say::tell(format_args!("recipient: {recipient}"));
    }
    Ok(())
}

/// A shell makes files that others may read. It is not for us to change one that we did not make.
fn warn_of_readers() {
    const READABLE: u32 = 0o044;
    if standard(io::stdout()).is_ok_and(|file| file.is_file() && file.mode() & READABLE != 0) {
        say::warn(
            "others can read the file that the identity is written to",
            "run chmod 600 on it, or name it with -o: then only you can read it",
        );
    }
}

/// The text of a file with a new identity, and its recipient.
fn identity(post_quantum: bool) -> Result<(Zeroizing<String>, String), Failure> {
    let (secret, recipient): (SecretString, String) = if post_quantum {
        let identity = hybrid::Identity::generate();
        (identity.to_string(), identity.to_public().to_string())
    } else {
        let identity = x25519::Identity::generate();
        (identity.to_string(), identity.to_public().to_string())
    };
    let now = Timestamp::now().round(Unit::Second).map_err(|error| {
        Failure::run(format!("the clock can't be read: {error}"), "set the machine's clock")
    })?;
    let text = Zeroizing::new(format!(
        "# created: {now}\n# public key: {recipient}\n{}\n",
        secret.expose_secret()
    ));
    Ok((text, recipient))
}

fn recipients_of(path: &Path, most_work: u8) -> Result<Zeroizing<String>, Failure> {
    let name = path.to_string_lossy();
    let unusable = |said: &str| {
        Failure::usage(
            format!("{} holds no identity that can be used: {}", shown(path), first_line(said)),
            "an identity file is what `saltmill keygen` writes",
        )
    };
    let read = ReadIdentities::read(&name, most_work, &mut StandardInput::new(false));
    let lines = match read.map_err(|error| unreadable(&error, "identity file", &name))? {
        ReadIdentities::Lines(lines) => lines,
        ReadIdentities::Encrypted(encrypted) => {
            may_ask(|| encrypted.lines()).map_err(|error| unusable(&error.to_string()))?
        }
        ReadIdentities::Ssh(_) => {
            return Err(unusable("it is an SSH key; its recipient is in the .pub file beside it"));
        }
    };
    let text = lines.recipients_text().map_err(|error| unusable(&error.to_string()))?;
    Ok(Zeroizing::new(text))
}
