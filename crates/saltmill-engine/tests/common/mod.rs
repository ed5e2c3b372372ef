// SPDX-License-Identifier: Apache-2.0
//! What the engine's tests share: files in memory, text, ciphers, workers.
#![allow(dead_code, reason = "each test uses some of it")]
#![allow(clippy::unwrap_used, reason = "tests")]

use std::{
    io,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use openssl::symm;
use saltmill_device::{
    Accelerator,
    mock::{MockConfig, MockCore, MockDevice, MockFault},
};
use saltmill_engine::{
    CHUNK_BYTES, CancelToken, Chunks, Cipher, CpuWorker, DeviceWorker, Engine, JOB_BYTES, Key,
    MockWorker, ReadAt, TAG_BYTES, Transfer, Worker, WorkerFault, WriteAt,
};

/// A file in memory; reads or writes at or after `bad_from` fail.
pub struct MemoryFile {
    pub bytes: Mutex<Vec<u8>>,
    pub bad_from: u64,
}

impl MemoryFile {
    pub fn new(bytes: Vec<u8>) -> Self {
        Self { bytes: Mutex::new(bytes), bad_from: u64::MAX }
    }

    fn check(&self, end: u64) -> io::Result<()> {
        let bad = end > self.bad_from;
        if bad { Err(io::Error::from(io::ErrorKind::StorageFull)) } else { Ok(()) }
    }
}

impl ReadAt for MemoryFile {
    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        self.check(offset + buffer.len() as u64)?;
        let bytes = self.bytes.lock().unwrap();
        let range = offset as usize..offset as usize + buffer.len();
        let source = bytes.get(range).ok_or(io::ErrorKind::UnexpectedEof)?;
        buffer.copy_from_slice(source);
        Ok(())
    }
}

impl WriteAt for MemoryFile {
    fn write_all_at(&self, buffer: &[u8], offset: u64) -> io::Result<()> {
        let end = offset + buffer.len() as u64;
        self.check(end)?;
        let mut bytes = self.bytes.lock().unwrap();
        if (bytes.len() as u64) < end {
            bytes.resize(end as usize, 0);
        }
        bytes[offset as usize..end as usize].copy_from_slice(buffer);
        Ok(())
    }
}

/// A writer whose bytes can be looked at afterwards.
#[derive(Clone, Default)]
pub struct Collected(pub Arc<Mutex<Vec<u8>>>);

impl io::Write for Collected {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

pub fn cipher() -> Cipher {
    Cipher::new(Key::new([0x5A; 32]), *b"twelve bytes", 3)
}

pub fn text(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i % 251) as u8).collect()
}

pub fn encrypted(len: usize) -> Vec<u8> {
    let mut text = text(len);
    cipher().apply(0, &mut text);
    text
}

pub fn engine(workers: Vec<Box<dyn Worker>>) -> Engine {
    Engine::new(workers, Duration::from_millis(300), CancelToken::default())
}

pub fn cpu(index: usize) -> Box<dyn Worker> {
    Box::new(CpuWorker::new(index))
}

pub fn mock(index: usize, slots: usize, fault: WorkerFault) -> Box<dyn Worker> {
    Box::new(MockWorker::new(index, slots, fault))
}

pub fn device(final_add: bool, transfer: Transfer, faults: Vec<MockFault>) -> Box<dyn Worker> {
    let core = if final_add { MockCore::ChaCha20Poly1305 } else { MockCore::HostAdd };
    let config = MockConfig { core, faults, ..MockConfig::default() };
    device_as(config, transfer)
}

pub fn device_as(config: MockConfig, transfer: Transfer) -> Box<dyn Worker> {
    let config = MockConfig { memory: 4 * JOB_BYTES + (64 << 10), ..config };
    let device = MockDevice::new("mock-device:0", config);
    let accelerator = Accelerator::probe(device, Instant::now() + Duration::from_secs(1)).unwrap();
    Box::new(DeviceWorker::new(accelerator, transfer).unwrap())
}

const CHUNK_KEY: [u8; 32] = [0xC4; 32];

pub fn chunks() -> Chunks {
    Chunks::new(Key::new(CHUNK_KEY))
}

/// A chunk as OpenSSL seals it, with the age format's nonce.
pub fn sealed_chunk(number: usize, last: bool, text: &[u8]) -> Vec<u8> {
    sealed_chunk_with(symm::Cipher::chacha20_poly1305(), &CHUNK_KEY, number, last, text)
}

fn sealed_chunk_with(
    cipher: symm::Cipher,
    key: &[u8],
    number: usize,
    last: bool,
    text: &[u8],
) -> Vec<u8> {
    let (number, mut nonce) = (number as u64, [0; 12]);
    nonce[3..11].copy_from_slice(&number.to_be_bytes());
    nonce[11] = u8::from(last);
    let mut tag = [0; TAG_BYTES];
    let chunk = symm::encrypt_aead(cipher, key, Some(&nonce), &[], text, &mut tag);
    [chunk.unwrap(), tag.to_vec()].concat()
}

/// The chunks of `text(len)`.
pub fn sealed_chunks(len: usize) -> Vec<Vec<u8>> {
    sealed_chunks_with(symm::Cipher::chacha20_poly1305(), &CHUNK_KEY, len)
}

/// The same with another AEAD of OpenSSL's.
pub fn sealed_chunks_with(cipher: symm::Cipher, key: &[u8], len: usize) -> Vec<Vec<u8>> {
    let last = len.saturating_sub(1) / CHUNK_BYTES;
    let text = text(len);
    let part = |n| &text[n * CHUNK_BYTES..text.len().min((n + 1) * CHUNK_BYTES)];
    (0..=last).map(|n| sealed_chunk_with(cipher, key, n, n == last, part(n))).collect()
}

/// Keys of AES, with OpenSSL's names of CTR and GCM for each.
pub fn aes() -> [(&'static [u8], symm::Cipher, symm::Cipher); 3] {
    const KEY: [u8; 32] = *b"Salt, mill, and thirty-two bytes";
    [
        (&KEY[..16], symm::Cipher::aes_128_ctr(), symm::Cipher::aes_128_gcm()),
        (&KEY[..24], symm::Cipher::aes_192_ctr(), symm::Cipher::aes_192_gcm()),
        (&KEY, symm::Cipher::aes_256_ctr(), symm::Cipher::aes_256_gcm()),
    ]
}

/// Lengths at the edges of blocks and jobs.
pub fn lengths() -> Vec<usize> {
    let jobs = [JOB_BYTES - 1, JOB_BYTES, JOB_BYTES + 1, 3 * JOB_BYTES, 7 * JOB_BYTES + 12_345];
    [0, 1, 63, 64, 65, 1000].into_iter().chain(jobs).collect()
}
