// SPDX-License-Identifier: Apache-2.0
//! The crates of RustCrypto.

use aes::{Aes128, Aes192, Aes256};
use aes_gcm::{
    AeadInOut, Aes128Gcm, Aes256Gcm, AesGcm, KeyInit,
    aead::{consts::U12, inout::InOutBuf},
};
use chacha20::{
    ChaCha20,
    cipher::{KeyIvInit, StreamCipher, StreamCipherSeek},
};
use chacha20poly1305::ChaCha20Poly1305;
use ctr::Ctr128BE;
use saltmill_libraries::{BLOCK, COUNTER, KEY, NONCE, Operation, Tag, run};

type Aes192Gcm = AesGcm<Aes192, U12>;

fn main() {
    run(|algorithm| {
        Some(match algorithm {
            "chacha20" => Operation::Stream(chacha20),
            "aes-128-ctr" => Operation::Stream(ctr::<Ctr128BE<Aes128>, 16>),
            "aes-192-ctr" => Operation::Stream(ctr::<Ctr128BE<Aes192>, 24>),
            "aes-256-ctr" => Operation::Stream(ctr::<Ctr128BE<Aes256>, 32>),
            "chacha20-poly1305" => message::<ChaCha20Poly1305, 32>(),
            "aes-128-gcm" => message::<Aes128Gcm, 16>(),
            "aes-192-gcm" => message::<Aes192Gcm, 24>(),
            "aes-256-gcm" => message::<Aes256Gcm, 32>(),
            _ => return None,
        })
    });
}

fn chacha20(text: &mut [u8]) {
    let mut cipher = ChaCha20::new_from_slices(&KEY, &NONCE).expect("a key");
    cipher.seek(64 * u64::from(COUNTER));
    cipher.apply_keystream(text);
}

fn ctr<C: KeyIvInit + StreamCipher, const BYTES: usize>(text: &mut [u8]) {
    C::new_from_slices(&KEY[..BYTES], &BLOCK).expect("a key").apply_keystream(text);
}

fn message<C: AeadInOut + KeyInit, const BYTES: usize>() -> Operation {
    Operation::Message {
        seal: |text| {
            let nonce = NONCE[..].try_into().expect("a nonce");
            let cipher = C::new_from_slice(&KEY[..BYTES]).expect("a key");
            let tag = cipher.encrypt_inout_detached(nonce, &[], InOutBuf::from(text));
            tag.expect("a tag")[..].try_into().expect("16 bytes")
        },
        open: |text, tag: &Tag| {
            let nonce = NONCE[..].try_into().expect("a nonce");
            let tag = tag[..].try_into().expect("16 bytes");
            let cipher = C::new_from_slice(&KEY[..BYTES]).expect("a key");
            let opened = cipher.decrypt_inout_detached(nonce, &[], InOutBuf::from(text), tag);
            opened.expect("the right tag");
        },
    }
}
