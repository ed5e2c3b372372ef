// SPDX-License-Identifier: Apache-2.0
//! How the mock runs one descriptor.

use openssl::symm::Mode;

use super::{
    CYCLES_PER_BLOCK, KeySlot, MockCore, MockDevice, MockFault, aes, chacha20,
    check::{Part, Words},
    core::is_in,
};
use crate::{
    KeySize,
    descriptor::{DESCRIPTOR_BYTES, STATUS_OFFSET, TAG_OFFSET},
    registers::{
        counters as numbers, interrupt_coalescing, interrupt_status,
        saltmill_descriptor::{self as layout, JobStatus, Operation, control},
    },
};

/// What the core without a cipher XORs each byte with.
const CONSTANT: u8 = 0xA5;

/// What a job reads.
struct Input {
    data: Vec<u8>,
    aad: Vec<u8>,
    iv: Vec<u8>,
}

/// What a job makes: its result and, if it is a message, the tag that is right for it.
type Output = (Vec<u8>, Option<[u8; 16]>);

impl MockDevice {
    /// Runs the oldest descriptor to its end: tag, status, tail, interrupt, counters.
    pub(super) fn run_job(&mut self) {
        let entry = u64::from(self.tail) % (1 << self.log2_entries);
        let address = self.ring_base + entry * DESCRIPTOR_BYTES as u64;
        let facts = self.config.core.facts();
        let words = self.offset(address, DESCRIPTOR_BYTES).map(|at| {
            let bytes = &self.bus_view[at..at + DESCRIPTOR_BYTES];
            Words::new(bytes, &facts)
        });
        let mut wants_interrupt = false;
        if let Some(words) = words {
            wants_interrupt = words.is_set(control::INTERRUPT);
            let (status, tag) = self.end(&words);
            if let Some(tag) = tag {
                self.store(address + TAG_OFFSET as u64, &tag);
            }
            self.store(address + STATUS_OFFSET as u64, &u64::from(status).to_le_bytes());
        }
        self.tail = self.tail.wrapping_add(1);
        self.jobs_ever += 1;
        self.counters[numbers::JOBS] += 1;
        self.report(wants_interrupt);
    }

    /// Status of a job as the script has it, or as it comes out; and the tag that is written with
    /// it.
    fn end(&mut self, words: &Words) -> (u32, Option<[u8; 16]>) {
        let scripted = self.fault(|fault| match fault {
            MockFault::Status { job, status } if *job == self.jobs_ever => Some(*status),
            _ => None,
        });
        if let Some(status) = scripted {
            return (status, None);
        }
        match self.execute(words) {
            Ok(tag) => (JobStatus::Ok as u32, tag),
            Err(JobStatus::TagMismatch) => (JobStatus::TagMismatch as u32, Some([0; 16])),
            Err(status) => (status as u32, None),
        }
    }

    /// Coalescing; a timeout counts as passed as soon as there is nothing left to run.
    fn report(&mut self, wants_interrupt: bool) {
        self.unreported += 1;
        let count = interrupt_coalescing::COUNT.of(self.coalescing).max(1);
        let timeout = interrupt_coalescing::TIMEOUT.of(self.coalescing) != 0;
        let timeout = timeout && self.head == self.tail;
        if self.unreported >= count || timeout || wants_interrupt {
            self.unreported = 0;
            self.interrupt_status |= interrupt_status::DONE.mask();
        }
    }

    /// The work of a good job; gives the tag that is written for it: zeros for open.
    fn execute(&mut self, words: &Words) -> Result<Option<[u8; 16]>, JobStatus> {
        let (operation, key) = self.check(words)?;
        let facts = self.config.core.facts();
        let makes_tag_only = is_in(facts.one_time, operation);
        if makes_tag_only {
            self.keys[words.control(control::KEY_SLOT) as usize] = KeySlot::default();
        }
        self.counters[numbers::BYTES] += u64::from(words.at(layout::LENGTH));
        let destination = words.destination(operation, &facts);
        let input = Input {
            data: if is_in(facts.sourceless, operation) {
                vec![0; self.place(destination).map_or(0, |(_, bytes)| bytes)]
            } else {
                self.load(words.source())?
            },
            aad: self.load(words.aad())?,
            iv: self.load(words.iv(&facts))?,
        };
        if makes_tag_only {
            return Ok(Some(self.made(chacha20::poly1305(&key, &input.data))));
        }
        let (to, _) = self.place(destination).ok_or(JobStatus::WriteError)?;
        self.count(destination.bytes.div_ceil(facts.block_bytes));
        let (data, tag) = self.compute(operation, words, &key, input);
        self.bus_view[to..to + data.len()].copy_from_slice(&data);
        let any_tag = self.config.faults.contains(&MockFault::AnyTag);
        match (operation, tag) {
            (Operation::Open, Some(tag)) if !any_tag && !is_expected(words, &tag) => {
                Err(JobStatus::TagMismatch)
            }
            (Operation::Open, _) => Ok(Some([0; 16])),
            (_, tag) => Ok(tag.map(|tag| self.made(tag))),
        }
    }

    fn compute(&self, operation: Operation, words: &Words, key: &[u8; 32], input: Input) -> Output {
        match self.config.core {
            MockCore::Aes => compute_aes(operation, words, key, input),
            MockCore::XorConstant if operation == Operation::Digest => (digest(&input.data), None),
            MockCore::XorConstant => {
                (input.data.into_iter().map(|byte| byte ^ CONSTANT).collect(), None)
            }
            MockCore::ChaCha20 | MockCore::HostAdd | MockCore::ChaCha20Poly1305 => {
                let final_add = self.config.core != MockCore::HostAdd;
                compute_chacha20(operation, words, key, input, final_add)
            }
        }
    }

    /// A tag that this device made.
    fn made(&self, mut tag: [u8; 16]) -> [u8; 16] {
        tag[0] ^= u8::from(self.config.faults.contains(&MockFault::WrongTags));
        tag
    }

    fn count(&mut self, blocks: u32) {
        let cycles = u64::from(blocks) * u64::from(CYCLES_PER_BLOCK);
        self.counters[numbers::CYCLES] += cycles;
        self.counters[numbers::BUSY] += cycles;
        self.counters[numbers::BLOCKS] += u64::from(blocks);
    }

    fn offset(&self, address: u64, bytes: usize) -> Option<usize> {
        let start = usize::try_from(address.checked_sub(self.config.bus_address)?).ok()?;
        (start.checked_add(bytes)? <= self.bus_view.len()).then_some(start)
    }

    /// The same for data, and its bytes: where there is none its address does not matter.
    fn place(&self, part: Part) -> Option<(usize, usize)> {
        let bytes = part.bytes as usize;
        Some((if bytes == 0 { 0 } else { self.offset(part.address, bytes)? }, bytes))
    }

    fn load(&self, part: Part) -> Result<Vec<u8>, JobStatus> {
        let (at, bytes) = self.place(part).ok_or(JobStatus::ReadError)?;
        Ok(self.bus_view[at..at + bytes].to_vec())
    }

    fn store(&mut self, address: u64, bytes: &[u8]) {
        match self.offset(address, bytes.len()) {
            Some(at) => self.bus_view[at..at + bytes.len()].copy_from_slice(bytes),
            None => self.interrupt_status |= interrupt_status::STATUS_LOST.mask(),
        }
    }
}

/// Byte i is the XOR of the constant and of bytes i, i + 32, i + 64 and so on of the data.
fn digest(data: &[u8]) -> Vec<u8> {
    (0..32)
        .map(|i| data.iter().skip(i).step_by(32).fold(CONSTANT, |sum, byte| sum ^ byte))
        .collect()
}

/// The first bytes of a tag are those that the descriptor expects.
fn is_expected(words: &Words, tag: &[u8; 16]) -> bool {
    let bytes = match words.control(control::TAG_BYTES) {
        0 => 16,
        bytes => bytes as usize,
    };
    words.tag()[..bytes] == tag[..bytes]
}

fn compute_chacha20(
    operation: Operation,
    words: &Words,
    key: &[u8; 32],
    input: Input,
    final_add: bool,
) -> Output {
    let (key, nonce) = if words.is_set(control::EXTENDED_NONCE) {
        chacha20::subkey(key, &words.bytes(layout::NONCE_FIRST), &words.bytes(layout::NONCE))
    } else {
        (*key, words.bytes(layout::NONCE))
    };
    let Input { mut data, aad, .. } = input;
    let counter = words.at(layout::COUNTER);
    match operation {
        Operation::Seal => {
            chacha20::xor(&key, &nonce, 1, &mut data);
            let tag = chacha20::tag(&key, &nonce, &aad, &data);
            (data, Some(tag))
        }
        Operation::Open => {
            let tag = chacha20::tag(&key, &nonce, &aad, &data);
            chacha20::xor(&key, &nonce, 1, &mut data);
            (data, Some(tag))
        }
        _ if final_add => {
            chacha20::xor(&key, &nonce, counter, &mut data);
            (data, None)
        }
        _ => {
            chacha20::rounds(&key, &nonce, counter, &mut data);
            (data, None)
        }
    }
}

fn compute_aes(operation: Operation, words: &Words, key: &[u8; 32], input: Input) -> Output {
    let size = words.control(control::KEY_SIZE);
    let bytes = KeySize::ALL.into_iter().find(|known| *known as u32 == size).map(KeySize::bytes);
    let key = &key[..bytes.unwrap_or_default()];
    let Input { mut data, aad, mut iv } = input;
    let block = words.bytes(layout::COUNTER);
    let mode = match operation {
        Operation::Open | Operation::EcbDecrypt | Operation::CbcDecrypt => Mode::Decrypt,
        _ => Mode::Encrypt,
    };
    match operation {
        Operation::Seal | Operation::Open => {
            if iv.is_empty() {
                iv = words.bytes::<12>(layout::NONCE).to_vec();
            }
            let tag = aes::gcm(key, mode, &iv, &aad, &mut data);
            (data, Some(tag))
        }
        Operation::EcbEncrypt | Operation::EcbDecrypt => (aes::ecb(key, mode, &data), None),
        Operation::CbcEncrypt | Operation::CbcDecrypt => {
            aes::cbc(key, mode, block, &mut data);
            (data, None)
        }
        _ => {
            aes::ctr(key, block, words.is_set(control::SHORT_COUNTER), &mut data);
            (data, None)
        }
    }
}
