// SPDX-License-Identifier: Apache-2.0
//! ChaCha20 and its messages as the mock computes them, put together from ChaCha20 and Poly1305 as
//! the standard says it. (Its judges are vectors and OpenSSL's ChaCha20-Poly1305 as a whole.)

use chacha20::{
    ChaChaCore, R20,
    cipher::{KeyIvInit, StreamCipherCore},
    hchacha,
    variants::Ietf,
};
use openssl::{
    error::ErrorStack,
    pkey::{Id, PKey},
    sign::Signer,
};

use crate::host_add::initial_state;

/// XORs keystream that begins with block `counter` (RFC 8439, 2.4).
pub(super) fn xor(key: &[u8; 32], nonce: &[u8; 12], counter: u32, data: &mut [u8]) {
    let mut core = ChaChaCore::<R20, Ietf>::new(&(*key).into(), &(*nonce).into());
    core.set_block_pos(counter);
    for chunk in data.chunks_mut(64) {
        let mut block = [0; 64].into();
        core.write_keystream_block(&mut block);
        chunk.iter_mut().zip(block).for_each(|(byte, key)| *byte ^= key);
    }
}

/// The same with the state after the rounds in place of keystream: the final addition is left out.
pub(super) fn rounds(key: &[u8; 32], nonce: &[u8; 12], counter: u32, data: &mut [u8]) {
    let mut state = initial_state(key, nonce, counter);
    for chunk in data.chunks_mut(64) {
        let mut block = [0; 64];
        xor(key, nonce, state[12], &mut block);
        for (word, initial) in block.as_chunks_mut::<4>().0.iter_mut().zip(state) {
            *word = u32::from_le_bytes(*word).wrapping_sub(initial).to_le_bytes();
        }
        chunk.iter_mut().zip(block).for_each(|(byte, key)| *byte ^= key);
        state[12] = state[12].wrapping_add(1);
    }
}

/// Key and nonce that stand for a nonce of 24 bytes (draft-irtf-cfrg-xchacha-03, 2.3).
pub(super) fn subkey(key: &[u8; 32], first: &[u8; 12], last: &[u8; 12]) -> ([u8; 32], [u8; 12]) {
    let nonce: [u8; 24] = std::array::from_fn(|i| if i < 12 { first[i] } else { last[i - 12] });
    let mut input = [0; 16];
    input.copy_from_slice(&nonce[..16]);
    let mut short = [0; 12];
    short[4..].copy_from_slice(&nonce[16..]);
    (hchacha::<R20>(&(*key).into(), &input.into()).into(), short)
}

/// The tag of a message (RFC 8439, 2.8): Poly1305 of additional data and ciphertext, each filled up
/// to 16 bytes, and their lengths, under a key that is the first half of block 0.
pub(super) fn tag(key: &[u8; 32], nonce: &[u8; 12], aad: &[u8], ciphertext: &[u8]) -> [u8; 16] {
    let mut one_time = [0; 32];
    xor(key, nonce, 0, &mut one_time);
    let mut message = Vec::new();
    for part in [aad, ciphertext] {
        message.extend_from_slice(part);
        message.resize(message.len().next_multiple_of(16), 0);
    }
    for part in [aad, ciphertext] {
        message.extend_from_slice(&(part.len() as u64).to_le_bytes());
    }
    poly1305(&one_time, &message)
}

/// Poly1305 (RFC 8439, 2.5) under a one-time key: OpenSSL's.
pub(super) fn poly1305(key: &[u8; 32], message: &[u8]) -> [u8; 16] {
    let run = || {
        let key = PKey::private_key_from_raw_bytes(key, Id::POLY1305)?;
        let mut tag = [0; 16];
        Signer::new_without_digest(&key)?.sign_oneshot(&mut tag, message)?;
        Ok::<_, ErrorStack>(tag)
    };
    run().expect("OpenSSL, which is built in, has Poly1305")
}
