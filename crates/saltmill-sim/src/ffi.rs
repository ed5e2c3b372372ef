// SPDX-License-Identifier: Apache-2.0
//! `sim/saltmill_sim.h` as safe Rust: the only file with `unsafe`.
#![allow(unsafe_code)]

use std::{
    ffi::{CStr, CString, c_char, c_int, c_void},
    os::fd::AsRawFd,
    ptr::{self, NonNull},
};

use saltmill_device::DmaRegion;

use crate::{MemoryProfile, Window};

/// `saltmill_sim`, which only C++ looks into.
#[repr(C)]
struct Opaque {
    _private: [u8; 0],
}

/// `saltmill_sim_memory_profile`.
#[repr(C)]
struct RawProfile {
    base: u64,
    bytes_per_device: u64,
    read_latency: u32,
    write_latency: u32,
    outstanding_reads: u32,
    outstanding_writes: u32,
    port_bytes_per_cycle: f64,
    shared_bytes_per_cycle: f64,
}

/// `saltmill_sim_fault`.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) enum RawFault {
    None = 0,
    Hang = 1,
    ReadError = 2,
    WriteError = 3,
}

unsafe extern "C" {
    fn saltmill_sim_variant(index: usize) -> *const c_char;
    fn saltmill_sim_create(
        variant: *const c_char,
        devices: u32,
        memory: *const RawProfile,
        trace: *const c_char,
        error: *mut c_char,
        error_size: usize,
    ) -> *mut Opaque;
    fn saltmill_sim_destroy(sim: *mut Opaque);
    fn saltmill_sim_region(sim: *const Opaque, device: u32) -> u64;
    fn saltmill_sim_read(sim: *mut Opaque, device: u32, offset: u32, value: *mut u32) -> c_int;
    fn saltmill_sim_write(sim: *mut Opaque, device: u32, offset: u32, value: u32) -> c_int;
    fn saltmill_sim_memory_read(
        sim: *mut Opaque,
        address: u64,
        to: *mut c_void,
        size: usize,
    ) -> c_int;
    fn saltmill_sim_memory_write(
        sim: *mut Opaque,
        address: u64,
        from: *const c_void,
        size: usize,
    ) -> c_int;
    fn saltmill_sim_run(sim: *mut Opaque, device: u32, cycles: u64, interrupt: *mut c_int)
    -> c_int;
    fn saltmill_sim_step(
        sim: *mut Opaque,
        device: u32,
        cycles: u64,
        up: *mut c_int,
        rose: *mut c_int,
    ) -> c_int;
    fn saltmill_sim_reset(sim: *mut Opaque) -> c_int;
    fn saltmill_sim_map(
        sim: *mut Opaque,
        address: u64,
        size: u64,
        file: c_int,
        offset: u64,
        writable: c_int,
    ) -> c_int;
    fn saltmill_sim_unmap(sim: *mut Opaque, address: u64, size: u64) -> c_int;
    fn saltmill_sim_open_windows(sim: *mut Opaque, open: c_int) -> c_int;
    fn saltmill_sim_inject(
        sim: *mut Opaque,
        device: u32,
        fault: RawFault,
        first: u64,
        last: u64,
    ) -> c_int;
    fn saltmill_sim_cycles(sim: *const Opaque) -> u64;
    fn saltmill_sim_beats(
        sim: *const Opaque,
        device: u32,
        read: *mut u64,
        written: *mut u64,
    ) -> c_int;
    fn saltmill_sim_error(sim: *const Opaque) -> *const c_char;
}

/// Why a call failed.
pub(crate) enum Failure {
    /// The device answered a register access with an error.
    Refused,
    /// Anything else, as a clause.
    Other(String),
}

/// Names of the variants in this build.
pub(crate) fn variants() -> Vec<String> {
    let name = |index| {
        // SAFETY: any index is allowed; the result is null or a string that lives for ever.
        let name = unsafe { saltmill_sim_variant(index) };
        // SAFETY: as above, and it is not null here.
        (!name.is_null()).then(|| unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned())
    };
    (0..).map_while(name).collect()
}

/// A `saltmill_sim`.
pub(crate) struct Raw(NonNull<Opaque>);

// SAFETY: a system may be used by any thread, by one at a time: only `&mut self` and, for what
// changes nothing, `&self` of a type that is not `Sync`.
unsafe impl Send for Raw {}

impl Raw {
    pub(crate) fn new(
        variant: &str,
        devices: u32,
        dma: DmaRegion,
        memory: &MemoryProfile,
        trace: Option<CString>,
    ) -> Result<Self, String> {
        let profile = RawProfile {
            base: dma.bus_address,
            bytes_per_device: dma.len as u64,
            read_latency: memory.read_latency,
            write_latency: memory.write_latency,
            outstanding_reads: memory.outstanding_reads,
            outstanding_writes: memory.outstanding_writes,
            port_bytes_per_cycle: memory.port_bytes_per_cycle,
            shared_bytes_per_cycle: memory.shared_bytes_per_cycle,
        };
        let variant = CString::new(variant).map_err(|error| error.to_string())?;
        let mut error = [0u8; 256];
        // SAFETY: all pointers are to live values, strings end with 0, `error` has the size that is
        // told.
        let sim = unsafe {
            saltmill_sim_create(
                variant.as_ptr(),
                devices,
                &raw const profile,
                trace.as_ref().map_or(ptr::null(), |path| path.as_ptr()),
                error.as_mut_ptr().cast(),
                error.len(),
            )
        };
        NonNull::new(sim).map(Self).ok_or_else(|| {
            CStr::from_bytes_until_nul(&error)
                .map_or_else(|error| error.to_string(), |text| text.to_string_lossy().into_owned())
        })
    }

    pub(crate) fn region(&self, device: u32) -> u64 {
        // SAFETY: the system lives as long as `self`.
        unsafe { saltmill_sim_region(self.0.as_ptr(), device) }
    }

    pub(crate) fn read(&mut self, device: u32, offset: u32) -> Result<u32, Failure> {
        let mut value = 0;
        // SAFETY: the system lives as long as `self`, which is borrowed mutably; `value` lives.
        let result = unsafe { saltmill_sim_read(self.0.as_ptr(), device, offset, &raw mut value) };
        self.check(result).map(|()| value)
    }

    pub(crate) fn write(&mut self, device: u32, offset: u32, value: u32) -> Result<(), Failure> {
        // SAFETY: the system lives as long as `self`, which is borrowed mutably.
        let result = unsafe { saltmill_sim_write(self.0.as_ptr(), device, offset, value) };
        self.check(result)
    }

    pub(crate) fn memory_read(&mut self, address: u64, to: &mut [u8]) -> Result<(), Failure> {
        // SAFETY: as above; `to` has the size that is told, and the simulated memory is not part of
        // it.
        let result = unsafe {
            saltmill_sim_memory_read(self.0.as_ptr(), address, to.as_mut_ptr().cast(), to.len())
        };
        self.check(result)
    }

    pub(crate) fn memory_write(&mut self, address: u64, from: &[u8]) -> Result<(), Failure> {
        // SAFETY: as above; `from` has the size that is told, and the simulated memory is not part
        // of it.
        let result = unsafe {
            saltmill_sim_memory_write(self.0.as_ptr(), address, from.as_ptr().cast(), from.len())
        };
        self.check(result)
    }

    /// True if the device's interrupt came up within `cycles`.
    pub(crate) fn run(&mut self, device: u32, cycles: u64) -> Result<bool, Failure> {
        let mut interrupt = 0;
        // SAFETY: the system lives as long as `self`, which is borrowed mutably; `interrupt` lives.
        let result =
            unsafe { saltmill_sim_run(self.0.as_ptr(), device, cycles, &raw mut interrupt) };
        self.check(result).map(|()| interrupt != 0)
    }

    /// Runs so many cycles; whether the device's interrupt is up, and came up since the last step.
    pub(crate) fn step(&mut self, device: u32, cycles: u64) -> Result<(bool, bool), Failure> {
        let (mut up, mut rose) = (0, 0);
        // SAFETY: the system lives as long as `self`, which is borrowed mutably; both numbers live.
        let result = unsafe {
            saltmill_sim_step(self.0.as_ptr(), device, cycles, &raw mut up, &raw mut rose)
        };
        self.check(result).map(|()| (up != 0, rose != 0))
    }

    pub(crate) fn reset(&mut self) -> Result<(), Failure> {
        // SAFETY: the system lives as long as `self`, which is borrowed mutably.
        let result = unsafe { saltmill_sim_reset(self.0.as_ptr()) };
        self.check(result)
    }

    pub(crate) fn map(&mut self, window: &Window<'_>) -> Result<(), Failure> {
        let Window { address, len, file, offset, writable } = *window;
        // SAFETY: the system lives as long as `self`, which is borrowed mutably; the file is open,
        // and C++ checks the numbers and keeps the mapping to itself. Nothing in Rust refers to it.
        let result = unsafe {
            saltmill_sim_map(
                self.0.as_ptr(),
                address,
                len,
                file.as_raw_fd(),
                offset,
                c_int::from(writable),
            )
        };
        self.check(result)
    }

    pub(crate) fn unmap(&mut self, address: u64, len: u64) -> Result<(), Failure> {
        // SAFETY: the system lives as long as `self`, which is borrowed mutably.
        let result = unsafe { saltmill_sim_unmap(self.0.as_ptr(), address, len) };
        self.check(result)
    }

    pub(crate) fn open_windows(&mut self, open: bool) -> Result<(), Failure> {
        // SAFETY: the system lives as long as `self`, which is borrowed mutably.
        let result = unsafe { saltmill_sim_open_windows(self.0.as_ptr(), c_int::from(open)) };
        self.check(result)
    }

    pub(crate) fn inject(
        &mut self,
        device: u32,
        fault: RawFault,
        first: u64,
        last: u64,
    ) -> Result<(), Failure> {
        // SAFETY: the system lives as long as `self`, which is borrowed mutably.
        let result = unsafe { saltmill_sim_inject(self.0.as_ptr(), device, fault, first, last) };
        self.check(result)
    }

    pub(crate) fn cycles(&self) -> u64 {
        // SAFETY: the system lives as long as `self`.
        unsafe { saltmill_sim_cycles(self.0.as_ptr()) }
    }

    /// Beats read and written by a device.
    pub(crate) fn beats(&self, device: u32) -> (u64, u64) {
        let (mut read, mut written) = (0, 0);
        // SAFETY: the system lives as long as `self`, and so do both numbers.
        unsafe {
            saltmill_sim_beats(self.0.as_ptr(), device, &raw mut read, &raw mut written);
        }
        (read, written)
    }

    fn check(&self, result: c_int) -> Result<(), Failure> {
        match result {
            0 => Ok(()),
            2 => Err(Failure::Refused),
            _ => {
                // SAFETY: a string that lives until the next call on this system.
                let text = unsafe { CStr::from_ptr(saltmill_sim_error(self.0.as_ptr())) };
                Err(Failure::Other(text.to_string_lossy().into_owned()))
            }
        }
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        // SAFETY: made by `saltmill_sim_create`, destroyed once.
        unsafe { saltmill_sim_destroy(self.0.as_ptr()) }
    }
}
