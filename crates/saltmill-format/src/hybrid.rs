// SPDX-License-Identifier: Apache-2.0
//! Post-quantum recipients and identities (C2SP, age.md, "mlkem768x25519"): the file key is sealed
//! by HPKE with MLKEM768-X25519, so an attacker must break both ML-KEM and X25519.
//!
//! These recipients can't be mixed with other kinds: an attacker would have to break only those.
//!
//! ```
//! use saltmill_format::{Prologue, hybrid, seal};
//!
//! let identity = hybrid::Identity::generate();
//! let recipient: hybrid::Recipient = identity.to_public().to_string().parse()?;
//! let sealed = seal(&[Box::new(recipient) as Box<dyn age::Recipient>])?;
//!
//! let prologue = Prologue::read(&mut &sealed.prologue[..])?;
//! let identities: [Box<dyn age::Identity>; 1] = [Box::new(identity)];
//! assert_eq!(prologue.open(&identities)?.bytes(), sealed.key.bytes());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod kem;

use std::{collections::HashSet, fmt, str::FromStr};

use age::{DecryptError, EncryptError};
use age_core::{
    format::{FILE_KEY_BYTES, FileKey, Stanza},
    primitives::{bech32_decode, bech32_encode, bech32_encode_to_fmt, hpke_open, hpke_seal},
    secrecy::{ExposeSecret, SecretString},
};
use base64::{Engine, prelude::BASE64_STANDARD_NO_PAD};
use hpke::{Deserializable, HpkeError, Kem, Serializable};
use rand::rngs::OsRng;
use thiserror::Error;
use zeroize::{Zeroize, Zeroizing};

use kem::{EncappedKey, MlKem768X25519, PrivateKey, PublicKey, SEED_BYTES};

const RECIPIENT_PREFIX: bech32::Hrp = bech32::Hrp::parse_unchecked("age1pq");
const IDENTITY_PREFIX: bech32::Hrp = bech32::Hrp::parse_unchecked("age-secret-key-pq-");
const TAG: &str = "mlkem768x25519";
const INFO: &[u8] = b"age-encryption.org/mlkem768x25519";
/// The label of all recipients that withstand quantum computers: labels of one file must be the
/// same.
const LABEL: &str = "postquantum";
const BODY_BYTES: usize = FILE_KEY_BYTES + 16; // with the tag of ChaCha20-Poly1305

/// A text is not a recipient or an identity of this kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ParseError {
    /// A character was changed, or left out.
    #[error("its checksum is wrong")]
    Checksum,
    /// It begins in another way.
    #[error("it is of another kind")]
    Kind,
    /// It is too long or too short.
    #[error("it has the wrong length")]
    Length,
    /// There is no such key.
    #[error("it is not a valid key")]
    Key,
}

/// Whom files are encrypted to: `age1pq1...`, about 2,000 characters.
#[derive(Clone, PartialEq, Eq)]
pub struct Recipient(PublicKey);

impl FromStr for Recipient {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        parse(text, RECIPIENT_PREFIX, |bytes| {
            PublicKey::from_bytes(bytes).map(Self).map_err(|error| match error {
                HpkeError::IncorrectInputLength(..) => ParseError::Length,
                _ => ParseError::Key,
            })
        })
    }
}

impl fmt::Display for Recipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        bech32_encode_to_fmt(f, RECIPIENT_PREFIX, &self.0.to_bytes())
    }
}

impl fmt::Debug for Recipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl age::Recipient for Recipient {
    fn wrap_file_key(
        &self,
        file_key: &FileKey,
    ) -> Result<(Vec<Stanza>, HashSet<String>), EncryptError> {
        let key = file_key.expose_secret();
        let (share, body) = hpke_seal::<MlKem768X25519, _>(&self.0, INFO, key, &mut OsRng);
        let args = vec![BASE64_STANDARD_NO_PAD.encode(share.to_bytes())];
        let stanza = Stanza { tag: TAG.to_owned(), args, body };
        Ok((vec![stanza], HashSet::from([LABEL.to_owned()])))
    }
}

/// Who can decrypt: `AGE-SECRET-KEY-PQ-1...`. Cleared when it is dropped.
#[derive(Clone)]
pub struct Identity(PrivateKey);

impl Identity {
    /// A new one, from the system's random numbers.
    pub fn generate() -> Self {
        let mut seed = Zeroizing::new([0; SEED_BYTES]);
        rand::RngCore::fill_bytes(&mut OsRng, &mut *seed);
        Self(PrivateKey::new(&seed))
    }

    /// Whom others encrypt to.
    pub fn to_public(&self) -> Recipient {
        Recipient(MlKem768X25519::sk_to_pk(&self.0))
    }

    /// As it is kept in a file.
    pub fn to_string(&self) -> SecretString {
        let mut text = bech32_encode(IDENTITY_PREFIX, self.0.seed());
        text.make_ascii_uppercase();
        SecretString::from(text)
    }
}

impl FromStr for Identity {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        parse(text, IDENTITY_PREFIX, |bytes| {
            let seed = bytes.try_into().map_err(|_| ParseError::Length)?;
            Ok(Self(PrivateKey::new(seed)))
        })
    }
}

impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Identity").finish_non_exhaustive()
    }
}

impl age::Identity for Identity {
    fn unwrap_stanza(&self, stanza: &Stanza) -> Option<Result<FileKey, DecryptError>> {
        if stanza.tag != TAG {
            return None;
        }
        let share = match &stanza.args[..] {
            [share] => BASE64_STANDARD_NO_PAD.decode(share).ok(),
            _ => None,
        };
        let share = share.and_then(|bytes| EncappedKey::from_bytes(&bytes).ok());
        let (Some(share), BODY_BYTES) = (share, stanza.body.len()) else {
            return Some(Err(DecryptError::InvalidHeader));
        };
        match hpke_open::<MlKem768X25519>(&share, &self.0, INFO, &stanza.body) {
            Ok(mut opened) => Some(Ok(FileKey::init_with_mut(|key| {
                key.copy_from_slice(&opened);
                opened.zeroize();
            }))),
            // ML-KEM rejects implicitly: a share that is not for this key gives another key.
            Err(HpkeError::OpenError) => None,
            Err(_) => Some(Err(DecryptError::InvalidHeader)),
        }
    }
}

fn parse<T>(
    text: &str,
    prefix: bech32::Hrp,
    key: impl FnOnce(&[u8]) -> Result<T, ParseError>,
) -> Result<T, ParseError> {
    bech32_decode(
        text,
        |_| ParseError::Checksum,
        |found| if found == prefix { Ok(()) } else { Err(ParseError::Kind) },
        |_, bytes| key(&Zeroizing::new(bytes.collect::<Vec<u8>>())),
    )
}

#[cfg(test)]
mod tests {
    use age::{Identity as _, x25519};

    use super::*;
    use crate::{Prologue, Sealed, seal};

    fn sealed_to(recipients: &[Recipient]) -> Sealed {
        let boxed: Vec<Box<dyn age::Recipient>> =
            recipients.iter().cloned().map(|recipient| Box::new(recipient) as _).collect();
        seal(&boxed).expect("sealed")
    }

    fn with(stanza: &Stanza, args: Vec<String>, body: Vec<u8>) -> Stanza {
        Stanza { tag: stanza.tag.clone(), args, body }
    }

    fn stanza_of(recipient: &Recipient) -> Stanza {
        let key = FileKey::new(Box::new([7; FILE_KEY_BYTES]));
        let (mut stanzas, labels) =
            age::Recipient::wrap_file_key(recipient, &key).expect("wrapped");
        assert_eq!(labels, HashSet::from([LABEL.to_owned()]));
        stanzas.pop().expect("one stanza")
    }

    #[test]
    fn each_of_several_recipients_opens_it_and_nobody_else() {
        let identities = [Identity::generate(), Identity::generate()];
        let sealed = sealed_to(&identities.each_ref().map(Identity::to_public));
        let prologue = Prologue::read(&mut &sealed.prologue[..]).expect("a header");
        for identity in identities {
            let boxed: [Box<dyn age::Identity>; 1] = [Box::new(identity)];
            assert_eq!(prologue.open(&boxed).expect("fits").bytes(), sealed.key.bytes());
        }
        let others: [Box<dyn age::Identity>; 2] =
            [Box::new(Identity::generate()), Box::new(x25519::Identity::generate())];
        assert!(matches!(prologue.open(&others), Err(crate::OpenError::NoMatch)));
    }

    #[test]
    fn they_are_not_mixed_with_what_quantum_computers_break() {
        let classic = x25519::Identity::generate().to_public();
        let both: [Box<dyn age::Recipient>; 2] =
            [Box::new(Identity::generate().to_public()), Box::new(classic)];
        let error = seal(&both).expect_err("mixed");
        assert!(matches!(error, EncryptError::IncompatibleRecipients { .. }), "{error:?}");
    }

    #[test]
    fn texts_come_back_and_changed_ones_are_refused() {
        let identity = Identity::generate();
        let recipient = identity.to_public();
        let (secret, public) = (identity.to_string(), recipient.to_string());
        let secret = secret.expose_secret();
        assert!(secret.starts_with("AGE-SECRET-KEY-PQ-1") && public.starts_with("age1pq1"));
        assert_eq!(secret.parse::<Identity>().expect("an identity").to_public(), recipient);
        assert_eq!(public.parse::<Recipient>(), Ok(recipient));

        assert_eq!(public[..100].parse::<Recipient>(), Err(ParseError::Checksum));
        assert_eq!(secret.parse::<Recipient>(), Err(ParseError::Kind));
        assert_eq!(public.parse::<Identity>().err(), Some(ParseError::Kind));
        let classic = x25519::Identity::generate();
        let other = classic.to_public().to_string();
        assert_eq!(other.parse::<Recipient>(), Err(ParseError::Kind));
        let short = bech32_encode(RECIPIENT_PREFIX, &[1; 32]);
        assert_eq!(short.parse::<Recipient>(), Err(ParseError::Length));
        let short = bech32_encode(IDENTITY_PREFIX, &[1; 31]);
        assert_eq!(short.parse::<Identity>().err(), Some(ParseError::Length));
    }

    #[test]
    fn keys_that_give_no_secret_are_refused() {
        let mut bytes = Identity::generate().to_public().0.to_bytes();
        let start = bytes.len() - 32;
        bytes[start..].fill(0); // of low order
        let text = bech32_encode(RECIPIENT_PREFIX, &bytes);
        assert_eq!(text.parse::<Recipient>(), Err(ParseError::Key));
        let mut bytes = Identity::generate().to_public().0.to_bytes();
        bytes[..3].fill(0xff); // coefficients beyond q (FIPS 203, 7.2)
        let text = bech32_encode(RECIPIENT_PREFIX, &bytes);
        assert_eq!(text.parse::<Recipient>(), Err(ParseError::Key));
    }

    #[test]
    fn every_changed_byte_of_a_stanza_is_noticed() {
        let identity = Identity::generate();
        let stanza = stanza_of(&identity.to_public());
        assert!(matches!(identity.unwrap_stanza(&stanza), Some(Ok(_))));
        for index in 0..stanza.body.len() {
            let mut changed = stanza.body.clone();
            changed[index] ^= 1;
            let changed = with(&stanza, stanza.args.clone(), changed);
            assert!(identity.unwrap_stanza(&changed).is_none(), "byte {index} of the body");
        }
        let share = BASE64_STANDARD_NO_PAD.decode(&stanza.args[0]).expect("base64");
        // The highest bit of an X25519 share, the last of all, is ignored by X25519, but not by the
        // hash.
        for index in (0..share.len()).step_by(37).chain([share.len() - 1]) {
            let mut changed = share.clone();
            changed[index] ^= 0x80;
            let args = vec![BASE64_STANDARD_NO_PAD.encode(changed)];
            let changed = with(&stanza, args, stanza.body.clone());
            assert!(identity.unwrap_stanza(&changed).is_none(), "byte {index} of the share");
        }
    }

    #[test]
    fn malformed_stanzas_are_told_from_those_of_others() {
        let identity = Identity::generate();
        let stanza = stanza_of(&identity.to_public());
        let share = BASE64_STANDARD_NO_PAD.decode(&stanza.args[0]).expect("base64");
        let low_order = [&share[..share.len() - 32], &[0; 32]].concat();
        let args: [Vec<String>; 5] = [
            vec![],
            vec![stanza.args[0].clone(); 2],
            vec!["!".to_owned()],
            vec![BASE64_STANDARD_NO_PAD.encode(&share[1..])],
            vec![BASE64_STANDARD_NO_PAD.encode(low_order)],
        ];
        let mut malformed: Vec<_> =
            args.into_iter().map(|args| with(&stanza, args, stanza.body.clone())).collect();
        malformed.push(with(&stanza, stanza.args.clone(), vec![0; BODY_BYTES + 1]));
        for stanza in malformed {
            let said = identity.unwrap_stanza(&stanza);
            assert!(matches!(said, Some(Err(DecryptError::InvalidHeader))), "{:?}", stanza.args);
        }
        let other = Stanza { tag: TAG.to_uppercase(), ..stanza };
        assert!(identity.unwrap_stanza(&other).is_none());
    }
}
