// SPDX-License-Identifier: Apache-2.0
//! One function for each parser that reads what strangers have made. None may panic, hang or take
//! memory without bound, whatever it is given; what else must hold is asserted. `fuzz/` runs them
//! with libFuzzer, `tests/corpus.rs` with the inputs in its corpus.
#![forbid(unsafe_code)]

mod manifest;
mod payload;

use std::{
    io::{Cursor, Read},
    str::FromStr,
};

use age::{Identity, scrypt, x25519};
use saltmill_format::{Opened, Prologue};

pub use manifest::manifest;
pub use payload::payload;

/// A parser of bytes.
pub type Target = fn(&[u8]);

/// All of them, by the names of their folders in `fuzz/corpus`.
pub const TARGETS: [(&str, Target); 4] =
    [("prologue", prologue), ("stream", stream), ("payload", payload), ("manifest", manifest)];

/// The identity that files in the corpus are encrypted to; it is no secret.
const IDENTITY: &str = "AGE-SECRET-KEY-1GQ9778VQXMMJVE8SK7J6VT8UJ4HDQAJUVSFCWCM02D8GEWQ72PVQ2Y5J33";

thread_local! {
    static IDENTITIES: Vec<Box<dyn Identity>> = {
        let mut passphrase = scrypt::Identity::new("fuzz".to_owned().into());
        passphrase.set_max_work_factor(4);
        let identity = x25519::Identity::from_str(IDENTITY).expect("an identity");
        vec![Box::new(identity), Box::new(passphrase)]
    };
}

/// Header and nonce of a file: read, told, opened.
///
/// # Panics
/// If something does not hold.
pub fn prologue(bytes: &[u8]) {
    let mut rest = bytes;
    let Ok(prologue) = Prologue::read(&mut rest) else { return };
    assert_eq!(prologue.len() + rest.len() as u64, bytes.len() as u64, "no more is read");
    examine(&prologue);
}

/// A file with an armor or without, from front to back.
///
/// # Panics
/// If something does not hold.
pub fn stream(bytes: &[u8]) {
    let Ok(opened) = Opened::read(Box::new(Cursor::new(bytes.to_vec()))) else { return };
    examine(&opened.prologue);
    let mut payload = Vec::new();
    let read = opened.payload.take(1 << 20).read_to_end(&mut payload);
    assert!(opened.armored || read.is_ok(), "only an armor can be malformed here");
    assert!(payload.len() <= bytes.len(), "nothing comes from nowhere");
}

fn examine(prologue: &Prologue) {
    let told = prologue.stanzas();
    let passphrase = prologue.is_passphrase();
    assert_eq!(told.is_ok(), passphrase.is_ok(), "both need a header of version 1");
    let opened = IDENTITIES.with(|identities| prologue.open(identities));
    assert!(told.is_ok() || opened.is_err(), "what can't be told can't be opened");
}
