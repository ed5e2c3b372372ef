// SPDX-License-Identifier: Apache-2.0
//! `saltmill encrypt`.

use age::{EncryptError, Recipient};
use saltmill_engine::{Chunks, Key, Work};

use crate::{
    args::EncryptArguments,
    failure::Failure,
    input::Input,
    many::{Many, Prepare},
    parties,
    plan::Naming,
    prompt::may_ask,
    run::Run,
    sources::Sources,
    target::Target,
    transfer::Job,
};

/// The simulated device, if none is named: one that does messages.
pub const VARIANT: &str = "aead-balanced";

/// Runs the command. Nothing is made or changed before everything that can be checked is.
pub fn run(arguments: &EncryptArguments) -> Result<(), Failure> {
    let Some(path) = arguments.files.single() else { return run_many(arguments) };
    let input = Input::open(Some(path))?;
    let sources = input.source().and(sources(arguments));
    let target = Target::output(arguments.files.output.as_deref(), &sources, arguments.run.force)?;
    let run = Run::prepare(&arguments.run, &input, target, &sources, VARIANT)?;
    let recipients = parties::recipients(arguments, arguments.files.take_stdin())?;
    run.work(input, job(&recipients, arguments.armor)?)
}

fn run_many(arguments: &EncryptArguments) -> Result<(), Failure> {
    let (naming, sources) = (Naming::Sealed, sources(arguments));
    let many = Many::prepare(&arguments.files, &arguments.run, naming, VARIANT, sources)?;
    let recipients = parties::recipients(arguments, false)?;
    let kind = Work::Seal(Chunks::new(Key::new([0; 32])));
    many.work(&kind, &mut Sealing { recipients, armor: arguments.armor })
}

struct Sealing {
    recipients: Vec<Box<dyn Recipient>>,
    armor: bool,
}

impl Prepare for Sealing {
    fn makes_stream(&self, _: &Input) -> bool {
        self.armor
    }

    fn job(&mut self, input: Input) -> Result<(Input, Job), Failure> {
        Ok((input, job(&self.recipients, self.armor)?))
    }
}

/// What is read besides the inputs.
fn sources(arguments: &EncryptArguments) -> Sources {
    let recipients = Sources::of("recipients file", &arguments.recipients_files);
    Sources::of("identity file", &arguments.identities).and(recipients)
}

/// A new file's key, wrapped for the recipients.
fn job(recipients: &[Box<dyn Recipient>], armor: bool) -> Result<Job, Failure> {
    let sealed = may_ask(|| saltmill_format::seal(recipients)).map_err(|error| unfit(&error))?;
    let work = Work::Seal(Chunks::new(Key::new(*sealed.key.bytes())));
    Ok(Job { prefix: sealed.prologue, armor, ..work.into() })
}

fn unfit(error: &EncryptError) -> Failure {
    const POST_QUANTUM: &str = "postquantum";
    let hint = match error {
        EncryptError::IncompatibleRecipients { l_labels, r_labels }
            if l_labels.contains(POST_QUANTUM) != r_labels.contains(POST_QUANTUM) =>
        {
            return Failure::usage(
                "post-quantum recipients can't be mixed with others",
                "the others could be broken alone: call saltmill once for each kind",
            );
        }
        EncryptError::IncompatibleRecipients { .. } => {
            "call saltmill once for each kind of recipient"
        }
        EncryptError::Plugin(_) | EncryptError::PluginResolve(_) => {
            "the plugin says so; its own documentation may help"
        }
        _ => "leave out the recipients one by one to see which it is",
    };
    let said = parties::first_line(&error.to_string());
    Failure::usage(format!("the recipients can't be used: {said}"), hint)
}
