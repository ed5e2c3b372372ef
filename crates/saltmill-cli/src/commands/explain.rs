// SPDX-License-Identifier: Apache-2.0
//! What to say when sealing, opening or encrypting an input has failed.

use std::io;

use age::EncryptError;
use saltmill::{
    Error,
    engine::{BLOCK_BYTES, CounterError, EngineError},
    format::PrologueError,
};

use crate::{
    io::target::Target,
    keys::unusable::first_line,
    report::failure::{Failure, hint, reason},
};

/// In words, with the names of the input and of the output.
pub fn explain(error: Error, input: &str, target: &Target) -> Failure {
    match error {
        Error::Engine(error) => ended(error, input, target),
        Error::Prologue(error) => unusable(input, error),
        Error::Armor(source) => Failure::untrusted(
            format!("the armor of {input} is malformed: {source}"),
            "get the file again; this copy was changed or cut off",
        ),
        Error::Seal(error) => unfit(&error),
        Error::Create(source) => target.unusable(&source),
        Error::Name(source) => target.nameless(&source),
        Error::NoRange => Failure::usage(
            format!("a range of {input} can't be read: it can only be read from start to end"),
            "name a file without armor, or read all of it and cut the output",
        ),
        other => Failure::run(other.to_string(), "this is a fault of saltmill; please report it"),
    }
}

/// A run that ended early.
fn ended(error: EngineError, input: &str, target: &Target) -> Failure {
    match error {
        EngineError::Read { offset, source } => unreadable(input, offset, &source),
        EngineError::Write { offset, source } => {
            let output = target.name();
            let sentence = format!("writing {output} failed at byte {offset}: {}", reason(&source));
            Failure::run(sentence, hint(&source))
        }
        EngineError::Counter(error) => too_long(error, input),
        EngineError::Refused(refused) => Failure::untrusted(
            format!(
                "{input} was changed or cut off: chunk {}, at byte {}, is not what was encrypted there",
                refused.chunk, refused.offset
            ),
            "get the file again; nothing of this chunk was written, and no output file is left",
        ),
        EngineError::Cancelled => Failure::interrupted(),
        EngineError::NoWorkerLeft => Failure::device(
            "no engine is left to do the work",
            "try --engine cpu, or a longer --deadline; `saltmill devices --self-test` shows what works",
        ),
        other => Failure::run(other.to_string(), "this is a fault of saltmill; please report it"),
    }
}

/// The work of a whole call that ended early.
pub fn call_ended(error: EngineError) -> Failure {
    ended(error, "", &Target::Nothing)
}

fn unreadable(input: &str, offset: u64, source: &io::Error) -> Failure {
    let sentence = format!("reading {input} failed at byte {offset}: {}", reason(source));
    Failure::run(sentence, hint(source))
}

/// An input that the counter does not reach.
pub fn too_long(error: CounterError, input: &str) -> Failure {
    let CounterError { counter, longest, .. } = error;
    Failure::usage(
        format!(
            "{input} is too long: from counter {counter} on, one nonce is good for {longest} bytes"
        ),
        format!(
            "use a smaller --counter, or cut the input into parts of at most {longest} bytes \
                 ({} blocks), each with a nonce of its own",
            longest / BLOCK_BYTES
        ),
    )
}

/// A file whose prologue can't be used.
pub fn unusable(name: &str, error: PrologueError) -> Failure {
    match error {
        PrologueError::Read { offset, source } => unreadable(name, offset, &source),
        PrologueError::NotAge | PrologueError::Version(_) => Failure::usage(
            format!("{name} can't be decrypted: {error}"),
            "files in the age format begin with age-encryption.org/v1, or with an armor's first line",
        ),
        other => Failure::untrusted(
            format!("{name} can't be decrypted: {other}"),
            "get the file again; this copy was changed or cut off",
        ),
    }
}

/// Recipients that can't be used.
fn unfit(error: &EncryptError) -> Failure {
    const POST_QUANTUM: &str = "postquantum";
    let hint = match error {
        EncryptError::IncompatibleRecipients { l_labels, r_labels }
            if l_labels.contains(POST_QUANTUM) != r_labels.contains(POST_QUANTUM) =>
        {
            return Failure::usage(
                "post-quantum recipients can't be mixed with others",
                "the others are weaker; encrypt once for each kind of recipient",
            );
        }
        EncryptError::IncompatibleRecipients { .. } => "encrypt once for each kind of recipient",
        EncryptError::Plugin(_) | EncryptError::PluginResolve(_) => {
            "see the documentation of the plugin"
        }
        _ => "try the recipients one at a time to find the one that fails",
    };
    let said = first_line(&error.to_string());
    Failure::usage(format!("the recipients can't be used: {said}"), hint)
}
