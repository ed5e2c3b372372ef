// SPDX-License-Identifier: Apache-2.0
//! The thread of a device: as many pieces as there are slots in its memory are in its ring.

use std::{
    collections::VecDeque,
    ops::Range,
    sync::mpsc::{Receiver, TryRecvError},
    time::{Duration, Instant},
};

use zeroize::Zeroize;

use super::{
    Command, Job, QueueError, Waiter,
    job::{BESIDE, BLOCK, Piece},
};
use crate::{Accelerator, Completion, Device, DeviceError, KeySize};

pub(super) type Driver = Accelerator<Box<dyn Device>>;

const SLOTS: usize = 4;
/// A slot has room for what is beside a message, and for a few blocks.
const LEAST_SLOT: usize = 2 * BESIDE;

/// A job that is under way, and who waits for it.
struct Active {
    number: u64,
    job: Box<Job>,
    waiter: Box<dyn Waiter>,
}

struct Server {
    driver: Driver,
    patience: Duration,
    free: Vec<Range<usize>>,
    active: VecDeque<Active>,
    in_ring: VecDeque<(u64, Piece)>,
    next: u64,
    /// Of the AES keys in the slots.
    sizes: Vec<Option<KeySize>>,
}

/// The device's memory in pieces.
pub(super) fn slots(driver: &Driver) -> Result<Vec<Range<usize>>, DeviceError> {
    let data = driver.data();
    let start = data.start.next_multiple_of(BLOCK);
    let size = data.end.saturating_sub(start) / SLOTS / BLOCK * BLOCK;
    if size < LEAST_SLOT {
        let (device, needed) = (driver.named(), start + SLOTS * LEAST_SLOT);
        return Err(DeviceError::TooLittleMemory { device, len: data.end, needed });
    }
    Ok((0..SLOTS).map(|i| start + i * size..start + (i + 1) * size).collect())
}

/// Until nobody can send commands any more, and all jobs are done.
pub(super) fn serve(
    driver: Driver,
    free: Vec<Range<usize>>,
    commands: &Receiver<Command>,
    patience: Duration,
) {
    let sizes = vec![None; driver.description().key_slots.into()];
    let (active, in_ring) = (VecDeque::new(), VecDeque::new());
    let mut server = Server { driver, patience, free, active, in_ring, next: 0, sizes };
    let mut open = true;
    while open || !server.active.is_empty() {
        // A command that is no job waits for the jobs before it.
        let command = if server.active.is_empty() {
            commands.recv().map_err(|_| TryRecvError::Disconnected)
        } else {
            commands.try_recv()
        };
        match command {
            Ok(Command::Job(job, waiter)) => server.begin(job, waiter),
            Ok(other) => {
                while !server.active.is_empty() {
                    server.step();
                }
                server.answer(other);
            }
            Err(TryRecvError::Disconnected) => open = false,
            Err(TryRecvError::Empty) => {}
        }
        server.step();
    }
    let _ = server.wipe();
}

impl Server {
    fn wipe(&mut self) -> Result<(), DeviceError> {
        self.driver.wipe(Instant::now() + self.patience).map(drop)
    }

    fn begin(&mut self, job: Box<Job>, mut waiter: Box<dyn Waiter>) {
        if !waiter.begun() {
            return;
        }
        let slot = self.free.first().or(self.in_ring.front().map(|(_, piece)| &piece.slot));
        let room = slot.map_or(0, Range::len);
        if job.room() > room {
            let bytes = room.saturating_sub(BESIDE);
            return waiter.ended(Err(QueueError::Room { bytes }));
        }
        self.active.push_back(Active { number: self.next, job, waiter });
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
                self.fail(index, error.into());
            }
        }
        if let Some((number, piece)) = self.in_ring.pop_front() {
            match self.driver.complete(Instant::now() + self.patience) {
                Ok(completion) => self.ended(number, &piece, completion),
                Err(error) => self.broke_down(piece, error),
            }
        }
    }

    fn stage(&mut self, index: usize, slot: &Range<usize>) -> Result<(), DeviceError> {
        let active = &mut self.active[index];
        let size = self.sizes.get(usize::from(active.job.slot())).copied().flatten();
        let piece = active.job.next(&mut self.driver, slot, size)?;
        self.driver.submit(&piece.request)?;
        self.in_ring.push_back((active.number, piece));
        Ok(())
    }

    fn ended(&mut self, number: u64, piece: &Piece, completion: Completion) {
        let index = self.active.iter().position(|active| active.number == number);
        let result = completion.outcome.map(|()| completion.tag).map_err(QueueError::Job);
        let memory = self.driver.memory(piece.result.clone());
        match (index, result, memory) {
            (Some(index), Ok(tag), Ok(bytes)) => {
                let job = &mut self.active[index].job;
                job.take(piece, bytes, tag);
                if job.is_done()
                    && let Some(Active { job, waiter, .. }) = self.active.remove(index)
                {
                    waiter.ended(Ok(job.into_result()));
                }
            }
            (Some(index), Err(error), _) => self.fail(index, error),
            (Some(index), Ok(_), Err(error)) => self.fail(index, error.into()),
            (None, ..) => {}
        }
        if let Ok(memory) = self.driver.memory(piece.slot.clone()) {
            memory.zeroize();
        }
        self.free.push(piece.slot.clone());
    }

    /// Nothing is known of any job, and all are told; a wipe makes the ring anew, if it can.
    fn broke_down(&mut self, piece: Piece, error: DeviceError) {
        let error = QueueError::from(error);
        for active in self.active.drain(..) {
            active.waiter.ended(Err(error.clone()));
        }
        let _ = self.wipe();
        self.free.push(piece.slot);
        self.free.extend(self.in_ring.drain(..).map(|(_, piece)| piece.slot));
    }

    /// What is in the ring of it comes back later, to nobody.
    fn fail(&mut self, index: usize, error: QueueError) {
        if let Some(failed) = self.active.remove(index) {
            failed.waiter.ended(Err(error));
        }
    }

    fn answer(&mut self, command: Command) {
        // Who asked may be gone.
        match command {
            Command::Job(..) => {}
            Command::Key { slot, key, answer } => {
                let set = self.driver.set_key(slot, &key);
                let chacha20 = self.driver.description().has_chacha20();
                if let (Ok(()), Some(size)) = (&set, self.sizes.get_mut(usize::from(slot))) {
                    *size = KeySize::of_bytes(key.len()).filter(|_| !chacha20);
                }
                let _ = answer.send(set);
            }
            Command::Counters(answer) => {
                let cycles = self.driver.device().cycles();
                let counters = self.driver.counters();
                let _ = answer.send(counters.and_then(|counters| Ok((counters, cycles?))));
            }
            Command::Wipe(answer) => {
                let _ = answer.send(self.wipe());
            }
        }
    }
}
