// SPDX-License-Identifier: Apache-2.0
//! What the caller asks of the device, and what comes back.

use std::ops::Range;

use crate::{
    Descriptor, JobError, KeySize, Nonce, Operation, RequestError,
    registers::saltmill_descriptor as layout,
};

/// A job for the device; its ranges count from the first byte of the device's memory. What an
/// operation does not use stays as in [`Request::default`], or the device refuses the job.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// What to do.
    pub operation: Operation,
    /// Slot that holds the key; for [`Operation::Mac`] a one-time key. Not used by an operation
    /// that [needs no key](crate::Description::needs_key).
    pub key_slot: u8,
    /// Size of the key, if it is one of AES. The slot must hold a key of this size.
    pub key_size: KeySize,
    /// Nonce; not used by [`Operation::Mac`] and ECB. AES in CTR and CBC mode takes
    /// [`Nonce::Block`].
    pub nonce: Nonce,
    /// An initialisation vector of AES-GCM that has not 12 bytes (SP 800-38D, 5.2.1.2), in place of
    /// the nonce; empty if there is none. Of a part of a message that is not its first, the
    /// chaining value after the part before: wait for that one's [`Completion`] first.
    pub iv: Range<usize>,
    /// Of [`Operation::Digest`] and [`Operation::Hmac`], of the last part of a message: the blocks
    /// of 64 bytes in the parts before, at most 2^55 - 1; for [`Operation::Hmac`] one more.
    pub blocks_before: u64,
    /// Counter of the first block: of [`Operation::XorStream`] and [`Operation::Keystream`] with
    /// ChaCha20 only.
    pub counter: u32,
    /// Of [`Operation::XorStream`] and [`Operation::Keystream`] with AES: only the last 32 bits of
    /// the counter block count, as in GCM (SP 800-38D, 6.2), and the job must not pass 2^32 blocks.
    /// If not, all 128 do.
    pub short_counter: bool,
    /// What to read; as long as `destination`, but for digests. Not used by
    /// [`Operation::Keystream`].
    pub source: Range<usize>,
    /// What to write; may be the source. Not used by [`Operation::Mac`]. Of digests and their parts
    /// as long as [the digest](crate::Description::digest_bytes).
    pub destination: Range<usize>,
    /// Additional data, which the tag covers too: of [`Operation::Seal`] and [`Operation::Open`]
    /// only.
    pub additional_data: Range<usize>,
    /// The tag that [`Operation::Open`] expects.
    pub tag: [u8; 16],
    /// How many bytes of it AES-GCM compares, from its first on: 4, 8 or 12 to 16 (SP 800-38D,
    /// 5.2.1.2); 0: all 16. The shorter, the easier to forge (appendix C).
    pub tag_bytes: u8,
}

/// A finished job: jobs finish in the order in which they were submitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The number that [`Accelerator::submit`](crate::Accelerator::submit) gave the job.
    pub job: u64,
    /// How it ended.
    pub outcome: Result<(), JobError>,
    /// The tag that [`Operation::Mac`] or [`Operation::Seal`] made, if it ended well.
    pub tag: Option<[u8; 16]>,
}

impl Request {
    pub(crate) fn reads(&self) -> bool {
        self.operation != Operation::Keystream
    }

    /// The result has a length of its own.
    pub(crate) fn digests(&self) -> bool {
        matches!(
            self.operation,
            Operation::Digest | Operation::DigestPart | Operation::Hmac | Operation::HmacPart
        )
    }

    pub(crate) fn writes(&self) -> bool {
        self.operation != Operation::Mac
    }

    /// All memory that the job has to do with; source and destination next to each other.
    pub(crate) fn ranges(&self) -> impl Iterator<Item = &Range<usize>> {
        let source = self.reads().then_some(&self.source);
        let destination = self.writes().then_some(&self.destination);
        let parts = [Some(&self.additional_data), Some(&self.iv)];
        [source, destination].into_iter().chain(parts).flatten()
    }

    /// The request as the device is told, with its memory at this bus address, or why it can't be
    /// told: what its descriptor has no room for.
    pub(crate) fn descriptor(&self, bus_address: u64) -> Result<Descriptor, RequestError> {
        let bus = |range: &Range<usize>, used| {
            if used { bus_address + range.start as u64 } else { 0 }
        };
        let (reads, writes) = (self.reads(), self.writes());
        let data = if reads { &self.source } else { &self.destination };
        let length = u32::try_from(data.len()).ok();
        let any_length = !writes || self.digests();
        let Some(length) = length.filter(|_| any_length || data.len() == self.destination.len())
        else {
            let (source_bytes, destination_bytes) = (self.source.len(), self.destination.len());
            return Err(RequestError::Lengths { source_bytes, destination_bytes });
        };
        let short = |range: &Range<usize>| {
            u32::try_from(range.len()).map_err(|_| RequestError::TooLong(range.len()))
        };
        let (aad_length, iv_length) = (short(&self.additional_data)?, short(&self.iv)?);
        self.check_tag_bytes()?;
        self.check_block_counter(length)?;
        let (mut nonce_first, mut nonce) = self.nonce.halves();
        if iv_length > 0 {
            if matches!(self.nonce, Nonce::Extended(_)) {
                return Err(RequestError::TwoNonces);
            }
            let mut put = |offset: u32, field: &[u8]| {
                let at = (offset - layout::NONCE_FIRST) as usize;
                nonce_first[at..][..field.len()].copy_from_slice(field);
            };
            put(layout::IV_BYTES, &iv_length.to_le_bytes());
            put(layout::IV_ADDRESS_LOW, &bus(&self.iv, true).to_le_bytes());
        }
        let counter = match self.nonce.in_counter() {
            Some(_) if self.counter != 0 => return Err(RequestError::TwoCounters),
            Some(counter) => counter,
            None if self.blocks_before > 0 => self.put_blocks_before(&mut nonce)?,
            None => self.counter,
        };
        Ok(Descriptor {
            operation: self.operation as u8,
            key_slot: self.key_slot,
            extended_nonce: matches!(self.nonce, Nonce::Extended(_)),
            key_size: self.key_size as u8,
            tag_bytes: self.tag_bytes,
            short_counter: self.short_counter,
            length,
            source: bus(&self.source, reads),
            destination: bus(&self.destination, writes),
            counter,
            nonce,
            nonce_first,
            aad_length,
            aad: bus(&self.additional_data, aad_length > 0),
            tag: self.tag,
            ..Descriptor::default()
        })
    }

    /// The upper bits stand in the nonce; gives the lower ones.
    fn put_blocks_before(&self, nonce: &mut [u8; 12]) -> Result<u32, RequestError> {
        let last = matches!(self.operation, Operation::Digest | Operation::Hmac);
        if !last || self.blocks_before >> 55 != 0 {
            return Err(RequestError::BlocksBefore(self.blocks_before));
        }
        if self.counter != 0 || *nonce != [0; 12] {
            return Err(RequestError::TwoCounters);
        }
        let (low, high) = (self.blocks_before as u32, (self.blocks_before >> 32) as u32);
        nonce[..4].copy_from_slice(&high.to_le_bytes());
        Ok(low)
    }

    fn check_tag_bytes(&self) -> Result<(), RequestError> {
        match self.tag_bytes {
            0 | 4 | 8 | 12..=16 => Ok(()),
            other => Err(RequestError::TagBytes(other)),
        }
    }

    /// A counter of 32 bits must not wrap: the keystream would repeat.
    fn check_block_counter(&self, length: u32) -> Result<(), RequestError> {
        let (first, block) = match self.nonce {
            Nonce::Block(block) if self.short_counter => {
                (u32::from_be_bytes(std::array::from_fn(|i| block[12 + i])), 16)
            }
            _ if self.digests() => return Ok(()),
            Nonce::Block(_) => return Ok(()),
            Nonce::Short(_) | Nonce::Extended(_) => (self.counter, 64),
        };
        if u64::from(first) + u64::from(length.div_ceil(block)) > 1 << 32 {
            return Err(RequestError::CounterWraps);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// SP 800-38A, F.5: byte 0 of the counter block is byte 0 of the descriptor's counter.
    #[test]
    fn a_block_lies_in_counter_and_nonce() {
        let block: [u8; 16] = std::array::from_fn(|i| 0xF0 + i as u8);
        let request = Request { nonce: block.into(), ..Request::default() };
        let bytes = request.descriptor(0).unwrap().to_bytes();
        assert_eq!(bytes[0x18..0x28], block);
        assert_eq!(bytes[0x28..0x34], [0; 12]);
        let twice = Request { counter: 1, ..request };
        assert_eq!(twice.descriptor(0).unwrap_err(), RequestError::TwoCounters);
    }

    #[test]
    fn an_initialisation_vector_is_told_by_length_and_address() {
        let request = Request { iv: 0x40..0x45, ..Request::default() };
        let bytes = request.descriptor(0x1_0000_0000).unwrap().to_bytes();
        assert_eq!(bytes[0x28..0x34], [5, 0, 0, 0, 0x40, 0, 0, 0, 1, 0, 0, 0]);
        assert!(request.ranges().any(|range| *range == (0x40..0x45)));
        let both = Request { nonce: [1; 24].into(), ..request };
        assert_eq!(both.descriptor(0).unwrap_err(), RequestError::TwoNonces);
    }

    #[test]
    fn blocks_before_the_last_part_lie_in_counter_and_nonce() {
        let last = Request {
            operation: Operation::Digest,
            blocks_before: 0x7F_0102_0304_0506,
            ..Request::default()
        };
        let bytes = last.descriptor(0).unwrap().to_bytes();
        assert_eq!(bytes[0x18..0x20], [6, 5, 4, 3, 2, 1, 0x7F, 0]);
        let part = Request { operation: Operation::DigestPart, ..last.clone() };
        let refused = RequestError::BlocksBefore(part.blocks_before);
        assert_eq!(part.descriptor(0).unwrap_err(), refused);
        let long = Request { blocks_before: 1 << 55, ..last.clone() };
        assert_eq!(long.descriptor(0).unwrap_err(), RequestError::BlocksBefore(1 << 55));
        let twice = Request { counter: 1, ..last };
        assert_eq!(twice.descriptor(0).unwrap_err(), RequestError::TwoCounters);
    }

    #[test]
    fn tags_have_the_lengths_of_sp_800_38d() {
        let request = |tag_bytes| Request { tag_bytes, ..Request::default() }.descriptor(0);
        let good: Vec<_> = (0..=255).filter(|bytes| request(*bytes).is_ok()).collect();
        assert_eq!(good, [0, 4, 8, 12, 13, 14, 15, 16]);
        assert_eq!(request(16).unwrap().tag_bytes, 16);
        assert_eq!(request(5).unwrap_err(), RequestError::TagBytes(5));
    }

    /// RFC 8439, 2.4, and the same for AES where only 32 bits count.
    #[test]
    fn a_counter_of_32_bits_does_not_wrap() {
        let told = |nonce: Nonce, counter, short_counter, bytes: usize| {
            let (source, destination) = (0..bytes, 0..bytes);
            let request = Request {
                nonce,
                counter,
                short_counter,
                source,
                destination,
                ..Request::default()
            };
            request.descriptor(0).map(|_| ())
        };
        let refused = Err(RequestError::CounterWraps);
        for nonce in [Nonce::Short([1; 12]), Nonce::Extended([1; 24])] {
            assert_eq!(told(nonce, u32::MAX, false, 64), Ok(()));
            assert_eq!(told(nonce, u32::MAX, false, 65), refused);
            assert_eq!(told(nonce, u32::MAX - 1, false, 129), refused);
        }
        let block = Nonce::Block([0xFF; 16]);
        assert_eq!(told(block, 0, true, 16), Ok(()));
        assert_eq!(told(block, 0, true, 17), refused);
        assert_eq!(told(block, 0, false, 17), Ok(()));
        let mut last_but_one = [0xFF; 16];
        last_but_one[15] = 0xFE;
        assert_eq!(told(last_but_one.into(), 0, true, 32), Ok(()));
        assert_eq!(told(last_but_one.into(), 0, true, 33), refused);
        // What is before the last 32 bits does not count.
        let mut carries = [0xFF; 16];
        carries[12..].fill(0);
        assert_eq!(told(carries.into(), 0, true, 1000), Ok(()));
    }
}
