// SPDX-License-Identifier: Apache-2.0
//! `saltmill decrypt`.

use std::path::Path;

use saltmill_engine::{Chunks, Key, Work};
use saltmill_format::{OpenError, PayloadKey, Prologue};

use crate::{
    args::DecryptArguments,
    encrypt::VARIANT,
    failure::Failure,
    input::Input,
    output::Target,
    parties,
    sealed_input::{SealedInput, unusable},
    transfer::{Job, Run},
};

/// Runs the command. Nothing is made or changed before the header is known to be good.
pub fn run(arguments: &DecryptArguments) -> Result<(), Failure> {
    let path = arguments.run.input.as_deref();
    let input = Input::open(path)?;
    let target = arguments.verify.then_some(Target::Nothing);
    let run = Run::prepare(&arguments.run, &input, target, VARIANT)?;
    let from_stdin = path.is_none_or(|path| path == Path::new("-"));
    let identities = parties::identities(arguments, from_stdin)?;
    let sealed = SealedInput::open(input)?;
    let key = open(&sealed.prologue, &sealed.input.name, identities)?;
    let work = Work::Open(Chunks::new(Key::new(*key.bytes())));
    let job = Job { skip: sealed.skip(), ..work.into() };
    run.work(sealed.input, job)
}

fn open(
    prologue: &Prologue,
    name: &str,
    mut identities: Vec<Box<dyn age::Identity>>,
) -> Result<PayloadKey, Failure> {
    let passphrase = prologue.is_passphrase().map_err(|error| unusable(name, error))?;
    if identities.is_empty() {
        if !passphrase {
            return Err(Failure::usage(
                format!("{name} is encrypted to recipients, and no identity is given"),
                "name the file with the identity: -i key.txt",
            ));
        }
        identities.push(parties::passphrase_of(name)?);
    } else if passphrase {
        return Err(Failure::usage(
            format!("{name} is encrypted with a passphrase, not to an identity"),
            "leave out -i and -j; the passphrase is asked for",
        ));
    }
    prologue.open(&identities).map_err(|error| match error {
        OpenError::Prologue(error) => unusable(name, error),
        OpenError::NoMatch => Failure::untrusted(
            format!("none of the identities can decrypt {name}"),
            "it was encrypted to others; `saltmill inspect` shows for how many",
        ),
        OpenError::Unwrap if passphrase => Failure::untrusted(
            format!("the passphrase of {name} is another one"),
            "try again; capitals and spaces count",
        ),
        OpenError::ExcessiveWork { .. } => Failure::usage(
            format!("{name} can't be decrypted: {error}"),
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
