// SPDX-License-Identifier: Apache-2.0
//! How the mock runs one descriptor.

use super::{BUS_ADDRESS, CYCLES_PER_BLOCK, DATA_BYTES, Fault, KeySlot, MockDevice, math};
use crate::{
    descriptor::{DESCRIPTOR_BYTES, STATUS_OFFSET, TAG_OFFSET},
    registers::saltmill_descriptor::{self as layout, JobStatus, Operation, control},
};

/// A descriptor as the device reads it.
struct Words([u32; DESCRIPTOR_BYTES / 4]);

impl Words {
    fn at(&self, offset: u32) -> u32 {
        self.0[offset as usize / 4]
    }

    fn control(&self) -> u32 {
        self.at(layout::CONTROL)
    }

    fn extended_nonce(&self) -> bool {
        control::EXTENDED_NONCE.of(self.control()) == 1
    }

    /// A field that is reserved, or that the operation does not use, is not 0.
    fn has_unused(&self, operation: Operation) -> bool {
        use Operation::{Keystream, Mac, Open, Seal, XorStream};
        let counts = matches!(operation, XorStream | Keystream);
        let aead = matches!(operation, Seal | Open);
        let nonzero = |bytes: &[u8]| bytes.iter().any(|byte| *byte != 0);
        let of_aes = [control::KEY_SIZE, control::TAG_BYTES, control::SHORT_COUNTER];
        control::RESERVED.of(self.control()) != 0
            || of_aes.iter().any(|field| field.of(self.control()) != 0)
            || nonzero(&self.bytes::<40>(layout::RESERVED))
            || (!counts && self.at(layout::COUNTER) != 0)
            || (!self.extended_nonce() && nonzero(&self.bytes::<12>(layout::NONCE_FIRST)))
            || (operation == Mac && self.extended_nonce())
            || (!aead && self.at(layout::AAD_LENGTH) != 0)
            || (operation != Open && nonzero(&self.tag()))
    }

    fn length(&self) -> usize {
        self.at(layout::LENGTH) as usize
    }

    fn address(&self, low: u32) -> u64 {
        u64::from(self.at(low)) | u64::from(self.at(low + 4)) << 32
    }

    fn blocks(&self) -> u64 {
        u64::from(self.at(layout::LENGTH)).div_ceil(64)
    }

    fn bytes<const N: usize>(&self, offset: u32) -> [u8; N] {
        std::array::from_fn(|i| self.at(offset + i as u32).to_le_bytes()[i % 4])
    }

    fn tag(&self) -> [u8; 16] {
        self.bytes(layout::TAG)
    }
}

impl MockDevice {
    /// Runs the oldest descriptor to its end: tag, status, tail, interrupt, counters.
    pub(super) fn run_job(&mut self) {
        let entry = u64::from(self.tail) % (1 << self.log2_entries);
        let address = self.ring_base + entry * DESCRIPTOR_BYTES as u64;
        let words = self.offset(address, DESCRIPTOR_BYTES).map(|at| {
            let bytes = self.bus_view[at..at + DESCRIPTOR_BYTES].as_chunks::<4>().0;
            Words(std::array::from_fn(|i| u32::from_le_bytes(bytes[i])))
        });
        let mut wants_interrupt = false;
        if let Some(words) = words {
            wants_interrupt = control::INTERRUPT.of(words.control()) == 1;
            let (status, tag) = self.end(&words);
            self.store(address + TAG_OFFSET as u64, &tag);
            self.store(address + STATUS_OFFSET as u64, &u64::from(status).to_le_bytes());
        }
        self.tail = self.tail.wrapping_add(1);
        self.jobs_ever += 1;
        self.counters[6] += 1;
        self.report(wants_interrupt);
    }

    /// Status and tag of a job: as the script has them, or as they come out.
    fn end(&mut self, words: &Words) -> (u32, [u8; 16]) {
        let scripted = self.fault(|fault| match fault {
            Fault::Status { job, status } if *job == self.jobs_ever => Some(*status),
            _ => None,
        });
        if let Some(status) = scripted {
            return (status, [0; 16]);
        }
        match self.execute(words) {
            Ok(tag) => (JobStatus::Ok as u32, tag),
            Err(status) => (status as u32, [0; 16]),
        }
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

    /// The work of a good job; gives its tag, zeros where it makes none.
    fn execute(&mut self, words: &Words) -> Result<[u8; 16], JobStatus> {
        let (operation, key) = self.check(words)?;
        if operation == Operation::Mac {
            self.keys[control::KEY_SLOT.of(words.control()) as usize] = KeySlot::default();
        }
        let mut data = vec![0; words.length()];
        if operation != Operation::Keystream {
            data = self.load(words.address(layout::SOURCE_LOW), words.length())?;
        }
        let aad_bytes = words.at(layout::AAD_LENGTH) as usize;
        let aad = self.load(words.address(layout::AAD_LOW), aad_bytes)?;
        self.count(words);
        if operation == Operation::Mac {
            return Ok(self.made(math::poly1305(&key, &data)));
        }
        let to = self.place(words.address(layout::DESTINATION_LOW), data.len());
        let to = to.ok_or(JobStatus::WriteError)?;
        let (key, nonce) = if words.extended_nonce() {
            math::subkey(&key, &words.bytes(layout::NONCE_FIRST), &words.bytes(layout::NONCE))
        } else {
            (key, words.bytes(layout::NONCE))
        };
        let before = (operation == Operation::Open).then(|| math::tag(&key, &nonce, &aad, &data));
        match operation {
            Operation::Seal | Operation::Open => math::xor(&key, &nonce, 1, &mut data),
            _ if self.config.final_add => {
                math::xor(&key, &nonce, words.at(layout::COUNTER), &mut data);
            }
            _ => math::rounds(&key, &nonce, words.at(layout::COUNTER), &mut data),
        }
        self.bus_view[to..to + data.len()].copy_from_slice(&data);
        let any_tag = self.config.faults.contains(&Fault::AnyTag);
        match before {
            Some(tag) if tag != words.tag() && !any_tag => Err(JobStatus::TagMismatch),
            None if operation == Operation::Seal => {
                Ok(self.made(math::tag(&key, &nonce, &aad, &data)))
            }
            _ => Ok([0; 16]),
        }
    }

    /// Checks in the order of the statuses' codes.
    fn check(&self, words: &Words) -> Result<(Operation, [u8; 32]), JobStatus> {
        let operation = Operation::try_from(control::OPERATION.of(words.control()));
        let available = |operation: &Operation| self.operations() >> *operation as u32 & 1 == 1;
        let operation = operation.ok().filter(available).ok_or(JobStatus::BadOperation)?;
        if words.extended_nonce() && !self.aead() {
            return Err(JobStatus::BadOperation);
        }
        if words.has_unused(operation) {
            return Err(JobStatus::BadDescriptor);
        }
        let slot = self.keys.get(control::KEY_SLOT.of(words.control()) as usize);
        let one_time = operation == Operation::Mac;
        let slot = slot.filter(|slot| slot.words == 8 && slot.one_time == one_time);
        let slot = slot.ok_or(JobStatus::BadKeySlot)?;
        let used = [
            (operation != Operation::Keystream, layout::SOURCE_LOW),
            (operation != Operation::Mac, layout::DESTINATION_LOW),
            (words.at(layout::AAD_LENGTH) > 0, layout::AAD_LOW),
        ];
        let odd = |low: u32| !words.address(low).is_multiple_of(DATA_BYTES.into());
        if !self.config.any_alignment && used.into_iter().any(|(used, low)| used && odd(low)) {
            return Err(JobStatus::BadAlignment);
        }
        if u64::from(words.at(layout::COUNTER)) + words.blocks() > 1 << 32 {
            return Err(JobStatus::BadCounter);
        }
        Ok((operation, slot.key))
    }

    /// A tag that this device made.
    fn made(&self, mut tag: [u8; 16]) -> [u8; 16] {
        tag[0] ^= u8::from(self.config.faults.contains(&Fault::WrongTags));
        tag
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

    /// The same, for data: where there is none its address does not matter.
    fn place(&self, address: u64, bytes: usize) -> Option<usize> {
        if bytes == 0 { Some(0) } else { self.offset(address, bytes) }
    }

    fn load(&self, address: u64, bytes: usize) -> Result<Vec<u8>, JobStatus> {
        let at = self.place(address, bytes).ok_or(JobStatus::ReadError)?;
        Ok(self.bus_view[at..at + bytes].to_vec())
    }

    fn store(&mut self, address: u64, bytes: &[u8]) {
        match self.offset(address, bytes.len()) {
            Some(at) => self.bus_view[at..at + bytes.len()].copy_from_slice(bytes),
            None => self.interrupt_status |= 2,
        }
    }
}
