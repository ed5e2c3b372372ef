// SPDX-License-Identifier: Apache-2.0
//! Recipients and identities from text, for programs in other languages: what is kept, copied and
//! sent to other threads, and made into the `age` crate's when it is used. Nobody is asked for
//! anything: plugins, and files of identities with a passphrase, are left to those who can ask.

use std::{io::BufReader, str::FromStr};

use age::{NoCallbacks, scrypt, secrecy::SecretString, ssh, x25519};
use saltmill_format::hybrid;
use thiserror::Error;

const HYBRID_SECRET: &str = "AGE-SECRET-KEY-PQ-1";
/// The largest work factor that others try without being told to: 2^22 takes 4 GiB.
pub const MOST_WORK: u8 = 22;

/// Why a text is no recipient or no identity. What it is, is not said: it may be a secret.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyError {
    /// It does not look like a recipient.
    #[error("it is not a recipient, which is one line that begins with age1 or ssh-")]
    NoRecipient,
    /// It looks like one.
    #[error("{0:?} is not a recipient")]
    Recipient(String),
    /// A line of a list of identities.
    #[error("line {0} is not an identity")]
    Line(usize),
    /// The list has none.
    #[error("it holds no identity")]
    NoIdentity,
    /// An SSH key with a passphrase.
    #[error("the SSH key has a passphrase")]
    SshPassphrase,
    /// An SSH key of another kind, or a damaged one.
    #[error("it is not an SSH key that can be used")]
    Ssh,
}

/// A passphrase. It is the only recipient of a file. Cleared when it is dropped.
#[derive(Clone)]
pub struct Passphrase {
    /// The passphrase.
    pub text: SecretString,
    /// Binary logarithm of scrypt's N (RFC 7914) to seal with; if none, about a second.
    pub work_factor: Option<u8>,
    /// The largest one that is tried when a file is opened.
    pub most_work: u8,
}

/// Whom a file is sealed for.
#[derive(Clone)]
#[non_exhaustive]
pub enum Recipient {
    /// `age1...`
    X25519(x25519::Recipient),
    /// `age1pq1...`: ML-KEM-768 with X25519.
    Hybrid(Box<hybrid::Recipient>),
    /// `ssh-ed25519 ...` or `ssh-rsa ...`
    Ssh(ssh::Recipient),
    /// Whoever knows it.
    Passphrase(Passphrase),
}

impl FromStr for Recipient {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Self, KeyError> {
        let text = text.trim();
        let public = text.starts_with("age1") || text.starts_with("ssh-");
        if !public || text.lines().count() > 1 {
            return Err(KeyError::NoRecipient);
        }
        let parsed = if text.starts_with("age1pq1") {
            text.parse().ok().map(|known| Self::Hybrid(Box::new(known)))
        } else if text.starts_with("ssh-") {
            text.parse().ok().map(Self::Ssh)
        } else {
            text.parse().ok().map(Self::X25519)
        };
        parsed.ok_or_else(|| KeyError::Recipient(text.to_owned()))
    }
}

impl Recipient {
    /// All in a list, one a line; empty lines and those that begin with `#` are none.
    ///
    /// # Errors
    /// [`KeyError::NoRecipient`], [`KeyError::Recipient`].
    pub fn parse_list(text: &str) -> Result<Vec<Self>, KeyError> {
        lines(text).map(|(_, line)| line.parse()).collect()
    }

    /// For [`Sealer`](crate::Sealer) and others.
    pub fn boxed(&self) -> Box<dyn age::Recipient> {
        match self {
            Self::X25519(known) => Box::new(known.clone()),
            Self::Hybrid(known) => known.clone(),
            Self::Ssh(known) => Box::new(known.clone()),
            Self::Passphrase(passphrase) => {
                let mut known = scrypt::Recipient::new(passphrase.text.clone());
                if let Some(work) = passphrase.work_factor {
                    known.set_work_factor(work);
                }
                Box::new(known)
            }
        }
    }
}

/// Who can open a file. Cleared when it is dropped, and can't be printed.
#[derive(Clone)]
#[non_exhaustive]
pub enum Identity {
    /// `AGE-SECRET-KEY-1...`
    X25519(x25519::Identity),
    /// `AGE-SECRET-KEY-PQ-1...`: ML-KEM-768 with X25519.
    Hybrid(Box<hybrid::Identity>),
    /// An SSH private key without a passphrase.
    Ssh(Box<ssh::Identity>),
    /// Whoever knows it.
    Passphrase(Passphrase),
}

impl Identity {
    /// A new one, from the system's random numbers.
    pub fn generate(post_quantum: bool) -> Self {
        if post_quantum {
            Self::Hybrid(Box::new(hybrid::Identity::generate()))
        } else {
            Self::X25519(x25519::Identity::generate())
        }
    }

    /// All in a list, one a line, at least one; or the SSH key that the text is.
    ///
    /// # Errors
    /// [`KeyError::Line`], [`KeyError::NoIdentity`], [`KeyError::SshPassphrase`],
    /// [`KeyError::Ssh`].
    pub fn parse_list(text: &str) -> Result<Vec<Self>, KeyError> {
        if text.trim_start().starts_with("-----BEGIN ") {
            return match ssh::Identity::from_buffer(BufReader::new(text.as_bytes()), None) {
                Ok(key @ ssh::Identity::Unencrypted(_)) => Ok(vec![Self::Ssh(Box::new(key))]),
                Ok(ssh::Identity::Encrypted(_)) => Err(KeyError::SshPassphrase),
                _ => Err(KeyError::Ssh),
            };
        }
        let parsed = lines(text).map(|(number, line)| {
            let wrong = || KeyError::Line(number);
            if line.to_ascii_uppercase().starts_with(HYBRID_SECRET) {
                line.parse().map(|key| Self::Hybrid(Box::new(key))).map_err(|_| wrong())
            } else {
                line.parse().map(Self::X25519).map_err(|_| wrong())
            }
        });
        let parsed = parsed.collect::<Result<Vec<_>, _>>()?;
        if parsed.is_empty() { Err(KeyError::NoIdentity) } else { Ok(parsed) }
    }

    /// Its recipient as text; none of a passphrase, and of SSH keys that have none.
    pub fn recipient(&self) -> Option<String> {
        match self {
            Self::X25519(key) => Some(key.to_public().to_string()),
            Self::Hybrid(key) => Some(key.to_public().to_string()),
            Self::Ssh(key) => {
                ssh::Recipient::try_from((**key).clone()).ok().map(|known| known.to_string())
            }
            Self::Passphrase(_) => None,
        }
    }

    /// The secret as text, to be kept; of an SSH key and of a passphrase there is none.
    pub fn secret(&self) -> Option<SecretString> {
        match self {
            Self::X25519(key) => Some(key.to_string()),
            Self::Hybrid(key) => Some(key.to_string()),
            Self::Ssh(_) | Self::Passphrase(_) => None,
        }
    }

    /// For [`Opener`](crate::Opener) and others.
    pub fn boxed(&self) -> Box<dyn age::Identity> {
        self.ready().0
    }

    /// For [`Opening`](crate::Opening), which can be sent to another thread then.
    pub fn ready(&self) -> ReadyIdentity {
        ReadyIdentity(match self {
            Self::X25519(key) => Box::new(key.clone()),
            Self::Hybrid(key) => key.clone(),
            Self::Ssh(key) => Box::new((**key).clone().with_callbacks(NoCallbacks)),
            Self::Passphrase(passphrase) => {
                let mut known = scrypt::Identity::new(passphrase.text.clone());
                known.set_max_work_factor(passphrase.most_work);
                Box::new(known)
            }
        })
    }
}

/// An identity as the `age` crate has it.
pub struct ReadyIdentity(Box<dyn age::Identity + Send>);

impl AsRef<dyn age::Identity> for ReadyIdentity {
    fn as_ref(&self) -> &(dyn age::Identity + 'static) {
        &*self.0
    }
}

/// Lines that say something, with their numbers from 1.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().map(str::trim).zip(1..);
    let said = |line: &str| !line.is_empty() && !line.starts_with('#');
    lines.filter(move |(line, _)| said(line)).map(|(line, number)| (number, line))
}

#[cfg(test)]
mod tests {
    use age::secrecy::ExposeSecret;

    use super::*;

    #[test]
    fn what_an_identity_tells_is_parsed_again() {
        for post_quantum in [false, true] {
            let identity = Identity::generate(post_quantum);
            let secret = identity.secret().expect("a text");
            let list = format!("# a comment\n\n  {}\r\n", secret.expose_secret());
            let again = Identity::parse_list(&list).expect("one");
            let recipient = again[0].recipient().expect("a text");
            assert_eq!(Some(&recipient), identity.recipient().as_ref());
            assert_eq!(Recipient::parse_list(&recipient).map(|all| all.len()), Ok(1));
        }
    }

    #[test]
    fn no_secret_is_in_a_message() {
        let secret = Identity::generate(false).secret().expect("a text");
        let secret = secret.expose_secret();
        let error = secret.parse::<Recipient>().err().expect("an identity is none");
        assert_eq!(error, KeyError::NoRecipient);
        let damaged = format!("\n{}\n", &secret[..secret.len() - 1]);
        assert_eq!(Identity::parse_list(&damaged).err(), Some(KeyError::Line(2)));
        assert_eq!(Identity::parse_list("# none\n").err(), Some(KeyError::NoIdentity));
        assert_eq!(Identity::parse_list("-----BEGIN X-----").err(), Some(KeyError::Ssh));
    }
}
