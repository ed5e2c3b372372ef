// SPDX-License-Identifier: Apache-2.0
//! Keys: how the suite writes them, and what each is for: one size, one use.

use super::{
    bench::Bench,
    faults::{between_good_jobs, make},
};
use crate::{Descriptor, Device, JobError, KeySize, Operation, Request, registers};

const WORDS: [u32; 8] = [0, 1, 2, 3, 4, 5, 6, 7];

impl<D: Device> Bench<D> {
    /// The device has a cipher: all that it does needs a key. If not, nothing does.
    pub(super) fn has_keys(&self) -> bool {
        let description = self.accelerator.description();
        let mut operations = Operation::ALL.into_iter().filter(|operation| self.has(*operation));
        let keys = operations.next().is_some_and(|first| description.needs_key(first));
        assert!(operations.all(|operation| description.needs_key(operation) == keys));
        keys
    }

    /// Sizes of keys: those of AES that the device takes, or the only one of ChaCha20.
    pub(super) fn sizes(&self) -> Vec<KeySize> {
        if !self.is_aes() {
            return vec![KeySize::default()];
        }
        self.accelerator.description().key_sizes().collect()
    }

    /// Puts keys into the first slots, one of each size; jobs use these unless they are told
    /// otherwise.
    pub(super) fn set_keys(&mut self) {
        let sizes = if self.has_keys() { self.sizes().len() as u8 } else { 0 };
        (0..sizes).for_each(|slot| self.set_key(slot));
    }

    /// Writes a key of the size that this slot's keys have.
    pub(super) fn set_key(&mut self, slot: u8) {
        self.set_key_of(slot, self.size_in(slot));
    }

    /// Sizes take turns from slot to slot.
    fn size_in(&self, slot: u8) -> KeySize {
        let sizes = self.sizes();
        sizes[usize::from(slot) % sizes.len()]
    }

    fn set_key_of(&mut self, slot: u8, size: KeySize) {
        let bytes = if self.is_aes() { size.bytes() } else { 32 };
        let key = self.random_bytes::<32>()[..bytes].to_vec();
        self.accelerator.set_key(slot, &key).expect("a key is written");
        self.keys[usize::from(slot)] = Some(key);
    }

    pub(super) fn set_one_time_key(&mut self, slot: u8) {
        let key = self.random_bytes();
        self.accelerator.set_one_time_key(slot, &key).expect("a one-time key is written");
        self.keys[usize::from(slot)] = Some(key.to_vec());
    }

    /// The request, with the key of this slot.
    pub(super) fn keyed(&self, key_slot: u8, request: Request) -> Request {
        Request { key_slot, key_size: self.size_in(key_slot), ..request }
    }

    /// The request, with one of the keys of [`set_keys`](Self::set_keys).
    pub(super) fn with_any_key(&mut self, request: Request) -> Request {
        let slot = self.random(self.sizes().len());
        self.keyed(slot as u8, request)
    }

    pub(super) fn key(&self, request: &Request) -> &[u8] {
        self.keys[usize::from(request.key_slot)].as_ref().expect("a slot with a key")
    }

    /// The key, if it is one of ChaCha20.
    pub(super) fn key32(&self, request: &Request) -> &[u8; 32] {
        self.key(request).try_into().expect("a key of 32 bytes")
    }

    /// The last slot: no job uses it unless it is told to.
    fn spare_slot(&self) -> u8 {
        self.accelerator.description().key_slots - 1
    }

    /// What the device does with a key that is no one-time key.
    fn ciphers(&self) -> Vec<Operation> {
        let cipher = |operation: &Operation| *operation != Operation::Mac && self.has(*operation);
        Operation::ALL.into_iter().filter(cipher).collect()
    }

    /// Writes words of a key by hand: all of them the same.
    fn write_words(&mut self, slot: u8, key_use: u32, words: &[u32]) {
        let device = self.accelerator.device();
        device.write(registers::KEY_USE, key_use).expect("the use is written");
        for word in words {
            let offset =
                registers::KEY_SLOTS + registers::KEY_SLOTS_STRIDE * u32::from(slot) + 4 * word;
            device.write(offset, 0x0101_0101).expect("a key word is written");
        }
    }

    /// No operation of a cipher finds a key in this slot.
    fn has_no_key_in(&mut self, slot: u8) {
        for operation in self.ciphers() {
            let spoil = |d: &mut Descriptor| {
                make(d, operation);
                d.key_slot = slot;
            };
            between_good_jobs(self, spoil, JobError::BadKeySlot);
        }
    }

    /// A job with the key in this slot works.
    fn has_key_in(&mut self, slot: u8) {
        let (start, _) = self.area();
        let request = self.request(start..start + 100, start..start + 100);
        self.run(&[self.keyed(slot, request)]);
    }
}

/// A one-time key is for no cipher, and a key is whole for one use only.
pub(super) fn one_use<D: Device>(bench: &mut Bench<D>) {
    if !bench.has_keys() {
        return;
    }
    let slot = bench.spare_slot();
    bench.set_one_time_key(slot);
    bench.has_no_key_in(slot);
    let uses = [registers::key_use_of(bench.size_in(slot)), registers::KEY_USE_ONE_TIME];
    for [first, second] in [uses, [uses[1], uses[0]]] {
        bench.write_words(slot, first, &WORDS[..4]);
        bench.write_words(slot, second, &WORDS[4..]);
        bench.has_no_key_in(slot);
    }
    bench.set_key(slot);
    bench.has_key_in(slot);
}

/// A key is for jobs of its own size: the first half of an AES-256 key is no key of AES-128. The
/// device refuses it, and the driver does not even ask.
pub(super) fn one_size<D: Device>(bench: &mut Bench<D>) {
    if !bench.has_keys() {
        return;
    }
    let (slot, sizes) = (bench.spare_slot(), bench.sizes());
    for written in KeySize::ALL {
        bench.write_words(slot, registers::key_use_of(written), &WORDS);
        for wanted in sizes.iter().filter(|wanted| **wanted != written) {
            for operation in bench.ciphers() {
                let spoil = |d: &mut Descriptor| {
                    make(d, operation);
                    (d.key_slot, d.key_size) = (slot, *wanted as u8);
                };
                between_good_jobs(bench, spoil, JobError::BadKeySlot);
            }
        }
    }
    // Half of it with one size, half with another.
    let other = if sizes[0] == KeySize::Bits128 { KeySize::Bits256 } else { KeySize::Bits128 };
    bench.write_words(slot, registers::key_use_of(other), &WORDS[..4]);
    bench.write_words(slot, registers::key_use_of(sizes[0]), &WORDS[4..]);
    between_good_jobs(
        bench,
        |d| (d.key_slot, d.key_size) = (slot, sizes[0] as u8),
        JobError::BadKeySlot,
    );
    for size in &sizes {
        bench.set_key_of(slot, *size);
        let (start, _) = bench.area();
        let request = bench.request(start..start + 100, start..start + 100);
        for wanted in sizes.iter().filter(|wanted| *wanted != size) {
            let request = Request { key_slot: slot, key_size: *wanted, ..request.clone() };
            let error = bench.accelerator.submit(&request).expect_err("a key of another size");
            let sentence = format!("holds a {size}-bit key, not a {wanted}-bit one");
            assert!(error.to_string().contains(&sentence), "{error}");
        }
        bench.run(&[Request { key_slot: slot, key_size: *size, ..request }]);
    }
}

/// What needs no key has none: it works with all slots empty, and a descriptor that names one is
/// refused. Of a cipher's keys none is left after a wipe, and none is there before all of its words
/// are written, in order.
pub(super) fn none<D: Device>(bench: &mut Bench<D>) {
    bench.accelerator.wipe(Bench::<D>::deadline()).expect("a wipe");
    let (start, _) = bench.area();
    if !bench.has_keys() {
        let error = bench.accelerator.set_key(0, &[0; 32]).expect_err("a key for nothing");
        assert!(error.to_string().contains("takes no key"), "{error}");
        let request = bench.request(start..start + 100, start..start + 100);
        bench.run(&[Request { key_slot: 255, key_size: KeySize::Bits256, ..request }]);
        between_good_jobs(bench, |d| d.key_slot = 1, JobError::BadDescriptor);
        between_good_jobs(bench, |d| d.key_size = 1, JobError::BadDescriptor);
        return;
    }
    let key_use = registers::key_use_of(bench.size_in(0));
    let request = bench.request(start..start + 100, start..start + 100);
    let request = bench.keyed(0, request);
    for words in [&[][..], &WORDS[..7], &[0, 7], &[0, 2, 1, 3, 4, 5, 6, 7]] {
        bench.write_words(0, key_use, words);
        bench.accelerator.submit(&request).expect("a job is submitted");
        bench.expect(Err(JobError::BadKeySlot));
    }
    bench.set_keys();
    bench.run(&[request]);
}

/// Keys in all slots, each with a job of its own; none can be read back.
pub(super) fn slots<D: Device>(bench: &mut Bench<D>) {
    if !bench.has_keys() {
        return;
    }
    let (start, _) = bench.area();
    let slots = bench.accelerator.description().key_slots;
    (0..slots).for_each(|slot| bench.set_key(slot));
    let requests: Vec<_> = (0..slots)
        .chain((0..slots).rev())
        .take(bench.accelerator.entries())
        .enumerate()
        .map(|(job, key_slot)| {
            let at = start + job * 256;
            let request = bench.request(at..at + 200, at..at + 200);
            bench.keyed(key_slot, request)
        })
        .collect();
    bench.run(&requests);
    for offset in (registers::KEY_SLOTS..).step_by(4).take(8) {
        // A refused read has an error, or on a PCI bus all ones.
        let word = bench.accelerator.device().read(offset).unwrap_or(0);
        let readable = ![0, u32::MAX].contains(&word);
        assert!(!readable, "key slot 0 can be read back at {offset:#x}");
    }
}
