// SPDX-License-Identifier: Apache-2.0
//! `saltmill rekey`.

use saltmill::{Task, age::Recipient};

use super::{
    decrypt::unlock,
    encrypt::VARIANT,
    explain::explain,
    many::{Many, Prepare},
    run::Run,
};
use crate::{
    args::RekeyArguments,
    io::{input::NamedInput, plan::Naming, sources::Sources, target::Target},
    keys::{
        identities::{self, Identities},
        identity_files::StandardInput,
        prompt::may_ask,
        recipients::{self, To},
    },
    report::failure::Failure,
};

/// Runs the command. Nothing is made or changed before the old header is known to be good.
pub fn run(arguments: &RekeyArguments) -> Result<(), Failure> {
    let shared = arguments.run();
    let Some(path) = arguments.files.single() else {
        let many =
            Many::prepare(&arguments.files, &shared, Naming::Kept, VARIANT, key_files(arguments))?;
        return many.work(None, &mut Rekeyer::new(arguments, false)?);
    };
    let input = NamedInput::open(Some(path))?;
    let sources = input.source().and(key_files(arguments));
    let output = arguments.files.output.as_deref();
    let target = Target::renewed(output, &input, &sources, arguments.force)?;
    let run = Run::prepare(&shared, &input, target, &sources, VARIANT)?;
    let mut rekeyer = Rekeyer::new(arguments, arguments.files.take_stdin())?;
    run.work(rekeyer.task(&input.name, input.content)?)
}

/// What is read besides the inputs.
fn key_files(arguments: &RekeyArguments) -> Sources {
    Sources::of("identity file", arguments.identities.files())
        .and(Sources::of("identity file", &arguments.to_identities))
        .and(Sources::of("recipients file", &arguments.recipients_files))
}

/// The old and the new.
struct Rekeyer {
    identities: Identities,
    /// A new passphrase is asked for behind the first old one, and only once.
    recipients: Option<Result<Vec<Box<dyn Recipient>>, Failure>>,
    /// As the input, if none.
    armor: Option<bool>,
}

impl Rekeyer {
    fn new(arguments: &RekeyArguments, input_is_stdin: bool) -> Result<Self, Failure> {
        let mut stdin = StandardInput::new(input_is_stdin);
        let identities = identities::identities(&arguments.identities, &mut stdin)?;
        let to = To {
            recipients: &arguments.recipients,
            recipients_files: &arguments.recipients_files,
            identities: &arguments.to_identities,
            plugins: &arguments.to_plugins,
            most_work: arguments.identities.work.most,
        };
        let recipients = if arguments.passphrase {
            None
        } else {
            Some(Ok(recipients::recipients(&to, &mut stdin)?))
        };
        Ok(Self { identities, recipients, armor: arguments.armor })
    }
}

impl Prepare for Rekeyer {
    fn is_stream(&self, _: &saltmill::Input) -> bool {
        true
    }

    fn task(&mut self, name: &str, input: saltmill::Input) -> Result<Task, Failure> {
        let unlocked = unlock(&mut self.identities, name, input)?;
        let recipients = match self.recipients.get_or_insert_with(recipients::new_passphrase) {
            Ok(recipients) => recipients,
            Err(failure) => return Err(failure.clone()),
        };
        let armor = self.armor.unwrap_or(unlocked.is_armored());
        let task = may_ask(|| unlocked.rekey(recipients, armor));
        task.map_err(|error| explain(error, name, &Target::Nothing))
    }
}
