// SPDX-License-Identifier: Apache-2.0
//! Pipes: a reader, a fixed number of circulating buffers, a window that puts results in order, a
//! writer. A buffer keeps its source until the result is there.

use std::{
    collections::{BTreeMap, VecDeque},
    io::{ErrorKind, Read, Write},
    slice,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
};

use zeroize::Zeroizing;

use crate::{EngineError, Job, Refused, TAG_BYTES, Work, engine::TICK, placement::Placement};

/// Buffers that circulate, at least: so far may the fastest worker be ahead of the slowest.
const BUFFERS: usize = 32;

/// A piece of the stream in a circulating buffer.
pub(crate) struct Piece {
    number: u64,
    job: Job,
    /// The source, later the result.
    bytes: Zeroizing<Vec<u8>>,
}

#[derive(Default)]
struct State {
    free: Vec<Zeroizing<Vec<u8>>>,
    /// Read and not claimed.
    ready: VecDeque<Piece>,
    /// Done and not written, by number.
    done: BTreeMap<u64, Piece>,
    /// Number of the next piece to be written.
    next: u64,
    /// Number of pieces, once the end of the input is known, or of those in front of one that is
    /// refused.
    pieces: Option<u64>,
    /// Why nothing comes behind those pieces.
    refused: Option<Refused>,
    /// Pieces handed out and neither stored nor returned.
    outstanding: usize,
    aborted: bool,
}

impl State {
    /// Nothing comes from this piece on; what is in front of it does.
    fn refuse(&mut self, number: u64, refused: Refused) {
        if self.refused.is_none() || self.pieces > Some(number) {
            (self.pieces, self.refused) = (Some(number), Some(refused));
            self.ready.retain(|ready| ready.number < number);
        }
    }
}

/// The circulating buffers and where each of them is.
pub(crate) struct Window {
    work: Arc<Work>,
    state: Mutex<State>,
    changed: Condvar,
}

impl Window {
    /// Enough buffers for so many slots of workers.
    pub(crate) fn new(work: Arc<Work>, slots: usize) -> Arc<Self> {
        let buffers = BUFFERS.max(2 * slots);
        let free = (0..buffers).map(|_| Zeroizing::default()).collect();
        let state = Mutex::new(State { free, ..State::default() });
        Arc::new(Self { work, state, changed: Condvar::new() })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until `pick` finds something; `None` when the run was aborted.
    fn wait_for<T>(&self, mut pick: impl FnMut(&mut State) -> Option<T>) -> Option<T> {
        let mut state = self.state();
        loop {
            if state.aborted {
                return None;
            }
            if let Some(found) = pick(&mut state) {
                return Some(found);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let result = change(&mut self.state());
        self.changed.notify_all();
        result
    }

    /// Waits for the first piece, or until `stop`. Whether it is the only one.
    pub(crate) fn is_single(&self, stop: impl Fn() -> bool) -> bool {
        let mut state = self.state();
        while state.pieces.is_none() && state.ready.is_empty() && !stop() {
            let waited = self.changed.wait_timeout(state, TICK);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        state.pieces == Some(1) && state.refused.is_none()
    }

    /// The reader's thread: reads to the end of the input, or to where the work can't go on. It is
    /// one byte ahead: a job must know whether it is the last.
    pub(crate) fn read_all(&self, input: &mut dyn Read) -> Result<(), EngineError> {
        let whole = self.work.job_bytes();
        let (mut offset, mut ahead) = (0, None);
        for number in 0.. {
            let buffer = self.wait_for(|state| match state.refused {
                Some(_) => Some(None),
                None => state.free.pop().map(Some),
            });
            let Some(Some(mut bytes)) = buffer else { break };
            bytes.resize(whole + TAG_BYTES, 0);
            let start = usize::from(ahead.is_some());
            bytes[0] = ahead.unwrap_or_default();
            let read = read_full(input, &mut bytes[start..=whole]);
            let read = read.map_err(|(len, source)| EngineError::Read {
                offset: offset + start as u64 + len,
                source,
            })?;
            let len = whole.min(start + read);
            ahead = (start + read > whole).then_some(bytes[whole]);
            let job = Job { offset, len, last: ahead.is_none() };
            match self.work.check(job) {
                Err(EngineError::Refused(refused)) => {
                    self.change(|state| state.refuse(number, refused));
                    break;
                }
                checked => checked?,
            }
            self.change(|state| {
                if state.refused.is_none() {
                    state.ready.push_back(Piece { number, job, bytes });
                    state.pieces = job.last.then_some(number + 1);
                }
            });
            if job.last {
                break;
            }
            offset += len as u64;
        }
        Ok(())
    }

    /// The writer's thread: writes the pieces in order, up to one that is refused. `false` if the
    /// run was aborted.
    pub(crate) fn write_all(&self, output: &mut dyn Write) -> Result<bool, EngineError> {
        let mut offset = 0;
        let failed = |offset| move |source| EngineError::Write { offset, source };
        loop {
            let next = self.wait_for(|state| {
                let next = state.next;
                let finished = state.pieces == Some(next);
                let piece = state.done.remove(&next);
                (finished || piece.is_some()).then_some(piece)
            });
            match next {
                None => return Ok(false),
                Some(None) => break,
                Some(Some(piece)) => {
                    output.write_all(&piece.bytes).map_err(failed(offset))?;
                    offset += piece.bytes.len() as u64;
                    self.change(|state| {
                        state.next += 1;
                        state.free.push(piece.bytes);
                    });
                }
            }
        }
        output.flush().map_err(failed(offset))?;
        self.state().refused.map_or(Ok(true), |refused| Err(refused.into()))
    }
}

/// Fills the buffer as far as the input reaches; an error comes with the bytes read before it.
fn read_full(input: &mut dyn Read, buffer: &mut [u8]) -> Result<usize, (u64, std::io::Error)> {
    let mut len = 0;
    while len < buffer.len() {
        match input.read(&mut buffer[len..]) {
            Ok(0) => break,
            Ok(bytes) => len += bytes,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err((len as u64, error)),
        }
    }
    Ok(len)
}

impl Placement for Window {
    type Ticket = Piece;

    fn claim(&self, wait: bool, _most: usize) -> Option<Piece> {
        let claimed = self.wait_for(|state| {
            let piece = state.ready.pop_front();
            state.outstanding += usize::from(piece.is_some());
            let end = state.pieces.is_some() && state.outstanding == 0;
            (piece.is_some() || !wait || end).then_some(piece)
        });
        claimed.flatten()
    }

    fn jobs(ticket: &Piece) -> &[Job] {
        slice::from_ref(&ticket.job)
    }

    fn load(&self, ticket: &Piece, job: Job, buffer: &mut [u8]) -> Result<(), EngineError> {
        buffer.copy_from_slice(&ticket.bytes[..job.len]);
        Ok(())
    }

    fn memory<'t>(&self, ticket: &'t mut Piece) -> Option<&'t mut [u8]> {
        Some(&mut ticket.bytes)
    }

    fn store_in_memory(&self, mut ticket: Piece, len: usize) {
        ticket.bytes.truncate(len);
        self.change(|state| {
            state.outstanding -= 1;
            state.done.insert(ticket.number, ticket);
        });
    }

    fn store(&self, mut ticket: Piece, result: &[u8]) -> Result<(), EngineError> {
        ticket.bytes[..result.len()].copy_from_slice(result);
        self.store_in_memory(ticket, result.len());
        Ok(())
    }

    /// Pieces in front of it are still done and written, those behind it are not.
    fn refuse(&self, piece: Piece, refused: Refused) -> Result<(), EngineError> {
        self.change(|state| {
            state.outstanding -= 1;
            state.refuse(piece.number, refused);
        });
        Ok(())
    }

    fn give_back(&self, tickets: Vec<Piece>) {
        self.change(|state| {
            state.outstanding -= tickets.len();
            // To the front, the oldest first: the writer waits for them.
            for piece in tickets.into_iter().rev() {
                let wanted = state.refused.is_none() || Some(piece.number) < state.pieces;
                if wanted {
                    state.ready.push_front(piece);
                }
            }
        });
    }

    fn abort(&self) {
        self.change(|state| state.aborted = true);
    }

    fn is_complete(&self) -> bool {
        let state = self.state();
        let left = state.outstanding + state.ready.len();
        state.pieces.is_some() && left == 0
    }
}
