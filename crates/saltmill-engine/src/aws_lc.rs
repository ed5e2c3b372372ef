// SPDX-License-Identifier: Apache-2.0
//! What AWS-LC has and `aws-lc-rs` makes no safe functions of: ChaCha20 without Poly1305, and MD5.
//! All that is unsafe in this crate.
#![allow(unsafe_code, reason = "functions of C")]

use std::ptr::{self, NonNull};

use aws_lc_sys::{
    CRYPTO_chacha_20, EVP_DigestFinal, EVP_DigestInit, EVP_DigestUpdate, EVP_MD_CTX,
    EVP_MD_CTX_free, EVP_MD_CTX_new, EVP_md5,
};

/// XORs keystream that begins with block `counter` (RFC 8439, 2.4). The block behind the last
/// counter is block 0.
pub(crate) fn chacha20_xor(key: &[u8; 32], nonce: &[u8; 12], counter: u32, data: &mut [u8]) {
    // It says what the processor can do.
    aws_lc_rs::init();
    let (at, len) = (data.as_mut_ptr(), data.len());
    // SAFETY: `len` bytes at `at` may be read and written, and the result may be where the text is;
    // of the key 32 bytes are read, and of the nonce 12. No pointer is kept.
    unsafe { CRYPTO_chacha_20(at, at, len, key.as_ptr(), nonce.as_ptr(), counter) };
}

/// MD5 (RFC 1321) of bytes that come piece by piece.
///
/// ```
/// let mut md5 = saltmill_engine::Md5::default();
/// md5.update(b"abc");
/// assert_eq!(md5.finish()[..4], [0x90, 0x01, 0x50, 0x98]);
/// ```
pub struct Md5(NonNull<EVP_MD_CTX>);

// SAFETY: nobody else has the context, and it is not bound to a thread.
unsafe impl Send for Md5 {}

impl Md5 {
    /// Takes the bytes that follow.
    pub fn update(&mut self, bytes: &[u8]) {
        // SAFETY: `len` bytes may be read. No pointer is kept.
        done(unsafe { EVP_DigestUpdate(self.0.as_ptr(), bytes.as_ptr().cast(), bytes.len()) });
    }

    /// The digest of all bytes.
    pub fn finish(self) -> [u8; 16] {
        let (mut digest, no_length) = ([0; 16], ptr::null_mut());
        // SAFETY: an MD5 digest has the 16 bytes that are written; a length that is null is not.
        done(unsafe { EVP_DigestFinal(self.0.as_ptr(), digest.as_mut_ptr(), no_length) });
        digest
    }
}

impl Default for Md5 {
    /// Of nothing yet.
    fn default() -> Self {
        // SAFETY: a context that is there, or null.
        let context = NonNull::new(unsafe { EVP_MD_CTX_new() }).expect("memory for a context");
        let md5 = Self(context);
        // SAFETY: the context is a new one, and the algorithm a constant.
        done(unsafe { EVP_DigestInit(md5.0.as_ptr(), EVP_md5()) });
        md5
    }
}

impl Drop for Md5 {
    fn drop(&mut self) {
        // SAFETY: it was not freed before. What is left of the bytes is overwritten.
        unsafe { EVP_MD_CTX_free(self.0.as_ptr()) };
    }
}

/// These functions fail only for want of memory, or of the algorithm.
fn done(returned: i32) {
    assert_eq!(returned, 1, "AWS-LC has MD5, and memory for it");
}
