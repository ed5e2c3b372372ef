// SPDX-License-Identifier: Apache-2.0
//! Sub-commands that are described only when they are called.

use clap::{ArgMatches, Args, Command, Error, FromArgMatches};

/// Arguments of a sub-command without sub-commands of its own, which the tree that `help` shows
/// would miss. To describe those of all commands takes longer than to encrypt a small text.
pub struct Deferred<T>(pub T);

impl<T: Args> Args for Deferred<T> {
    fn augment_args(command: Command) -> Command {
        command.defer(|command| {
            // What the command says of itself, rather than what its arguments do.
            let about = command.get_about().cloned().unwrap_or_default();
            let after_help = command.get_after_help().cloned().unwrap_or_default();
            T::augment_args(command).about(about).after_help(after_help)
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<T: FromArgMatches> FromArgMatches for Deferred<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        T::from_arg_matches(matches).map(Self)
    }

    fn from_arg_matches_mut(matches: &mut ArgMatches) -> Result<Self, Error> {
        T::from_arg_matches_mut(matches).map(Self)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches(matches)
    }
}
