// SPDX-License-Identifier: Apache-2.0
//! A job as the device reads it from the ring, and how it ended.

use std::fmt;

use thiserror::Error;

use crate::registers::saltmill_descriptor::{self as layout, JobStatus};

/// Bytes in a descriptor.
pub const DESCRIPTOR_BYTES: usize = layout::SIZE as usize;
/// Where the device writes the status of a job inside its descriptor.
pub const STATUS_OFFSET: usize = layout::STATUS as usize;
/// Where the device writes the tag of a job inside its descriptor.
pub const TAG_OFFSET: usize = layout::TAG as usize;

/// Size of an AES key (FIPS 197).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeySize {
    /// 16 bytes.
    #[default]
    Bits128 = layout::KeySize::Key128 as isize,
    /// 24 bytes.
    Bits192 = layout::KeySize::Key192 as isize,
    /// 32 bytes.
    Bits256 = layout::KeySize::Key256 as isize,
}

impl KeySize {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Bits128, Self::Bits192, Self::Bits256];

    /// Bytes in such a key.
    pub fn bytes(self) -> usize {
        match self {
            Self::Bits128 => 16,
            Self::Bits192 => 24,
            Self::Bits256 => 32,
        }
    }

    /// The size of a key of so many bytes; none if they are not 16, 24 or 32.
    pub fn of_bytes(bytes: usize) -> Option<Self> {
        Self::ALL.into_iter().find(|size| size.bytes() == bytes)
    }
}

impl fmt::Display for KeySize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", 8 * self.bytes())
    }
}

/// What a job does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Operation {
    /// Destination = source XOR keystream, of ChaCha20 (RFC 8439, 2.4) or of AES in CTR mode (SP
    /// 800-38A, 6.5): encrypts and decrypts.
    #[default]
    XorStream = layout::Operation::XorStream as isize,
    /// Destination = keystream. No source is read.
    Keystream = layout::Operation::Keystream as isize,
    /// Tag = Poly1305 of the source (RFC 8439, 2.5), under a key of
    /// [`set_one_time_key`](crate::Accelerator::set_one_time_key). Nothing is written but the tag.
    Mac = layout::Operation::Mac as isize,
    /// ChaCha20-Poly1305 (RFC 8439, 2.8), or with a nonce of 24 bytes XChaCha20-Poly1305
    /// (draft-irtf-cfrg-xchacha-03), or AES-GCM (SP 800-38D): destination = the source, encrypted;
    /// tag = that of the destination and the additional data.
    Seal = layout::Operation::Seal as isize,
    /// The reverse: destination = the source, decrypted, if the tag is that of the source and
    /// the additional data; otherwise the job fails and the driver clears the destination.
    Open = layout::Operation::Open as isize,
    /// AES in ECB mode (SP 800-38A, 6.1): each block of 16 bytes alone. Whole blocks only.
    EcbEncrypt = layout::Operation::EcbEncrypt as isize,
    /// The reverse.
    EcbDecrypt = layout::Operation::EcbDecrypt as isize,
    /// AES in CBC mode (SP 800-38A, 6.2), its initialisation vector as [`Nonce::Block`]. Whole
    /// blocks only.
    CbcEncrypt = layout::Operation::CbcEncrypt as isize,
    /// The reverse.
    CbcDecrypt = layout::Operation::CbcDecrypt as isize,
    /// Destination = digest of the source, which may be empty. No key; the destination is as long
    /// as the [digest](crate::Description::digest_bytes).
    Digest = layout::Operation::Digest as isize,
    /// Destination = chaining value of SHA-256 after the source, a part of a message that is not
    /// its last: whole blocks of 64 bytes, at least one. It is [`Request::iv`](crate::Request::iv)
    /// of the next part. No key; the destination is as long as that of [`Digest`](Self::Digest).
    DigestPart = layout::Operation::DigestPart as isize,
    /// Destination = HMAC-SHA-256 (RFC 2104) of the source, which may be empty, or the last part of
    /// a message; as long as a [digest](crate::Description::digest_bytes).
    Hmac = layout::Operation::Hmac as isize,
    /// Destination = chaining value after the key's block and the source, the first part of a
    /// message that has more: whole blocks of 64 bytes, at least one. The next parts are
    /// [`DigestPart`](Self::DigestPart), the last one is [`Hmac`](Self::Hmac), and the key's block
    /// is one of [`blocks_before`](crate::Request::blocks_before).
    HmacPart = layout::Operation::HmacPart as isize,
}

impl Operation {
    /// All of them, in the order of their codes.
    #[cfg(feature = "conformance")]
    pub(crate) const ALL: [Self; 13] = [
        Self::XorStream,
        Self::Keystream,
        Self::Mac,
        Self::Seal,
        Self::Open,
        Self::EcbEncrypt,
        Self::EcbDecrypt,
        Self::CbcEncrypt,
        Self::CbcDecrypt,
        Self::Digest,
        Self::DigestPart,
        Self::Hmac,
        Self::HmacPart,
    ];
}

/// A nonce. It must be another one for each message under the same key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nonce {
    /// 12 bytes: of ChaCha20 (RFC 8439, 2.3), or the initialisation vector of AES-GCM (SP 800-38D,
    /// 5.2.1.1).
    Short([u8; 12]),
    /// 24 bytes: XChaCha20 (draft-irtf-cfrg-xchacha-03, 2.3). Not in every device.
    Extended([u8; 24]),
    /// 16 bytes of AES: in CTR mode the first counter block, a number with its highest byte first,
    /// as OpenSSL takes it (SP 800-38A, 6.5 and B.1); in CBC mode the initialisation vector (6.2).
    Block([u8; 16]),
}

impl Nonce {
    /// The first half of an extended nonce, otherwise zeros; and the last, or the only, 12 bytes.
    pub(crate) fn halves(self) -> ([u8; 12], [u8; 12]) {
        match self {
            Self::Short(nonce) => ([0; 12], nonce),
            Self::Extended(nonce) => {
                let half = |from| std::array::from_fn(|i| nonce[from + i]);
                (half(0), half(12))
            }
            Self::Block(block) => ([0; 12], std::array::from_fn(|i| block[4 + i])),
        }
    }

    /// The first four bytes of a block, which stand in the place of the counter.
    pub(crate) fn in_counter(self) -> Option<u32> {
        match self {
            Self::Short(_) | Self::Extended(_) => None,
            Self::Block(block) => Some(u32::from_le_bytes(std::array::from_fn(|i| block[i]))),
        }
    }
}

impl Default for Nonce {
    fn default() -> Self {
        Self::Short([0; 12])
    }
}

impl From<[u8; 12]> for Nonce {
    fn from(bytes: [u8; 12]) -> Self {
        Self::Short(bytes)
    }
}

impl From<[u8; 24]> for Nonce {
    fn from(bytes: [u8; 24]) -> Self {
        Self::Extended(bytes)
    }
}

impl From<[u8; 16]> for Nonce {
    fn from(bytes: [u8; 16]) -> Self {
        Self::Block(bytes)
    }
}

/// A descriptor, field by field, as it is: nothing in it is checked on the host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Descriptor {
    /// Code of the operation.
    pub operation: u8,
    /// Key slot.
    pub key_slot: u8,
    /// Raise the interrupt when this job is done, whatever the coalescing.
    pub interrupt: bool,
    /// The nonce has 24 bytes.
    pub extended_nonce: bool,
    /// Code of the size of an AES key, 2 bits; otherwise must be 0.
    pub key_size: u8,
    /// Bytes of an AES-GCM tag that open compares, 5 bits: 4, 8 or 12 to 16, 0 for all 16;
    /// otherwise must be 0.
    pub tag_bytes: u8,
    /// Only the last 32 bits of an AES counter block count; otherwise must be 0.
    pub short_counter: bool,
    /// Bits 31:26 of the control word: must be 0.
    pub reserved: u8,
    /// Bytes of data.
    pub length: u32,
    /// Bus address of the source.
    pub source: u64,
    /// Bus address of the destination.
    pub destination: u64,
    /// Counter of the first block; of AES in CTR and CBC mode bytes 0 to 3 of the counter block or
    /// initialisation vector, byte 0 lowest.
    pub counter: u32,
    /// The nonce, or the last 12 bytes of an extended one; of AES in CTR and CBC mode bytes 4 to 15
    /// of the counter block or initialisation vector.
    pub nonce: [u8; 12],
    /// The first 12 bytes of an extended nonce. Of AES-GCM: bytes of an initialisation vector that
    /// is not in `nonce`, 4 bytes, and its bus address, 8 bytes, both little-endian. Otherwise must
    /// be 0.
    pub nonce_first: [u8; 12],
    /// Bytes of additional data; must be 0 but for seal and open.
    pub aad_length: u32,
    /// Bus address of the additional data.
    pub aad: u64,
    /// The tag that open expects; otherwise not looked at.
    pub tag: [u8; 16],
}

impl Descriptor {
    /// The descriptor as it stands in memory, with status "pending".
    pub fn to_bytes(&self) -> [u8; DESCRIPTOR_BYTES] {
        let control = layout::control::OPERATION.with(self.operation.into())
            | layout::control::KEY_SLOT.with(self.key_slot.into())
            | layout::control::INTERRUPT.with(self.interrupt.into())
            | layout::control::EXTENDED_NONCE.with(self.extended_nonce.into())
            | layout::control::KEY_SIZE.with(self.key_size.into())
            | layout::control::TAG_BYTES.with(self.tag_bytes.into())
            | layout::control::SHORT_COUNTER.with(self.short_counter.into())
            | layout::control::RESERVED.with(self.reserved.into());
        let mut bytes = [0; DESCRIPTOR_BYTES];
        let mut put = |offset: u32, field: &[u8]| {
            bytes[offset as usize..][..field.len()].copy_from_slice(field);
        };
        put(layout::CONTROL, &control.to_le_bytes());
        put(layout::LENGTH, &self.length.to_le_bytes());
        put(layout::SOURCE_LOW, &self.source.to_le_bytes());
        put(layout::DESTINATION_LOW, &self.destination.to_le_bytes());
        put(layout::COUNTER, &self.counter.to_le_bytes());
        put(layout::NONCE, &self.nonce);
        put(layout::NONCE_FIRST, &self.nonce_first);
        put(layout::AAD_LENGTH, &self.aad_length.to_le_bytes());
        put(layout::AAD_LOW, &self.aad.to_le_bytes());
        put(layout::TAG, &self.tag);
        bytes
    }
}

/// Why a job failed. The ring goes on after it.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum JobError {
    /// The operation is unknown or not in this device.
    #[error("the device does not have this operation")]
    BadOperation,
    /// A field that is reserved, or that the operation does not use, was not zero.
    #[error("a field of the descriptor that the operation does not use is not zero")]
    BadDescriptor,
    /// The slot does not exist, or holds no key of this size for this operation.
    #[error("the key slot does not exist or holds no key of this size for this operation")]
    BadKeySlot,
    /// An address is not a multiple of the memory port's width, and the device needs that.
    #[error("an address is not aligned to the device's memory port")]
    BadAlignment,
    /// The block counter would pass 2^32 blocks (RFC 8439, 2.4; also AES with a short counter).
    #[error("the block counter would pass 2^32 blocks")]
    BadCounter,
    /// ECB and CBC are for whole blocks; an initialisation vector of AES-GCM that has 12 bytes is
    /// the nonce; a tag has 4, 8 or 12 to 16 bytes.
    #[error("the length is none that the operation has")]
    BadLength,
    /// What the job reads or writes goes past the last address of the device's memory port.
    #[error("an address is past the last one that the device has")]
    BadAddress,
    /// Bus error while the descriptor was read.
    #[error("bus error while the descriptor was read")]
    Fetch,
    /// Bus error while the source, the additional data or the initialisation vector was read.
    #[error("bus error while the source was read")]
    Read,
    /// Bus error while the destination was written.
    #[error("bus error while the destination was written")]
    Write,
    /// The tag is not that of the source and the additional data: one of them, the key or the nonce
    /// is not what it was when they were sealed.
    #[error("the tag does not match")]
    TagMismatch,
    /// The device finished the job but its status did not reach memory.
    #[error("the device finished the job without a status")]
    StatusLost,
    /// A status that this driver does not know.
    #[error("the device gave the unknown status {0}")]
    Unknown(u32),
}

/// The outcome that a status word stands for.
pub(crate) fn outcome(status: u32) -> Result<(), JobError> {
    Err(match JobStatus::try_from(status) {
        Ok(JobStatus::Ok) => return Ok(()),
        Ok(JobStatus::Pending) => JobError::StatusLost,
        Ok(JobStatus::BadOperation) => JobError::BadOperation,
        Ok(JobStatus::BadDescriptor) => JobError::BadDescriptor,
        Ok(JobStatus::BadKeySlot) => JobError::BadKeySlot,
        Ok(JobStatus::BadAlignment) => JobError::BadAlignment,
        Ok(JobStatus::BadCounter) => JobError::BadCounter,
        Ok(JobStatus::BadLength) => JobError::BadLength,
        Ok(JobStatus::BadAddress) => JobError::BadAddress,
        Ok(JobStatus::FetchError) => JobError::Fetch,
        Ok(JobStatus::ReadError) => JobError::Read,
        Ok(JobStatus::WriteError) => JobError::Write,
        Ok(JobStatus::TagMismatch) => JobError::TagMismatch,
        Err(other) => JobError::Unknown(other),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_where_the_register_description_says() {
        let descriptor = Descriptor {
            operation: 0x01,
            key_slot: 0x02,
            interrupt: true,
            extended_nonce: true,
            key_size: 3,
            tag_bytes: 0x1F,
            short_counter: true,
            reserved: 0x3F,
            length: 0x1413_1211,
            source: 0x2827_2625_2423_2221,
            destination: 0x3837_3635_3433_3231,
            counter: 0x4443_4241,
            nonce: *b"twelve bytes",
            nonce_first: *b"and a dozen!",
            aad_length: 0x5453_5251,
            aad: 0x6867_6665_6463_6261,
            tag: *b"a tag of sixteen",
        };
        let bytes = descriptor.to_bytes();
        assert_eq!(bytes[..8], [0x01, 0x02, 0xFF, 0xFF, 0x11, 0x12, 0x13, 0x14]);
        assert_eq!(bytes[8..16], [0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27, 0x28]);
        assert_eq!(bytes[16..24], [0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38]);
        assert_eq!(bytes[24..28], [0x41, 0x42, 0x43, 0x44]);
        assert_eq!(&bytes[28..40], b"twelve bytes");
        assert_eq!(&bytes[40..52], b"and a dozen!");
        assert_eq!(bytes[52..56], [0x51, 0x52, 0x53, 0x54]);
        assert_eq!(bytes[56..64], [0x61, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68]);
        assert_eq!(&bytes[64..80], b"a tag of sixteen");
        assert_eq!(bytes[80..], [0; 48]);
    }

    #[test]
    fn fields_of_aes_are_where_the_register_description_says() {
        let control = |descriptor: Descriptor| {
            let bytes = descriptor.to_bytes();
            u32::from_le_bytes(std::array::from_fn(|i| bytes[i]))
        };
        let only = Descriptor::default();
        assert_eq!(control(Descriptor { key_size: 2, ..only.clone() }), 2 << 18);
        assert_eq!(control(Descriptor { tag_bytes: 16, ..only.clone() }), 16 << 20);
        assert_eq!(control(Descriptor { short_counter: true, ..only.clone() }), 1 << 25);
        assert_eq!(control(Descriptor { reserved: 1, ..only }), 1 << 26);
    }

    #[test]
    fn sizes_of_keys() {
        assert_eq!(KeySize::ALL.map(|size| size as u32), [0, 1, 2]);
        let known = (0..40).filter_map(KeySize::of_bytes).map(|size| size.to_string());
        assert_eq!(known.collect::<Vec<_>>(), ["128", "192", "256"]);
    }

    #[test]
    fn every_status_has_a_meaning() {
        assert_eq!(outcome(1), Ok(()));
        assert_eq!(outcome(0), Err(JobError::StatusLost));
        assert_eq!(outcome(13), Err(JobError::Unknown(13)));
        let known: Vec<_> = (2..13).map(outcome).collect();
        assert!(known.iter().all(|o| !matches!(o, Ok(()) | Err(JobError::Unknown(_)))));
    }
}
