// SPDX-License-Identifier: Apache-2.0
//! The driver in C on every simulated device: its self-test, all operations against OpenSSL, and
//! what goes wrong.
#![allow(clippy::unwrap_used, reason = "tests")]

mod codes;

use codes::*;
use openssl::{
    cipher::{Cipher, CipherRef},
    cipher_ctx::CipherCtx,
    hash::{MessageDigest, hash},
    pkey::PKey,
    sign::Signer,
};
use saltmill_bare_metal::{Bench, Job, PATIENCE, PLACES, variants};

const BUS: u64 = 0x4000_0000;
const LENGTHS: [usize; 10] = [0, 1, 15, 16, 63, 64, 65, 255, 1024, 4097];
const LONG: usize = 66_000;

/// Bytes with a period of 251: blocks that changed places show.
fn data(len: usize) -> Vec<u8> {
    (0..251u8).cycle().take(len).collect()
}

fn bench(variant: &str) -> Bench {
    Bench::new(variant, BUS, true).unwrap()
}

/// Each device with this algorithm.
fn of(algorithm: u32) -> impl Iterator<Item = Bench> {
    variants().into_iter().map(|name| bench(&name)).filter(move |one| one.algorithm() == algorithm)
}

/// The text, and its tag where the cipher has one.
fn openssl(
    cipher: &CipherRef,
    key: &[u8],
    iv: &[u8],
    aad: &[u8],
    text: &[u8],
) -> (Vec<u8>, [u8; 16]) {
    let (mut context, mut result, mut tag) = (CipherCtx::new().unwrap(), Vec::new(), [0; 16]);
    let has_tag = cipher.nid() == Cipher::chacha20_poly1305().nid()
        || [Cipher::aes_128_gcm(), Cipher::aes_192_gcm(), Cipher::aes_256_gcm()]
            .iter()
            .any(|gcm| gcm.nid() == cipher.nid());
    context.encrypt_init(Some(cipher), None, None).unwrap();
    if has_tag {
        context.set_iv_length(iv.len()).unwrap();
    }
    let iv = (cipher.iv_length() > 0).then_some(iv);
    context.encrypt_init(None, Some(key), iv).unwrap();
    context.set_padding(false);
    if !aad.is_empty() {
        context.cipher_update(aad, None).unwrap();
    }
    context.cipher_update_vec(text, &mut result).unwrap();
    context.cipher_final_vec(&mut result).unwrap();
    if has_tag {
        context.tag(&mut tag).unwrap();
    }
    (result, tag)
}

fn text(operation: u8, key: &[u8], nonce: &[u8], input: &[u8]) -> Job {
    Job {
        operation,
        key: key.into(),
        nonce: nonce.into(),
        input: input.into(),
        output_bytes: input.len(),
        ..Job::default()
    }
}

/// The job gives this: in place or not, and at an even address and at an odd one.
fn gives(bench: &mut Bench, job: &Job, output: &[u8], tag: Option<[u8; 16]>) {
    for unaligned in [0, 3 + job.input.len() as u8 % 11] {
        let in_place = (job.input.len() + usize::from(unaligned)) % 2 == 1;
        let job = Job { in_place, unaligned, ..job.clone() };
        let done = bench.run(&job).unwrap();
        assert_eq!(done.status, "Ok");
        assert!(done.output == output, "{} bytes, {in_place}, {unaligned}", job.input.len());
        assert_eq!(done.tag, tag);
    }
}

#[test]
fn every_device_passes_its_self_test() {
    for variant in variants() {
        let mut bench = bench(&variant);
        let right = bench.self_test();
        if bench.supports(XOR_STREAM) || bench.supports(DIGEST) {
            assert!(right.unwrap() >= 7, "{variant}");
        } else {
            assert!(right.unwrap_err().starts_with("No vector"), "{variant}: keystream alone");
        }
        assert_eq!(bench.failures(), 0);
        assert!(bench.waits() > 0 || bench.counter(COUNTER_JOBS) == 0);
    }
}

#[test]
fn chacha20_is_that_of_openssl() {
    let (key, nonce) = ([0x42; 32], [7; 12]);
    for mut bench in of(CHACHA20).chain(of(CHACHA20_POLY1305)).filter(|b| b.supports(XOR_STREAM)) {
        for length in LENGTHS.into_iter().chain([LONG]) {
            let counter = 5u32;
            let iv = [&counter.to_le_bytes()[..], &nonce].concat();
            let (expected, _) = openssl(Cipher::chacha20(), &key, &iv, &[], &data(length));
            let job = Job { counter, ..text(XOR_STREAM, &key, &nonce, &data(length)) };
            gives(&mut bench, &job, &expected, None);
            let (keystream, _) = openssl(Cipher::chacha20(), &key, &iv, &[], &vec![0; length]);
            gives(&mut bench, &Job { operation: KEYSTREAM, ..job }, &keystream, None);
        }
    }
}

fn seals_and_opens(bench: &mut Bench, cipher: &CipherRef, key: &[u8], iv: &[u8]) {
    for (length, aad) in LENGTHS.into_iter().zip([0, 1, 12, 16, 17, 300].into_iter().cycle()) {
        let (aad, plain) = (data(aad), data(length));
        let (sealed, tag) = openssl(cipher, key, iv, &aad, &plain);
        let (nonce, iv) =
            if iv.len() == 12 { (iv.to_vec(), vec![]) } else { (vec![], iv.to_vec()) };
        let seal = Job { aad, iv, ..text(SEAL, key, &nonce, &plain) };
        gives(bench, &seal, &sealed, Some(tag));
        let open = Job { operation: OPEN, input: sealed, tag, ..seal };
        gives(bench, &open, &plain, None);
        refuses(bench, open);
    }
}

/// A forged message: nothing of it is left.
fn refuses(bench: &mut Bench, mut open: Job) {
    open.tag[15] ^= 1;
    for in_place in [true, false] {
        let job = Job { in_place, ..open.clone() };
        let done = bench.run(&job).unwrap();
        assert_eq!((done.status.as_str(), done.tag), ("Tag mismatch", None));
        assert!(done.output.iter().all(|byte| *byte == 0), "plaintext of a forgery");
    }
}

#[test]
fn chacha20_poly1305_is_that_of_openssl() {
    for mut bench in of(CHACHA20_POLY1305) {
        seals_and_opens(&mut bench, Cipher::chacha20_poly1305(), &[0x42; 32], &[7; 12]);
    }
}

#[test]
fn aes_is_that_of_openssl() {
    let ciphers = [
        [Cipher::aes_128_ctr(), Cipher::aes_192_ctr(), Cipher::aes_256_ctr()],
        [Cipher::aes_128_ecb(), Cipher::aes_192_ecb(), Cipher::aes_256_ecb()],
        [Cipher::aes_128_cbc(), Cipher::aes_192_cbc(), Cipher::aes_256_cbc()],
        [Cipher::aes_128_gcm(), Cipher::aes_192_gcm(), Cipher::aes_256_gcm()],
    ];
    let mut iv = [0xFF; 16];
    iv[0] = 1;
    for mut bench in of(AES) {
        let sizes = bench.key_sizes();
        for size in (0..3).filter(|size| sizes >> size & 1 == 1) {
            let key = data(16 + 8 * size);
            let [ctr, ecb, cbc, gcm] = ciphers.map(|of_mode| of_mode[size]);
            for length in LENGTHS {
                let (plain, whole) = (data(length), data(length / 16 * 16));
                let (expected, _) = openssl(ctr, &key, &iv, &[], &plain);
                gives(&mut bench, &text(XOR_STREAM, &key, &iv, &plain), &expected, None);
                for (cipher, encrypt, decrypt, iv) in [
                    (ecb, ECB_ENCRYPT, ECB_DECRYPT, &iv[..0]),
                    (cbc, CBC_ENCRYPT, CBC_DECRYPT, &iv),
                ] {
                    if bench.supports(encrypt) {
                        let (expected, _) = openssl(cipher, &key, iv, &[], &whole);
                        gives(&mut bench, &text(encrypt, &key, iv, &whole), &expected, None);
                        gives(&mut bench, &text(decrypt, &key, iv, &expected), &whole, None);
                    }
                }
            }
            seals_and_opens(&mut bench, gcm, &key, &[7; 12]);
            seals_and_opens(&mut bench, gcm, &key, &[9; 60]);
        }
    }
}

#[test]
fn digests_are_those_of_openssl() {
    for (algorithm, digest) in [(SHA256, MessageDigest::sha256()), (MD5, MessageDigest::md5())] {
        for mut bench in of(algorithm) {
            for length in LENGTHS {
                let message = data(length);
                let expected = hash(digest, &message).unwrap().to_vec();
                let job = Job { output_bytes: digest.size(), ..text(DIGEST, &[], &[], &message) };
                assert_eq!(bench.run(&job).unwrap().output, expected);
                let (first, last) = message.split_at(length / 64 * 64);
                if !first.is_empty() {
                    let part = Job { operation: DIGEST_PART, input: first.into(), ..job.clone() };
                    let iv = bench.run(&part).unwrap().output;
                    let blocks_before = first.len() as u64 / 64;
                    let rest = Job { iv, blocks_before, input: last.into(), ..job };
                    assert_eq!(bench.run(&rest).unwrap().output, expected);
                }
            }
        }
    }
}

#[test]
fn hmac_is_that_of_openssl() {
    for mut bench in of(SHA256).filter(|bench| bench.supports(HMAC)) {
        for (length, key) in [(0, 1), (64, 16), (1000, 32)] {
            let (message, key) = (data(length), data(key));
            let secret = PKey::hmac(&key).unwrap();
            let mut signer = Signer::new(MessageDigest::sha256(), &secret).unwrap();
            let expected = signer.sign_oneshot_to_vec(&message).unwrap();
            let job = Job { output_bytes: 32, ..text(HMAC, &key, &[], &message) };
            assert_eq!(bench.run(&job).unwrap().output, expected);
        }
    }
}

/// A small device that every build has.
fn any() -> Bench {
    bench("ring2")
}

fn xor(byte: u8, length: usize) -> Job {
    text(XOR_STREAM, &[byte; 32], &[byte; 12], &data(length))
}

/// One doorbell for several jobs; they come back in their order.
#[test]
fn jobs_fill_the_ring_and_come_back_in_order() {
    let mut bench = any();
    let jobs: Vec<_> = (0..PLACES as u8).map(|n| xor(n, 3000 + usize::from(n))).collect();
    let alone: Vec<_> = jobs.iter().map(|job| bench.run(job).unwrap()).collect();
    for _ in 0..3 {
        for (job, place) in jobs.iter().zip(0..) {
            bench.stage(job, place).unwrap();
        }
        for ((job, place), alone) in jobs.iter().zip(0..).zip(&alone) {
            assert_eq!(bench.complete(job, place, PATIENCE).unwrap(), *alone);
        }
    }
    assert_eq!(bench.complete(&jobs[0], 0, PATIENCE).unwrap_err(), "No job is outstanding");
    assert_eq!(bench.counter(COUNTER_JOBS), 4 * u64::from(PLACES));
    for place in (0..8).map(|n| n % PLACES) {
        bench.stage(&jobs[0], place).unwrap();
    }
    assert_eq!(bench.stage(&jobs[0], 0).unwrap_err(), "The ring is full");
    assert_eq!(bench.failures(), 0);
}

/// The work of the driver: a job that is polled for, and one that is waited for.
#[test]
fn polling_does_without_the_interrupt() {
    let mut polled = Bench::new("ring2", BUS, false).unwrap();
    let mut waited = any();
    let job = xor(1, 4000);
    assert_eq!(polled.run(&job).unwrap(), waited.run(&job).unwrap());
    assert_eq!(polled.waits(), 0);
    waited.stage(&Job { key: vec![], ..job.clone() }, 0).unwrap();
    let before = waited.accesses();
    waited.complete(&job, 0, PATIENCE).unwrap();
    // Doorbell, tail, interrupt status read and cleared, tail.
    assert_eq!(waited.accesses() - before, 5);
}

#[test]
fn a_hook_that_is_left_out_shows() {
    let job = xor(1, 4000);
    let right = any().run(&job).unwrap();
    let mut bench = any();
    bench.skip(true, false);
    let stale = bench.run(&job).unwrap();
    assert_ne!(stale, right);
    bench.skip(false, true);
    assert_ne!(bench.run(&Job { key: vec![9; 32], ..job.clone() }).unwrap().status, "Ok");
    bench.skip(false, false);
    assert_eq!(bench.run(&job).unwrap(), right);
}

#[test]
fn a_device_that_hangs_is_late_and_a_wipe_says_so() {
    let mut bench = any();
    bench.hang();
    bench.stage(&xor(1, 4000), 0).unwrap();
    let late = "The device did not answer in time";
    assert_eq!(bench.complete(&xor(1, 4000), 0, 3).unwrap_err(), late);
    assert_eq!(bench.wipe().unwrap_err(), late);
}

#[test]
fn a_wipe_aborts_jobs_and_clears_keys() {
    let mut bench = any();
    bench.stage(&xor(1, 60_000), 0).unwrap();
    bench.wipe().unwrap();
    let without_key = Job { key: vec![], ..xor(1, 100) };
    assert_eq!(bench.run(&without_key).unwrap().status, "Bad key slot");
    let right = any().run(&xor(1, 100)).unwrap();
    assert_eq!(bench.run(&xor(1, 100)).unwrap(), right);
}

/// A wipe in the middle of an open job clears what it had written.
#[test]
fn an_aborted_open_leaves_nothing() {
    for mut bench in of(CHACHA20_POLY1305) {
        let open = Job { in_place: true, ..text(OPEN, &[1; 32], &[1; 12], &data(60_000)) };
        bench.stage(&open, 0).unwrap();
        assert!(bench.complete(&open, 0, 0).is_err());
        bench.wipe().unwrap();
        let look = Job { input: vec![], output_bytes: 60_000, ..xor(1, 0) };
        let left = bench.run(&Job { in_place: true, ..look }).unwrap().output;
        assert!(left.iter().all(|byte| *byte == 0));
    }
}

#[test]
fn what_makes_no_sense_is_refused_without_the_device() {
    let mut bench = any();
    let good = xor(1, 65);
    let before = bench.counter(COUNTER_JOBS);
    for (job, complaint) in [
        (Job { operation: 0, ..good.clone() }, "The device does not have this operation"),
        (Job { operation: OPEN, ..good.clone() }, "The device does not have this operation"),
        (Job { operation: 200, ..good.clone() }, "The device does not have this operation"),
        (Job { key: vec![1; 16], ..good.clone() }, "No key of this length"),
        (Job { nonce: vec![1; 8], ..good.clone() }, "No nonce of this length"),
        (Job { tag_bytes: 5, ..good.clone() }, "No tag of this length"),
        (Job { counter: u32::MAX, ..good.clone() }, "The block counter would wrap"),
        (Job { blocks_before: 1, ..good.clone() }, "Blocks before a part that is not the last"),
    ] {
        assert_eq!(bench.run(&job).unwrap_err(), complaint);
    }
    assert_eq!(bench.counter(COUNTER_JOBS), before);
    assert_eq!(
        bench
            .run(&Job { input: data(64), output_bytes: 64, counter: u32::MAX, ..good })
            .unwrap()
            .status,
        "Ok"
    );
}

/// A device of 32 address bits, and memory that ends where they end.
#[test]
fn memory_up_to_the_last_address_works() {
    let room = 1 << 20;
    let mut bench = Bench::new("ring2", (1 << 32) - room, true).unwrap();
    assert_eq!(bench.run(&xor(1, 65)).unwrap(), any().run(&xor(1, 65)).unwrap());
}
