// SPDX-License-Identifier: Apache-2.0
//! Arguments of `saltmill cipher`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{Iv, Nonce, RunArguments, TextRange};

/// The lines that are indented with four spaces are run by the tests.
pub(super) const EXAMPLES: &str = "Examples:
  Make a key, then encrypt and decrypt a file with it (both are the same operation):
    head -c 32 /dev/urandom > secret.key
    NONCE=000000000000004a00000000
    saltmill cipher --key-file secret.key --nonce $NONCE -o notes.enc notes.txt
    saltmill cipher --key-file secret.key --nonce $NONCE -o notes.dec notes.enc
    cmp notes.txt notes.dec

  Compare with OpenSSL, whose IV is the counter (4 bytes, little-endian) and then the nonce:
    KEY=$(od -An -v -tx1 secret.key | tr -d ' \\n')
    openssl enc -chacha20 -K $KEY -iv 05000000$NONCE -in notes.txt -out notes.ssl
    saltmill cipher --key-file secret.key --nonce $NONCE --counter 5 notes.txt | cmp - notes.ssl

  Decrypt only the last 1000 of 100000 bytes:
    saltmill cipher --key-file secret.key --nonce $NONCE --range 99000: -o end notes.enc
    tail -c 1000 notes.txt | cmp - end

  Encrypt with AES in CTR mode, and compare with OpenSSL:
    head -c 16 /dev/urandom > aes.key
    AES_KEY=$(od -An -v -tx1 aes.key | tr -d ' \\n')
    IV=00112233445566778899aabbccddeeff
    saltmill cipher --algorithm aes-128-ctr --key-file aes.key --iv $IV -o notes.aes notes.txt
    openssl enc -aes-128-ctr -K $AES_KEY -iv $IV -in notes.txt | cmp - notes.aes

Never use a nonce or an IV twice with the same key: that reveals the XOR of the two inputs.
There is no authentication: nobody notices changes to the encrypted file. Use `saltmill encrypt`
where that matters.";

/// Arguments of `saltmill cipher`.
#[derive(Args)]
pub struct CipherArguments {
    /// Cipher to use
    #[arg(long, value_enum, default_value_t = CipherName::Chacha20)]
    pub algorithm: CipherName,

    /// Read the key from this file: raw bytes or hex digits
    ///
    /// The file holds exactly the bytes of the key (32 for chacha20; 16, 24 or 32 for AES), or
    /// twice as many hex digits with an optional newline.
    #[arg(long, value_name = "FILE")]
    pub key_file: PathBuf,

    /// Nonce, for chacha20: 24 hex digits
    #[arg(long, value_name = "HEX")]
    pub nonce: Option<Nonce>,

    /// Number of the first block, for chacha20 [default: 0]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub counter: Option<u32>,

    /// Initial counter block, for AES: 32 hex digits
    #[arg(long, value_name = "HEX")]
    pub iv: Option<Iv>,

    /// Process only these bytes of the input; nothing else is read
    #[arg(long, value_name = "OFFSET:LENGTH")]
    pub range: Option<TextRange>,

    /// Write to this file [default: -, standard output]
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,

    /// Input file [default: -, standard input]
    #[arg(value_name = "IN")]
    pub input: Option<PathBuf>,

    /// Engines and what is shown.
    #[command(flatten)]
    pub run: RunArguments,
}

/// Ciphers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CipherName {
    /// ChaCha20 (RFC 8439), a key of 32 bytes
    Chacha20,
    /// AES in CTR mode (FIPS 197, SP 800-38A), a key of 16 bytes
    #[value(name = "aes-128-ctr")]
    Aes128Ctr,
    /// AES in CTR mode, a key of 24 bytes
    #[value(name = "aes-192-ctr")]
    Aes192Ctr,
    /// AES in CTR mode, a key of 32 bytes
    #[value(name = "aes-256-ctr")]
    Aes256Ctr,
}
