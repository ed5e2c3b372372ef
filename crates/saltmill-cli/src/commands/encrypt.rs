// SPDX-License-Identifier: Apache-2.0
//! `saltmill encrypt`.

use std::path::Path;

use saltmill::{Sealer, Task, engine::Algorithm};

use super::{
    explain::explain,
    manifest::{ALGORITHM, Manifest},
    many::{Many, Prepare},
    run::Run,
};
use crate::{
    args::EncryptArguments,
    io::{input::NamedInput, plan::Naming, sources::Sources, target::Target},
    keys::{
        identity_files::StandardInput,
        prompt::may_ask,
        recipients::{self, To},
    },
    report::failure::Failure,
};

/// The simulated device, if none is named: one that does messages.
pub const VARIANT: &str = "aead-balanced";

/// Runs the command. Nothing is made or changed before everything that can be checked is.
pub fn run(arguments: &EncryptArguments) -> Result<(), Failure> {
    let Some(path) = arguments.files.single() else { return run_many(arguments) };
    let input = NamedInput::open(Some(path))?;
    let sources = input.source().and(sources(arguments));
    let target = Target::output(arguments.files.output.as_deref(), &sources, arguments.run.force)?;
    let manifest = manifest(arguments, path, &target, &sources)?;
    let run = Run::prepare(&arguments.run, &input, target, &sources, VARIANT)?;
    let mut sealer = sealer(arguments, arguments.files.take_stdin())?;
    let task = Prepare::task(&mut sealer, &input.name, input.content)?;
    let sums = task.sums();
    run.work(task)?;
    let (Some(mut manifest), Some(sums)) = (manifest, sums) else { return Ok(()) };
    manifest.add(Some(path), arguments.files.output.as_deref(), sums);
    manifest.write()
}

/// The manifest of one file.
fn manifest(
    arguments: &EncryptArguments,
    input: &Path,
    target: &Target,
    sources: &Sources,
) -> Result<Option<Manifest>, Failure> {
    let Some(path) = &arguments.sum else { return Ok(None) };
    if input == Path::new("-") && matches!(target, Target::Standard) {
        return Err(Failure::usage(
            "a manifest of standard input and standard output has no names",
            "name the input, or the output with -o OUT",
        ));
    }
    let manifest = Manifest::prepare(path, sources, arguments.run.force)?;
    manifest.refuse(target)?;
    Ok(Some(manifest))
}

fn run_many(arguments: &EncryptArguments) -> Result<(), Failure> {
    let (naming, sources) = (Naming::Sealed, sources(arguments));
    let many = Many::prepare(&arguments.files, &arguments.run, naming, VARIANT, sources)?;
    let many = many.summed(arguments.sum.as_deref())?;
    many.work(Some(Algorithm::ChaCha20Poly1305), &mut sealer(arguments, false)?)
}

fn sealer(arguments: &EncryptArguments, input_is_stdin: bool) -> Result<Sealer, Failure> {
    let recipients = if arguments.passphrase {
        recipients::new_passphrase()?
    } else {
        let to = To {
            recipients: &arguments.recipients,
            recipients_files: &arguments.recipients_files,
            identities: &arguments.identities,
            plugins: &arguments.plugins,
            most_work: arguments.work.most,
        };
        recipients::recipients(&to, &mut StandardInput::new(input_is_stdin))?
    };
    let sealer = Sealer::new(recipients).armored(arguments.armor);
    Ok(if arguments.sum.is_some() { sealer.summed([ALGORITHM]) } else { sealer })
}

impl Prepare for Sealer {
    fn is_stream(&self, _: &saltmill::Input) -> bool {
        self.is_streamed()
    }

    fn task(&mut self, name: &str, input: saltmill::Input) -> Result<Task, Failure> {
        let task = may_ask(|| Sealer::task(self, input));
        task.map_err(|error| explain(error, name, &Target::Nothing))
    }
}

/// What is read besides the inputs.
fn sources(arguments: &EncryptArguments) -> Sources {
    let recipients = Sources::of("recipients file", &arguments.recipients_files);
    Sources::of("identity file", &arguments.identities).and(recipients)
}
