// SPDX-License-Identifier: Apache-2.0
//! What the caller asks of the device, and what comes back.

use std::ops::Range;

use crate::{Descriptor, JobError, Nonce, Operation};

/// A job for the device; its ranges count from the first byte of the device's memory. What an operation
/// does not use stays as in [`Request::default`], or the device refuses the job.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// What to do.
    pub operation: Operation,
    /// Slot that holds the key; for [`Operation::Mac`] a one-time key.
    pub key_slot: u8,
    /// Nonce; not used by [`Operation::Mac`].
    pub nonce: Nonce,
    /// Counter of the first block: of [`Operation::XorStream`] and [`Operation::Keystream`] only.
    pub counter: u32,
    /// What to read; as long as `destination`. Not used by [`Operation::Keystream`].
    pub source: Range<usize>,
    /// What to write; may be the source. Not used by [`Operation::Mac`].
    pub destination: Range<usize>,
    /// Additional data, which the tag covers too: of [`Operation::Seal`] and [`Operation::Open`] only.
    pub additional_data: Range<usize>,
    /// The tag that [`Operation::Open`] expects.
    pub tag: [u8; 16],
}

/// A finished job: jobs finish in the order in which they were submitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The number that [`Accelerator::submit`] gave the job.
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

    pub(crate) fn writes(&self) -> bool {
        self.operation != Operation::Mac
    }

    /// All memory that the job has to do with; source and destination next to each other.
    pub(crate) fn ranges(&self) -> impl Iterator<Item = &Range<usize>> {
        let source = self.reads().then_some(&self.source);
        let destination = self.writes().then_some(&self.destination);
        let additional_data = Some(&self.additional_data);
        [source, destination, additional_data].into_iter().flatten()
    }

    /// The request as the device is told, with its memory at this bus address; `None` if source and
    /// destination differ in length, or are too long for one job.
    pub(crate) fn descriptor(&self, bus_address: u64) -> Option<Descriptor> {
        let bus = |range: &Range<usize>, used| {
            if used { bus_address + range.start as u64 } else { 0 }
        };
        let (reads, writes) = (self.reads(), self.writes());
        let data = if reads { &self.source } else { &self.destination };
        if writes && data.len() != self.destination.len() {
            return None;
        }
        let aad_length = u32::try_from(self.additional_data.len()).ok()?;
        let (nonce_first, nonce) = self.nonce.halves();
        Some(Descriptor {
            operation: self.operation as u8,
            key_slot: self.key_slot,
            extended_nonce: matches!(self.nonce, Nonce::Extended(_)),
            length: data.len().try_into().ok()?,
            source: bus(&self.source, reads),
            destination: bus(&self.destination, writes),
            counter: self.counter,
            nonce,
            nonce_first,
            aad_length,
            aad: bus(&self.additional_data, aad_length > 0),
            tag: self.tag,
            ..Descriptor::default()
        })
    }
}
