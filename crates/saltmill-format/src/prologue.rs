// SPDX-License-Identifier: Apache-2.0
//! What is in front of the payload: the header, a line or more for each recipient, and a nonce.

use std::io::{self, BufRead, Read};

use age::{DecryptError, Decryptor, EncryptError, Identity, Recipient};
use age_core::format::FileKey;

use crate::{
    OpenError, PayloadKey, PrologueError, header::is_well_formed, key::LastFileKey, seal::rewrap,
};

/// Bytes of the nonce that the payload's key is derived with.
pub const NONCE_BYTES: usize = 16;

/// The longest header that is read: far more recipients than anybody has.
const LONGEST: usize = 16 << 20;
const MAGIC: &[u8] = b"age-encryption.org/";
const VERSION: &[u8] = b"age-encryption.org/v1\n";

/// Header and nonce of a file.
#[derive(Debug)]
pub struct Prologue {
    header: Vec<u8>,
    nonce: [u8; NONCE_BYTES],
}

/// One recipient's part of a header, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stanza {
    /// Kind of recipient: `X25519`, `scrypt`, `ssh-ed25519`, `ssh-rsa` or a plugin's.
    pub tag: String,
    /// What stands behind it: a share, a salt, the start of a key's hash.
    pub args: Vec<String>,
    /// Bytes of the wrapped file key.
    pub body_bytes: usize,
}

impl Prologue {
    /// Reads up to the payload's first byte and no further. The header is only checked for its end;
    /// [`open`](Self::open) and [`stanzas`](Self::stanzas) check the rest.
    ///
    /// # Errors
    /// The input can't be read, is no age file of version 1, or ends too early.
    pub fn read(input: &mut dyn BufRead) -> Result<Self, PrologueError> {
        let mut header = Vec::new();
        loop {
            let line = header.len();
            let room = (LONGEST - line) as u64;
            let read = (&mut *input).take(room).read_until(b'\n', &mut header);
            let offset = header.len() as u64;
            read.map_err(|source| PrologueError::Read { offset, source })?;
            if line == 0 {
                check_version(&header)?;
            }
            if !header[line..].ends_with(b"\n") {
                return Err(match header.len() {
                    LONGEST => PrologueError::TooLong(LONGEST),
                    _ => PrologueError::Truncated(offset),
                });
            }
            if header[line..].starts_with(b"---") {
                break;
            }
        }
        let mut nonce = [0; NONCE_BYTES];
        let offset = header.len() as u64;
        input.read_exact(&mut nonce).map_err(|source| match source.kind() {
            io::ErrorKind::UnexpectedEof => PrologueError::Truncated(offset),
            _ => PrologueError::Read { offset, source },
        })?;
        Ok(Self { header, nonce })
    }

    /// Bytes in front of the payload.
    #[expect(clippy::len_without_is_empty, reason = "it never is")]
    pub fn len(&self) -> u64 {
        (self.header.len() + NONCE_BYTES) as u64
    }

    /// Whether the file is for a passphrase.
    ///
    /// # Errors
    /// [`PrologueError::Malformed`]: the header is not one of version 1.
    pub fn is_passphrase(&self) -> Result<bool, PrologueError> {
        Ok(self.decryptor()?.is_scrypt())
    }

    /// Unwraps the file key with the first identity that fits, checks the header with it, and
    /// derives the payload's key.
    ///
    /// # Errors
    /// The header is malformed or was changed, no identity fits, or one can't be used.
    pub fn open(&self, identities: &[impl AsRef<dyn Identity>]) -> Result<PayloadKey, OpenError> {
        self.file_key(identities).map(|key| self.payload_key(&key))
    }

    /// Unwraps the file key with the first identity that fits, and checks the header with it.
    ///
    /// # Errors
    /// The header is malformed or was changed, or no identity gives its file key.
    pub fn file_key(&self, identities: &[impl AsRef<dyn Identity>]) -> Result<FileKey, OpenError> {
        let seen = LastFileKey::default();
        let watched: Vec<_> = identities
            .iter()
            .map(|identity| Watched { inner: identity.as_ref(), seen: &seen })
            .collect();
        self.decryptor()?.decrypt(watched.iter().map(|watched| watched as _))?;
        seen.into_key().ok_or(OpenError::NoMatch)
    }

    /// The payload's key, from this file's file key.
    pub fn payload_key(&self, key: &FileKey) -> PayloadKey {
        PayloadKey::derive(key, &self.nonce)
    }

    /// Header and nonce for other recipients, in front of the same payload: this file's file key is
    /// wrapped for them, and the nonce stays. Whoever knows the file key can open that file, too.
    ///
    /// # Errors
    /// As [`seal`](crate::seal).
    pub fn rekey(
        &self,
        key: &FileKey,
        recipients: &[impl AsRef<dyn Recipient>],
    ) -> Result<Vec<u8>, EncryptError> {
        rewrap(key, &self.nonce, recipients)
    }

    /// The recipients' parts, in their order. Nothing of them is authenticated.
    ///
    /// # Errors
    /// [`PrologueError::Malformed`]: the header is not one of version 1.
    pub fn stanzas(&self) -> Result<Vec<Stanza>, PrologueError> {
        let listed = Listed::default();
        // It fits none, so this fails after it has seen them.
        let _ = self.decryptor()?.decrypt(std::iter::once(&listed as _));
        Ok(listed.0.into_inner())
    }

    fn decryptor(&self) -> Result<Decryptor<Whole<'_>>, PrologueError> {
        if !is_well_formed(&self.header) {
            return Err(PrologueError::Malformed);
        }
        let input = Whole { header: &self.header, nonce: &self.nonce };
        Decryptor::new_buffered(input).map_err(|_| PrologueError::Malformed)
    }
}

fn check_version(line: &[u8]) -> Result<(), PrologueError> {
    let Some(version) = line.strip_prefix(MAGIC) else {
        let start = MAGIC.starts_with(line) && !line.is_empty();
        let truncated = PrologueError::Truncated(line.len() as u64);
        return Err(if start { truncated } else { PrologueError::NotAge });
    };
    if line != VERSION && line.ends_with(b"\n") {
        let version = String::from_utf8_lossy(version.trim_ascii_end()).into_owned();
        return Err(PrologueError::Version(version.chars().take(20).collect()));
    }
    Ok(())
}

/// Gives a parser that asks for a line the whole header at once: it starts anew after every
/// line, which takes a time that grows with the square of the recipients.
struct Whole<'a> {
    header: &'a [u8],
    nonce: &'a [u8],
}

impl Read for Whole<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.nonce.read(buffer)
    }
}

impl BufRead for Whole<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        Ok(if self.header.is_empty() { self.nonce } else { self.header })
    }

    fn consume(&mut self, bytes: usize) {
        let part = if self.header.is_empty() { &mut self.nonce } else { &mut self.header };
        *part = &part[bytes..];
    }

    fn read_until(&mut self, _end: u8, line: &mut Vec<u8>) -> io::Result<usize> {
        let header = std::mem::take(&mut self.header);
        line.extend_from_slice(header);
        Ok(header.len())
    }
}

/// An identity that shows the file key that it unwraps.
struct Watched<'a> {
    inner: &'a dyn Identity,
    seen: &'a LastFileKey,
}

impl Watched<'_> {
    fn remember(
        &self,
        unwrapped: Option<Result<FileKey, DecryptError>>,
    ) -> Option<Result<FileKey, DecryptError>> {
        if let Some(Ok(key)) = &unwrapped {
            self.seen.remember(key);
        }
        unwrapped
    }
}

impl Identity for Watched<'_> {
    fn unwrap_stanza(
        &self,
        stanza: &age_core::format::Stanza,
    ) -> Option<Result<FileKey, DecryptError>> {
        self.remember(self.inner.unwrap_stanza(stanza))
    }

    fn unwrap_stanzas(
        &self,
        stanzas: &[age_core::format::Stanza],
    ) -> Option<Result<FileKey, DecryptError>> {
        self.remember(self.inner.unwrap_stanzas(stanzas))
    }
}

/// An identity that fits nothing and writes down what it is shown.
#[derive(Default)]
struct Listed(std::cell::RefCell<Vec<Stanza>>);

impl Identity for Listed {
    fn unwrap_stanza(
        &self,
        stanza: &age_core::format::Stanza,
    ) -> Option<Result<FileKey, DecryptError>> {
        let (tag, args) = (stanza.tag.clone(), stanza.args.clone());
        self.0.borrow_mut().push(Stanza { tag, args, body_bytes: stanza.body.len() });
        None
    }
}

#[cfg(test)]
mod tests {
    use age::{Recipient, scrypt, x25519};

    use super::*;
    use crate::{Sealed, seal};

    fn for_one() -> (Sealed, Vec<Box<dyn Identity>>) {
        let identity = x25519::Identity::generate();
        let recipient: Box<dyn Recipient> = Box::new(identity.to_public());
        (seal(&[recipient]).expect("sealed"), vec![Box::new(identity)])
    }

    fn read(mut bytes: &[u8]) -> Result<Prologue, PrologueError> {
        Prologue::read(&mut bytes)
    }

    #[test]
    fn payload_key_comes_out_and_nothing_behind_is_read() {
        let (sealed, identities) = for_one();
        let file = [&sealed.prologue[..], b"payload"].concat();
        let mut input = &file[..];
        let prologue = Prologue::read(&mut input).expect("header");
        assert_eq!(input, b"payload");
        assert_eq!(prologue.len(), sealed.prologue.len() as u64);
        assert!(!prologue.is_passphrase().expect("valid"));
        assert_eq!(prologue.open(&identities).expect("fits").bytes(), sealed.key.bytes());
        let (_, others) = for_one();
        assert!(matches!(prologue.open(&others), Err(OpenError::NoMatch)));
        let tags: Vec<_> =
            prologue.stanzas().expect("valid").into_iter().map(|stanza| stanza.tag).collect();
        assert!(tags.contains(&"X25519".to_owned()), "{tags:?}");
    }

    #[test]
    fn every_changed_byte_of_the_header_is_noticed() {
        let (sealed, identities) = for_one();
        let end = sealed.prologue.len() - NONCE_BYTES;
        for index in 0..end {
            let mut changed = sealed.prologue.clone();
            changed[index] ^= 1;
            let opened = read(&changed).map_err(OpenError::from).and_then(|p| p.open(&identities));
            assert!(opened.is_err(), "byte {index}");
        }
    }

    #[test]
    fn other_recipients_get_the_same_key() {
        let (sealed, old) = for_one();
        let prologue = read(&sealed.prologue).expect("header");
        let key = prologue.file_key(&old).expect("fits");
        let identity = x25519::Identity::generate();
        let hybrid = crate::hybrid::Identity::generate();
        let mut slow = scrypt::Recipient::new("open sesame".to_owned().into());
        slow.set_work_factor(2);
        let passphrase = scrypt::Identity::new("open sesame".to_owned().into());
        let to: [(Box<dyn Recipient>, Box<dyn Identity>); 3] = [
            (Box::new(identity.to_public()), Box::new(identity)),
            (Box::new(hybrid.to_public()), Box::new(hybrid)),
            (Box::new(slow), Box::new(passphrase)),
        ];
        for (recipient, identity) in to {
            let bytes = prologue.rekey(&key, &[recipient]).expect("wrapped");
            let new = read(&bytes).expect("header");
            assert_eq!(new.len(), bytes.len() as u64);
            assert!(is_well_formed(&new.header) && new.nonce == prologue.nonce);
            assert_eq!(new.open(&[identity]).expect("fits").bytes(), sealed.key.bytes());
            assert!(matches!(new.open(&old), Err(OpenError::NoMatch)));
        }
    }

    #[test]
    fn a_changed_header_does_not_give_its_file_key() {
        let (sealed, identities) = for_one();
        let mut changed = sealed.prologue.clone();
        let code = changed.len() - NONCE_BYTES - 10;
        changed[code] = if changed[code] == b'A' { b'B' } else { b'A' };
        let error = read(&changed).expect("header").file_key(&identities).err();
        assert!(matches!(error, Some(OpenError::HeaderChanged)), "{error:?}");
    }

    #[test]
    fn recipients_that_do_not_go_together_are_refused() {
        let (sealed, identities) = for_one();
        let prologue = read(&sealed.prologue).expect("header");
        let key = prologue.file_key(&identities).expect("fits");
        let classic: Box<dyn Recipient> = Box::new(x25519::Identity::generate().to_public());
        let hybrid: Box<dyn Recipient> = Box::new(crate::hybrid::Identity::generate().to_public());
        let error = prologue.rekey(&key, &[classic, hybrid]).err();
        assert!(matches!(error, Some(EncryptError::IncompatibleRecipients { .. })));
        let nobody: [Box<dyn Recipient>; 0] = [];
        let error = prologue.rekey(&key, &nobody).err();
        assert!(matches!(error, Some(EncryptError::MissingRecipients)));
    }

    #[test]
    fn another_nonce_is_another_key() {
        let (sealed, identities) = for_one();
        let mut changed = sealed.prologue.clone();
        *changed.last_mut().expect("a nonce") ^= 1;
        let key = read(&changed).expect("header").open(&identities).expect("fits");
        assert_ne!(key.bytes(), sealed.key.bytes());
    }

    #[test]
    fn what_is_cut_off_is_said_to_be() {
        let (sealed, _) = for_one();
        for len in 1..sealed.prologue.len() {
            let error = read(&sealed.prologue[..len]).expect_err("cut");
            assert!(matches!(error, PrologueError::Truncated(_)), "{len}: {error}");
        }
    }

    #[test]
    fn other_files_are_not_age_files() {
        for other in [&b""[..], b"\n", b"age", b"PK\x03\x04", b"age-encryption.com/v1\n"] {
            let error = read(other).expect_err("no age file");
            let right = match other {
                b"age" => matches!(error, PrologueError::Truncated(3)),
                _ => matches!(error, PrologueError::NotAge),
            };
            assert!(right, "{other:?}: {error}");
        }
        let newer = read(b"age-encryption.org/v2\nanything").expect_err("newer");
        assert!(matches!(newer, PrologueError::Version(version) if version == "v2"));
    }

    #[test]
    fn a_header_without_an_end_is_not_read_for_ever() {
        let endless = io::repeat(b'a');
        let mut input = io::BufReader::new(VERSION.chain(endless));
        assert!(matches!(Prologue::read(&mut input), Err(PrologueError::TooLong(LONGEST))));
    }

    #[test]
    fn passphrases() {
        let mut recipient = scrypt::Recipient::new("open sesame".to_owned().into());
        recipient.set_work_factor(2);
        let recipient: Box<dyn Recipient> = Box::new(recipient);
        let sealed = seal(&[recipient]).expect("sealed");
        let prologue = read(&sealed.prologue).expect("header");
        assert!(prologue.is_passphrase().expect("valid"));
        let with = |passphrase: &str| -> Vec<Box<dyn Identity>> {
            vec![Box::new(scrypt::Identity::new(passphrase.to_owned().into()))]
        };
        let key = prologue.open(&with("open sesame")).expect("right");
        assert_eq!(key.bytes(), sealed.key.bytes());
        assert!(matches!(prologue.open(&with("wrong")), Err(OpenError::Unwrap)));
    }
}
