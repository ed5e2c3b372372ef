// SPDX-License-Identifier: Apache-2.0
//! How the mock looks at a descriptor, and what it refuses.

use super::{
    DATA_BYTES, MockDevice,
    core::{Facts, is_in},
};
use crate::registers::{
    Field, key_use,
    saltmill_descriptor::{self as layout, JobStatus, Operation, control},
};

/// Words of a descriptor that a device reads: up to the status. Without tags, those of the tag are
/// not read either.
const WORDS: usize = layout::STATUS as usize / 4;

/// A descriptor as the device reads it.
pub(super) struct Words([u32; WORDS]);

/// Part of the memory that a job reads or writes.
#[derive(Clone, Copy)]
pub(super) struct Part {
    pub(super) address: u64,
    pub(super) bytes: u32,
}

impl Part {
    fn is_odd(self) -> bool {
        !self.address.is_multiple_of(DATA_BYTES.into())
    }

    fn ends_past(self, address_bits: u8) -> bool {
        self.bytes > 0 && u128::from(self.address) + u128::from(self.bytes) > 1 << address_bits
    }
}

impl Words {
    pub(super) fn new(bytes: &[u8], facts: &Facts) -> Self {
        let read = if facts.aead == 0 { layout::TAG } else { layout::STATUS };
        let words = bytes[..read as usize].as_chunks::<4>().0;
        Self(std::array::from_fn(|i| words.get(i).map_or(0, |word| u32::from_le_bytes(*word))))
    }

    pub(super) fn at(&self, offset: u32) -> u32 {
        self.0[offset as usize / 4]
    }

    pub(super) fn control(&self, field: Field) -> u32 {
        field.of(self.at(layout::CONTROL))
    }

    pub(super) fn is_set(&self, flag: Field) -> bool {
        self.control(flag) != 0
    }

    pub(super) fn bytes<const N: usize>(&self, offset: u32) -> [u8; N] {
        std::array::from_fn(|i| self.at(offset + i as u32).to_le_bytes()[i % 4])
    }

    pub(super) fn tag(&self) -> [u8; 16] {
        self.bytes(layout::TAG)
    }

    fn part(&self, low: u32, bytes: u32) -> Part {
        Part { address: u64::from(self.at(low)) | u64::from(self.at(low + 4)) << 32, bytes }
    }

    pub(super) fn source(&self) -> Part {
        self.part(layout::SOURCE_LOW, self.at(layout::LENGTH))
    }

    /// As long as the source, or as a digest.
    pub(super) fn destination(&self, operation: Operation, facts: &Facts) -> Part {
        let digest = operation == Operation::Digest;
        let bytes = if digest { facts.digest_bytes } else { self.at(layout::LENGTH) };
        self.part(layout::DESTINATION_LOW, bytes)
    }

    pub(super) fn aad(&self) -> Part {
        self.part(layout::AAD_LOW, self.at(layout::AAD_LENGTH))
    }

    /// With an extended nonce there is no initialisation vector in memory.
    pub(super) fn iv(&self, facts: &Facts) -> Part {
        let there = facts.ivs != 0;
        self.part(layout::IV_ADDRESS_LOW, if there { self.at(layout::IV_BYTES) } else { 0 })
    }

    /// All parts of the memory that the operation has to do with.
    fn parts(&self, operation: Operation, facts: &Facts) -> impl Iterator<Item = Part> {
        let source = (!is_in(facts.sourceless, operation)).then(|| self.source());
        let destination = !is_in(facts.one_time, operation);
        let destination = destination.then(|| self.destination(operation, facts));
        let others = [self.aad(), self.iv(facts)].into_iter().filter(|part| part.bytes > 0);
        [source, destination].into_iter().flatten().chain(others)
    }

    /// A reserved bit, or a field that the operation does not use, is not 0.
    fn is_misused(&self, operation: Operation, facts: &Facts) -> bool {
        let may = |mask| is_in(mask, operation);
        let (extended, keyless) = (self.is_set(control::EXTENDED_NONCE), may(facts.keyless));
        let nonce_first: [u8; 12] = self.bytes(layout::NONCE_FIRST);
        let unused = [
            (self.is_set(control::RESERVED), false),
            (self.at(layout::COUNTER) != 0, may(facts.counters)),
            (extended, may(facts.extended_nonces)),
            (nonce_first != [0; 12], extended || may(facts.ivs)),
            (self.at(layout::AAD_LENGTH) != 0, may(facts.aead)),
            (self.is_set(control::KEY_SIZE), facts.key_sizes != 0 && !keyless),
            (self.is_set(control::KEY_SLOT), !keyless),
            (self.is_set(control::TAG_BYTES), may(facts.tag_lengths)),
            (self.is_set(control::SHORT_COUNTER), may(facts.short_counters)),
        ];
        unused.into_iter().any(|(found, allowed)| found && !allowed)
    }

    /// A counter of 32 bits would wrap (RFC 8439, 2.4; SP 800-38A, B.2).
    fn counter_wraps(&self, operation: Operation, facts: &Facts) -> bool {
        let short = is_in(facts.short_counters, operation) && self.is_set(control::SHORT_COUNTER);
        let first = if short {
            u32::from_be_bytes(self.bytes(layout::NONCE + 8))
        } else {
            self.at(layout::COUNTER)
        };
        let blocks = self.at(layout::LENGTH).div_ceil(facts.block_bytes);
        let counts = short || is_in(facts.block_counters, operation);
        counts && u64::from(first) + u64::from(blocks) > 1 << 32
    }

    /// A length that the operation does not have.
    fn has_bad_length(&self, operation: Operation, facts: &Facts) -> bool {
        let part_of_a_block = !self.at(layout::LENGTH).is_multiple_of(16);
        let tag = matches!(self.control(control::TAG_BYTES), 0 | 4 | 8 | 12..=16);
        (is_in(facts.whole_blocks, operation) && part_of_a_block)
            || (is_in(facts.ivs, operation) && self.iv(facts).bytes == 12)
            || (is_in(facts.tag_lengths, operation) && !tag)
    }
}

impl MockDevice {
    /// Checks a descriptor in the order that the hardware has; gives the operation and its key.
    pub(super) fn check(&self, words: &Words) -> Result<(Operation, [u8; 32]), JobStatus> {
        let facts = self.config.core.facts();
        let operation = Operation::try_from(words.control(control::OPERATION));
        let operation = operation.ok().filter(|operation| is_in(facts.operations, *operation));
        let operation = operation.ok_or(JobStatus::BadOperation)?;
        let size = words.control(control::KEY_SIZE);
        if (words.is_set(control::EXTENDED_NONCE) && facts.extended_nonces == 0)
            || (facts.key_sizes != 0 && facts.key_sizes >> size & 1 == 0)
        {
            return Err(JobStatus::BadOperation);
        }
        if words.is_misused(operation, &facts) {
            return Err(JobStatus::BadDescriptor);
        }
        let key = self.key(words, operation, &facts).ok_or(JobStatus::BadKeySlot)?;
        let mut parts = words.parts(operation, &facts);
        if !self.config.any_alignment && parts.any(Part::is_odd) {
            return Err(JobStatus::BadAlignment);
        }
        if words.counter_wraps(operation, &facts) {
            return Err(JobStatus::BadCounter);
        }
        if words.has_bad_length(operation, &facts) {
            return Err(JobStatus::BadLength);
        }
        let address_bits = self.config.address_bits;
        if words.parts(operation, &facts).any(|part| part.ends_past(address_bits)) {
            return Err(JobStatus::BadAddress);
        }
        Ok((operation, key))
    }

    /// The key of the slot, if it is whole and for this use; zeros if the operation needs none.
    fn key(&self, words: &Words, operation: Operation, facts: &Facts) -> Option<[u8; 32]> {
        if is_in(facts.keyless, operation) {
            return Some([0; 32]);
        }
        let one_time = is_in(facts.one_time, operation);
        let wanted = key_use::SIZE.with(words.control(control::KEY_SIZE))
            | key_use::ONE_TIME.with(one_time.into());
        let slot = self.keys.get(words.control(control::KEY_SLOT) as usize)?;
        (slot.words == 8 && slot.key_use == wanted).then_some(slot.key)
    }
}
