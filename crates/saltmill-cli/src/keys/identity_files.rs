// SPDX-License-Identifier: Apache-2.0
//! Files of identities: age's, post-quantum ones, SSH keys, and encrypted files of them.

use std::{
    cell::OnceCell,
    io::{self, BufReader, Read},
};

use age::{
    Callbacks, DecryptError, Decryptor, EncryptError, Identity, IdentityFile,
    IdentityFileConvertError, Recipient,
    armor::ArmoredReader,
    cli_common::{ReadError, UiCallbacks, file_io::InputReader},
    scrypt, ssh,
};
use age_core::format::{FileKey, Stanza};
use saltmill::format::hybrid;
use zeroize::Zeroizing;

/// The longest file that is read, as in the `age` crate.
const LONGEST: u64 = 16 << 20;
const HYBRID: &str = "AGE-SECRET-KEY-PQ-1";
/// How encrypted files begin. SSH keys have an armor, too.
const SEALED: [&[u8]; 2] = [b"age-encryption.org/", b"-----BEGIN AGE "];

/// Standard input, which can be read once.
pub struct StandardInput {
    taken: bool,
}

impl StandardInput {
    /// `taken`: something else reads it.
    pub fn new(taken: bool) -> Self {
        Self { taken }
    }

    /// The whole of a file, or of standard input if it is `-`.
    pub fn read(&mut self, name: &str) -> Result<Zeroizing<Vec<u8>>, ReadError> {
        let input = InputReader::new(Some(name.to_owned()))?;
        if matches!(input, InputReader::Stdin(_)) && std::mem::replace(&mut self.taken, true) {
            return Err(ReadError::MultipleStdin);
        }
        let mut bytes = Zeroizing::new(Vec::new());
        input.take(LONGEST + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > LONGEST {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "it is too long").into());
        }
        Ok(bytes)
    }
}

/// What is in a file of identities.
pub enum ReadIdentities {
    /// One a line.
    Lines(Lines),
    /// One key of OpenSSH.
    Ssh(Box<ssh::Identity>),
    /// The first, encrypted with a passphrase.
    Encrypted(Encrypted),
}

impl ReadIdentities {
    /// Reads a file; an encrypted one is decrypted when it is needed.
    ///
    /// `most_work` is the largest work factor of its passphrase.
    pub fn read(name: &str, most_work: u8, stdin: &mut StandardInput) -> Result<Self, ReadError> {
        let bytes = stdin.read(name).map_err(|error| match error {
            ReadError::Io(error) if error.kind() == io::ErrorKind::NotFound => {
                ReadError::IdentityNotFound(name.to_owned())
            }
            other => other,
        })?;
        if SEALED.iter().any(|start| bytes.trim_ascii_start().starts_with(start)) {
            return Ok(Self::Encrypted(Encrypted::new(name, most_work, bytes)?));
        }
        match ssh::Identity::from_buffer(BufReader::new(&bytes[..]), Some(name.to_owned())) {
            Ok(ssh::Identity::Unsupported(key)) => Err(ReadError::UnsupportedKey(name.into(), key)),
            Ok(key) => Ok(Self::Ssh(Box::new(key))),
            Err(_) => Ok(Self::Lines(Lines::parse(&bytes)?)),
        }
    }

    /// Those who can decrypt.
    pub fn into_identities(self) -> Result<Vec<Box<dyn Identity>>, ReadError> {
        match self {
            Self::Lines(lines) => lines.into_identities(),
            Self::Ssh(key) => Ok(vec![Box::new(key.with_callbacks(UiCallbacks))]),
            Self::Encrypted(encrypted) => Ok(vec![Box::new(encrypted)]),
        }
    }

    /// Those to whom is encrypted so that they can decrypt.
    pub fn recipients(&self, name: &str) -> Result<Vec<Box<dyn Recipient + Send>>, ReadError> {
        match self {
            Self::Lines(lines) => lines.recipients(),
            Self::Ssh(key) => {
                let recipient = ssh::Recipient::try_from((**key).clone());
                let recipient = recipient.map_err(|_| ReadError::InvalidRecipient(name.into()))?;
                Ok(vec![Box::new(recipient)])
            }
            Self::Encrypted(encrypted) => {
                encrypted.lines().map_err(ReadError::EncryptedIdentities)?.recipients()
            }
        }
    }
}

/// Identities, one a line.
pub struct Lines {
    hybrid: Vec<hybrid::Identity>,
    others: IdentityFile<UiCallbacks>,
}

impl Lines {
    /// Errors name a line and never what is in it.
    fn parse(bytes: &[u8]) -> io::Result<Self> {
        let wrong = |line: usize| {
            let said = format!("identity file contains non-identity data on line {}", line + 1);
            io::Error::new(io::ErrorKind::InvalidData, said)
        };
        let mut hybrid = Vec::new();
        // The others are parsed by the `age` crate, under the numbers of their lines.
        let mut others = Zeroizing::new(Vec::with_capacity(bytes.len() + 1));
        for (number, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
            let text = std::str::from_utf8(line.strip_suffix(b"\r").unwrap_or(line))
                .map_err(|_| wrong(number))?;
            if is_hybrid(text) {
                hybrid.push(text.parse().map_err(|_| wrong(number))?);
            } else {
                others.extend_from_slice(text.as_bytes());
            }
            others.push(b'\n');
        }
        let others = IdentityFile::from_buffer(&others[..])?.with_callbacks(UiCallbacks);
        Ok(Self { hybrid, others })
    }
}

fn is_hybrid(line: &str) -> bool {
    line.get(..HYBRID.len()).is_some_and(|start| start.eq_ignore_ascii_case(HYBRID))
}

impl Lines {
    fn into_identities(self) -> Result<Vec<Box<dyn Identity>>, ReadError> {
        let Self { hybrid, others } = self;
        let others = others.into_identities().map_err(|error| match error {
            DecryptError::PluginResolve(name) => ReadError::PluginResolve(name),
            other => io::Error::other(other.to_string()).into(),
        })?;
        let mut all: Vec<Box<dyn Identity>> = Vec::new();
        all.extend(hybrid.into_iter().map(|identity| Box::new(identity) as _));
        all.extend(others.into_iter().map(|identity| identity as _));
        Ok(all)
    }

    fn recipients(&self) -> Result<Vec<Box<dyn Recipient + Send>>, ReadError> {
        let mut all = self.others.to_recipients().map_err(|error| match error {
            EncryptError::PluginResolve(name) => ReadError::PluginResolve(name),
            other => io::Error::other(other.to_string()).into(),
        })?;
        all.extend(self.hybrid.iter().map(|identity| Box::new(identity.to_public()) as _));
        Ok(all)
    }

    /// The recipients as text, one a line, post-quantum ones last.
    pub fn recipients_text(&self) -> Result<String, IdentityFileConvertError> {
        let mut text = Vec::new();
        match self.others.write_recipients_file(&mut text) {
            Err(IdentityFileConvertError::NoIdentities { .. }) if !self.hybrid.is_empty() => {}
            written => written?,
        }
        let mut lines = vec![String::from_utf8_lossy(&text).into_owned()];
        lines.extend(self.hybrid.iter().map(|identity| format!("{}\n", identity.to_public())));
        Ok(lines.concat())
    }
}

/// Identities in a file with a passphrase, which is asked for when they are needed, and once.
pub struct Encrypted {
    name: String,
    most_work: u8,
    sealed: Zeroizing<Vec<u8>>,
    opened: OnceCell<Result<Vec<Box<dyn Identity>>, DecryptError>>,
}

impl Encrypted {
    fn new(name: &str, most_work: u8, sealed: Zeroizing<Vec<u8>>) -> Result<Self, ReadError> {
        let passphrase = Decryptor::new_buffered(ArmoredReader::new(&sealed[..]))
            .map_err(ReadError::EncryptedIdentities)?
            .is_scrypt();
        if !passphrase {
            return Err(ReadError::IdentityEncryptedWithoutPassphrase(name.to_owned()));
        }
        Ok(Self { name: name.to_owned(), most_work, sealed, opened: OnceCell::new() })
    }

    /// Asks for the passphrase and decrypts.
    pub fn lines(&self) -> Result<Lines, DecryptError> {
        let ask = format!("Passphrase of the identities in {}", self.name);
        let passphrase =
            UiCallbacks.request_passphrase(&ask).ok_or(DecryptError::KeyDecryptionFailed)?;
        let mut key = scrypt::Identity::new(passphrase);
        key.set_max_work_factor(self.most_work);
        let sealed = Decryptor::new_buffered(ArmoredReader::new(&self.sealed[..]))?;
        let opened = sealed.decrypt(std::iter::once(&key as _)).map_err(|error| match error {
            DecryptError::DecryptionFailed => DecryptError::KeyDecryptionFailed,
            // Whose passphrase it is can't be told from the error: it is not the file's that is
            // decrypted.
            DecryptError::ExcessiveWork { required, .. } => io::Error::other(format!(
                "the passphrase of {} has work factor {required}, and at most {} is accepted; see --max-work-factor",
                self.name, self.most_work
            ))
            .into(),
            other => other,
        })?;
        let mut bytes = Zeroizing::new(Vec::new());
        opened.take(LONGEST).read_to_end(&mut bytes)?;
        Ok(Lines::parse(&bytes)?)
    }

    fn identities(&self) -> Result<&[Box<dyn Identity>], DecryptError> {
        let open = || {
            self.lines()?.into_identities().map_err(|error| match error {
                ReadError::PluginResolve(name) => DecryptError::PluginResolve(name),
                other => io::Error::other(other.to_string()).into(),
            })
        };
        self.opened.get_or_init(open).as_deref().map_err(Clone::clone)
    }

    fn first<T>(
        &self,
        unwrap: impl Fn(&dyn Identity) -> Option<Result<T, DecryptError>>,
    ) -> Option<Result<T, DecryptError>> {
        match self.identities() {
            Ok(identities) => identities.iter().find_map(|identity| unwrap(&**identity)),
            Err(error) => Some(Err(error)),
        }
    }
}

impl Identity for Encrypted {
    fn unwrap_stanza(&self, stanza: &Stanza) -> Option<Result<FileKey, DecryptError>> {
        self.first(|identity| identity.unwrap_stanza(stanza))
    }

    fn unwrap_stanzas(&self, stanzas: &[Stanza]) -> Option<Result<FileKey, DecryptError>> {
        self.first(|identity| identity.unwrap_stanzas(stanzas))
    }
}
