// SPDX-License-Identifier: Apache-2.0
//! `saltmill inspect`.

use saltmill::{
    SealedInput,
    engine::{CHUNK_BYTES, SEALED_CHUNK_BYTES, TAG_BYTES},
    format::Stanza,
};
use serde::Serialize;

use super::explain::{explain, unusable};
use crate::{
    args::InspectArguments,
    io::{input::NamedInput, target::Target},
    report::{
        failure::{Failure, hint, reason},
        say,
    },
};

#[derive(Serialize)]
struct Recipient {
    kind: String,
    args: Vec<String>,
    wrapped_bytes: usize,
}

/// What can be known without a key: nothing of it is authenticated.
#[derive(Serialize)]
struct Found {
    file: String,
    version: &'static str,
    armored: bool,
    recipients: Vec<Recipient>,
    prologue_bytes: u64,
    payload_bytes: u64,
    chunks: u64,
    text_bytes: u64,
}

/// Runs the command.
pub fn run(arguments: &InspectArguments) -> Result<(), Failure> {
    let NamedInput { name, content, .. } = {
        let input = NamedInput::open(arguments.input.as_deref())?;
        input.source().refuse_standard_output("output")?;
        input
    };
    let said = |error| explain(error, &name, &Target::Nothing);
    let sealed = SealedInput::read(content).map_err(said)?;
    let stanzas = sealed.prologue().stanzas().map_err(|error| unusable(&name, error))?;
    let (prologue_bytes, armored) = (sealed.prologue().len(), sealed.is_armored());
    let payload_bytes = sealed.payload_bytes().map_err(|error| {
        Failure::run(format!("reading {name} failed: {}", reason(&error)), hint(&error))
    })?;
    let chunks = payload_bytes.div_ceil(SEALED_CHUNK_BYTES as u64).max(1);
    let found = Found {
        file: name,
        version: "age-encryption.org/v1",
        armored,
        recipients: stanzas.into_iter().map(Recipient::from).collect(),
        prologue_bytes,
        payload_bytes,
        chunks,
        text_bytes: payload_bytes.saturating_sub(chunks * TAG_BYTES as u64),
    };
    let text = if arguments.json {
        serde_json::to_string_pretty(&found).unwrap_or_default() + "\n"
    } else {
        found.text()
    };
    say::print(text.as_bytes())
}

impl From<Stanza> for Recipient {
    fn from(stanza: Stanza) -> Self {
        Self { kind: stanza.tag, args: stanza.args, wrapped_bytes: stanza.body_bytes }
    }
}

impl Found {
    fn text(&self) -> String {
        let Self { file, version, prologue_bytes, payload_bytes, chunks, text_bytes, .. } = self;
        let armored = if self.armored { ", armored" } else { "" };
        let mut lines = vec![format!("{file}: {version}{armored}")];
        lines.extend(self.recipients.iter().map(|one| format!("  recipient: {}", one.about())));
        lines.push(format!("  header and nonce: {prologue_bytes} bytes"));
        lines.push(format!(
            "  payload: {payload_bytes} bytes, {chunks} chunks of {CHUNK_BYTES} bytes and their tags"
        ));
        lines.push(format!("  text: {text_bytes} bytes, if the file is unchanged\n"));
        lines.join("\n")
    }
}

impl Recipient {
    /// In words. What comes from the file is shown as the format allows it: printable characters.
    fn about(&self) -> String {
        match self.kind.as_str() {
            "X25519" => "X25519 (the file does not say whose)".to_owned(),
            "mlkem768x25519" => {
                "ML-KEM-768 and X25519, post-quantum (the file does not say whose)".to_owned()
            }
            "scrypt" => match self.args.get(1) {
                Some(work) => format!("a passphrase (scrypt, work factor {work})"),
                None => "a passphrase (scrypt)".to_owned(),
            },
            "ssh-ed25519" | "ssh-rsa" => match self.args.first() {
                Some(tag) => format!("{} (key tag {tag})", self.kind),
                None => self.kind.clone(),
            },
            kind if kind.ends_with("-grease") => format!("{kind} (random, meant to be ignored)"),
            kind => format!("{kind} (a plugin's)"),
        }
    }
}
