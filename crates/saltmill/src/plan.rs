// SPDX-License-Identifier: Apache-2.0
//! One file in parts that know nothing of each other: whoever has the plan can do any of them, as
//! often as need be, in any order and on any machine.

use std::{fmt, ops::Range};

use age::{Identity, Recipient};
use saltmill_engine::{Engine, EngineError, Event, Key, ReadAt, Report, WriteAt};
use saltmill_format::{PAYLOAD_KEY_BYTES, Prologue};
use zeroize::Zeroizing;

use crate::{Error, Payload};

const MAGIC: &[u8; 16] = b"saltmill plan 1\n";
const NUMBERS: usize = 4;

/// What each part of a file is, and the key of the payload: no identity, and no key of another
/// file. A plan seals one text: one that has changed in between must not be sealed with it.
///
/// ```
/// use std::time::Duration;
/// use saltmill::{Memory, MemoryMut, Opener, Output, Input, Plan, age::{Recipient, x25519}};
/// use saltmill::engine::{CancelToken, CpuWorker, Engine};
///
/// let workers = vec![Box::new(CpuWorker::new(0)) as _];
/// let mut engine = Engine::new(workers, Duration::from_secs(10), CancelToken::default());
/// let identity = x25519::Identity::generate();
/// let recipients: [Box<dyn Recipient>; 1] = [Box::new(identity.to_public())];
///
/// let text = vec![7; 200_000];
/// let plan = Plan::to_seal(&recipients, 200_000, 2)?;
/// let mut file = vec![0; plan.output_bytes() as usize];
/// for part in (0..plan.parts()).rev() {
///     // As on another machine.
///     let plan = Plan::from_bytes(&plan.to_bytes()).expect("a plan");
///     let place = plan.part(part).expect("a part");
///     let input = Memory(&text[place.input.start as usize..place.input.end as usize]);
///     let output = &mut file[place.output.start as usize..place.output.end as usize];
///     plan.run(&mut engine, part, &input, &MemoryMut::new(output, 1 << 20), &mut |_| {})?;
/// }
///
/// let opener = Opener::new(vec![Box::new(identity)]);
/// let input = Input::stream(std::io::Cursor::new(file));
/// let report = opener.open(&mut engine, input, Output::Nothing, &mut |_| {})?;
/// # Ok::<(), saltmill::Error>(())
/// ```
#[derive(Clone)]
pub struct Plan {
    payload: Payload,
    /// Chunks in a part; the last one may have fewer.
    chunks: u64,
    /// Header and nonce; none if the payload is opened.
    prologue: Vec<u8>,
}

/// What a part reads, and what it writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedPart {
    /// Bytes of the source.
    pub input: Range<u64>,
    /// Bytes of the target.
    pub output: Range<u64>,
}

impl fmt::Debug for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (payload, chunks) = (&self.payload, self.chunks);
        f.debug_struct("Plan")
            .field("payload", payload)
            .field("chunks", &chunks)
            .finish_non_exhaustive()
    }
}

impl Plan {
    /// To seal a text of so many bytes in parts of so many chunks (0 counts as 1): a new file key
    /// is wrapped for all recipients.
    ///
    /// # Errors
    /// [`Error::Seal`].
    pub fn to_seal(
        recipients: &[impl AsRef<dyn Recipient>],
        text: u64,
        chunks: u64,
    ) -> Result<Self, Error> {
        let sealed = saltmill_format::seal(recipients)?;
        let payload = Payload::of_text(&sealed.key, sealed.prologue.len() as u64, text);
        Ok(Self { payload, chunks: chunks.max(1), prologue: sealed.prologue })
    }

    /// To open a file of so many bytes that begins with this prologue.
    ///
    /// # Errors
    /// [`Error::Open`], [`Error::Prologue`]; [`EngineError::Refused`] for a length that no file
    /// has.
    pub fn to_open(
        prologue: &Prologue,
        identities: &[impl AsRef<dyn Identity>],
        file: u64,
        chunks: u64,
    ) -> Result<Self, Error> {
        let key = prologue.open(identities)?;
        let payload = Payload::of_file(&key, prologue.len(), file)?;
        Ok(Self { payload, chunks: chunks.max(1), prologue: Vec::new() })
    }

    /// The payload.
    pub fn payload(&self) -> &Payload {
        &self.payload
    }

    /// Whether it seals; if not, it opens.
    pub fn seals(&self) -> bool {
        !self.prologue.is_empty()
    }

    /// Header and nonce, which the first part writes; none of a plan that opens.
    pub fn prologue(&self) -> &[u8] {
        &self.prologue
    }

    /// How many parts there are; at least one.
    pub fn parts(&self) -> u64 {
        self.payload.chunks().div_ceil(self.chunks)
    }

    /// Bytes of the source.
    pub fn input_bytes(&self) -> u64 {
        if self.seals() { self.payload.text_bytes() } else { self.payload.file_bytes() }
    }

    /// Bytes of the target.
    pub fn output_bytes(&self) -> u64 {
        if self.seals() { self.payload.file_bytes() } else { self.payload.text_bytes() }
    }

    /// What a part reads and writes, if there is one of that number, from 0. The first one writes
    /// the prologue, too.
    pub fn part(&self, number: u64) -> Option<PlannedPart> {
        let place = self.payload.place(self.chunks_of(number)?);
        Some(if self.seals() {
            let start = if number == 0 { 0 } else { place.sealed.start };
            PlannedPart { input: place.text, output: start..place.sealed.end }
        } else {
            PlannedPart { input: place.sealed, output: place.text }
        })
    }

    /// Does a part: reads all of its input, of which the first byte is byte 0 here, and writes all
    /// of its output in the same way. Done again, it writes the same.
    ///
    /// # Errors
    /// [`Error::Engine`]; a part that there is not is [`Error::NoRange`].
    pub fn run(
        &self,
        engine: &mut Engine,
        number: u64,
        input: &dyn ReadAt,
        output: &dyn WriteAt,
        events: &mut dyn FnMut(Event),
    ) -> Result<Report, Error> {
        let chunks = self.chunks_of(number).ok_or(Error::NoRange)?;
        if !self.seals() {
            return self.payload.open(engine, chunks, input, output, events);
        }
        let front = if number == 0 { &self.prologue[..] } else { &[] };
        let written = output.write_all_at(front, 0);
        written.map_err(|source| EngineError::Write { offset: 0, source })?;
        let output = saltmill_engine::Offset::new(output, front.len() as u64);
        self.payload.seal(engine, chunks, input, &output, events)
    }

    /// The plan as bytes, the payload's key among them.
    pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        let payload = &self.payload;
        let numbers =
            [payload.front_bytes(), payload.text_bytes(), self.chunks, self.prologue.len() as u64];
        let size = MAGIC.len() + 8 * NUMBERS + PAYLOAD_KEY_BYTES + self.prologue.len();
        let mut bytes = Zeroizing::new(Vec::with_capacity(size));
        bytes.extend(MAGIC);
        bytes.extend(numbers.iter().flat_map(|number| number.to_be_bytes()));
        bytes.extend(payload.key().bytes());
        bytes.extend(&self.prologue);
        bytes
    }

    /// A plan from its bytes; `None` if these are none.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (numbers, rest) = bytes.strip_prefix(MAGIC)?.split_at_checked(8 * NUMBERS)?;
        let (key, prologue) = rest.split_first_chunk::<PAYLOAD_KEY_BYTES>()?;
        let (numbers, _) = numbers.as_chunks::<8>();
        let numbers: Vec<_> = numbers.iter().map(|bytes| u64::from_be_bytes(*bytes)).collect();
        let [front, text, chunks, len] = numbers[..] else { return None };
        // A file has no more bytes than a number of 64 bits, with some room for the tags.
        let sizes = front < 1 << 32 && text < 1 << 62 && (1..1 << 47).contains(&chunks);
        let whole = len == prologue.len() as u64 && (len == 0 || len == front);
        let payload = Payload::of_key(Key::new(*key), front, text);
        (sizes && whole).then(|| Self { payload, chunks, prologue: prologue.to_vec() })
    }

    fn chunks_of(&self, part: u64) -> Option<Range<u64>> {
        let first = part.checked_mul(self.chunks).filter(|first| *first < self.payload.chunks())?;
        Some(first..(first + self.chunks).min(self.payload.chunks()))
    }
}

#[cfg(test)]
mod tests {
    use age::x25519;
    use saltmill_engine::CHUNK_BYTES;

    use super::*;

    fn plan(text: u64, chunks: u64) -> Plan {
        let recipient = Box::new(x25519::Identity::generate().to_public());
        Plan::to_seal(&[recipient as Box<dyn Recipient>], text, chunks).expect("a plan")
    }

    #[test]
    fn parts_lie_end_to_end() {
        let chunk = CHUNK_BYTES as u64;
        for text in [0, 1, chunk, chunk + 1, 6 * chunk, 7 * chunk + 1] {
            let plan = plan(text, 3);
            let parts: Vec<_> = (0..).map_while(|number| plan.part(number)).collect();
            assert_eq!(parts.len() as u64, plan.parts());
            let (mut input, mut output) = (0, 0);
            for part in &parts {
                assert_eq!((part.input.start, part.output.start), (input, output));
                (input, output) = (part.input.end, part.output.end);
            }
            assert_eq!((input, output), (text, plan.output_bytes()));
        }
    }

    #[test]
    fn bytes_that_are_no_plan_are_none() {
        let bytes = plan(5 << 20, 16).to_bytes();
        assert_eq!(Plan::from_bytes(&bytes).expect("a plan").to_bytes(), bytes);
        for len in 0..bytes.len() {
            assert!(Plan::from_bytes(&bytes[..len]).is_none(), "{len}");
        }
        for number in 0..NUMBERS {
            let mut changed = bytes.clone();
            changed[MAGIC.len() + 8 * number] = 0xFF;
            assert!(Plan::from_bytes(&changed).is_none(), "number {number}");
        }
        let mut none = bytes.clone();
        none[MAGIC.len() + 16..MAGIC.len() + 24].fill(0);
        assert!(Plan::from_bytes(&none).is_none(), "parts of no chunks");
    }

    #[test]
    fn a_plan_is_printed_without_its_key() {
        let plan = plan(1, 1);
        let said = format!("{plan:?}");
        assert_eq!(said, "Plan { payload: Payload { text: 1, .. }, chunks: 1, .. }");
    }
}
