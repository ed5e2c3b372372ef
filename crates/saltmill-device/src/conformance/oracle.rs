// SPDX-License-Identifier: Apache-2.0
//! What the suite compares with: other libraries' answers.

use chacha20::{
    ChaChaCore, R20,
    cipher::{KeyIvInit, StreamCipherCore},
    variants::Ietf,
};
use openssl::{
    cipher::{Cipher as Algorithm, CipherRef},
    cipher_ctx::{CipherCtx, CipherCtxRef},
    error::ErrorStack,
    pkey::{Id, PKey},
    sign::Signer,
    symm,
};

use crate::{KeySize, Nonce, Operation, host_add::initial_state};

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

/// Key and nonce of 12 bytes that stand for these (draft-irtf-cfrg-xchacha-03, 2.2 and 2.3).
/// HChaCha20 is the first and last row of the state after the rounds: a block, less the state
/// before.
pub(super) fn short(key: &[u8; 32], nonce: Nonce) -> ([u8; 32], [u8; 12]) {
    let nonce = match nonce {
        Nonce::Short(nonce) => return (*key, nonce),
        Nonce::Extended(nonce) => nonce,
        Nonce::Block(_) => unreachable!("a block is no nonce of ChaCha20"),
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

/// AES without a tag, in the mode and direction of such an operation; keystream is that of zeros. A
/// short counter that does not wrap is as one that is not short.
pub(super) fn aes(operation: Operation, key: &[u8], block: [u8; 16], data: &[u8]) -> Vec<u8> {
    use Operation::{CbcDecrypt, CbcEncrypt, EcbDecrypt, EcbEncrypt};
    let decrypts = matches!(operation, EcbDecrypt | CbcDecrypt);
    match operation {
        EcbEncrypt | EcbDecrypt => through(mode(key, Mode::Ecb), decrypts, key, None, data),
        CbcEncrypt | CbcDecrypt => through(mode(key, Mode::Cbc), decrypts, key, Some(&block), data),
        _ => through(mode(key, Mode::Ctr), false, key, Some(&block), data),
    }
}

/// What the example of a core makes of the data.
pub(super) fn xor_constant(data: &[u8]) -> Vec<u8> {
    data.iter().map(|byte| byte ^ 0xA5).collect()
}

/// The same core's digest: the sum of all 32-byte parts, the last one filled up with zeros.
pub(super) fn digest(data: &[u8]) -> Vec<u8> {
    let mut sum = vec![0xA5; 32];
    for part in data.chunks(32) {
        sum.iter_mut().zip(part).for_each(|(sum, byte)| *sum ^= byte);
    }
    sum
}

/// AES-GCM with an initialisation vector of any length but none.
pub(super) fn gcm_seal(key: &[u8], iv: &[u8], aad: &[u8], text: &[u8]) -> (Vec<u8>, [u8; 16]) {
    let run = || {
        let mut context = CipherCtx::new()?;
        context.encrypt_init(Some(mode(key, Mode::Gcm)), None, None)?;
        context.set_iv_length(iv.len())?;
        context.encrypt_init(None, Some(key), Some(iv))?;
        context.cipher_update(aad, None)?;
        let (mut data, mut tag) = (text.to_vec(), [0; 16]);
        context.cipher_update_inplace(&mut data, text.len())?;
        context.cipher_final(&mut [])?;
        context.tag(&mut tag)?;
        Ok::<_, ErrorStack>((data, tag))
    };
    run().expect("OpenSSL seals")
}

/// Decrypts whatever it is, and gives the tag that would have been right for it.
pub(super) fn gcm_open(key: &[u8], iv: &[u8], aad: &[u8], text: &[u8]) -> (Vec<u8>, [u8; 16]) {
    let (plaintext, _) = gcm_seal(key, iv, aad, text);
    let (_, tag) = gcm_seal(key, iv, aad, &plaintext);
    (plaintext, tag)
}

#[derive(Clone, Copy)]
enum Mode {
    Ecb,
    Cbc,
    Ctr,
    Gcm,
}

fn mode(key: &[u8], mode: Mode) -> &'static CipherRef {
    match (KeySize::of_bytes(key.len()).expect("a key of AES"), mode) {
        (KeySize::Bits128, Mode::Ecb) => Algorithm::aes_128_ecb(),
        (KeySize::Bits192, Mode::Ecb) => Algorithm::aes_192_ecb(),
        (KeySize::Bits256, Mode::Ecb) => Algorithm::aes_256_ecb(),
        (KeySize::Bits128, Mode::Cbc) => Algorithm::aes_128_cbc(),
        (KeySize::Bits192, Mode::Cbc) => Algorithm::aes_192_cbc(),
        (KeySize::Bits256, Mode::Cbc) => Algorithm::aes_256_cbc(),
        (KeySize::Bits128, Mode::Ctr) => Algorithm::aes_128_ctr(),
        (KeySize::Bits192, Mode::Ctr) => Algorithm::aes_192_ctr(),
        (KeySize::Bits256, Mode::Ctr) => Algorithm::aes_256_ctr(),
        (KeySize::Bits128, Mode::Gcm) => Algorithm::aes_128_gcm(),
        (KeySize::Bits192, Mode::Gcm) => Algorithm::aes_192_gcm(),
        (KeySize::Bits256, Mode::Gcm) => Algorithm::aes_256_gcm(),
    }
}

fn through(
    cipher: &CipherRef,
    decrypts: bool,
    key: &[u8],
    iv: Option<&[u8]>,
    data: &[u8],
) -> Vec<u8> {
    let run = || {
        let (mut context, mut result) = (CipherCtx::new()?, Vec::new());
        let init = if decrypts { CipherCtxRef::decrypt_init } else { CipherCtxRef::encrypt_init };
        init(&mut context, Some(cipher), Some(key), iv)?;
        context.set_padding(false);
        context.cipher_update_vec(data, &mut result)?;
        context.cipher_final_vec(&mut result)?;
        Ok::<_, ErrorStack>(result)
    };
    run().expect("OpenSSL has AES")
}
