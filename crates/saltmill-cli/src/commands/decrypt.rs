// SPDX-License-Identifier: Apache-2.0
//! `saltmill decrypt`.

use saltmill::{Error, SealedInput, Task, Unlocked, engine::Algorithm, format::OpenError};

use super::{
    encrypt::VARIANT,
    explain::{explain, unusable},
    many::{Many, Prepare},
    run::Run,
};
use crate::{
    args::{DecryptArguments, TextRange},
    io::{input::NamedInput, plan::Naming, sources::Sources, target::Target},
    keys::{
        identities::{self, Identities, for_passphrase},
        identity_files::StandardInput,
        prompt::may_ask,
        unusable::first_line,
    },
    report::failure::Failure,
};

/// Runs the command. Nothing is made or changed before the header is known to be good.
pub fn run(arguments: &DecryptArguments) -> Result<(), Failure> {
    let Some(path) = arguments.files.single() else { return run_many(arguments) };
    let input = NamedInput::open(Some(path))?;
    let sources = input.source().and(Sources::of("identity file", arguments.identities.files()));
    let target = if arguments.verify {
        Target::Nothing
    } else {
        Target::output(arguments.files.output.as_deref(), &sources, arguments.run.force)?
    };
    let run = Run::prepare(&arguments.run, &input, target, &sources, VARIANT)?;
    let mut stdin = StandardInput::new(arguments.files.take_stdin());
    let mut identities = identities::identities(&arguments.identities, &mut stdin)?;
    let task = identities.task(&input.name, input.content)?;
    run.work(part(task, &input.name, arguments.range)?)
}

fn run_many(arguments: &DecryptArguments) -> Result<(), Failure> {
    let naming = if arguments.verify { Naming::None } else { Naming::Opened };
    let sources = Sources::of("identity file", arguments.identities.files());
    let many = Many::prepare(&arguments.files, &arguments.run, naming, VARIANT, sources)?;
    let mut stdin = StandardInput::new(false);
    let mut identities = identities::identities(&arguments.identities, &mut stdin)?;
    many.work(Some(Algorithm::ChaCha20Poly1305), &mut identities)
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

    fn task(&mut self, name: &str, input: saltmill::Input) -> Result<Task, Failure> {
        unlock(self, name, input).map(Unlocked::open)
    }
}

/// An input whose file key is unwrapped with one of the identities.
pub fn unlock(
    identities: &mut Identities,
    name: &str,
    input: saltmill::Input,
) -> Result<Unlocked, Failure> {
    let sealed = SealedInput::read(input);
    let sealed = sealed.map_err(|error| explain(error, name, &Target::Nothing))?;
    let passphrase = sealed.prologue().is_passphrase();
    let passphrase = passphrase.map_err(|error| unusable(name, error))?;
    let most_work = identities.most_work;
    let identities = identities.of(name, passphrase)?;
    may_ask(|| sealed.unlock(&identities)).map_err(|error| match error {
        Error::Open(OpenError::NoMatch) if passphrase => for_passphrase(name),
        Error::Open(error) => locked(error, name, passphrase, most_work),
        other => explain(other, name, &Target::Nothing),
    })
}

/// A payload whose key could not be had.
fn locked(error: OpenError, name: &str, passphrase: bool, most_work: u8) -> Failure {
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
                 and at most {most_work} is accepted"
            ),
            "it may be an attack; if you trust it, and have much memory, see --max-work-factor",
        ),
        OpenError::Identity(said) => Failure::usage(
            format!("an identity can't be used: {}", first_line(&said)),
            "try the identities one at a time to find the one that fails",
        ),
        changed => Failure::untrusted(
            format!("{name} can't be decrypted: {changed}"),
            "get the file again; this copy was changed",
        ),
    }
}
