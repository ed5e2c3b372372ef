// SPDX-License-Identifier: Apache-2.0
//! A plugin of the age format that wraps nothing: the file key stands in the header as it is. For
//! tests of how the command talks to plugins, and for nothing else. `PLAIN_LOG` names a file that
//! gets a line a call. With a passphrase in `PLAIN_PASSPHRASE` it makes and opens files with a
//! passphrase, as age-plugin-batchpass does.

use std::{
    collections::{HashMap, HashSet},
    env,
    fs::File,
    io::{self, Write},
};

use age::{Identity, Recipient, scrypt};
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
/// Of a passphrase: the smallest that is slower than none.
const WORK: u8 = 2;

fn passphrase() -> Option<age::secrecy::SecretString> {
    env::var("PLAIN_PASSPHRASE").ok().map(Into::into)
}

fn wrap(key: &FileKey) -> Stanza {
    let Some(passphrase) = passphrase() else {
        let (tag, body) = (NAME.to_owned(), key.expose_secret().to_vec());
        return Stanza { tag, args: Vec::new(), body };
    };
    let mut recipient = scrypt::Recipient::new(passphrase);
    recipient.set_work_factor(WORK);
    recipient.wrap_file_key(key).expect("no errors can occur").0.remove(0)
}

fn unwrap(stanza: &Stanza) -> Option<Result<FileKey, identity::Error>> {
    let Some(passphrase) = passphrase() else {
        let body = <[u8; 16]>::try_from(&stanza.body[..]).ok().filter(|_| stanza.tag == NAME)?;
        return Some(Ok(FileKey::new(Box::new(body))));
    };
    let wrong = |_| {
        let message = "incorrect passphrase".to_owned();
        identity::Error::Identity { index: 0, message }
    };
    Some(scrypt::Identity::new(passphrase).unwrap_stanza(stanza)?.map_err(wrong))
}

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
        Ok(Ok(keys.iter().map(|key| (0..self.0).map(|_| wrap(key)).collect()).collect()))
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
        let ours = |stanzas: &Vec<Stanza>| match stanzas.iter().find_map(unwrap)? {
            Ok(key) => Some(Ok(key)),
            Err(error) => Some(Err(vec![error])),
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
