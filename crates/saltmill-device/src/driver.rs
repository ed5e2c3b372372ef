// SPDX-License-Identifier: Apache-2.0
//! The driver: a ring of descriptors in the device's memory.

use std::{
    ops::Range,
    time::{Duration, Instant},
};

use zeroize::Zeroizing;

use crate::{
    Completion, CoreAlgorithm, Counters, Description, Descriptor, Device, DeviceError, KeySize,
    Operation, Request, RequestError,
    descriptor::{DESCRIPTOR_BYTES, STATUS_OFFSET, TAG_OFFSET, outcome},
    registers::{self, interrupt_coalescing},
};

/// The longest wait for one interrupt; then the ring's tail is looked at, so that an interrupt that
/// got lost costs this and no more.
const INTERRUPT_SLICE: Duration = Duration::from_millis(100);
/// Ring entries that the driver asks for; a device may have fewer.
const LOG2_ENTRIES: u8 = 6;

/// When the device raises its interrupt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coalescing {
    /// After this many finished jobs.
    pub jobs: u8,
    /// Or this many cycles after the oldest that was not reported; 24 bits; 0: only the count.
    pub timeout_cycles: u32,
}

/// A device that was found good and set up, with its ring.
pub struct Accelerator<D: Device> {
    device: D,
    description: Description,
    log2_entries: u8,
    /// Descriptors written to memory, handed over, known to be finished, and given to the caller.
    staged: u16,
    head: u16,
    tail: u16,
    returned: u16,
    next_job: u64,
    missed_interrupts: u64,
    spurious_interrupts: u64,
    /// Number of the oldest job when the last interrupt came.
    interrupted_at: Option<u64>,
    /// Of each key slot: the size of the key that was written to it, unless that is a one-time key.
    bound: Vec<Option<KeySize>>,
    /// What is to be done when the job of an entry is finished.
    entries: Vec<Entry>,
}

/// What the driver remembers of a job.
#[derive(Clone, Default)]
struct Entry {
    /// What the job writes: given back to the host on completion.
    destination: Option<Range<usize>>,
    /// Code of its operation.
    operation: u8,
}

impl Entry {
    fn is(&self, operation: Operation) -> bool {
        self.operation == operation as u8
    }
}

impl<D: Device> Accelerator<D> {
    /// Checks that this is a device that the driver knows, wipes it and sets up its ring.
    ///
    /// # Errors
    /// It is another device, or one that this driver can't serve; its memory is too small or out of
    /// its reach; it does not answer.
    pub fn probe(mut device: D, deadline: Instant) -> Result<Self, DeviceError> {
        let description = Description::read(&mut device)?;
        let log2_entries = description.max_log2_entries.min(LOG2_ENTRIES);
        let mut accelerator = Self {
            device,
            log2_entries,
            staged: 0,
            head: 0,
            tail: 0,
            returned: 0,
            next_job: 0,
            missed_interrupts: 0,
            spurious_interrupts: 0,
            interrupted_at: None,
            bound: vec![None; description.key_slots.into()],
            entries: vec![Entry::default(); 1 << log2_entries],
            description,
        };
        let (ring, len) = (accelerator.ring_bytes(), accelerator.device.dma().len);
        if len <= ring {
            let device = accelerator.named();
            return Err(DeviceError::TooLittleMemory { device, len, needed: ring + 1 });
        }
        accelerator.check(&(0..ring))?;
        accelerator.wipe(deadline)?;
        Ok(accelerator)
    }

    /// How the device was built.
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// Name of the device.
    pub fn name(&self) -> &str {
        self.device.name()
    }

    /// The device itself, for what the driver does not do.
    pub fn device(&mut self) -> &mut D {
        &mut self.device
    }

    /// Jobs that may be outstanding at once.
    pub fn entries(&self) -> usize {
        1 << self.log2_entries
    }

    /// Jobs submitted and not yet given back.
    pub fn outstanding(&self) -> usize {
        usize::from(self.staged.wrapping_sub(self.returned))
    }

    /// The part of the device's memory that is the caller's: what the ring leaves.
    pub fn data(&self) -> Range<usize> {
        self.ring_bytes()..self.device.dma().len
    }

    /// The host's view of part of the device's memory. Its jobs must not be outstanding.
    ///
    /// # Errors
    /// The range is not inside the device's memory.
    pub fn memory(&mut self, range: Range<usize>) -> Result<&mut [u8], DeviceError> {
        self.device.memory(range)
    }

    /// Writes a key to a slot, for every operation but [`Operation::Mac`]: of ChaCha20 32 bytes, of
    /// AES 16, 24 or 32, as far as the device takes them; of HMAC up to 32 (one of more than 64 is
    /// its SHA-256 instead, RFC 2104). It can't be read back; a wipe clears it.
    /// An AES key is for jobs of its own size alone: neither the driver nor the device lets a part
    /// of it be used as a shorter key.
    ///
    /// # Errors
    /// The device has no such slot or takes no key of that length; a register access fails.
    pub fn set_key(&mut self, slot: u8, key: &[u8]) -> Result<(), DeviceError> {
        let size = self.size_of(key)?;
        let mut padded = Zeroizing::new([0; 32]);
        padded[..key.len()].copy_from_slice(key);
        self.write_key(slot, &padded, registers::key_use_of(size))?;
        self.bound[usize::from(slot)] = Some(size);
        Ok(())
    }

    /// Writes a one-time key (RFC 8439, 2.5: r, then s) to a slot, for one [`Operation::Mac`] and
    /// nothing else. The job uses it up: the slot is empty as soon as the device has begun with it.
    ///
    /// # Errors
    /// The device has no such slot; a register access fails.
    pub fn set_one_time_key(&mut self, slot: u8, key: &[u8; 32]) -> Result<(), DeviceError> {
        self.write_key(slot, key, registers::KEY_USE_ONE_TIME)
    }

    /// The size of a key as the device is told: that of ChaCha20 has code 0.
    fn size_of(&self, key: &[u8]) -> Result<KeySize, DeviceError> {
        let (algorithm, bytes) = (self.description.algorithm, key.len());
        let size = if self.description.supports(Operation::Hmac) {
            (bytes <= 32).then_some(KeySize::default())
        } else if self.description.has_chacha20() {
            (bytes == 32).then_some(KeySize::default())
        } else {
            KeySize::of_bytes(bytes).filter(|size| self.description.has_aes(*size))
        };
        size.ok_or_else(|| DeviceError::KeyLength { device: self.named(), algorithm, bytes })
    }

    /// Says what the key is for, each time: a wipe makes the device forget it.
    fn write_key(&mut self, slot: u8, key: &[u8; 32], key_use: u32) -> Result<(), DeviceError> {
        let Some(bound) = self.bound.get_mut(usize::from(slot)) else {
            let slots = self.description.key_slots;
            return Err(DeviceError::NoKeySlot { device: self.named(), slot, slots });
        };
        *bound = None;
        self.device.write(registers::KEY_USE, key_use)?;
        let base = registers::KEY_SLOTS + registers::KEY_SLOTS_STRIDE * u32::from(slot);
        for (offset, word) in (base..).step_by(4).zip(key.as_chunks::<4>().0) {
            self.device.write(offset, u32::from_le_bytes(*word))?;
        }
        Ok(())
    }

    /// Says when the device raises its interrupt; at first, after each job.
    ///
    /// # Errors
    /// A register access fails.
    pub fn set_coalescing(&mut self, coalescing: Coalescing) -> Result<(), DeviceError> {
        let word = interrupt_coalescing::COUNT.with(coalescing.jobs.into())
            | interrupt_coalescing::TIMEOUT.with(coalescing.timeout_cycles);
        self.device.write(registers::INTERRUPT_COALESCING, word)
    }

    /// Hands one job to the device; gives its number.
    ///
    /// # Errors
    /// As [`stage`](Self::stage); a register access fails.
    pub fn submit(&mut self, request: &Request) -> Result<u64, DeviceError> {
        let job = self.stage(request)?;
        self.ring_doorbell()?;
        Ok(job)
    }

    /// Writes one job into the ring; the device sees it at the next
    /// [`ring_doorbell`](Self::ring_doorbell).
    ///
    /// # Errors
    /// The ring is full, a range is not in the device's memory, or the request makes no sense to
    /// this device.
    pub fn stage(&mut self, request: &Request) -> Result<u64, DeviceError> {
        for range in request.ranges() {
            self.check(range)?;
        }
        let descriptor = self
            .descriptor(request)
            .map_err(|reason| DeviceError::BadRequest { device: self.named(), reason })?;
        let mut given: Vec<_> = request.ranges().collect();
        given.dedup();
        for range in given {
            self.device.sync_for_device(range.clone())?;
        }
        let destination = request.writes().then(|| request.destination.clone());
        self.stage_descriptor(&descriptor, destination)
    }

    /// The request as the device is told, or why it can't be told.
    fn descriptor(&self, request: &Request) -> Result<Descriptor, RequestError> {
        let mut descriptor = request.descriptor(self.device.dma().bus_address)?;
        let (found, expected) = (request.destination.len(), self.description.digest_bytes);
        if request.digests() && found != usize::from(expected) {
            return Err(RequestError::DigestBytes { found, expected });
        }
        if !self.description.needs_key(request.operation) {
            (descriptor.key_slot, descriptor.key_size) = (0, 0);
        } else if self.description.algorithm == CoreAlgorithm::Aes {
            let (slot, wanted) = (request.key_slot, request.key_size);
            let bound = self.bound.get(usize::from(slot)).copied().flatten();
            if let Some(found) = bound.filter(|size| *size != wanted) {
                return Err(RequestError::KeySize { slot, found, wanted });
            }
        }
        Ok(descriptor)
    }

    /// Writes a descriptor into the ring as it is. `destination` is what it writes in this device's
    /// memory, if anything.
    ///
    /// # Errors
    /// The ring is full.
    pub fn stage_descriptor(
        &mut self,
        descriptor: &Descriptor,
        destination: Option<Range<usize>>,
    ) -> Result<u64, DeviceError> {
        if self.outstanding() == self.entries() {
            let entries = self.entries();
            return Err(DeviceError::RingFull { device: self.named(), entries });
        }
        let entry = self.entry(self.staged);
        self.device.memory(entry.clone())?.copy_from_slice(&descriptor.to_bytes());
        self.device.sync_for_device(entry)?;
        let index = usize::from(self.staged) % self.entries();
        self.entries[index] = Entry { destination, operation: descriptor.operation };
        self.staged = self.staged.wrapping_add(1);
        self.next_job += 1;
        Ok(self.next_job - 1)
    }

    /// Hands all staged jobs to the device at once.
    ///
    /// # Errors
    /// A register access fails.
    pub fn ring_doorbell(&mut self) -> Result<(), DeviceError> {
        if self.head != self.staged {
            self.device.write(registers::RING_HEAD, u32::from(self.staged))?;
            self.head = self.staged;
        }
        Ok(())
    }

    /// Waits for the oldest outstanding job; its destination is the host's again, but for an
    /// [`Operation::Open`] that did not end well: its destination holds zeros, in the device's
    /// memory too.
    ///
    /// # Errors
    /// No job is outstanding, the deadline has passed, or the device can't be reached. What went
    /// wrong with the job itself is in its [`Completion`].
    pub fn complete(&mut self, deadline: Instant) -> Result<Completion, DeviceError> {
        loop {
            if let Some(completion) = self.poll()? {
                return Ok(completion);
            }
            self.await_progress(deadline)?;
        }
    }

    /// The oldest outstanding job, as [`Self::complete`] gives it, if its status is in memory by
    /// now. It neither waits nor accesses a register, but for the doorbell of staged jobs.
    ///
    /// # Errors
    /// No job is outstanding, or the device can't be reached.
    pub fn poll(&mut self) -> Result<Option<Completion>, DeviceError> {
        if self.outstanding() == 0 {
            return Err(DeviceError::NothingOutstanding { device: self.named() });
        }
        self.ring_doorbell()?;
        if self.is_finished()? { self.take_oldest().map(Some) } else { Ok(None) }
    }

    /// Gives back the oldest outstanding job, which has ended.
    fn take_oldest(&mut self) -> Result<Completion, DeviceError> {
        // The tag was written before the status: it is looked at after it.
        let entry = self.entry(self.returned);
        self.device.sync_for_cpu(entry.clone())?;
        let bytes = self.device.memory(entry)?;
        let status = std::array::from_fn(|i| bytes[STATUS_OFFSET + i]);
        let tag = std::array::from_fn(|i| bytes[TAG_OFFSET + i]);
        let outcome = outcome(u32::from_le_bytes(status));
        let job = self.oldest_job();
        let index = usize::from(self.returned) % self.entries();
        let entry = self.entries[index].clone();
        if entry.is(Operation::Open) && outcome.is_err() {
            self.clear(&entry)?;
        } else if let Some(range) = entry.destination.clone() {
            self.device.sync_for_cpu(range)?;
        }
        if self.tail == self.returned {
            self.tail = self.tail.wrapping_add(1);
        }
        self.returned = self.returned.wrapping_add(1);
        let makes_tag = entry.is(Operation::Mac) || entry.is(Operation::Seal);
        Ok(Completion { job, outcome, tag: (makes_tag && outcome.is_ok()).then_some(tag) })
    }

    /// Clears what a job has written, in the host's view and in the device's.
    fn clear(&mut self, entry: &Entry) -> Result<(), DeviceError> {
        let Some(range) = entry.destination.clone() else { return Ok(()) };
        self.device.sync_for_cpu(range.clone())?;
        self.device.memory(range.clone())?.fill(0);
        self.device.sync_for_device(range)
    }

    /// Aborts all jobs and clears keys, state and buffers, and what aborted [`Operation::Open`]s
    /// had written; gives the number of jobs aborted. The device is ready for new keys afterwards.
    ///
    /// # Errors
    /// The deadline has passed, or the device can't be reached.
    pub fn wipe(&mut self, deadline: Instant) -> Result<usize, DeviceError> {
        let aborted = self.outstanding();
        self.bound.fill(None);
        self.device.write(registers::CONTROL, registers::CONTROL_WIPE)?;
        loop {
            let found = self.device.read(registers::STATUS)?;
            if found & registers::STATUS_WIPING == 0 {
                break;
            }
            if Instant::now() >= deadline {
                return Err(self.deadline("the end of a wipe", registers::STATUS, found));
            }
        }
        for number in 0..aborted {
            let index = (usize::from(self.returned) + number) % self.entries();
            if self.entries[index].is(Operation::Open) {
                self.clear(&self.entries[index].clone())?;
            }
        }
        (self.staged, self.head, self.tail, self.returned) = (0, 0, 0, 0);
        self.set_up_ring()?;
        Ok(aborted)
    }

    /// The performance counters.
    ///
    /// # Errors
    /// A register access fails.
    pub fn counters(&mut self) -> Result<Counters, DeviceError> {
        Counters::read(&mut self.device)
    }

    /// How often jobs were found finished after a wait that no interrupt ended: it got lost on its
    /// way, or [`Coalescing`] held it back. Such a wait costs 100 ms at most.
    pub fn missed_interrupts(&self) -> u64 {
        self.missed_interrupts
    }

    /// How many interrupts came although no job had finished since the one before. They cost two
    /// register accesses each, however many come; jobs go on.
    pub fn spurious_interrupts(&self) -> u64 {
        self.spurious_interrupts
    }

    /// Sets all performance counters to 0.
    ///
    /// # Errors
    /// A register access fails.
    pub fn clear_counters(&mut self) -> Result<(), DeviceError> {
        self.device.write(registers::CONTROL, registers::CONTROL_ENABLE | registers::CONTROL_CLEAR)
    }

    fn set_up_ring(&mut self) -> Result<(), DeviceError> {
        let base = self.device.dma().bus_address;
        self.device.write(registers::RING_BASE_LOW, base as u32)?;
        self.device.write(registers::RING_BASE_HIGH, (base >> 32) as u32)?;
        self.device.write(registers::RING_SIZE, u32::from(self.log2_entries))?;
        self.device.write(registers::INTERRUPT_STATUS, registers::INTERRUPT_ALL)?;
        self.device.write(registers::INTERRUPT_ENABLE, registers::INTERRUPT_DONE)?;
        self.device.write(registers::CONTROL, registers::CONTROL_ENABLE)
    }

    /// Whether the oldest job is finished. Its status says so, which is in memory before the tail
    /// moves, so that no register is read for it; or the tail, when its status got lost.
    fn is_finished(&mut self) -> Result<bool, DeviceError> {
        let entry = self.entry(self.returned);
        let status = entry.start + STATUS_OFFSET;
        self.device.sync_for_cpu(entry)?;
        let written = self.device.memory(status..status + 4)?.iter().any(|byte| *byte != 0);
        Ok(written || self.tail != self.returned)
    }

    /// One wait for the interrupt.
    fn await_progress(&mut self, deadline: Instant) -> Result<(), DeviceError> {
        let now = Instant::now();
        if now >= deadline {
            let found = u32::from(self.tail);
            return Err(self.deadline("the end of a job", registers::RING_TAIL, found));
        }
        let interrupt = self.device.wait(deadline.min(now + INTERRUPT_SLICE))?;
        if interrupt {
            // Cleared before the status is looked at: what finishes in between raises it again.
            self.device.write(registers::INTERRUPT_STATUS, registers::INTERRUPT_DONE)?;
        }
        let written = self.is_finished()?;
        if !written {
            self.read_tail()?;
        }
        let finished = written || self.tail != self.returned;
        if interrupt {
            self.count_interrupt(finished);
        } else {
            self.missed_interrupts += u64::from(written);
        }
        Ok(())
    }

    /// An interrupt may be of jobs that were found finished before it was seen, but only the first
    /// one after them.
    fn count_interrupt(&mut self, finished: bool) {
        let oldest = Some(self.oldest_job());
        let explained = finished || self.interrupted_at != oldest;
        self.spurious_interrupts += u64::from(!explained);
        self.interrupted_at = oldest;
    }

    /// Reads how far the device is. Statuses may be ahead of it: memory has them, and has not
    /// answered.
    fn read_tail(&mut self) -> Result<(), DeviceError> {
        let found = self.device.read(registers::RING_TAIL)?;
        let finished = (found as u16).wrapping_sub(self.returned);
        let behind = usize::from(self.returned.wrapping_sub(found as u16));
        let handed_over = self.head.wrapping_sub(self.returned);
        if found > u32::from(u16::MAX) || finished > handed_over && behind > self.entries() {
            let (device, head) = (self.named(), self.head);
            return Err(DeviceError::RingTail { device, tail: found, head });
        }
        if finished <= handed_over {
            self.tail = found as u16;
        }
        Ok(())
    }

    /// The range is in the device's memory, and the device can address it.
    fn check(&self, range: &Range<usize>) -> Result<(), DeviceError> {
        let (device, dma, range) = (self.named(), self.device.dma(), range.clone());
        if range.start > range.end || range.end > dma.len {
            return Err(DeviceError::Memory { device, range, len: dma.len });
        }
        let (end, bits) =
            (u128::from(dma.bus_address) + range.end as u128, self.description.address_bits);
        if !range.is_empty() && end > 1 << bits {
            return Err(DeviceError::Unreachable { device, range, end, bits });
        }
        Ok(())
    }

    /// Number of the oldest job that was not given back; of the next one if there is none.
    fn oldest_job(&self) -> u64 {
        self.next_job - self.outstanding() as u64
    }

    fn ring_bytes(&self) -> usize {
        self.entries() * DESCRIPTOR_BYTES
    }

    fn entry(&self, number: u16) -> Range<usize> {
        let start = usize::from(number) % self.entries() * DESCRIPTOR_BYTES;
        start..start + DESCRIPTOR_BYTES
    }

    pub(crate) fn named(&self) -> String {
        self.device.name().to_owned()
    }

    fn deadline(&self, waited_for: &'static str, offset: u32, found: u32) -> DeviceError {
        DeviceError::Deadline { device: self.named(), waited_for, offset, found }
    }
}
