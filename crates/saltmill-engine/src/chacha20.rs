// SPDX-License-Identifier: Apache-2.0
//! ChaCha20 without Poly1305: AWS-LC's, which `aws-lc-rs` makes no safe function of. All that is
//! unsafe in this crate.
#![allow(unsafe_code, reason = "a function of C")]

use aws_lc_sys::CRYPTO_chacha_20;

/// XORs keystream that begins with block `counter` (RFC 8439, 2.4). The block behind the last
/// counter is block 0.
pub(crate) fn xor(key: &[u8; 32], nonce: &[u8; 12], counter: u32, data: &mut [u8]) {
    // It says what the processor can do.
    aws_lc_rs::init();
    let (at, len) = (data.as_mut_ptr(), data.len());
    // SAFETY: `len` bytes at `at` may be read and written, and the result may be where the text is;
    // of the key 32 bytes are read, and of the nonce 12. No pointer is kept.
    unsafe { CRYPTO_chacha_20(at, at, len, key.as_ptr(), nonce.as_ptr(), counter) };
}
