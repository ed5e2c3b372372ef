// SPDX-License-Identifier: Apache-2.0
//! A job as the device reads it from the ring, and how it ended.

use thiserror::Error;

use crate::registers::saltmill_descriptor::{self as layout, JobStatus};

/// Bytes in a descriptor.
pub const DESCRIPTOR_BYTES: usize = 128;
/// Where the device writes the status of a job inside its descriptor.
pub const STATUS_OFFSET: usize = layout::STATUS as usize;
/// Where the device writes the tag of a job inside its descriptor.
pub const TAG_OFFSET: usize = layout::TAG as usize;

/// What a job does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Operation {
    /// Destination = source XOR keystream: encrypts and decrypts.
    #[default]
    XorStream = layout::Operation::XorStream as isize,
    /// Destination = keystream. No source is read.
    Keystream = layout::Operation::Keystream as isize,
    /// Tag = Poly1305 of the source (RFC 8439, 2.5), under a key of
    /// [`set_one_time_key`](crate::Accelerator::set_one_time_key). Nothing is written but the tag.
    Mac = layout::Operation::Mac as isize,
    /// ChaCha20-Poly1305 (RFC 8439, 2.8), or with a nonce of 24 bytes XChaCha20-Poly1305
    /// (draft-irtf-cfrg-xchacha-03): destination = the source, encrypted; tag = that of the destination and the
    /// additional data.
    Seal = layout::Operation::Seal as isize,
    /// The reverse: destination = the source, decrypted, if the tag is that of the source and
    /// the additional data; otherwise the job fails and the driver clears the destination.
    Open = layout::Operation::Open as isize,
}

/// A nonce. It must be another one for each message under the same key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nonce {
    /// 12 bytes (RFC 8439, 2.3).
    Short([u8; 12]),
    /// 24 bytes: XChaCha20 (draft-irtf-cfrg-xchacha-03, 2.3). Not in every device.
    Extended([u8; 24]),
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
    /// Bits 31:18 of the control word: must be 0.
    pub reserved: u16,
    /// Bytes of data.
    pub length: u32,
    /// Bus address of the source.
    pub source: u64,
    /// Bus address of the destination.
    pub destination: u64,
    /// Counter of the first block.
    pub counter: u32,
    /// The nonce, or the last 12 bytes of an extended one.
    pub nonce: [u8; 12],
    /// The first 12 bytes of an extended nonce; otherwise must be 0.
    pub nonce_first: [u8; 12],
    /// Bytes of additional data; must be 0 but for seal and open.
    pub aad_length: u32,
    /// Bus address of the additional data.
    pub aad: u64,
    /// The tag that open expects; otherwise must be 0.
    pub tag: [u8; 16],
}

impl Descriptor {
    /// The descriptor as it stands in memory, with status "pending".
    pub fn to_bytes(&self) -> [u8; DESCRIPTOR_BYTES] {
        let control = layout::control::OPERATION.with(self.operation.into())
            | layout::control::KEY_SLOT.with(self.key_slot.into())
            | layout::control::INTERRUPT.with(self.interrupt.into())
            | layout::control::EXTENDED_NONCE.with(self.extended_nonce.into())
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
    /// The slot does not exist, or holds no key for this operation.
    #[error("the key slot does not exist or holds no key for this operation")]
    BadKeySlot,
    /// An address is not a multiple of the memory port's width, and the device needs that.
    #[error("an address is not aligned to the device's memory port")]
    BadAlignment,
    /// The block counter would pass 2^32 blocks.
    #[error("the block counter would pass 2^32 blocks")]
    BadCounter,
    /// Bus error while the descriptor was read.
    #[error("bus error while the descriptor was read")]
    Fetch,
    /// Bus error while the source or the additional data was read.
    #[error("bus error while the source was read")]
    Read,
    /// Bus error while the destination was written.
    #[error("bus error while the destination was written")]
    Write,
    /// The tag is not that of the source and the additional data: one of them, the key or the nonce is
    /// not what it was when they were sealed.
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
            reserved: 0x3FFF,
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
    fn every_status_has_a_meaning() {
        assert_eq!(outcome(1), Ok(()));
        assert_eq!(outcome(0), Err(JobError::StatusLost));
        assert_eq!(outcome(11), Err(JobError::Unknown(11)));
        let known: Vec<_> = (2..11).map(outcome).collect();
        assert!(known.iter().all(|o| !matches!(o, Ok(()) | Err(JobError::Unknown(_)))));
    }
}
