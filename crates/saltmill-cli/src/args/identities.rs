// SPDX-License-Identifier: Apache-2.0
//! Those who decrypt, in the order of the command line: they are tried in it.

use clap::{ArgMatches, Args, Command, Error, FromArgMatches};

/// One of those who decrypt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IdentityArgument {
    /// Those in a file.
    File(String),
    /// A plugin that needs no identity.
    Plugin(String),
}

/// Those who decrypt.
pub struct IdentityArguments {
    /// In the order in which they are given.
    pub given: Vec<IdentityArgument>,
    /// What a passphrase may cost.
    pub work: WorkArguments,
}

/// What a passphrase may cost.
#[derive(Args)]
pub struct WorkArguments {
    /// Largest scrypt work factor of a passphrase that is tried (1 to 30)
    ///
    /// Each step doubles time and memory: 22 takes 4 GiB, and 30 takes 1 TiB.
    #[arg(long = "max-work-factor", value_name = "N", default_value_t = 22,
        value_parser = clap::value_parser!(u8).range(1..=30))]
    pub most: u8,
}

/// What clap parses: an option's values are together, and where each stood is asked for.
#[derive(Args)]
struct Parsed {
    /// Decrypt with the identities or the SSH key in this file; can be repeated
    #[arg(short, long = "identity", value_name = "FILE")]
    identities: Vec<String>,

    /// Decrypt with this plugin, if it needs no identity; can be repeated
    #[arg(short = 'j', value_name = "PLUGIN")]
    plugins: Vec<String>,

    #[command(flatten)]
    work: WorkArguments,
}

impl IdentityArguments {
    /// The files.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.given.iter().filter_map(|given| match given {
            IdentityArgument::File(file) => Some(file.as_str()),
            IdentityArgument::Plugin(_) => None,
        })
    }
}

impl FromArgMatches for IdentityArguments {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let Parsed { identities, plugins, work } = Parsed::from_arg_matches(matches)?;
        let places = |id| matches.indices_of(id).into_iter().flatten();
        let files = places("identities").zip(identities.into_iter().map(IdentityArgument::File));
        let plugins = places("plugins").zip(plugins.into_iter().map(IdentityArgument::Plugin));
        let mut given: Vec<_> = files.chain(plugins).collect();
        given.sort_by_key(|(place, _)| *place);
        let given = given.into_iter().map(|(_, given)| given).collect();
        Ok(Self { given, work })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for IdentityArguments {
    fn augment_args(command: Command) -> Command {
        Parsed::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Parsed::augment_args_for_update(command)
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Call {
        #[command(flatten)]
        identities: IdentityArguments,
    }

    fn given(words: &[&str]) -> Vec<String> {
        let call = Call::try_parse_from([&["call"], words].concat()).unwrap();
        let text = |given: &IdentityArgument| match given {
            IdentityArgument::File(file) => format!("file {file}"),
            IdentityArgument::Plugin(name) => format!("plugin {name}"),
        };
        call.identities.given.iter().map(text).collect()
    }

    #[test]
    fn files_and_plugins_keep_their_order() {
        let words = ["-j", "a", "-i", "b", "--identity=c", "-jd", "-ie"];
        assert_eq!(given(&words), ["plugin a", "file b", "file c", "plugin d", "file e"]);
        assert_eq!(given(&["-i", "b", "-j", "a"]), ["file b", "plugin a"]);
        assert_eq!(given(&[]), [""; 0]);
    }
}
