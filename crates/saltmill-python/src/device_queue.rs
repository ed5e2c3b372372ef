// SPDX-License-Identifier: Apache-2.0
//! The thread of a device: jobs are cut into pieces that fit its memory, and as many pieces as
//! there are slots are in its ring.

use std::{
    collections::VecDeque,
    ops::Range,
    sync::mpsc::{Receiver, Sender, TryRecvError},
    time::Instant,
};

use pyo3::{exceptions::PyValueError, prelude::*, types::PyBytes};
use saltmill_device::{
    Accelerator, Completion, Counters, Device, DeviceError, KeySize, Nonce, Operation, Request,
};
use zeroize::{Zeroize, Zeroizing};

use crate::{
    device::PATIENCE,
    device_errors::{device, device_error, job as job_error},
    errors::too_long,
};

type Driver = Accelerator<Box<dyn Device>>;
type Answer<T> = Sender<Result<T, DeviceError>>;

const SLOTS: usize = 4;
const TAG: usize = 16;
/// Pieces begin at multiples of it in a message: whole blocks of all algorithms.
const BLOCK: usize = 64;

pub enum Command {
    Job(Box<Job>, Py<PyAny>),
    Key { slot: u8, key: Zeroizing<Vec<u8>>, answer: Answer<()> },
    Counters(Answer<(Counters, Option<u64>)>),
    Wipe(Answer<()>),
}

/// A message, and how far it is.
pub struct Job {
    operation: Operation,
    slot: u8,
    nonce: Nonce,
    counter: u32,
    aad: Vec<u8>,
    data: Zeroizing<Vec<u8>>,
    tag: [u8; TAG],
    result: Vec<u8>,
    /// Bytes that are in the ring or done, and done.
    staged: usize,
    done: usize,
    pieces: usize,
    /// Of a digest: the chaining value. Of CBC: the block before.
    chain: Vec<u8>,
}

impl Job {
    pub fn new(
        operation: &str,
        mut data: Vec<u8>,
        slot: u8,
        nonce: &[u8],
        counter: u32,
        aad: Vec<u8>,
    ) -> PyResult<Self> {
        let operation = match operation {
            "xor_stream" => Operation::XorStream,
            "seal" => Operation::Seal,
            "open" => Operation::Open,
            "digest" => Operation::Digest,
            "hmac" => Operation::Hmac,
            "ecb_encrypt" => Operation::EcbEncrypt,
            "ecb_decrypt" => Operation::EcbDecrypt,
            "cbc_encrypt" => Operation::CbcEncrypt,
            "cbc_decrypt" => Operation::CbcDecrypt,
            other => return Err(PyValueError::new_err(format!("no operation {other:?}"))),
        };
        let nonce = match *nonce {
            [] => Nonce::default(),
            _ => short(nonce).or_else(|| long(nonce)).ok_or_else(|| {
                PyValueError::new_err("a nonce has 12 or 24 bytes, a counter block or IV 16")
            })?,
        };
        let mut tag = [0; TAG];
        if operation == Operation::Open {
            let text = data.len().checked_sub(TAG);
            let text = text.ok_or_else(|| PyValueError::new_err("a message has a tag"))?;
            tag.copy_from_slice(&data[text..]);
            data.truncate(text);
        }
        let data = Zeroizing::new(data);
        if !aad.is_empty() && !matches!(operation, Operation::Seal | Operation::Open) {
            return Err(PyValueError::new_err("only seal and open take additional data"));
        }
        // All 16 bytes of a counter block count; they come back to the first one, as in OpenSSL.
        if operation == Operation::XorStream && !matches!(nonce, Nonce::Block(_)) {
            let longest = ((1 << 32) - u64::from(counter)) * BLOCK as u64;
            if data.len() as u64 > longest {
                return Err(too_long(longest));
            }
        }
        let (staged, done, pieces) = (0, 0, 0);
        let (result, chain) = (Vec::new(), Vec::new());
        Ok(Self {
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
        })
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

    fn can_stage(&self) -> bool {
        !self.all_staged() && (!self.is_chained() || self.staged == self.done)
    }

    /// The request for the next piece, whose bytes are put into the slot.
    fn next(&mut self, driver: &mut Driver, slot: &Range<usize>) -> Result<Piece, DeviceError> {
        let (at, room) = (self.staged, slot.len() / 2 / BLOCK * BLOCK);
        let left = self.data.len() - at;
        let len = if self.is_message() { left } else { left.min(room) };
        let last = at + len == self.data.len();
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
            nonce: self.nonce,
            counter: self.counter,
            source: source.clone(),
            destination: source,
            additional_data,
            tag: self.tag,
            ..Request::default()
        };
        if self.is_digest() {
            let keyed = self.operation == Operation::Hmac;
            request.iv = put(driver, &self.chain)?;
            let bytes = driver.description().digest_bytes.into();
            request.destination = put(driver, &vec![0; bytes])?;
            request.operation = match (keyed, last) {
                (_, true) => self.operation,
                (true, false) if at == 0 => Operation::HmacPart,
                (_, false) => Operation::DigestPart,
            };
            if last {
                // The key's block is one of those before.
                request.blocks_before = at as u64 / 64 + u64::from(keyed && at > 0);
            }
        } else if self.is_chained() {
            if let Ok(block) = <[u8; 16]>::try_from(&self.chain[..]) {
                request.nonce = block.into();
            }
        } else if self.operation == Operation::XorStream {
            match self.nonce {
                Nonce::Block(block) => {
                    let block = u128::from_be_bytes(block).wrapping_add(at as u128 / 16);
                    request.nonce = block.to_be_bytes().into();
                }
                _ => request.counter = self.counter.wrapping_add((at / BLOCK) as u32),
            }
        }
        (self.staged, self.pieces) = (at + len, self.pieces + 1);
        Ok(Piece { slot: slot.clone(), result: request.destination.clone(), at, len, request })
    }

    /// Takes the result of a piece.
    fn take(&mut self, piece: &Piece, bytes: &[u8], tag: Option<[u8; TAG]>) {
        self.done += piece.len;
        if self.is_digest() {
            self.chain = bytes.to_vec();
            self.result = bytes.to_vec();
            return;
        }
        if matches!(self.operation, Operation::CbcEncrypt) {
            self.chain = bytes[bytes.len().saturating_sub(16)..].to_vec();
        } else if self.operation == Operation::CbcDecrypt {
            self.chain =
                self.data[..piece.at + piece.len].last_chunk::<16>().map_or(vec![], Into::into);
        }
        self.result.extend_from_slice(bytes);
        self.result.extend(tag.into_iter().flatten());
    }
}

fn short(nonce: &[u8]) -> Option<Nonce> {
    <[u8; 12]>::try_from(nonce).map(Nonce::from).ok()
}

fn long(nonce: &[u8]) -> Option<Nonce> {
    let block = <[u8; 16]>::try_from(nonce).map(Nonce::from).ok();
    block.or_else(|| <[u8; 24]>::try_from(nonce).map(Nonce::from).ok())
}

struct Piece {
    slot: Range<usize>,
    result: Range<usize>,
    at: usize,
    len: usize,
    request: Request,
}

/// A job that is under way, and who waits for it.
struct Active {
    number: u64,
    job: Box<Job>,
    future: Py<PyAny>,
}

struct Queue {
    driver: Driver,
    free: Vec<Range<usize>>,
    active: VecDeque<Active>,
    in_ring: VecDeque<(u64, Piece)>,
    next: u64,
    /// Of the AES keys in the slots.
    sizes: Vec<Option<KeySize>>,
}

/// Until nobody can send commands any more, and all jobs are done.
pub fn serve(driver: Driver, commands: &Receiver<Command>) {
    let data = driver.data();
    let start = data.start.next_multiple_of(BLOCK);
    let size = (data.end - start) / SLOTS / BLOCK * BLOCK;
    let free = (0..SLOTS).map(|i| start + i * size..start + (i + 1) * size).collect();
    let sizes = vec![None; driver.description().key_slots.into()];
    let (active, in_ring) = (VecDeque::new(), VecDeque::new());
    let mut queue = Queue { driver, free, active, in_ring, next: 0, sizes };
    let mut open = true;
    while open || !queue.active.is_empty() {
        // A command that is no job waits for the jobs before it.
        let command = if queue.active.is_empty() {
            commands.recv().map_err(|_| TryRecvError::Disconnected)
        } else {
            commands.try_recv()
        };
        match command {
            Ok(Command::Job(job, future)) => queue.begin(job, future),
            Ok(other) => {
                while !queue.active.is_empty() {
                    queue.step();
                }
                queue.answer(other);
            }
            Err(TryRecvError::Disconnected) => open = false,
            Err(TryRecvError::Empty) => {}
        }
        queue.step();
    }
    let _ = queue.driver.wipe(Instant::now() + PATIENCE);
}

impl Queue {
    fn begin(&mut self, job: Box<Job>, future: Py<PyAny>) {
        let wanted = Python::attach(|py| {
            let running = future.bind(py).call_method0("set_running_or_notify_cancel")?;
            running.is_truthy()
        });
        if !wanted.unwrap_or(false) {
            return;
        }
        let slot = self.free.first().or(self.in_ring.front().map(|(_, piece)| &piece.slot));
        let room = slot.map_or(0, Range::len);
        let needed = if job.is_message() { job.data.len() } else { 0 } + job.aad.len() + 256;
        if needed > room {
            let said = format!("the device has room for messages of {} bytes", room - 256);
            return tell(&future, Err(PyValueError::new_err(said)));
        }
        self.active.push_back(Active { number: self.next, job, future });
        self.next += 1;
    }

    /// Fills the ring as far as there are slots, and waits for the oldest piece.
    fn step(&mut self) {
        while let Some(slot) = self.free.last().cloned() {
            let Some(index) = self.active.iter().position(|active| active.job.can_stage()) else {
                break;
            };
            self.free.pop();
            if let Err(error) = self.stage(index, &slot) {
                self.free.push(slot);
                self.fail(index, device(error));
            }
        }
        if let Some((number, piece)) = self.in_ring.pop_front() {
            match self.driver.complete(Instant::now() + PATIENCE) {
                Ok(completion) => self.ended(number, &piece, completion),
                Err(error) => self.broke_down(piece, &error),
            }
        }
    }

    fn stage(&mut self, index: usize, slot: &Range<usize>) -> Result<(), DeviceError> {
        let active = &mut self.active[index];
        let mut piece = active.job.next(&mut self.driver, slot)?;
        if let Some(Some(size)) = self.sizes.get(usize::from(active.job.slot)) {
            piece.request.key_size = *size;
        }
        self.driver.submit(&piece.request)?;
        self.in_ring.push_back((active.number, piece));
        Ok(())
    }

    fn ended(&mut self, number: u64, piece: &Piece, completion: Completion) {
        let index = self.active.iter().position(|active| active.number == number);
        let result = completion.outcome.map(|()| completion.tag).map_err(job_error);
        let memory = self.driver.memory(piece.result.clone());
        match (index, result, memory) {
            (Some(index), Ok(tag), Ok(bytes)) => {
                let job = &mut self.active[index].job;
                job.take(piece, bytes, tag);
                let whole = job.all_staged() && job.done == job.data.len();
                if whole && let Some(ended) = self.active.remove(index) {
                    tell(&ended.future, Ok(&ended.job.result));
                }
            }
            (Some(index), Err(error), _) => self.fail(index, error),
            (Some(index), Ok(_), Err(error)) => self.fail(index, device(error)),
            (None, ..) => {}
        }
        if let Ok(memory) = self.driver.memory(piece.slot.clone()) {
            memory.zeroize();
        }
        self.free.push(piece.slot.clone());
    }

    /// Nothing is known of any job, and all are told; a wipe makes the ring anew, if it can.
    fn broke_down(&mut self, piece: Piece, error: &DeviceError) {
        for active in self.active.drain(..) {
            tell(&active.future, Err(device_error(error)));
        }
        let _ = self.driver.wipe(Instant::now() + PATIENCE);
        self.free.push(piece.slot);
        self.free.extend(self.in_ring.drain(..).map(|(_, piece)| piece.slot));
    }

    /// What is in the ring of it comes back later, to nobody.
    fn fail(&mut self, index: usize, error: PyErr) {
        if let Some(failed) = self.active.remove(index) {
            tell(&failed.future, Err(error));
        }
    }

    fn answer(&mut self, command: Command) {
        // Who asked may be gone.
        match command {
            Command::Job(..) => {}
            Command::Key { slot, key, answer } => {
                let set = self.driver.set_key(slot, &key);
                if let (Ok(()), Some(size)) = (&set, self.sizes.get_mut(usize::from(slot))) {
                    *size = KeySize::of_bytes(key.len());
                    if self.driver.description().has_chacha20() {
                        *size = None;
                    }
                }
                let _ = answer.send(set);
            }
            Command::Counters(answer) => {
                let cycles = self.driver.device().cycles();
                let counters = self.driver.counters();
                let _ = answer.send(counters.and_then(|counters| Ok((counters, cycles?))));
            }
            Command::Wipe(answer) => {
                let wiped = self.driver.wipe(Instant::now() + PATIENCE).map(drop);
                let _ = answer.send(wiped);
            }
        }
    }
}

/// Whoever waits is told; if that fails, nobody can be.
fn tell(future: &Py<PyAny>, outcome: Result<&Vec<u8>, PyErr>) {
    Python::attach(|py| {
        let future = future.bind(py);
        let _ = match outcome {
            Ok(bytes) => future.call_method1("set_result", (PyBytes::new(py, bytes),)),
            Err(error) => future.call_method1("set_exception", (error,)),
        };
    });
}
