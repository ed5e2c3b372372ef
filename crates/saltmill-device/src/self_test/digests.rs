// SPDX-License-Identifier: Apache-2.0
//! Digests and HMAC, whole and in two parts.

use std::time::Instant;

use super::{Bench, KEY_SLOT, ROOM};
use crate::{
    Device, DeviceError, Operation, Request,
    vectors::{self, Digest, Hmac},
};

/// Bytes of a block.
const BLOCK: usize = 64;
/// Bytes of the longest key of a slot.
const KEY_BYTES: usize = 32;

impl<D: Device> Bench<'_, D> {
    pub(super) fn hash(&mut self, known: Vec<Digest>) -> Result<(), DeviceError> {
        let parts = self.accelerator.description().supports(Operation::DigestPart);
        for Digest { source, message, digest } in known {
            let whole = Request { operation: Operation::Digest, ..Request::default() };
            self.digests(whole.clone(), &message, &digest, &source)?;
            let blocks = message.len() / BLOCK;
            if parts && blocks > 0 {
                let (first, last) = message.split_at(BLOCK * blocks);
                let part = Request { operation: Operation::DigestPart, ..Request::default() };
                let value = self.digest(part, first)?;
                let iv = self.write(2 * ROOM, &value)?;
                let blocks_before = blocks as u64;
                self.digests(Request { iv, blocks_before, ..whole }, last, &digest, &source)?;
            }
            self.done.digested += 1;
        }
        Ok(())
    }

    fn digests(
        &mut self,
        request: Request,
        data: &[u8],
        digest: &[u8],
        vector: &str,
    ) -> Result<(), DeviceError> {
        let right = self.digest(request, data)? == digest;
        self.demand(right, "a wrong digest", vector)
    }

    /// What a job writes; nothing if it fails.
    fn digest(&mut self, request: Request, data: &[u8]) -> Result<Vec<u8>, DeviceError> {
        let source = self.write(0, data)?;
        let bytes = usize::from(self.accelerator.description().digest_bytes);
        let destination = self.start + ROOM..self.start + ROOM + bytes;
        let request = Request { source, destination, ..request };
        self.accelerator.submit(&request)?;
        let completion = self.accelerator.complete(Instant::now() + self.patience)?;
        let written = self.accelerator.memory(request.destination)?;
        Ok(if completion.outcome.is_ok() { written.to_vec() } else { Vec::new() })
    }

    /// With the keys that have room in a slot.
    pub(super) fn hmac(&mut self) -> Result<(), DeviceError> {
        if !self.accelerator.description().supports(Operation::Hmac) {
            return Ok(());
        }
        for vector in vectors::hmac_sha256() {
            if vector.key.len() <= KEY_BYTES {
                self.tags_with_key(&vector)?;
            }
        }
        Ok(())
    }

    fn tags_with_key(&mut self, vector: &Hmac) -> Result<(), DeviceError> {
        let Hmac { source, key, message, tag, valid } = vector;
        self.accelerator.set_key(KEY_SLOT, key)?;
        let whole =
            Request { operation: Operation::Hmac, key_slot: KEY_SLOT, ..Request::default() };
        let made = self.digest(whole.clone(), message)?;
        self.demand(made.starts_with(tag) == *valid, "a wrong tag", source)?;
        let blocks = message.len() / BLOCK;
        if blocks > 0 {
            let (first, last) = message.split_at(BLOCK * blocks);
            let part = Request { operation: Operation::HmacPart, ..whole.clone() };
            let value = self.digest(part, first)?;
            let iv = self.write(2 * ROOM, &value)?;
            let blocks_before = 1 + blocks as u64;
            let in_parts = self.digest(Request { iv, blocks_before, ..whole }, last)?;
            self.demand(in_parts == made, "a wrong tag of two parts", source)?;
        }
        if *valid {
            self.done.tagged += 1;
        } else {
            self.done.refused += 1;
        }
        Ok(())
    }
}
