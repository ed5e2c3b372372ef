// SPDX-License-Identifier: Apache-2.0
//! Ciphers and AEADs on the CPU, without a format around them.

use std::mem::MaybeUninit;

use saltmill::engine::{AeadKey, AesCtr, AesKey, BLOCK_BYTES, Cipher as ChaCha20, Key, TAG_BYTES};

use crate::{
    error::{Error, Status, call, quiet},
    raw::{Bytes, Room, Text, make, needed},
};

/// What GCM allows under one nonce (SP 800-38D, 5.2.1.1), and a little less than ChaCha20 does.
const LONGEST: u64 = (1 << 36) - 32;

/// A stream cipher with its key and nonce. Threads may share it.
pub struct Cipher(Stream);

enum Stream {
    ChaCha20(ChaCha20),
    AesCtr(AesCtr),
}

/// An AEAD with its key. Threads may share it.
pub struct Aead(AeadKey);

/// A stream cipher, which encrypts and decrypts; nothing is authenticated. `name`: `chacha20` (RFC
/// 8439, 2.4; key of 32 bytes, nonce of 12, counter of the first block of 64 bytes), or `aes-ctr`
/// (SP 800-38A, 6.5; key of 16, 24 or 32 bytes; the nonce is the first counter block, 16 bytes, a
/// number with its highest byte first of which all bits count, as in OpenSSL; `counter` is 0). No
/// key may meet the same nonce and counter again.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_cipher_new(
    name: Text,
    key: Bytes,
    key_size: usize,
    nonce: Bytes,
    nonce_size: usize,
    counter: u32,
    cipher: Option<&mut MaybeUninit<Option<Box<Cipher>>>>,
) -> Status {
    call(|| {
        make(cipher, || {
            let (key, nonce) = (key.of(key_size)?, nonce.of(nonce_size)?);
            let stream = match name.get()? {
                "chacha20" => {
                    Stream::ChaCha20(ChaCha20::new(chacha20_key(key)?, nonce_of(nonce)?, counter))
                }
                "aes-ctr" if counter == 0 => Stream::AesCtr(AesCtr::new(aes_key(key)?, {
                    let wrong = "the first counter block has 16 bytes";
                    nonce.try_into().map_err(|_| Error::argument(wrong))?
                })),
                "aes-ctr" => return Err(Error::argument("the counter is in the block of aes-ctr")),
                other => return Err(Error::argument(format!("there is no cipher {other:?}"))),
            };
            Ok(Cipher(stream))
        })
    })
}

/// Encrypts or decrypts data where it is. `offset`: of its first byte in the whole stream, a
/// multiple of 64 (`chacha20`) or 16 (`aes-ctr`).
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_cipher_apply(
    cipher: Option<&Cipher>,
    offset: u64,
    mut data: Room,
    size: usize,
) -> Status {
    call(|| {
        let data = data.filled(size)?;
        match &needed(cipher)?.0 {
            Stream::ChaCha20(cipher) => {
                check_offset(offset, BLOCK_BYTES)?;
                cipher.check_length(offset.saturating_add(size as u64))?;
                cipher.apply(offset, data);
            }
            Stream::AesCtr(stream) => {
                check_offset(offset, 16)?;
                stream.apply(offset, data);
            }
        }
        Ok(())
    })
}

/// Frees it, and clears its key; null is none.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_cipher_free(cipher: Option<Box<Cipher>>) {
    quiet(|| drop(cipher));
}

/// An AEAD with nonces of 12 bytes and tags of 16. `name`: `chacha20-poly1305` (RFC 8439, 2.8; key
/// of 32 bytes) or `aes-gcm` (SP 800-38D; key of 16, 24 or 32).
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_aead_new(
    name: Text,
    key: Bytes,
    key_size: usize,
    aead: Option<&mut MaybeUninit<Option<Box<Aead>>>>,
) -> Status {
    call(|| {
        make(aead, || {
            let key = key.of(key_size)?;
            Ok(Aead(match name.get()? {
                "chacha20-poly1305" => chacha20_key(key)?.into(),
                "aes-gcm" => aes_key(key)?.into(),
                other => return Err(Error::argument(format!("there is no AEAD {other:?}"))),
            }))
        })
    })
}

/// Encrypts a message where it is, and gives its tag: 16 bytes, also of `additional` data (null, 0:
/// none). `nonce`: 12 bytes; no two messages may have the same.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_aead_seal(
    aead: Option<&Aead>,
    nonce: Bytes,
    additional: Bytes,
    additional_size: usize,
    mut data: Room,
    size: usize,
    mut tag: Room,
) -> Status {
    call(|| {
        let nonce = nonce_of(nonce.of(12)?)?;
        let (additional, data) = (additional.of(additional_size)?, data.filled(size)?);
        check_length(size)?;
        let tag = tag.zeroed(TAG_BYTES)?;
        tag.copy_from_slice(&needed(aead)?.0.seal(&nonce, additional, data));
        Ok(())
    })
}

/// Decrypts a message where it is, if `tag` is that of it and of the additional data; otherwise
/// clears it: `SALTMILL_STATUS_REFUSED`.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_aead_open(
    aead: Option<&Aead>,
    nonce: Bytes,
    additional: Bytes,
    additional_size: usize,
    mut data: Room,
    size: usize,
    tag: Bytes,
) -> Status {
    call(|| {
        let nonce = nonce_of(nonce.of(12)?)?;
        let (additional, data) = (additional.of(additional_size)?, data.filled(size)?);
        check_length(size)?;
        let mut expected = [0; TAG_BYTES];
        expected.copy_from_slice(tag.of(TAG_BYTES)?);
        let opened = needed(aead)?.0.open(&nonce, additional, data, &expected);
        opened.map_err(|_| Error::tag())
    })
}

/// Frees it, and clears its key; null is none.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_aead_free(aead: Option<Box<Aead>>) {
    quiet(|| drop(aead));
}

fn chacha20_key(key: &[u8]) -> Result<Key, Error> {
    let key = key.try_into().map(Key::new);
    key.map_err(|_| Error::argument("a key of ChaCha20 has 32 bytes"))
}

fn aes_key(key: &[u8]) -> Result<AesKey, Error> {
    AesKey::new(key).ok_or_else(|| Error::argument("a key of AES has 16, 24 or 32 bytes"))
}

fn nonce_of(nonce: &[u8]) -> Result<[u8; 12], Error> {
    nonce.try_into().map_err(|_| Error::argument("the nonce has 12 bytes"))
}

fn check_offset(offset: u64, block: u64) -> Result<(), Error> {
    if offset.is_multiple_of(block) {
        return Ok(());
    }
    Err(Error::argument(format!("the offset is not a multiple of {block}")))
}

fn check_length(size: usize) -> Result<(), Error> {
    if size as u64 <= LONGEST { Ok(()) } else { Err(Error::too_long(LONGEST)) }
}
