// SPDX-License-Identifier: Apache-2.0
//! `saltmill decrypt`.

use saltmill::{Error, SealedInput, Task, engine::Algorithm, format::OpenError};

use super::{
    encrypt::VARIANT,
    explain::{explain, unusable},
    many::{Many, Prepare},
    run::Run,
};
use crate::{
    args::{DecryptArguments, TextRange},
    io::{input::Input, plan::Naming, sources::Sources, target::Target},
    keys::{
        parties::{self, Identities, MOST_WORK},
        prompt::may_ask,
    },
    report::failure::Failure,
};

/// Runs the command. Nothing is made or changed before the header is known to be good.
pub fn run(arguments: &DecryptArguments) -> Result<(), Failure> {
    let Some(path) = arguments.files.single() else { return run_many(arguments) };
    let input = Input::open(Some(path))?;
    let sources = input.source().and(Sources::of("identity file", &arguments.identities));
    let target = if arguments.verify {
        Target::Nothing
    } else {
        Target::output(arguments.files.output.as_deref(), &sources, arguments.run.force)?
    };
    let run = Run::prepare(&arguments.run, &input, target, &sources, VARIANT)?;
    let mut identities = parties::identities(arguments, arguments.files.take_stdin())?;
    let task = identities.task(&input.name, input.content)?;
    run.work(part(task, &input.name, arguments.range)?)
}

fn run_many(arguments: &DecryptArguments) -> Result<(), Failure> {
    let naming = if arguments.verify { Naming::None } else { Naming::Opened };
    let sources = Sources::of("identity file", &arguments.identities);
    let many = Many::prepare(&arguments.files, &arguments.run, naming, VARIANT, sources)?;
    many.work(Algorithm::ChaCha20Poly1305, &mut parties::identities(arguments, false)?)
}

/// Only the wanted part of a task's text.
pub fn part(task: Task, name: &str, range: Option<TextRange>) -> Result<Task, Failure> {
    let Some(range) = range else { return Ok(task) };
    task.range(range.offset, range.length).map_err(|error| match error {
        Error::Range { text } => Failure::usage(
            format!("the range {range} is not in {name}, whose text has {text} bytes"),
            "a range is OFFSET:LENGTH in bytes, or OFFSET: for everything up to the end",
        ),
        other => explain(other, name, &Target::Nothing),
    })
}

impl Prepare for Identities {
    fn is_stream(&self, input: &saltmill::Input) -> bool {
        input.is_armored()
    }

    /// The payload's key is unwrapped with one of the identities.
    fn task(&mut self, name: &str, input: saltmill::Input) -> Result<Task, Failure> {
        let sealed = SealedInput::read(input);
        let sealed = sealed.map_err(|error| explain(error, name, &Target::Nothing))?;
        let passphrase = sealed.prologue().is_passphrase();
        let passphrase = passphrase.map_err(|error| unusable(name, error))?;
        let identities = self.of(name, passphrase)?;
        may_ask(|| sealed.task(identities)).map_err(|error| match error {
            Error::Open(error) => locked(error, name, passphrase),
            other => explain(other, name, &Target::Nothing),
        })
    }
}

/// A payload whose key could not be had.
fn locked(error: OpenError, name: &str, passphrase: bool) -> Failure {
    match error {
        OpenError::NoMatch => Failure::untrusted(
            format!("none of the identities can decrypt {name}"),
            "it was encrypted to other recipients; `saltmill inspect` shows how many",
        ),
        OpenError::Unwrap if passphrase => Failure::untrusted(
            format!("wrong passphrase for {name}"),
            "try again; capitals and spaces count",
        ),
        OpenError::ExcessiveWork { required } => Failure::usage(
            format!(
                "{name} can't be decrypted: its passphrase has work factor {required}, \
                 and at most {MOST_WORK} is accepted"
            ),
            "it would take a very long time and much memory; such a file may be an attack",
        ),
        OpenError::Identity(said) => Failure::usage(
            format!("an identity can't be used: {}", parties::first_line(&said)),
            "try the identities one at a time to find the one that fails",
        ),
        changed => Failure::untrusted(
            format!("{name} can't be decrypted: {changed}"),
            "get the file again; this copy was changed",
        ),
    }
}
