// SPDX-License-Identifier: Apache-2.0
//! AES and its modes as the mock computes them, put together from AES in ECB mode and GHASH as the
//! standards say it. (Its judges are vectors and OpenSSL's modes as a whole.)

use openssl::symm::{Cipher, Crypter, Mode};

/// What a block counter of 32 bits counts in (SP 800-38D, 6.2).
const LAST_32: u128 = 0xFFFF_FFFF;

/// Whole blocks, each alone (SP 800-38A, 6.1).
pub(super) fn ecb(key: &[u8], mode: Mode, data: &[u8]) -> Vec<u8> {
    let cipher = match key.len() {
        16 => Cipher::aes_128_ecb(),
        24 => Cipher::aes_192_ecb(),
        _ => Cipher::aes_256_ecb(),
    };
    let run = || {
        let mut crypter = Crypter::new(cipher, mode, key, None)?;
        crypter.pad(false);
        let mut result = vec![0; data.len() + 16];
        let count = crypter.update(data, &mut result)?;
        result.truncate(count);
        Ok::<_, openssl::error::ErrorStack>(result)
    };
    run().expect("OpenSSL, which is built in, has AES")
}

fn block(key: &[u8], data: u128) -> u128 {
    let encrypted = ecb(key, Mode::Encrypt, &data.to_be_bytes());
    u128::from_be_bytes(std::array::from_fn(|i| encrypted[i]))
}

/// Whole blocks, chained (SP 800-38A, 6.2).
pub(super) fn cbc(key: &[u8], mode: Mode, iv: [u8; 16], data: &mut [u8]) {
    let decrypted = matches!(mode, Mode::Decrypt).then(|| ecb(key, mode, data));
    let mut last = u128::from_be_bytes(iv);
    for (number, bytes) in data.as_chunks_mut::<16>().0.iter_mut().enumerate() {
        let text = u128::from_be_bytes(*bytes);
        let result = match &decrypted {
            Some(all) => {
                let decrypted = std::array::from_fn(|i| all[16 * number + i]);
                u128::from_be_bytes(decrypted) ^ last
            }
            None => block(key, text ^ last),
        };
        last = if decrypted.is_some() { text } else { result };
        *bytes = result.to_be_bytes();
    }
}

/// XORs keystream (SP 800-38A, 6.5). All bits of the counter count, or the last 32.
pub(super) fn ctr(key: &[u8], counter: [u8; 16], short: bool, data: &mut [u8]) {
    let first = u128::from_be_bytes(counter);
    let mask = if short { LAST_32 } else { u128::MAX };
    let counters = (0..data.len().div_ceil(16)).flat_map(|number| {
        let counter = first & !mask | first.wrapping_add(number as u128) & mask;
        counter.to_be_bytes()
    });
    let keystream = ecb(key, Mode::Encrypt, &counters.collect::<Vec<_>>());
    data.iter_mut().zip(keystream).for_each(|(byte, key)| *byte ^= key);
}

/// A message of AES-GCM (SP 800-38D, 7): encrypts or decrypts, and gives the tag that is right for
/// it.
pub(super) fn gcm(key: &[u8], mode: Mode, iv: &[u8], aad: &[u8], data: &mut [u8]) -> [u8; 16] {
    let hash_key = block(key, 0);
    let before = match <[u8; 12]>::try_from(iv) {
        Ok(iv) => {
            let mut counter = [0; 16];
            counter[..12].copy_from_slice(&iv);
            u128::from_be_bytes(counter) | 1
        }
        Err(_) => ghash(hash_key, &[], iv),
    };
    let first = before & !LAST_32 | before.wrapping_add(1) & LAST_32;
    let hashed = matches!(mode, Mode::Decrypt).then(|| ghash(hash_key, aad, data));
    ctr(key, first.to_be_bytes(), true, data);
    let hashed = hashed.unwrap_or_else(|| ghash(hash_key, aad, data));
    (hashed ^ block(key, before)).to_be_bytes()
}

/// GHASH of two texts, each filled up with zeros, and their lengths in bits (SP 800-38D, 6.4 and
/// 7.1).
fn ghash(key: u128, aad: &[u8], text: &[u8]) -> u128 {
    let bits = |text: &[u8]| 8 * text.len() as u128;
    let lengths = (bits(aad) << 64 | bits(text)).to_be_bytes();
    let chunks = aad.chunks(16).chain(text.chunks(16)).chain([&lengths[..]]);
    chunks.fold(0, |sum, chunk| {
        let mut bytes = [0; 16];
        bytes[..chunk.len()].copy_from_slice(chunk);
        product(sum ^ u128::from_be_bytes(bytes), key)
    })
}

/// The product in GF(2^128) (SP 800-38D, 6.3): the first bit is the lowest power.
fn product(a: u128, mut b: u128) -> u128 {
    let mut sum = 0;
    for power in (0..128).rev() {
        if a >> power & 1 == 1 {
            sum ^= b;
        }
        b = b >> 1 ^ if b & 1 == 1 { 0xE1 << 120 } else { 0 };
    }
    sum
}
