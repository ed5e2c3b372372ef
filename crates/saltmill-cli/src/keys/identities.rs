// SPDX-License-Identifier: Apache-2.0
//! Identities of the age format, from the command line, and passphrases from people.

use age::{
    Identity,
    cli_common::{UiCallbacks, read_secret},
    plugin::{self, IdentityPluginV1},
    scrypt,
};

use crate::{
    args::{IdentityArgument, IdentityArguments},
    keys::{
        identity_files::{self, StandardInput},
        prompt::may_ask,
        unusable::{IDENTITY_FILE, no_passphrase, no_plugin, unreadable},
    },
    report::{failure::Failure, say::shown},
};

/// Those who can decrypt: as far as the command line names them, and otherwise a passphrase.
pub struct Identities {
    named: Vec<Known>,
    /// The largest work factor of a passphrase that is tried.
    pub most_work: u8,
    /// Asked for when the first file needs it, and only once.
    passphrase: Option<Result<Known, Failure>>,
}

/// One who can decrypt.
pub struct Known {
    identity: Box<dyn Identity>,
    /// A plugin that was named itself: it may know passphrases.
    is_plugin: bool,
}

impl AsRef<dyn Identity> for Known {
    fn as_ref(&self) -> &(dyn Identity + 'static) {
        &*self.identity
    }
}

/// Reads what the command line names.
pub fn identities(
    arguments: &IdentityArguments,
    stdin: &mut StandardInput,
) -> Result<Identities, Failure> {
    let most_work = arguments.work.most;
    let mut named = Vec::new();
    for given in &arguments.given {
        match given {
            IdentityArgument::File(file) => {
                let known = |identity| Known { identity, is_plugin: false };
                named.extend(identities_in(file, most_work, stdin)?.into_iter().map(known));
            }
            IdentityArgument::Plugin(name) => {
                let identity = plugin::Identity::default_for_plugin(name);
                let plugin =
                    identity.and_then(|id| IdentityPluginV1::new(name, &[id], UiCallbacks));
                let identity = Box::new(plugin.map_err(|error| no_plugin(name, &error))?);
                named.push(Known { identity, is_plugin: true });
            }
        }
    }
    Ok(Identities { named, most_work, passphrase: None })
}

fn identities_in(
    file: &str,
    most_work: u8,
    stdin: &mut StandardInput,
) -> Result<Vec<Box<dyn Identity>>, Failure> {
    let read = identity_files::ReadIdentities::read(file, most_work, stdin)
        .and_then(identity_files::ReadIdentities::into_identities);
    let read = read.map_err(|error| unreadable(&error, "identity file", file))?;
    if read.is_empty() {
        return Err(Failure::usage(
            format!("identity file {} holds no identity", shown(file)),
            IDENTITY_FILE,
        ));
    }
    Ok(read)
}

impl Identities {
    /// Those that can fit a file for recipients, or for a passphrase.
    pub fn of(&mut self, name: &str, passphrase: bool) -> Result<Vec<&Known>, Failure> {
        let plugins = || self.named.iter().filter(|known| known.is_plugin);
        match (passphrase, self.named.is_empty()) {
            (false, false) => Ok(self.named.iter().collect()),
            (false, true) => Err(Failure::usage(
                format!("{name} is encrypted to recipients, and no identity is given"),
                "name the file with the identity: -i key.txt",
            )),
            (true, false) if plugins().next().is_some() => Ok(plugins().collect()),
            (true, false) => Err(for_passphrase(name)),
            (true, true) => {
                let ask = || passphrase_of(name, self.most_work);
                match self.passphrase.get_or_insert_with(ask) {
                    Ok(known) => Ok(vec![known]),
                    Err(failure) => Err(failure.clone()),
                }
            }
        }
    }
}

/// A file that opens with a passphrase, where something else is given.
pub fn for_passphrase(name: &str) -> Failure {
    Failure::usage(
        format!("{name} is encrypted with a passphrase, not to an identity"),
        "leave out -i and -j; you are asked for the passphrase",
    )
}

/// The passphrase of a file, asked for.
fn passphrase_of(name: &str, most_work: u8) -> Result<Known, Failure> {
    let description = format!("Passphrase of {name}");
    let passphrase = may_ask(|| read_secret(&description, "Passphrase", None));
    let mut identity = scrypt::Identity::new(passphrase.map_err(|error| no_passphrase(&error))?);
    identity.set_max_work_factor(most_work);
    Ok(Known { identity: Box::new(identity), is_plugin: false })
}
