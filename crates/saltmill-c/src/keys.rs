// SPDX-License-Identifier: Apache-2.0
//! Recipients, identities and passphrases.

use std::{fs, mem::MaybeUninit};

use age::secrecy::ExposeSecret;
use saltmill::keys::{Identity, MOST_WORK, Passphrase, ReadyIdentity, Recipient};
use zeroize::Zeroizing;

use crate::{
    error::{Error, Status, call, quiet},
    raw::{OwnedText, Text, make, needed},
};

/// Whom files are sealed for: a list. Threads may share it while nothing is added.
#[derive(Default)]
pub struct Recipients(Vec<Recipient>);

/// Who can open files: a list, which is cleared when it is freed. Threads may share it while
/// nothing is added.
#[derive(Default)]
pub struct Identities(Vec<Identity>);

impl Recipients {
    pub fn boxed(&self) -> Vec<Box<dyn age::Recipient>> {
        self.0.iter().map(Recipient::boxed).collect()
    }
}

impl Identities {
    pub fn boxed(&self) -> Vec<Box<dyn age::Identity>> {
        self.0.iter().map(Identity::boxed).collect()
    }

    pub fn ready(&self) -> Vec<ReadyIdentity> {
        self.0.iter().map(Identity::ready).collect()
    }
}

/// Version of the library, such as "0.1.0".
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_version() -> *const std::ffi::c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// An empty list.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_recipients_new(
    recipients: Option<&mut MaybeUninit<Option<Box<Recipients>>>>,
) -> Status {
    call(|| make(recipients, || Ok(Recipients::default())))
}

/// Adds recipients, one a line: `age1...` (X25519), `age1pq1...` (ML-KEM-768 with X25519) or SSH
/// public keys. Lines that begin with `#` are none.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_recipients_add(
    recipients: Option<&mut Recipients>,
    text: Text,
) -> Status {
    call(|| {
        let found = Recipient::parse_list(text.get()?)?;
        needed(recipients)?.0.extend(found);
        Ok(())
    })
}

/// The same from a file.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_recipients_add_file(
    recipients: Option<&mut Recipients>,
    path: Text,
) -> Status {
    call(|| {
        let found = Recipient::parse_list(&read(path.get()?)?)?;
        needed(recipients)?.0.extend(found);
        Ok(())
    })
}

/// Adds the recipients of all identities of a list.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_recipients_add_identities(
    recipients: Option<&mut Recipients>,
    identities: Option<&Identities>,
) -> Status {
    call(|| {
        let recipients = needed(recipients)?;
        for identity in &needed(identities)?.0 {
            let none = || Error::new(Status::Recipient, "an identity has no recipient".into());
            recipients.0.push(identity.recipient().ok_or_else(none)?.parse()?);
        }
        Ok(())
    })
}

/// Adds a passphrase, which is the only recipient of a file. `work_factor`: binary logarithm of
/// scrypt's N (RFC 7914), 1 to 22; 0: about a second.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_recipients_add_passphrase(
    recipients: Option<&mut Recipients>,
    passphrase: Text,
    work_factor: u32,
) -> Status {
    call(|| {
        let work = if work_factor == 0 { None } else { Some(work(work_factor)?) };
        let text = passphrase.get()?.to_owned().into();
        let passphrase = Passphrase { text, work_factor: work, most_work: MOST_WORK };
        needed(recipients)?.0.push(Recipient::Passphrase(passphrase));
        Ok(())
    })
}

/// Frees a list; null is none.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_recipients_free(recipients: Option<Box<Recipients>>) {
    quiet(|| drop(recipients));
}

/// An empty list.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_identities_new(
    identities: Option<&mut MaybeUninit<Option<Box<Identities>>>>,
) -> Status {
    call(|| make(identities, || Ok(Identities::default())))
}

/// Adds identities, one a line: `AGE-SECRET-KEY-1...` or `AGE-SECRET-KEY-PQ-1...`; or an SSH
/// private key without a passphrase.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_identities_add(
    identities: Option<&mut Identities>,
    text: Text,
) -> Status {
    call(|| {
        let found = Identity::parse_list(text.get()?)?;
        needed(identities)?.0.extend(found);
        Ok(())
    })
}

/// The same from a file. Files of identities with a passphrase are not read.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_identities_add_file(
    identities: Option<&mut Identities>,
    path: Text,
) -> Status {
    call(|| {
        let found = Identity::parse_list(&read(path.get()?)?)?;
        needed(identities)?.0.extend(found);
        Ok(())
    })
}

/// Adds a new identity, from the system's random numbers; `post_quantum`: of ML-KEM-768 with
/// X25519.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_identities_generate(
    identities: Option<&mut Identities>,
    post_quantum: bool,
) -> Status {
    call(|| {
        needed(identities)?.0.push(Identity::generate(post_quantum));
        Ok(())
    })
}

/// Adds a passphrase. `most_work`: the largest work factor that is tried, 1 to 63; 0: 22, which
/// takes 4 GiB of memory.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_identities_add_passphrase(
    identities: Option<&mut Identities>,
    passphrase: Text,
    most_work: u32,
) -> Status {
    call(|| {
        let most_work = if most_work == 0 { MOST_WORK.into() } else { most_work };
        let most_work = u8::try_from(most_work).ok().filter(|most| *most < 64);
        let most_work = most_work.ok_or_else(|| Error::argument("a work factor is below 64"))?;
        let text = passphrase.get()?.to_owned().into();
        let passphrase = Passphrase { text, work_factor: None, most_work };
        needed(identities)?.0.push(Identity::Passphrase(passphrase));
        Ok(())
    })
}

/// The secrets of a list as text, one a line, to be kept; SSH keys and passphrases have none, which
/// is `SALTMILL_STATUS_IDENTITY`. To be freed with `saltmill_text_free()`, which clears it.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_identities_secrets(
    identities: Option<&Identities>,
    text: Option<&mut MaybeUninit<OwnedText>>,
) -> Status {
    call(|| {
        let text = needed(text)?;
        text.write(OwnedText::NONE);
        let mut said = String::with_capacity(128 * needed(identities)?.0.len() + 1);
        for identity in &needed(identities)?.0 {
            let none = || Error::new(Status::Identity, "it has no secret that can be told".into());
            said += identity.secret().ok_or_else(none)?.expose_secret();
            said.push('\n');
        }
        text.write(OwnedText::new(said)?);
        Ok(())
    })
}

/// The recipients of a list of identities as text, one a line; to be freed with
/// `saltmill_text_free()`.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_identities_recipients(
    identities: Option<&Identities>,
    text: Option<&mut MaybeUninit<OwnedText>>,
) -> Status {
    call(|| {
        let text = needed(text)?;
        text.write(OwnedText::NONE);
        let mut said = String::new();
        for identity in &needed(identities)?.0 {
            let none = || Error::new(Status::Recipient, "an identity has no recipient".into());
            said += &identity.recipient().ok_or_else(none)?;
            said.push('\n');
        }
        text.write(OwnedText::new(said)?);
        Ok(())
    })
}

/// Frees a list, and clears what is in it; null is none.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_identities_free(identities: Option<Box<Identities>>) {
    quiet(|| drop(identities));
}

/// Clears and frees a text that the library gave; null is none.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_text_free(text: OwnedText) {
    quiet(|| text.free());
}

fn work(factor: u32) -> Result<u8, Error> {
    let known = u8::try_from(factor).ok().filter(|work| *work <= MOST_WORK);
    known.ok_or_else(|| Error::argument("a work factor is a binary logarithm, 1 to 22"))
}

fn read(path: &str) -> Result<Zeroizing<String>, Error> {
    let text = fs::read_to_string(path).map_err(|error| Error::system(&error, path))?;
    Ok(Zeroizing::new(text))
}
