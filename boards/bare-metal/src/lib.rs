// SPDX-License-Identifier: Apache-2.0
//! The driver in C on a simulated device, for its tests: `tests/bench.h` as safe Rust. The only
//! file with `unsafe`.
#![allow(unsafe_code)]

use std::{
    ffi::{CStr, CString, c_char},
    ptr::{self, NonNull},
};

// Links the simulated devices.
pub use saltmill_sim::variants;

#[repr(C)]
struct Opaque {
    _private: [u8; 0],
}

/// `bench_job`.
#[repr(C)]
struct RawJob {
    key: *const u8,
    aad: *const u8,
    iv: *const u8,
    input: *const u8,
    output: *mut u8,
    blocks_before: u64,
    key_bytes: u32,
    aad_bytes: u32,
    iv_bytes: u32,
    input_bytes: u32,
    output_bytes: u32,
    counter: u32,
    nonce: [u8; 24],
    tag: [u8; 16],
    operation: u8,
    nonce_bytes: u8,
    tag_bytes: u8,
    short_counter: u8,
    in_place: u8,
    status: u8,
    has_tag: u8,
    unaligned: u8,
}

unsafe extern "C" {
    fn bench_create(
        variant: *const c_char,
        bus: u64,
        interrupt: bool,
        result: *mut u32,
    ) -> *mut Opaque;
    fn bench_destroy(bench: *mut Opaque);
    fn bench_stage(bench: *mut Opaque, job: *const RawJob, place: u32) -> u32;
    fn bench_complete(bench: *mut Opaque, job: *mut RawJob, place: u32, patience: u32) -> u32;
    fn bench_wipe(bench: *mut Opaque) -> u32;
    fn bench_self_test(bench: *mut Opaque, vectors: *mut u32, failed: *mut *const c_char) -> u32;
    fn bench_skip(bench: *mut Opaque, for_device: bool, for_cpu: bool);
    fn bench_hang(bench: *mut Opaque);
    fn bench_accesses(bench: *const Opaque) -> u32;
    fn bench_waits(bench: *const Opaque) -> u32;
    fn bench_failures(bench: *const Opaque) -> u32;
    fn bench_counter(bench: *const Opaque, counter: u32) -> u64;
    fn bench_supports(bench: *const Opaque, operation: u32) -> bool;
    fn bench_algorithm(bench: *const Opaque) -> u32;
    fn bench_key_sizes(bench: *const Opaque) -> u32;
    fn bench_extended_nonce(bench: *const Opaque) -> bool;
    fn bench_job_size() -> usize;
    fn saltmill_result_name(result: u32) -> *const c_char;
    fn saltmill_job_status_name(status: u32) -> *const c_char;
}

/// Name of a static string of C.
fn text(name: *const c_char) -> String {
    // SAFETY: the driver's names live for ever and end with 0.
    unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned()
}

/// What a call of the driver came to: `Err` has the name of its result.
pub type Outcome = Result<(), String>;

fn outcome(result: u32) -> Outcome {
    // SAFETY: any number is allowed.
    if result == 0 { Ok(()) } else { Err(text(unsafe { saltmill_result_name(result) })) }
}

/// Places for jobs in memory.
pub const PLACES: u32 = 4;
/// Waits, or looks, that every job of a test ends in.
pub const PATIENCE: u32 = 20_000;

/// A job as the tests write it.
#[derive(Clone, Debug, Default)]
pub struct Job {
    /// Code of the operation.
    pub operation: u8,
    /// Key; empty: none is written.
    pub key: Vec<u8>,
    /// Nonce of 12, 16 or 24 bytes, or none.
    pub nonce: Vec<u8>,
    /// Block counter.
    pub counter: u32,
    /// Only 32 bits of an AES counter count.
    pub short_counter: bool,
    /// Blocks in the parts before.
    pub blocks_before: u64,
    /// Additional data.
    pub aad: Vec<u8>,
    /// Initialisation vector, or chaining value.
    pub iv: Vec<u8>,
    /// Data.
    pub input: Vec<u8>,
    /// Bytes of the result.
    pub output_bytes: usize,
    /// The tag that is expected.
    pub tag: [u8; 16],
    /// How much of it.
    pub tag_bytes: u8,
    /// The destination is the source.
    pub in_place: bool,
    /// How far source and destination are from an aligned address.
    pub unaligned: u8,
}

/// What came back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    /// Name of the job's status.
    pub status: String,
    /// What is in the destination.
    pub output: Vec<u8>,
    /// The tag that was made.
    pub tag: Option<[u8; 16]>,
}

impl Job {
    fn raw(&self, output: &mut [u8]) -> RawJob {
        let mut nonce = [0; 24];
        nonce[..self.nonce.len()].copy_from_slice(&self.nonce);
        RawJob {
            key: self.key.as_ptr(),
            aad: self.aad.as_ptr(),
            iv: self.iv.as_ptr(),
            input: self.input.as_ptr(),
            output: output.as_mut_ptr(),
            blocks_before: self.blocks_before,
            key_bytes: self.key.len() as u32,
            aad_bytes: self.aad.len() as u32,
            iv_bytes: self.iv.len() as u32,
            input_bytes: self.input.len() as u32,
            output_bytes: output.len() as u32,
            counter: self.counter,
            nonce,
            tag: self.tag,
            operation: self.operation,
            nonce_bytes: self.nonce.len() as u8,
            tag_bytes: self.tag_bytes,
            short_counter: self.short_counter.into(),
            in_place: self.in_place.into(),
            status: 0,
            has_tag: 0,
            unaligned: self.unaligned,
        }
    }
}

/// The driver and its device.
pub struct Bench(NonNull<Opaque>);

impl Bench {
    /// A device that was found and set up; `bus` is where its memory is.
    ///
    /// # Errors
    /// The driver's result.
    ///
    /// # Panics
    /// C and Rust do not agree on what a job is.
    pub fn new(variant: &str, bus: u64, interrupt: bool) -> Result<Self, String> {
        // SAFETY: no arguments.
        assert_eq!(unsafe { bench_job_size() }, size_of::<RawJob>(), "tests/bench.h");
        let name = CString::new(variant).map_err(|error| error.to_string())?;
        let mut result = 0;
        // SAFETY: the string ends with 0, and `result` lives.
        let bench = unsafe { bench_create(name.as_ptr(), bus, interrupt, &raw mut result) };
        outcome(result)?;
        NonNull::new(bench).map(Self).ok_or_else(|| "no bench".into())
    }

    /// Writes a job into the ring.
    ///
    /// # Errors
    /// The driver's result.
    ///
    /// # Panics
    /// There is no such place, or the job has no room in it.
    pub fn stage(&mut self, job: &Job, place: u32) -> Outcome {
        assert!(place < PLACES && job.input.len() <= 70 << 10 && job.aad.len() <= 7 << 10);
        let raw = job.raw(&mut []);
        // SAFETY: the bench lives as long as `self`; the job's bytes live and fit into the place.
        outcome(unsafe { bench_stage(self.0.as_ptr(), &raw const raw, place) })
    }

    /// Waits for the oldest job, which was staged as this one.
    ///
    /// # Errors
    /// The driver's result.
    pub fn complete(&mut self, job: &Job, place: u32, patience: u32) -> Result<Done, String> {
        let mut output = vec![0; job.output_bytes];
        let mut raw = job.raw(&mut output);
        // SAFETY: as above; the output has the size that is told.
        outcome(unsafe { bench_complete(self.0.as_ptr(), &raw mut raw, place, patience) })?;
        // SAFETY: any number is allowed.
        let status = text(unsafe { saltmill_job_status_name(raw.status.into()) });
        Ok(Done { status, output, tag: (raw.has_tag != 0).then_some(raw.tag) })
    }

    /// Both, in the first place.
    ///
    /// # Errors
    /// The driver's result.
    pub fn run(&mut self, job: &Job) -> Result<Done, String> {
        self.stage(job, 0)?;
        self.complete(job, 0, PATIENCE)
    }

    /// Wipes the device.
    ///
    /// # Errors
    /// The driver's result.
    pub fn wipe(&mut self) -> Outcome {
        // SAFETY: the bench lives as long as `self`.
        outcome(unsafe { bench_wipe(self.0.as_ptr()) })
    }

    /// How many vectors were right.
    ///
    /// # Errors
    /// The driver's result, and the vector.
    pub fn self_test(&mut self) -> Result<u32, String> {
        let (mut vectors, mut failed) = (0, ptr::null());
        // SAFETY: the bench lives as long as `self`, and so do both numbers.
        let result = unsafe { bench_self_test(self.0.as_ptr(), &raw mut vectors, &raw mut failed) };
        let vector = if failed.is_null() { String::new() } else { text(failed) };
        outcome(result).map_err(|name| format!("{name}: {vector}")).map(|()| vectors)
    }

    /// Leaves out the hooks.
    pub fn skip(&mut self, for_device: bool, for_cpu: bool) {
        // SAFETY: the bench lives as long as `self`.
        unsafe { bench_skip(self.0.as_ptr(), for_device, for_cpu) }
    }

    /// The device's memory gives no answer from now on.
    pub fn hang(&mut self) {
        // SAFETY: the bench lives as long as `self`.
        unsafe { bench_hang(self.0.as_ptr()) }
    }

    /// Register accesses so far.
    pub fn accesses(&self) -> u32 {
        // SAFETY: the bench lives as long as `self`; this and what follows only read it.
        unsafe { bench_accesses(self.0.as_ptr()) }
    }

    /// Waits for the interrupt so far.
    pub fn waits(&self) -> u32 {
        // SAFETY: as above.
        unsafe { bench_waits(self.0.as_ptr()) }
    }

    /// Register accesses and copies that the simulation refused, and bytes left in memory.
    pub fn failures(&self) -> u32 {
        // SAFETY: as above.
        unsafe { bench_failures(self.0.as_ptr()) }
    }

    /// A counter, by its number.
    pub fn counter(&mut self, number: u32) -> u64 {
        // SAFETY: as above.
        unsafe { bench_counter(self.0.as_ptr(), number) }
    }

    /// The device has an operation.
    pub fn supports(&self, operation: u8) -> bool {
        // SAFETY: as above.
        unsafe { bench_supports(self.0.as_ptr(), operation.into()) }
    }

    /// Code of its algorithm.
    pub fn algorithm(&self) -> u32 {
        // SAFETY: as above.
        unsafe { bench_algorithm(self.0.as_ptr()) }
    }

    /// Sizes of AES keys, a bit for each.
    pub fn key_sizes(&self) -> u32 {
        // SAFETY: as above.
        unsafe { bench_key_sizes(self.0.as_ptr()) }
    }

    /// It has nonces of 24 bytes.
    pub fn extended_nonce(&self) -> bool {
        // SAFETY: as above.
        unsafe { bench_extended_nonce(self.0.as_ptr()) }
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        // SAFETY: made by `bench_create`, destroyed once.
        unsafe { bench_destroy(self.0.as_ptr()) }
    }
}
