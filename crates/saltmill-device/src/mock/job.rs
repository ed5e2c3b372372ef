// SPDX-License-Identifier: Apache-2.0
//! How the mock runs one descriptor.

use chacha20::{
    ChaChaCore, R20,
    cipher::{KeyIvInit, StreamCipherCore},
    variants::Ietf,
};

use super::{BUS_ADDRESS, CYCLES_PER_BLOCK, DATA_BYTES, Fault, MockDevice};
use crate::{
    descriptor::{DESCRIPTOR_BYTES, STATUS_OFFSET},
    host_add::initial_state,
    registers::saltmill_descriptor::{JobStatus, Operation},
};

/// A descriptor as the device reads it: 16 words.
struct Words([u32; 16]);

impl Words {
    fn operation(&self) -> u32 {
        self.0[0] & 0xFF
    }

    fn reserved(&self) -> bool {
        self.0[0] >> 17 != 0 || self.0[10..14] != [0; 4]
    }

    fn length(&self) -> usize {
        self.0[1] as usize
    }

    fn address(&self, word: usize) -> u64 {
        u64::from(self.0[word]) | u64::from(self.0[word + 1]) << 32
    }

    fn blocks(&self) -> u64 {
        u64::from(self.0[1]).div_ceil(64)
    }

    fn nonce(&self) -> [u8; 12] {
        std::array::from_fn(|i| self.0[7 + i / 4].to_le_bytes()[i % 4])
    }
}

impl MockDevice {
    /// Runs the oldest descriptor to its end: status, tail, interrupt, counters.
    pub(super) fn run_job(&mut self) {
        let entry = u64::from(self.tail) % (1 << self.log2_entries);
        let address = self.ring_base + entry * DESCRIPTOR_BYTES as u64;
        let words = self.offset(address, DESCRIPTOR_BYTES).map(|at| {
            let bytes = self.bus_view[at..at + DESCRIPTOR_BYTES].as_chunks::<4>().0;
            Words(std::array::from_fn(|i| u32::from_le_bytes(bytes[i])))
        });
        let scripted = self.fault(|fault| match fault {
            Fault::Status { job, status } if *job == self.jobs_ever => Some(*status),
            _ => None,
        });
        let mut wants_interrupt = false;
        if let Some(words) = words {
            wants_interrupt = words.0[0] >> 16 & 1 == 1;
            let status = scripted.unwrap_or_else(|| self.execute(&words) as u32);
            self.store(address + STATUS_OFFSET as u64, &u64::from(status).to_le_bytes());
        }
        self.tail = self.tail.wrapping_add(1);
        self.jobs_ever += 1;
        self.counters[6] += 1;
        self.report(wants_interrupt);
    }

    /// Coalescing; a timeout counts as passed as soon as there is nothing left to run.
    fn report(&mut self, wants_interrupt: bool) {
        self.unreported += 1;
        let count = (self.coalescing & 0xFF).max(1);
        let timeout = self.coalescing >> 8 != 0 && self.head == self.tail;
        if self.unreported >= count || timeout || wants_interrupt {
            self.unreported = 0;
            self.interrupt_status |= 1;
        }
    }

    /// Checks in the order of the statuses' codes, then the work.
    fn execute(&mut self, words: &Words) -> JobStatus {
        let xor = match Operation::try_from(words.operation()) {
            Ok(Operation::XorStream) if self.config.final_add => true,
            Ok(Operation::Keystream) => false,
            _ => return JobStatus::BadOperation,
        };
        if words.reserved() {
            return JobStatus::BadDescriptor;
        }
        let slot = self.keys.get((words.0[0] >> 8 & 0xFF) as usize);
        let Some(key) = slot.filter(|slot| slot.words == 8).map(|slot| slot.key) else {
            return JobStatus::BadKeySlot;
        };
        let (source, destination) = (words.address(2), words.address(4));
        let aligned = |address: u64| address.is_multiple_of(DATA_BYTES.into());
        if !self.config.any_alignment && !(aligned(destination) && (!xor || aligned(source))) {
            return JobStatus::BadAlignment;
        }
        if u64::from(words.0[6]) + words.blocks() > 1 << 32 {
            return JobStatus::BadCounter;
        }
        if words.length() == 0 {
            return JobStatus::Ok;
        }
        let Some(to) = self.offset(destination, words.length()) else {
            return JobStatus::WriteError;
        };
        let mut data = vec![0; words.length()];
        if xor {
            let Some(from) = self.offset(source, data.len()) else { return JobStatus::ReadError };
            data.copy_from_slice(&self.bus_view[from..from + words.length()]);
        }
        self.keystream(&key, words, &mut data);
        self.bus_view[to..to + data.len()].copy_from_slice(&data);
        self.count(words);
        JobStatus::Ok
    }

    /// XORs what this device calls keystream onto `data`.
    fn keystream(&self, key: &[u8; 32], words: &Words, data: &mut [u8]) {
        let nonce = words.nonce();
        let mut core = ChaChaCore::<R20, Ietf>::new(&(*key).into(), &nonce.into());
        core.set_block_pos(words.0[6]);
        let mut state = initial_state(key, &nonce, words.0[6]);
        for chunk in data.chunks_mut(64) {
            let mut block = [0; 64].into();
            core.write_keystream_block(&mut block);
            for (word, initial) in block.as_chunks_mut::<4>().0.iter_mut().zip(state) {
                let initial = if self.config.final_add { 0 } else { initial };
                *word = u32::from_le_bytes(*word).wrapping_sub(initial).to_le_bytes();
            }
            state[12] = state[12].wrapping_add(1);
            chunk.iter_mut().zip(block).for_each(|(byte, key)| *byte ^= key);
        }
    }

    fn count(&mut self, words: &Words) {
        let cycles = words.blocks() * u64::from(CYCLES_PER_BLOCK);
        self.counters[0] += cycles;
        self.counters[1] += cycles;
        self.counters[4] += words.blocks();
        self.counters[5] += words.length() as u64;
    }

    fn offset(&self, address: u64, bytes: usize) -> Option<usize> {
        let start = usize::try_from(address.checked_sub(BUS_ADDRESS)?).ok()?;
        (start.checked_add(bytes)? <= self.bus_view.len()).then_some(start)
    }

    fn store(&mut self, address: u64, bytes: &[u8]) {
        match self.offset(address, bytes.len()) {
            Some(at) => self.bus_view[at..at + bytes.len()].copy_from_slice(bytes),
            None => self.interrupt_status |= 2,
        }
    }
}
