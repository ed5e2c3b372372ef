// SPDX-License-Identifier: Apache-2.0
//! Recipients of the age format, from the command line, from files and from people.

use std::io::ErrorKind;

use age::{
    Recipient,
    cli_common::{
        Passphrase, ReadError, StdinGuard, UiCallbacks, read_or_generate_passphrase,
        read_recipients,
    },
    plugin::{self, RecipientPluginV1},
    scrypt,
    secrecy::ExposeSecret,
};
use saltmill::format::hybrid;

use crate::{
    keys::{
        identity_files::{self, StandardInput},
        prompt::may_ask,
        unusable::{RECIPIENTS_FILE, no_passphrase, no_plugin, unreadable},
    },
    report::{failure::Failure, say},
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
        let read = identity_files::ReadIdentities::read(file, to.most_work, stdin);
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
