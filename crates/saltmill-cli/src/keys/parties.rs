// SPDX-License-Identifier: Apache-2.0
//! Recipients and identities of the age format, from the command line, from files and from people.

use std::io::ErrorKind;

use age::{
    Identity, Recipient,
    cli_common::{
        Passphrase, ReadError, StdinGuard, UiCallbacks, read_or_generate_passphrase,
        read_recipients, read_secret,
    },
    plugin::{self, IdentityPluginV1, RecipientPluginV1},
    scrypt,
    secrecy::ExposeSecret,
};
use saltmill::format::hybrid;

use crate::{
    args::{IdentityArgument, IdentityArguments},
    keys::identity_files::{self, StandardInput},
    keys::prompt::may_ask,
    report::failure::{Failure, hint, reason},
    report::say::{self, shown},
};

/// What the command line says of those whom a file is encrypted to.
pub struct To<'a> {
    /// Recipients.
    pub recipients: &'a [String],
    /// Files of recipients.
    pub recipients_files: &'a [String],
    /// Files of identities, whose recipients are meant.
    pub identities: &'a [String],
    /// Plugins that need no recipient.
    pub plugins: &'a [String],
    /// The largest work factor of an encrypted file of identities.
    pub most_work: u8,
}

/// Those whom a file is encrypted to.
pub fn recipients(
    to: &To<'_>,
    stdin: &mut StandardInput,
) -> Result<Vec<Box<dyn Recipient>>, Failure> {
    let mut named = Named::default();
    for text in to.recipients {
        named.add(text, None)?;
    }
    for file in to.recipients_files {
        named.add_file(file, stdin)?;
    }
    let mut recipients = named.recipients()?;
    for file in to.identities {
        // An encrypted file of identities has a passphrase, too.
        let read = identity_files::Identities::read(file, to.most_work, stdin);
        let read = read.and_then(|identities| may_ask(|| identities.recipients(file)));
        for recipient in read.map_err(|error| unreadable(&error, "identity file", file))? {
            recipients.push(recipient);
        }
    }
    for name in to.plugins {
        let identity = plugin::Identity::default_for_plugin(name);
        let recipient =
            identity.and_then(|id| RecipientPluginV1::new(name, &[], &[id], UiCallbacks));
        recipients.push(Box::new(recipient.map_err(|error| no_plugin(name, &error))?));
    }
    if recipients.is_empty() {
        return Err(Failure::usage(
            "the files named hold no recipient",
            "a recipients file holds one recipient per line; `saltmill keygen -y` prints recipients",
        ));
    }
    Ok(recipients)
}

/// Whoever knows a passphrase that is asked for now.
pub fn new_passphrase() -> Result<Vec<Box<dyn Recipient>>, Failure> {
    Ok(vec![Box::new(scrypt::Recipient::new(ask_new_passphrase()?))])
}

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
    let read = identity_files::Identities::read(file, most_work, stdin)
        .and_then(identity_files::Identities::into_identities);
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

fn ask_new_passphrase() -> Result<age::secrecy::SecretString, Failure> {
    match may_ask(read_or_generate_passphrase).map_err(|error| no_passphrase(&error))? {
        Passphrase::Typed(passphrase) => Ok(passphrase),
        Passphrase::Generated(passphrase) => {
            // Whoever gave none wants to see this one.
            say::tell_secret(format_args!("passphrase: {}", passphrase.expose_secret()))?;
            Ok(passphrase)
        }
    }
}

fn no_passphrase(error: &impl std::fmt::Display) -> Failure {
    Failure::usage(
        format!("no passphrase was given: {}", first_line(&error.to_string())),
        "run it in a terminal, name a program that asks for it in PINENTRY_PROGRAM, or use -j batchpass",
    )
}

fn no_plugin(name: &str, error: &dyn std::error::Error) -> Failure {
    Failure::usage(
        format!("plugin {name} can't be used: {}", first_line(&error.to_string())),
        format!("install age-plugin-{name} in a folder of PATH"),
    )
}

const IDENTITY_FILE: &str =
    "an identity file is what `saltmill keygen` writes, or an SSH private key";

const RECIPIENTS_FILE: &str =
    "a recipients file holds one recipient per line; lines that begin with # are comments";

/// Recipients as text, and where each stands: a file and a line, or the command line.
#[derive(Default)]
struct Named {
    hybrid: Vec<hybrid::Recipient>,
    others: Vec<(String, Option<(String, usize)>)>,
}

impl Named {
    fn add(&mut self, text: &str, place: Option<(&str, usize)>) -> Result<(), Failure> {
        if text.starts_with("age1pq1") {
            let recipient = text.parse().map_err(|error: hybrid::ParseError| {
                let (sentence, hint) = match place {
                    Some((file, line)) => {
                        (format!("line {line} of {file} is not a recipient"), RECIPIENTS_FILE)
                    }
                    None => (
                        "the post-quantum recipient can't be used".to_owned(),
                        "it has about 2,000 characters; put it into a file, and name the file with -R",
                    ),
                };
                Failure::usage(format!("{sentence}: {error}"), hint)
            });
            self.hybrid.push(recipient?);
        } else {
            self.others.push((text.to_owned(), place.map(|(file, line)| (file.to_owned(), line))));
        }
        Ok(())
    }

    fn add_file(&mut self, file: &str, stdin: &mut StandardInput) -> Result<(), Failure> {
        let bytes = stdin.read(file).map_err(|error| match error {
            ReadError::Io(error) if error.kind() == ErrorKind::NotFound => {
                unreadable(&ReadError::MissingRecipientsFile(file.to_owned()), "", file)
            }
            other => unreadable(&other, "recipients file", file),
        })?;
        let text = String::from_utf8_lossy(&bytes);
        for (number, line) in text.lines().enumerate() {
            if !line.is_empty() && !line.starts_with('#') {
                self.add(line, Some((file, number + 1)))?;
            }
        }
        Ok(())
    }

    /// The `age` crate is given all of its own at once: those of one plugin go to it together.
    fn recipients(self) -> Result<Vec<Box<dyn Recipient>>, Failure> {
        let parse = |texts: Vec<String>| {
            read_recipients(texts, vec![], vec![], None, &mut StdinGuard::new(true))
        };
        let parsed = parse(self.others.iter().map(|(text, _)| text.clone()).collect());
        let parsed = parsed.map_err(|error| {
            let failing = self.others.iter().find_map(|(text, place)| {
                let error = parse(vec![text.clone()]).err()?;
                Some((error, place.as_ref()))
            });
            match failing {
                Some((ReadError::InvalidRecipient(_), Some((filename, line_number)))) => {
                    let (filename, line_number) = (filename.clone(), *line_number);
                    let error = ReadError::InvalidRecipientsFile { filename, line_number };
                    unreadable(&error, "recipients file", "")
                }
                Some((error, Some((file, _)))) => unreadable(&error, "recipients file", file),
                Some((error, None)) => unreadable(&error, "recipient", ""),
                None => unreadable(&error, "recipient", ""),
            }
        })?;
        let mut all: Vec<Box<dyn Recipient>> = Vec::new();
        all.extend(parsed.into_iter().map(|recipient| recipient as _));
        all.extend(self.hybrid.into_iter().map(|recipient| Box::new(recipient) as _));
        Ok(all)
    }
}

/// A recipient or an identity that can't be used, and the file that it is in; what is in a file of
/// identities is never shown.
pub fn unreadable(error: &ReadError, what: &str, file: &str) -> Failure {
    let (sentence, hint) = match error {
        ReadError::IdentityNotFound(name) => {
            (format!("identity file {name}: there is no such file"), "check the path")
        }
        ReadError::MissingRecipientsFile(name) => {
            (format!("recipients file {name}: there is no such file"), "check the path")
        }
        ReadError::InvalidRecipient(text) if text.starts_with("AGE-SECRET-KEY-") => (
            "an identity was given where a recipient is needed".to_owned(),
            "put it into a file and use -i; others may have seen the secret on this command line",
        ),
        ReadError::InvalidRecipient(text) => (
            format!("{text:?} is not a recipient"),
            "recipients begin with age1, ssh-ed25519 or ssh-rsa; name a file of recipients with -R",
        ),
        ReadError::InvalidRecipientsFile { filename, line_number } => {
            (format!("line {line_number} of {filename} is not a recipient"), RECIPIENTS_FILE)
        }
        ReadError::Io(error) if error.raw_os_error().is_none() => {
            let said = first_line(&error.to_string());
            let said = said.replace("identity file contains", "it contains");
            let hint = if what == "recipients file" { RECIPIENTS_FILE } else { IDENTITY_FILE };
            (format!("{what} {file} can't be used: {said}"), hint)
        }
        ReadError::Io(error) if error.kind() == ErrorKind::IsADirectory => {
            (format!("{what} {file} can't be read: {}", reason(error)), "name a file in it")
        }
        ReadError::Io(error) => {
            (format!("{what} {file} can't be read: {}", reason(error)), hint(error))
        }
        ReadError::MultipleStdin => (
            "standard input can't be read twice".to_owned(),
            "name a file instead of one of the `-`",
        ),
        other => {
            (first_line(&other.to_string()), "`saltmill keygen` makes an identity that can be used")
        }
    };
    Failure::usage(sentence, hint)
}

/// Messages of the age crate end with a full stop, may go on, and have marks of direction around names.
pub fn first_line(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default().trim_end_matches('.');
    line.replace(['\u{2068}', '\u{2069}'], "")
}
