// SPDX-License-Identifier: Apache-2.0
//! `saltmill decrypt`.

use saltmill_engine::{Chunks, Key, Work};
use saltmill_format::{OpenError, PayloadKey, Prologue};

use crate::{
    args::DecryptArguments,
    encrypt::VARIANT,
    failure::Failure,
    input::Input,
    many::{Many, Prepare},
    part,
    parties::{self, Identities, MOST_WORK},
    plan::Naming,
    prompt::may_ask,
    run::Run,
    sealed_input::{self, SealedInput, unusable},
    sources::Sources,
    target::Target,
    transfer::Job,
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
    let (input, job) = job(input, &mut identities)?;
    let Some(range) = arguments.range else { return run.work(input, job) };
    let (input, part) = part::of_chunks(input, job.skip, range)?;
    let Work::Open(chunks) = job.work else { unreachable!("it was made to open") };
    let work = Work::Open(chunks.part(part.first, part.ends));
    run.work(input, Job { work, skip: part.skip, window: Some(part.window), ..job })
}

fn run_many(arguments: &DecryptArguments) -> Result<(), Failure> {
    let naming = if arguments.verify { Naming::None } else { Naming::Opened };
    let sources = Sources::of("identity file", &arguments.identities);
    let many = Many::prepare(&arguments.files, &arguments.run, naming, VARIANT, sources)?;
    let mut identities = parties::identities(arguments, false)?;
    let kind = Work::Open(Chunks::new(Key::new([0; 32])));
    many.work(&kind, &mut identities)
}

impl Prepare for Identities {
    fn makes_stream(&self, input: &Input) -> bool {
        sealed_input::is_armored(input)
    }

    fn job(&mut self, input: Input) -> Result<(Input, Job), Failure> {
        job(input, self)
    }
}

/// The payload's key, unwrapped with one of the identities.
fn job(input: Input, identities: &mut Identities) -> Result<(Input, Job), Failure> {
    let sealed = SealedInput::open(input)?;
    let key = open(&sealed.prologue, &sealed.input.name, identities)?;
    let work = Work::Open(Chunks::new(Key::new(*key.bytes())));
    let (skip, front) = (sealed.skip(), sealed.prologue.len());
    Ok((sealed.input, Job { skip, front, ..work.into() }))
}

fn open(
    prologue: &Prologue,
    name: &str,
    identities: &mut Identities,
) -> Result<PayloadKey, Failure> {
    let passphrase = prologue.is_passphrase().map_err(|error| unusable(name, error))?;
    let identities = identities.of(name, passphrase)?;
    may_ask(|| prologue.open(identities)).map_err(|error| match error {
        OpenError::Prologue(error) => unusable(name, error),
        OpenError::NoMatch => Failure::untrusted(
            format!("none of the identities can decrypt {name}"),
            "it was encrypted to others; `saltmill inspect` shows for how many",
        ),
        OpenError::Unwrap if passphrase => Failure::untrusted(
            format!("the passphrase of {name} is another one"),
            "try again; capitals and spaces count",
        ),
        OpenError::ExcessiveWork { required } => Failure::usage(
            format!(
                "{name} can't be decrypted: its passphrase has work factor {required}, \
                 and {MOST_WORK} is the most that is tried"
            ),
            "such a file is more likely made to keep this machine busy than to be read",
        ),
        OpenError::Identity(said) => Failure::usage(
            format!("an identity can't be used: {}", parties::first_line(&said)),
            "leave out the identities one by one to see which it is",
        ),
        changed => Failure::untrusted(
            format!("{name} can't be decrypted: {changed}"),
            "get the file again; it was changed on its way",
        ),
    })
}
