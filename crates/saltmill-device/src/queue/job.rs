// SPDX-License-Identifier: Apache-2.0
//! A job of any length, and its pieces.

use std::ops::Range;

use zeroize::Zeroizing;

use super::{QueueError, serve::Driver};
use crate::{DeviceError, KeySize, Nonce, Operation, Request};

const TAG: usize = 16;
/// Pieces begin at multiples of it in a message: whole blocks of all algorithms.
pub(super) const BLOCK: usize = 64;
/// Room for all that is beside a message and its additional data: gaps up to a block.
pub(super) const BESIDE: usize = 256;

/// What a device is to do with a message of any length, and how far it is. Streams, blocks and
/// digests are cut into pieces; a message with a tag is one piece.
pub struct Job {
    operation: Operation,
    slot: u8,
    nonce: Nonce,
    counter: u32,
    aad: Vec<u8>,
    data: Zeroizing<Vec<u8>>,
    tag: [u8; TAG],
    result: Zeroizing<Vec<u8>>,
    /// Bytes that are in the ring or done, and done.
    staged: usize,
    done: usize,
    pieces: usize,
    /// Of a digest: the chaining value. Of CBC: the block before.
    chain: Vec<u8>,
}

/// A part of a job in the ring.
pub(super) struct Piece {
    pub slot: Range<usize>,
    pub result: Range<usize>,
    at: usize,
    len: usize,
    pub request: Request,
}

impl Job {
    /// A job with the key in this slot. `data`: for [`Operation::Open`] with the tag behind it, as
    /// [`Operation::Seal`] gives it. `nonce`: none, 12 or 24 bytes, or 16 of AES in CTR and CBC
    /// mode. What an operation does not use stays empty or 0.
    ///
    /// # Errors
    /// [`QueueError::Nonce`], [`QueueError::NoTag`], [`QueueError::AdditionalData`],
    /// [`QueueError::Counter`].
    pub fn new(
        operation: Operation,
        data: Vec<u8>,
        slot: u8,
        nonce: &[u8],
        counter: u32,
        aad: Vec<u8>,
    ) -> Result<Self, QueueError> {
        let mut data = Zeroizing::new(data);
        let nonce = parse_nonce(nonce)?;
        let mut tag = [0; TAG];
        if operation == Operation::Open {
            let text = data.len().checked_sub(TAG).ok_or(QueueError::NoTag)?;
            tag.copy_from_slice(&data[text..]);
            data.truncate(text);
        }
        if !aad.is_empty() && !matches!(operation, Operation::Seal | Operation::Open) {
            return Err(QueueError::AdditionalData);
        }
        // All 16 bytes of a counter block count; they come back to the first one, as in OpenSSL.
        if operation == Operation::XorStream && !matches!(nonce, Nonce::Block(_)) {
            let longest = ((1 << 32) - u64::from(counter)) * BLOCK as u64;
            if data.len() as u64 > longest {
                return Err(QueueError::Counter { longest });
            }
        }
        let (staged, done, pieces) = (0, 0, 0);
        let (result, chain) = (Zeroizing::default(), Vec::new());
        let job = Self {
            operation,
            slot,
            nonce,
            counter,
            aad,
            data,
            tag,
            result,
            staged,
            done,
            pieces,
            chain,
        };
        Ok(job)
    }

    pub(super) fn slot(&self) -> u8 {
        self.slot
    }

    pub(super) fn into_result(self) -> Zeroizing<Vec<u8>> {
        self.result
    }

    /// Bytes that a slot must have.
    pub(super) fn room(&self) -> usize {
        (if self.is_message() { self.data.len() } else { 0 }) + self.aad.len() + BESIDE
    }

    fn is_message(&self) -> bool {
        matches!(self.operation, Operation::Seal | Operation::Open)
    }

    fn is_digest(&self) -> bool {
        matches!(self.operation, Operation::Digest | Operation::Hmac)
    }

    /// A piece needs what came of the one before.
    fn is_chained(&self) -> bool {
        self.is_digest() || matches!(self.operation, Operation::CbcEncrypt | Operation::CbcDecrypt)
    }

    fn all_staged(&self) -> bool {
        self.staged == self.data.len() && self.pieces > 0
    }

    pub(super) fn can_stage(&self) -> bool {
        !self.all_staged() && (!self.is_chained() || self.staged == self.done)
    }

    pub(super) fn is_done(&self) -> bool {
        self.all_staged() && self.done == self.data.len()
    }

    /// The next piece, whose bytes are put into the slot; `key`: the size of the AES key.
    pub(super) fn next(
        &mut self,
        driver: &mut Driver,
        slot: &Range<usize>,
        key: Option<KeySize>,
    ) -> Result<Piece, DeviceError> {
        let (at, room) = (self.staged, slot.len() / 2 / BLOCK * BLOCK);
        let left = self.data.len() - at;
        let len = if self.is_message() { left } else { left.min(room) };
        let mut place = slot.start;
        let mut put = |driver: &mut Driver, bytes: &[u8]| {
            let range = place..place + bytes.len();
            driver.memory(range.clone())?.copy_from_slice(bytes);
            place = range.end.next_multiple_of(BLOCK);
            Ok::<_, DeviceError>(range)
        };
        let source = put(driver, &self.data[at..at + len])?;
        let additional_data = put(driver, &self.aad)?;
        let mut request = Request {
            operation: self.operation,
            key_slot: self.slot,
            key_size: key.unwrap_or_default(),
            nonce: self.nonce,
            counter: self.counter,
            source: source.clone(),
            destination: source,
            additional_data,
            tag: self.tag,
            ..Request::default()
        };
        if self.is_digest() {
            request.iv = put(driver, &self.chain)?;
            let bytes = driver.description().digest_bytes.into();
            request.destination = put(driver, &vec![0; bytes])?;
            self.digest_part(&mut request, at, at + len == self.data.len());
        } else if self.is_chained() {
            if let Ok(block) = <[u8; 16]>::try_from(&self.chain[..]) {
                request.nonce = block.into();
            }
        } else if self.operation == Operation::XorStream {
            self.stream_part(&mut request, at);
        }
        (self.staged, self.pieces) = (at + len, self.pieces + 1);
        Ok(Piece { slot: slot.clone(), result: request.destination.clone(), at, len, request })
    }

    fn digest_part(&self, request: &mut Request, at: usize, last: bool) {
        let keyed = self.operation == Operation::Hmac;
        request.operation = match (keyed, last) {
            (_, true) => self.operation,
            (true, false) if at == 0 => Operation::HmacPart,
            (_, false) => Operation::DigestPart,
        };
        if last {
            // The key's block is one of those before.
            request.blocks_before = (at / BLOCK) as u64 + u64::from(keyed && at > 0);
        }
    }

    fn stream_part(&self, request: &mut Request, at: usize) {
        match self.nonce {
            Nonce::Block(block) => {
                let block = u128::from_be_bytes(block).wrapping_add(at as u128 / 16);
                request.nonce = block.to_be_bytes().into();
            }
            _ => request.counter = self.counter.wrapping_add((at / BLOCK) as u32),
        }
    }

    /// Takes the result of a piece.
    pub(super) fn take(&mut self, piece: &Piece, bytes: &[u8], tag: Option<[u8; TAG]>) {
        self.done += piece.len;
        if self.is_digest() {
            self.chain = bytes.to_vec();
            self.result = bytes.to_vec().into();
            return;
        }
        if self.operation == Operation::CbcEncrypt {
            self.chain = bytes[bytes.len().saturating_sub(16)..].to_vec();
        } else if self.operation == Operation::CbcDecrypt {
            let end = self.data[..piece.at + piece.len].last_chunk::<16>();
            self.chain = end.map_or(vec![], Into::into);
        }
        if self.result.is_empty() {
            // At once: what a vector leaves behind when it grows is not cleared.
            self.result.reserve_exact(self.data.len() + TAG);
        }
        self.result.extend_from_slice(bytes);
        self.result.extend(tag.into_iter().flatten());
    }
}

fn parse_nonce(nonce: &[u8]) -> Result<Nonce, QueueError> {
    let short = || <[u8; 12]>::try_from(nonce).map(Nonce::from).ok();
    let block = || <[u8; 16]>::try_from(nonce).map(Nonce::from).ok();
    let long = || <[u8; 24]>::try_from(nonce).map(Nonce::from).ok();
    if nonce.is_empty() {
        return Ok(Nonce::default());
    }
    short().or_else(block).or_else(long).ok_or(QueueError::Nonce(nonce.len()))
}
