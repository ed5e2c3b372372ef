// SPDX-License-Identifier: Apache-2.0
//! `saltmill cipher`.

use saltmill_engine::{AesCtr, AesKey, BLOCK_BYTES, Cipher, CounterError, Key, Work};

use crate::{
    args::{Algorithm, CipherArguments},
    failure::Failure,
    input::{Input, InputKind},
    key_file, part,
    run::Run,
    sources::Sources,
    target::Target,
    transfer::Job,
};

/// The simulated device, if none is named.
fn variant(algorithm: Algorithm) -> &'static str {
    match algorithm {
        Algorithm::Chacha20 => "ring2",
        Algorithm::Aes128Ctr | Algorithm::Aes192Ctr | Algorithm::Aes256Ctr => "aes-ring",
    }
}

/// Runs the command. Nothing is made or changed before everything that can be checked is.
pub fn run(arguments: &CipherArguments) -> Result<(), Failure> {
    let stream = Stream::read(arguments)?;
    let input = Input::open(arguments.input.as_deref())?;
    if let InputKind::Regular(_, len) = input.kind {
        stream.check_length(len).map_err(|error| too_long(error, &input.name))?;
    }
    let sources = input.source().and(Sources::of("key file", [&arguments.key_file]));
    let target = Target::output(arguments.output.as_deref(), &sources, arguments.run.force)?;
    let variant = variant(arguments.algorithm);
    let run = Run::prepare(&arguments.run, &input, target, &sources, variant)?;
    let Some(range) = arguments.range else { return run.work(input, stream.work(0).into()) };
    let (input, part) = part::of_blocks(input, range)?;
    let job = Job::from(stream.work(part.first));
    run.work(input, Job { skip: part.skip, window: Some(part.window), ..job })
}

/// What the input is added to.
enum Stream {
    ChaCha20(Cipher),
    Aes(AesCtr),
}

impl Stream {
    fn read(arguments: &CipherArguments) -> Result<Self, Failure> {
        match arguments.algorithm {
            Algorithm::Chacha20 => Self::chacha20(arguments),
            Algorithm::Aes128Ctr => Self::aes::<16>(arguments),
            Algorithm::Aes192Ctr => Self::aes::<24>(arguments),
            Algorithm::Aes256Ctr => Self::aes::<32>(arguments),
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
                "its IV has both: --iv with 32 hex digits, such as the nonce's 24 and 8 of the counter",
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

    /// The work on what begins at block number `first`, of [`BLOCK_BYTES`].
    fn work(self, first: u64) -> Work {
        match self {
            Self::ChaCha20(cipher) => cipher.from_block(first).into(),
            Self::Aes(stream) => stream.from_offset(first * BLOCK_BYTES).into(),
        }
    }
}

/// What to say of an input that the counter does not reach.
pub fn too_long(error: CounterError, input: &str) -> Failure {
    let CounterError { counter, longest, .. } = error;
    Failure::usage(
        format!(
            "{input} is too long: from counter {counter} on, one nonce is good for {longest} bytes"
        ),
        format!(
            "use a smaller --counter, or cut the input into parts of at most {longest} bytes \
                 ({} blocks), each with a nonce of its own",
            longest / BLOCK_BYTES
        ),
    )
}
