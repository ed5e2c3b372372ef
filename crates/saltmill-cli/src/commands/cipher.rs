// SPDX-License-Identifier: Apache-2.0
//! `saltmill cipher`.

use saltmill::{
    Task,
    engine::{AesCtr, AesKey, Cipher, CounterError, Key, Work},
};

use super::{decrypt::part, explain::too_long, run::Run};
use crate::{
    args::{CipherArguments, CipherName},
    io::{input::NamedInput, sources::Sources, target::Target},
    keys::key_file,
    report::failure::Failure,
};

/// The simulated device, if none is named.
fn variant(algorithm: CipherName) -> &'static str {
    match algorithm {
        CipherName::Chacha20 => "ring2",
        CipherName::Aes128Ctr | CipherName::Aes192Ctr | CipherName::Aes256Ctr => "aes-ring",
    }
}

/// Runs the command. Nothing is made or changed before everything that can be checked is.
pub fn run(arguments: &CipherArguments) -> Result<(), Failure> {
    let stream = Stream::read(arguments)?;
    let input = NamedInput::open(arguments.input.as_deref())?;
    if let Some(len) = input.content.len() {
        stream.check_length(len).map_err(|error| too_long(error, &input.name))?;
    }
    let sources = input.source().and(Sources::of("key file", [&arguments.key_file]));
    let target = Target::output(arguments.output.as_deref(), &sources, arguments.run.force)?;
    let variant = variant(arguments.algorithm);
    let run = Run::prepare(&arguments.run, &input, target, &sources, variant)?;
    let task = Task::new(input.content, stream);
    run.work(part(task, &input.name, arguments.range)?)
}

/// What the input is added to.
enum Stream {
    ChaCha20(Cipher),
    Aes(AesCtr),
}

impl Stream {
    fn read(arguments: &CipherArguments) -> Result<Self, Failure> {
        match arguments.algorithm {
            CipherName::Chacha20 => Self::chacha20(arguments),
            CipherName::Aes128Ctr => Self::aes::<16>(arguments),
            CipherName::Aes192Ctr => Self::aes::<24>(arguments),
            CipherName::Aes256Ctr => Self::aes::<32>(arguments),
        }
    }

    fn chacha20(arguments: &CipherArguments) -> Result<Self, Failure> {
        if arguments.iv.is_some() {
            return Err(Failure::usage(
                "chacha20 takes no --iv",
                "give it --nonce, and --counter if the first block is not number 0",
            ));
        }
        let Some(nonce) = arguments.nonce else {
            return Err(Failure::usage(
                "chacha20 needs a nonce",
                "give it with --nonce: 24 hex digits, never twice with the same key",
            ));
        };
        let key = Key::new(*key_file::read(&arguments.key_file)?);
        Ok(Self::ChaCha20(Cipher::new(key, nonce.0, arguments.counter.unwrap_or(0))))
    }

    fn aes<const N: usize>(arguments: &CipherArguments) -> Result<Self, Failure> {
        if arguments.nonce.is_some() || arguments.counter.is_some() {
            return Err(Failure::usage(
                "AES takes no --nonce and no --counter",
                "use --iv with 32 hex digits, for example 24 of a nonce and then 8 of a counter",
            ));
        }
        let Some(iv) = arguments.iv else {
            return Err(Failure::usage(
                "AES in CTR mode needs an initial counter block",
                "give it with --iv: 32 hex digits, never twice with the same key",
            ));
        };
        let key = AesKey::new(&*key_file::read::<N>(&arguments.key_file)?);
        Ok(Self::Aes(AesCtr::new(key.expect("N is 16, 24 or 32"), iv.0)))
    }

    /// The counter of AES comes back after 2^128 blocks, which no input has.
    fn check_length(&self, len: u64) -> Result<(), CounterError> {
        match self {
            Self::ChaCha20(cipher) => cipher.check_length(len),
            Self::Aes(_) => Ok(()),
        }
    }
}

impl From<Stream> for Work {
    fn from(stream: Stream) -> Self {
        match stream {
            Stream::ChaCha20(cipher) => cipher.into(),
            Stream::Aes(stream) => stream.into(),
        }
    }
}
