// SPDX-License-Identifier: Apache-2.0
//! What the suite compares with: other libraries' answers.

use chacha20::{
    ChaChaCore, R20,
    cipher::{KeyIvInit, StreamCipherCore},
    variants::Ietf,
};
use openssl::{pkey::Id, pkey::PKey, sign::Signer, symm};

use crate::{Nonce, host_add::initial_state};

/// Keystream from an independent library; whole blocks.
pub(super) fn keystream(key: &[u8; 32], nonce: &[u8; 12], counter: u32, bytes: usize) -> Vec<u8> {
    let mut core = ChaChaCore::<R20, Ietf>::new(&(*key).into(), &(*nonce).into());
    core.set_block_pos(counter);
    let mut stream = Vec::with_capacity(bytes.next_multiple_of(64));
    while stream.len() < bytes {
        let mut block = [0; 64].into();
        core.write_keystream_block(&mut block);
        stream.extend_from_slice(&block);
    }
    stream
}

/// Key and nonce of 12 bytes that stand for these (draft-irtf-cfrg-xchacha-03, 2.2 and 2.3). HChaCha20 is
/// the first and last row of the state after the rounds: a block, less the state before.
pub(super) fn short(key: &[u8; 32], nonce: Nonce) -> ([u8; 32], [u8; 12]) {
    let nonce = match nonce {
        Nonce::Short(nonce) => return (*key, nonce),
        Nonce::Extended(nonce) => nonce,
    };
    let counter = u32::from_le_bytes(std::array::from_fn(|i| nonce[i]));
    let middle = std::array::from_fn(|i| nonce[4 + i]);
    let block = keystream(key, &middle, counter, 64);
    let before = initial_state(key, &middle, counter);
    let words = block.as_chunks::<4>().0.iter().zip(before);
    let after: Vec<_> = words.map(|(w, b)| u32::from_le_bytes(*w).wrapping_sub(b)).collect();
    let rows = [&after[..4], &after[12..]].concat();
    let subkey = std::array::from_fn(|i| rows[i / 4].to_le_bytes()[i % 4]);
    (subkey, std::array::from_fn(|i| if i < 4 { 0 } else { nonce[12 + i] }))
}

/// Encrypts and gives the tag: OpenSSL's ChaCha20-Poly1305 as a whole.
pub(super) fn seal(key: &[u8; 32], nonce: Nonce, aad: &[u8], text: &[u8]) -> (Vec<u8>, [u8; 16]) {
    let (key, nonce) = short(key, nonce);
    let (cipher, mut tag) = (symm::Cipher::chacha20_poly1305(), [0; 16]);
    let sealed = symm::encrypt_aead(cipher, &key, Some(&nonce), aad, text, &mut tag);
    (sealed.expect("OpenSSL seals"), tag)
}

/// Decrypts whatever it is, and gives the tag that would have been right for it.
pub(super) fn open(key: &[u8; 32], nonce: Nonce, aad: &[u8], text: &[u8]) -> (Vec<u8>, [u8; 16]) {
    let (plaintext, _) = seal(key, nonce, aad, text);
    let (_, tag) = seal(key, nonce, aad, &plaintext);
    (plaintext, tag)
}

/// Poly1305 under a one-time key.
pub(super) fn mac(key: &[u8; 32], message: &[u8]) -> [u8; 16] {
    let key = PKey::private_key_from_raw_bytes(key, Id::POLY1305).expect("a key of Poly1305");
    let mut tag = [0; 16];
    let mut signer = Signer::new_without_digest(&key).expect("OpenSSL has Poly1305");
    signer.sign_oneshot(&mut tag, message).expect("OpenSSL makes a tag");
    tag
}
