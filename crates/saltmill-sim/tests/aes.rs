// SPDX-License-Identifier: Apache-2.0
//! Everything that the simulated AES devices do, in every key size and at every length, against
//! OpenSSL.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use std::{collections::VecDeque, ops::Range};

use common::{Random, later};
use openssl::{
    cipher::{Cipher, CipherRef},
    cipher_ctx::CipherCtx,
};
use saltmill_device::{Accelerator, JobError, KeySize, Operation, Request};
use saltmill_sim::{MemoryProfile, SimConfig, SimDevice, System};

/// The longest text, and with additional data and initialisation vector the place of each in
/// memory.
const LONGEST: usize = 100 << 10;
const PLACE: usize = LONGEST + 8192;
/// Places that are used in turn: more than a few jobs are always in flight.
const PLACES: usize = 8;
/// Every length to this, in every key size.
const ALL: usize = 70;

fn cipher(operation: Operation, size: KeySize) -> &'static CipherRef {
    use Operation::{CbcDecrypt, CbcEncrypt, EcbDecrypt, EcbEncrypt, Open, Seal};
    let of_size = match operation {
        EcbEncrypt | EcbDecrypt => {
            [Cipher::aes_128_ecb(), Cipher::aes_192_ecb(), Cipher::aes_256_ecb()]
        }
        CbcEncrypt | CbcDecrypt => {
            [Cipher::aes_128_cbc(), Cipher::aes_192_cbc(), Cipher::aes_256_cbc()]
        }
        Seal | Open => [Cipher::aes_128_gcm(), Cipher::aes_192_gcm(), Cipher::aes_256_gcm()],
        _ => [Cipher::aes_128_ctr(), Cipher::aes_192_ctr(), Cipher::aes_256_ctr()],
    };
    of_size[size as usize]
}

/// What OpenSSL makes of a text in a mode without a tag.
fn through(operation: Operation, key: &[u8], iv: &[u8], text: &[u8]) -> Vec<u8> {
    let cipher = cipher(operation, KeySize::of_bytes(key.len()).unwrap());
    let iv = cipher.iv_length().checked_sub(1).map(|_| iv);
    let (mut context, mut result) = (CipherCtx::new().unwrap(), Vec::new());
    if matches!(operation, Operation::EcbDecrypt | Operation::CbcDecrypt) {
        context.decrypt_init(Some(cipher), Some(key), iv).unwrap();
    } else {
        context.encrypt_init(Some(cipher), Some(key), iv).unwrap();
    }
    context.set_padding(false);
    context.cipher_update_vec(text, &mut result).unwrap();
    context.cipher_final_vec(&mut result).unwrap();
    result
}

/// The text, encrypted, and its tag, with an initialisation vector of any length.
fn sealed(key: &[u8], iv: &[u8], aad: &[u8], text: &[u8]) -> (Vec<u8>, [u8; 16]) {
    let cipher = cipher(Operation::Seal, KeySize::of_bytes(key.len()).unwrap());
    let (mut context, mut result, mut tag) = (CipherCtx::new().unwrap(), Vec::new(), [0; 16]);
    context.encrypt_init(Some(cipher), None, None).unwrap();
    context.set_iv_length(iv.len()).unwrap();
    context.encrypt_init(None, Some(key), Some(iv)).unwrap();
    context.cipher_update(aad, None).unwrap();
    context.cipher_update_vec(text, &mut result).unwrap();
    context.cipher_final(&mut []).unwrap();
    context.tag(&mut tag).unwrap();
    (result, tag)
}

/// A job on its way: what must come of it.
struct Expected {
    request: Request,
    outcome: Result<(), JobError>,
    tag: Option<[u8; 16]>,
    data: Vec<u8>,
}

struct Bench {
    accelerator: Accelerator<SimDevice>,
    /// Of each slot; sizes take turns.
    keys: Vec<Vec<u8>>,
    random: Random,
    waiting: VecDeque<Expected>,
    jobs: usize,
}

impl Bench {
    fn new(variant: &str) -> Self {
        let config = SimConfig {
            variant: variant.into(),
            memory: MemoryProfile::LATENCY100,
            dma_bytes: (1 + PLACES) * PLACE,
            ..SimConfig::default()
        };
        let device = System::new(config).unwrap().remove(0);
        let mut accelerator = Accelerator::probe(device, later()).unwrap();
        let mut random = Random(0x5A17_0AE5_AE5A_ED01);
        let slots = usize::from(accelerator.description().key_slots);
        let sizes: Vec<_> = accelerator.description().key_sizes().collect();
        let sizes = sizes.into_iter().cycle().take(slots);
        let keys: Vec<_> = sizes.map(|size| random.bytes(size.bytes())).collect();
        for (slot, key) in (0..).zip(&keys) {
            accelerator.set_key(slot, key).unwrap();
        }
        Self { accelerator, keys, random, waiting: VecDeque::new(), jobs: 0 }
    }

    /// Writes bytes anywhere in the 64 from there on.
    fn write(&mut self, start: usize, bytes: &[u8]) -> Range<usize> {
        let start = start + self.random.below(64);
        let range = start..start + bytes.len();
        self.accelerator.memory(range.clone()).unwrap().copy_from_slice(bytes);
        range
    }

    /// Where the next job's parts are: text, additional data, initialisation vector.
    fn place(&mut self) -> [usize; 3] {
        if self.waiting.len() == PLACES {
            self.finish();
        }
        let start =
            (self.accelerator.data().start + self.jobs % PLACES * PLACE).next_multiple_of(64);
        self.jobs += 1;
        [start, start + LONGEST + 128, start + LONGEST + 4096]
    }

    /// A job of an operation that the device has, with a text of that length.
    fn submit(&mut self, operation: Operation, key_size: KeySize, len: usize) {
        let slots = 0..self.keys.len();
        let fits = |slot: &usize| self.keys[*slot].len() == key_size.bytes();
        let fitting: Vec<_> = slots.filter(fits).collect();
        let slot = fitting[self.random.below(fitting.len())];
        let key = self.keys[slot].clone();
        let request = Request { operation, key_slot: slot as u8, key_size, ..Request::default() };
        match operation {
            Operation::Seal | Operation::Open => self.message(request, &key, len),
            _ => self.text(request, &key, len),
        }
    }

    fn text(&mut self, request: Request, key: &[u8], len: usize) {
        let operation = request.operation;
        let whole = !matches!(operation, Operation::XorStream | Operation::Keystream);
        let len = if whole { len / 16 * 16 } else { len };
        let [place, ..] = self.place();
        let mut text = self.random.bytes(len);
        let range = self.write(place, &text);
        let mut block: [u8; 16] = self.random.bytes(16).try_into().unwrap();
        let mut request = Request { source: range.clone(), destination: range, ..request };
        match operation {
            Operation::Keystream => (text.fill(0), request.source = 0..0).1,
            // A counter that is short and does not wrap is as one that is not.
            Operation::XorStream if self.random.below(2) == 1 => {
                request.short_counter = true;
                block[12] &= 0x7F;
            }
            _ => {}
        }
        if !matches!(operation, Operation::EcbEncrypt | Operation::EcbDecrypt) {
            request.nonce = block.into();
        }
        let data = through(operation, key, &block, &text);
        self.hand_over(Expected { request, outcome: Ok(()), tag: None, data });
    }

    /// In place or not, with an initialisation vector of 12 bytes or another number; some that are
    /// opened are forged.
    fn message(&mut self, request: Request, key: &[u8], len: usize) {
        let text = self.random.bytes(len);
        let [aad_len, other] = [65, 100].map(|end| self.random.below(end));
        let iv_len = if other == 0 || self.jobs.is_multiple_of(2) { 12 } else { other };
        let [aad, iv] = [aad_len, iv_len].map(|len| self.random.bytes(len));
        let (result, tag) = sealed(key, &iv, &aad, &text);

        let [place, aad_place, iv_place] = self.place();
        let (open, forged) = (request.operation == Operation::Open, self.random.below(6) == 0);
        let source = self.write(place, if open { &result } else { &text });
        let additional_data = self.write(aad_place, &aad);
        let mut request =
            Request { destination: source.clone(), source, additional_data, ..request };
        match <[u8; 12]>::try_from(&*iv) {
            Ok(nonce) => request.nonce = nonce.into(),
            Err(_) => request.iv = self.write(iv_place, &iv),
        }
        if !open {
            let expected = Expected { request, outcome: Ok(()), tag: Some(tag), data: result };
            return self.hand_over(expected);
        }
        request.tag = tag;
        let (outcome, data) =
            if forged { (Err(JobError::TagMismatch), vec![0; len]) } else { (Ok(()), text) };
        if forged {
            let bit = self.random.below(128);
            request.tag[bit / 8] ^= 1 << (bit % 8);
        }
        self.hand_over(Expected { request, outcome, tag: None, data });
    }

    fn hand_over(&mut self, expected: Expected) {
        self.accelerator.submit(&expected.request).unwrap();
        self.waiting.push_back(expected);
    }

    /// Compares the oldest job.
    fn finish(&mut self) {
        let expected = self.waiting.pop_front().unwrap();
        let completion = self.accelerator.complete(later()).unwrap();
        let (request, found) = (expected.request, (completion.outcome, completion.tag));
        assert_eq!(found, (expected.outcome, expected.tag), "{request:?}");
        let data = self.accelerator.memory(request.destination.clone()).unwrap();
        assert!(*data == expected.data, "{request:?} has wrong data");
    }
}

const OPERATIONS: [Operation; 8] = [
    Operation::XorStream,
    Operation::Keystream,
    Operation::Seal,
    Operation::Open,
    Operation::EcbEncrypt,
    Operation::EcbDecrypt,
    Operation::CbcEncrypt,
    Operation::CbcDecrypt,
];

/// All operations at once, so that they follow each other in the core in every order.
fn as_openssl_has_it(variant: &str, long: usize) {
    let mut bench = Bench::new(variant);
    let description = bench.accelerator.description().clone();
    let sizes: Vec<_> = description.key_sizes().collect();
    let supported = OPERATIONS.into_iter().filter(|operation| description.supports(*operation));
    let supported: Vec<_> = supported.collect();
    for len in 0..=ALL {
        for size in &sizes {
            for operation in &supported {
                bench.submit(*operation, *size, len);
            }
        }
    }
    for _ in 0..long {
        let [operation, size] = [supported.len(), sizes.len()].map(|end| bench.random.below(end));
        let len = bench.random.below(LONGEST + 1);
        bench.submit(supported[operation], sizes[size], len);
    }
    while !bench.waiting.is_empty() {
        bench.finish();
    }
}

#[test]
fn ring_as_openssl() {
    as_openssl_has_it("aes-ring", 24);
}

#[test]
fn pipe_as_openssl() {
    as_openssl_has_it("aes-pipe", 24);
}
