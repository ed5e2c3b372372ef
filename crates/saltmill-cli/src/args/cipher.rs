// SPDX-License-Identifier: Apache-2.0
//! Arguments of `saltmill cipher`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{Iv, Nonce, RunArguments, TextRange};

/// The lines that are indented with four spaces are run by the tests.
pub(super) const EXAMPLES: &str = "Examples:
  A key, and a file encrypted and decrypted with it (the same command does both):
    head -c 32 /dev/urandom > secret.key
    NONCE=000000000000004a00000000
    saltmill cipher --key-file secret.key --nonce $NONCE -o notes.enc notes.txt
    saltmill cipher --key-file secret.key --nonce $NONCE -o notes.dec notes.enc
    cmp notes.txt notes.dec

  The same bytes from OpenSSL, whose IV is the counter (4 bytes, little-endian) and then the nonce:
    KEY=$(od -An -v -tx1 secret.key | tr -d ' \\n')
    openssl enc -chacha20 -K $KEY -iv 05000000$NONCE -in notes.txt -out notes.ssl
    saltmill cipher --key-file secret.key --nonce $NONCE --counter 5 notes.txt | cmp - notes.ssl

  The last 1000 bytes of 100000, without the work for the others:
    saltmill cipher --key-file secret.key --nonce $NONCE --range 99000: -o end notes.enc
    tail -c 1000 notes.txt | cmp - end

  AES in CTR mode, with the IV that OpenSSL takes:
    head -c 16 /dev/urandom > aes.key
    AES_KEY=$(od -An -v -tx1 aes.key | tr -d ' \\n')
    IV=00112233445566778899aabbccddeeff
    saltmill cipher --algorithm aes-128-ctr --key-file aes.key --iv $IV -o notes.aes notes.txt
    openssl enc -aes-128-ctr -K $AES_KEY -iv $IV -in notes.txt | cmp - notes.aes

Never use a nonce or IV twice with the same key: the XOR of the two texts would be readable.
The cipher does not notice changes made to the encrypted file.";

/// Arguments of `saltmill cipher`.
#[derive(Args)]
pub struct CipherArguments {
    /// Cipher
    #[arg(long, value_enum, default_value_t = CipherName::Chacha20)]
    pub algorithm: CipherName,

    /// File with the key: exactly 32 bytes, or 64 hex digits with an optional newline; for AES as many as
    /// its key has
    #[arg(long, value_name = "FILE")]
    pub key_file: PathBuf,

    /// Nonce of chacha20: 24 hex digits
    #[arg(long, value_name = "HEX")]
    pub nonce: Option<Nonce>,

    /// Number of the first block of chacha20 (0 if it is not given)
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub counter: Option<u32>,

    /// Initial counter block of AES: 32 hex digits
    #[arg(long, value_name = "HEX")]
    pub iv: Option<Iv>,

    /// Only these bytes of the input; nothing else of it is read
    #[arg(long, value_name = "OFFSET:LENGTH")]
    pub range: Option<TextRange>,

    /// Output; `-` is standard output
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,

    /// Input; `-` or none is standard input
    #[arg(value_name = "IN")]
    pub input: Option<PathBuf>,

    /// Engines and what is shown.
    #[command(flatten)]
    pub run: RunArguments,
}

/// Ciphers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CipherName {
    /// RFC 8439
    Chacha20,
    /// FIPS 197 and SP 800-38A, a key of 16 bytes
    #[value(name = "aes-128-ctr")]
    Aes128Ctr,
    /// The same, a key of 24 bytes
    #[value(name = "aes-192-ctr")]
    Aes192Ctr,
    /// The same, a key of 32 bytes
    #[value(name = "aes-256-ctr")]
    Aes256Ctr,
}
