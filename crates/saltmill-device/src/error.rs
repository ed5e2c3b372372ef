// SPDX-License-Identifier: Apache-2.0
//! What can go wrong with a device: one error, and what two of its variants have to say.

use std::ops::Range;

use thiserror::Error;

use crate::{CoreAlgorithm, KeySize};

/// What went wrong with a device. Names the device and carries the numbers that tell why.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DeviceError {
    /// The magic register holds something else: this is not a Saltmill device, or it is not there.
    #[error(
        "{device} is not a Saltmill device: its magic register holds {found:#010x}, not {expected:#010x}"
    )]
    NotSaltmill {
        /// Name of the device.
        device: String,
        /// What the magic register holds.
        found: u32,
        /// What it should hold.
        expected: u32,
    },
    /// The register map is one that this driver does not know.
    #[error("{device} has register map {major}.{minor}; this driver knows {known}.x")]
    Version {
        /// Name of the device.
        device: String,
        /// Major version found.
        major: u16,
        /// Minor version found.
        minor: u16,
        /// Major version that this driver knows.
        known: u16,
    },
    /// The device describes itself in a way that makes no sense or that this driver can't serve.
    #[error("{device} can't be used: {reason}")]
    Unusable {
        /// Name of the device.
        device: String,
        /// What is wrong with its description.
        reason: DescriptionError,
    },
    /// The device's memory is too small.
    #[error("{device} has {len} bytes of memory; {needed} are needed")]
    TooLittleMemory {
        /// Name of the device.
        device: String,
        /// Bytes that there are.
        len: usize,
        /// Bytes that are needed.
        needed: usize,
    },
    /// A deadline passed: the device does not answer.
    #[error(
        "{device} did not answer in time: {waited_for} (register {offset:#05x} = {found:#010x})"
    )]
    Deadline {
        /// Name of the device.
        device: String,
        /// What was waited for.
        waited_for: &'static str,
        /// Byte offset of the register that was looked at last.
        offset: u32,
        /// What it held.
        found: u32,
    },
    /// A register access was refused by the bus.
    #[error("{device} refused to {action} register {offset:#05x}")]
    Register {
        /// Name of the device.
        device: String,
        /// `read` or `write`.
        action: &'static str,
        /// Byte offset of the register.
        offset: u32,
    },
    /// A range is not inside the device's memory.
    #[error("{device} has {len} bytes of memory; {range:?} is not inside")]
    Memory {
        /// Name of the device.
        device: String,
        /// What was asked for.
        range: Range<usize>,
        /// Bytes that there are.
        len: usize,
    },
    /// A range is where the device can't address it.
    #[error(
        "{device} has addresses of {bits} bits; bytes {range:?} of its memory end at bus address {end:#x}"
    )]
    Unreachable {
        /// Name of the device.
        device: String,
        /// What was asked for.
        range: Range<usize>,
        /// The bus address behind it.
        end: u128,
        /// Bits of the device's addresses.
        bits: u8,
    },
    /// The device's algorithm takes no key of this length.
    #[error("{device} takes no key of {bytes} bytes: its algorithm is {algorithm}")]
    KeyLength {
        /// Name of the device.
        device: String,
        /// What it computes.
        algorithm: CoreAlgorithm,
        /// Length of the key.
        bytes: usize,
    },
    /// There is no such key slot.
    #[error("{device} has {slots} key slots and no slot {slot}")]
    NoKeySlot {
        /// Name of the device.
        device: String,
        /// What was asked for; the first is 0.
        slot: u8,
        /// How many there are.
        slots: u8,
    },
    /// A request that can't be told to the device.
    #[error("{device} can't do this: {reason}")]
    BadRequest {
        /// Name of the device.
        device: String,
        /// What is wrong with it.
        reason: RequestError,
    },
    /// As many jobs are outstanding as the ring has entries: complete one first.
    #[error("all {entries} entries of the ring of {device} are taken")]
    RingFull {
        /// Name of the device.
        device: String,
        /// Entries of the ring.
        entries: usize,
    },
    /// A completion was asked for, and no job is outstanding.
    #[error("{device} has no job outstanding")]
    NothingOutstanding {
        /// Name of the device.
        device: String,
    },
    /// The device says that it has finished jobs that it was not given; what is gone from the bus
    /// says so, too.
    #[error("{device} lost its ring: the tail is {tail:#x}, the head {head:#x}")]
    RingTail {
        /// Name of the device.
        device: String,
        /// What its register holds.
        tail: u32,
        /// What the driver has written.
        head: u16,
    },
    /// A device gave a wrong answer in its self-test.
    #[error("{device} gave {answer} for {vector}")]
    WrongAnswer {
        /// Name of the device.
        device: String,
        /// What is wrong, for example `a wrong tag`.
        answer: &'static str,
        /// Source of the published vector.
        vector: String,
    },
    /// What carries the device failed: the operating system, or a simulation.
    #[error("{device}: {action} failed")]
    Failed {
        /// Name of the device.
        device: String,
        /// What was tried.
        action: &'static str,
        /// Why it failed.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

/// Why a device can't be driven: what its registers say about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DescriptionError {
    /// This driver does not know its algorithm.
    #[error("its algorithm {0} is unknown")]
    Algorithm(u32),
    /// This driver does not know the structure of its core.
    #[error("its structure {0} is unknown")]
    Structure(u32),
    /// Its blocks are not those of its algorithm.
    #[error("its block of {algorithm} has {found} bytes, not {expected}")]
    BlockBytes {
        /// What it computes.
        algorithm: CoreAlgorithm,
        /// What it says.
        found: u16,
        /// What the algorithm has.
        expected: u16,
    },
    /// It has AES with keys of no known size.
    #[error("it takes AES keys of no size that is known")]
    NoKeySize,
    /// It has AES without a final addition, which AES does not have.
    #[error("it leaves an addition to the host, which AES does not have")]
    FinalAdd,
    /// Width of its memory port in bytes.
    #[error("its memory port is {0} bytes wide")]
    DataBytes(u8),
    /// Bits of an address on its memory port.
    #[error("its memory port has addresses of {0} bits")]
    AddressBits(u8),
    /// Number of its key slots.
    #[error("it has {0} key slots")]
    KeySlots(u8),
    /// Length of its digests.
    #[error("its digests have {0} bytes")]
    DigestBytes(u8),
    /// Its digests take a key.
    #[error("its digests need a key")]
    KeyedDigest,
    /// It has none of the known operations; the bits of its register.
    #[error("its operations {0:#x} have none that is known")]
    Operations(u32),
}

/// Why a [`Request`](crate::Request) can't be told to a device.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RequestError {
    /// Source and destination differ in length, or have more bytes than a job counts.
    #[error("{source_bytes} bytes to {destination_bytes} bytes are not one job")]
    Lengths {
        /// Length of the source.
        source_bytes: usize,
        /// Length of the destination.
        destination_bytes: usize,
    },
    /// Additional data or an initialisation vector is longer than a descriptor can tell.
    #[error("{0} bytes are too many beside the data")]
    TooLong(usize),
    /// No tag has this length.
    #[error("a tag has 4, 8 or 12 to 16 bytes, not {0}")]
    TagBytes(u8),
    /// The keystream would repeat.
    #[error("the block counter would pass 2^32 blocks")]
    CounterWraps,
    /// An initialisation vector in memory and a long nonce.
    #[error("a message has an initialisation vector or a nonce of 24 bytes, not both")]
    TwoNonces,
    /// A counter beside a [block](crate::Nonce::Block), which has one in it; or beside
    /// [`blocks_before`](crate::Request::blocks_before), which has its place.
    #[error("a block of 16 bytes, or a number of blocks, is in the place of the counter")]
    TwoCounters,
    /// Too many, or not of a last part.
    #[error("{0} blocks before are for the last part of a message, and below 2^55")]
    BlocksBefore(u64),
    /// The destination has not the digest's length.
    #[error("its digests have {expected} bytes, not {found}")]
    DigestBytes {
        /// Length of the destination.
        found: usize,
        /// Length of the device's digests.
        expected: u8,
    },
    /// The slot holds a key of another size.
    #[error("key slot {slot} holds a {found}-bit key, not a {wanted}-bit one")]
    KeySize {
        /// The slot.
        slot: u8,
        /// Size of the key in it.
        found: KeySize,
        /// Size in the request.
        wanted: KeySize,
    },
}
