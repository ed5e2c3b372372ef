// SPDX-License-Identifier: Apache-2.0
//! A plugin of the age format that wraps nothing: the file key stands in the header as it is. For tests of
//! how the command talks to plugins, and for nothing else. `PLAIN_LOG` names a file that gets a line a call.

use std::{
    collections::{HashMap, HashSet},
    env,
    fs::File,
    io::{self, Write},
};

use age_core::{
    format::{FileKey, Stanza},
    secrecy::ExposeSecret,
};
use age_plugin::{
    Callbacks, PluginHandler,
    identity::{self, IdentityPluginV1},
    print_new_identity,
    recipient::{self, RecipientPluginV1},
    run_state_machine,
};

const NAME: &str = "plain";

struct Plain;

impl PluginHandler for Plain {
    type RecipientV1 = Recipients;
    type IdentityV1 = Identities;

    fn recipient_v1(self) -> io::Result<Recipients> {
        Ok(Recipients(0))
    }

    fn identity_v1(self) -> io::Result<Identities> {
        Ok(Identities)
    }
}

/// So many of them.
struct Recipients(usize);

impl RecipientPluginV1 for Recipients {
    fn add_recipient(&mut self, _: usize, _: &str, _: &[u8]) -> Result<(), recipient::Error> {
        self.0 += 1;
        Ok(())
    }

    fn add_identity(&mut self, _: usize, _: &str, _: &[u8]) -> Result<(), recipient::Error> {
        self.0 += 1;
        Ok(())
    }

    fn labels(&mut self) -> HashSet<String> {
        HashSet::new()
    }

    fn wrap_file_keys(
        &mut self,
        keys: Vec<FileKey>,
        _: impl Callbacks<recipient::Error>,
    ) -> io::Result<Result<Vec<Vec<Stanza>>, Vec<recipient::Error>>> {
        let stanza = |key: &FileKey| Stanza {
            tag: NAME.to_owned(),
            args: Vec::new(),
            body: key.expose_secret().to_vec(),
        };
        Ok(Ok(keys.iter().map(|key| (0..self.0).map(|_| stanza(key)).collect()).collect()))
    }
}

struct Identities;

impl IdentityPluginV1 for Identities {
    fn add_identity(&mut self, _: usize, _: &str, _: &[u8]) -> Result<(), identity::Error> {
        Ok(())
    }

    fn unwrap_file_keys(
        &mut self,
        files: Vec<Vec<Stanza>>,
        _: impl Callbacks<identity::Error>,
    ) -> io::Result<HashMap<usize, Result<FileKey, Vec<identity::Error>>>> {
        let ours = |stanzas: &Vec<Stanza>| {
            let stanza = stanzas.iter().find(|stanza| stanza.tag == NAME)?;
            let body = <[u8; 16]>::try_from(&stanza.body[..]).ok()?;
            Some(Ok(FileKey::new(Box::new(body))))
        };
        Ok(files.iter().enumerate().filter_map(|(n, file)| Some((n, ours(file)?))).collect())
    }
}

fn main() -> io::Result<()> {
    let machine =
        env::args().find_map(|word| word.strip_prefix("--age-plugin=").map(str::to_owned));
    if let Some(machine) = machine {
        if let Some(log) = env::var_os("PLAIN_LOG") {
            writeln!(File::options().create(true).append(true).open(log)?, "{machine}")?;
        }
        return run_state_machine(&machine, Plain);
    }
    print_new_identity(NAME, b"identity", b"recipient");
    Ok(())
}
