// SPDX-License-Identifier: Apache-2.0
//! Devices of this machine, and simulated ones.

use std::{
    ffi::{CString, c_char},
    mem::MaybeUninit,
};

use saltmill_device::{Counters as DriverCounters, Device as DriverDevice, queue::Queue};

use crate::{
    engine::PATIENCE,
    error::{Error, Status, call, quiet},
    raw::{Bytes, OwnedText, Text, make, needed},
};

/// A device and its thread, which keeps its ring full. Threads may share it.
pub struct Device {
    pub queue: Queue,
    texts: [CString; 3],
}

/// How a device was built, as its registers tell. Texts belong to the device.
#[repr(C)]
pub struct Description {
    /// Name for messages, such as `sim:0 (ring2)`.
    pub name: *const c_char,
    /// What its core computes: `chacha20`, `chacha20-poly1305`, `aes`, `sha256`, `md5`,
    /// `xor-constant`.
    pub algorithm: *const c_char,
    /// How its rounds are laid out: `serial`, `ring`, `pipeline`.
    pub structure: *const c_char,
    /// Bytes in a block.
    pub block_bytes: u32,
    /// Clock cycles for a block, sustained.
    pub cycles_per_block: u32,
    /// Clock that it was built for; 0 if it does not say.
    pub clock_hz: u32,
    /// Width of its memory port in bytes.
    pub data_bytes: u32,
    /// Number of its key slots.
    pub key_slots: u32,
    /// Bytes of its digests; 0 if it makes none.
    pub digest_bytes: u32,
}

/// Performance counters of a device since it was opened.
#[repr(C)]
pub struct Counters {
    /// Clock cycles with jobs in flight.
    pub cycles: u64,
    /// Cycles with a job in the core.
    pub busy: u64,
    /// Cycles in which the core waited for data from memory.
    pub stalled_input: u64,
    /// Cycles in which the core waited for memory to take its output.
    pub stalled_output: u64,
    /// Blocks of data that left the core.
    pub blocks: u64,
    /// Bytes of data of the jobs that the core has begun.
    pub bytes: u64,
    /// Jobs finished: pieces of the caller's jobs.
    pub jobs: u64,
    /// All clock cycles of a simulated device; 0 of a real one. Its wall-clock time says nothing.
    pub simulated_cycles: u64,
}

/// Names of the devices that there are, one a line: `vfio:0000:00:02.0` (PCI) and `uio:saltmill0`
/// (kernel module) of this machine, as the command's `--engine` has them, and in a build with
/// simulated devices `sim:ring2` and others. To be freed with `saltmill_text_free()`.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_devices(names: Option<&mut MaybeUninit<OwnedText>>) -> Status {
    call(|| {
        let place = needed(names)?;
        place.write(OwnedText::NONE);
        let mut names = Vec::new();
        #[cfg(target_os = "linux")]
        {
            use saltmill_device::linux::{UioDevice, VfioDevice};
            names.extend(VfioDevice::found().into_iter().map(|name| format!("vfio:{name}\n")));
            names.extend(UioDevice::found().into_iter().map(|name| format!("uio:{name}\n")));
        }
        #[cfg(feature = "sim")]
        names.extend(saltmill_sim::variants().into_iter().map(|name| format!("sim:{name}\n")));
        place.write(OwnedText::new(names.concat())?);
        Ok(())
    })
}

/// Opens a device by its name, probes and wipes it. `memory` (`ideal`, `latency100`, `de10-nano`,
/// `zedboard`, `pynq-z2`; null: `ideal`) and `dma_bytes`, its memory (0: 4 MiB), are for simulated
/// ones.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_device_open(
    name: Text,
    memory: Text,
    dma_bytes: usize,
    device: Option<&mut MaybeUninit<Option<Box<Device>>>>,
) -> Status {
    call(|| {
        make(device, || {
            let opened = open(name.get()?, memory.optional()?.unwrap_or("ideal"), dma_bytes)?;
            let queue = Queue::start(opened, PATIENCE)?;
            let found = queue.description();
            let (algorithm, structure) = (found.algorithm.to_string(), found.structure.to_string());
            // No name of ours has a zero byte.
            let texts = [queue.name().to_owned(), algorithm, structure];
            let texts = texts.map(|text| CString::new(text).unwrap_or_default());
            Ok(Device { queue, texts })
        })
    })
}

/// How it was built.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_device_description(
    device: Option<&Device>,
    description: Option<&mut MaybeUninit<Description>>,
) -> Status {
    call(|| {
        let device = needed(device)?;
        let found = device.queue.description();
        needed(description)?.write(Description {
            name: device.texts[0].as_ptr(),
            algorithm: device.texts[1].as_ptr(),
            structure: device.texts[2].as_ptr(),
            block_bytes: found.block_bytes.into(),
            cycles_per_block: found.cycles_per_block.into(),
            clock_hz: found.clock_hz.unwrap_or(0),
            data_bytes: found.data_bytes.into(),
            key_slots: found.key_slots.into(),
            digest_bytes: found.digest_bytes.into(),
        });
        Ok(())
    })
}

/// Writes a key to a slot, from 0: of ChaCha20 32 bytes, of AES 16, 24 or 32, of HMAC up to 32. It
/// can't be read back. Jobs before it are done first.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_device_set_key(
    device: Option<&Device>,
    slot: u8,
    key: Bytes,
    size: usize,
) -> Status {
    call(|| Ok(needed(device)?.queue.set_key(slot, key.of(size)?)?))
}

/// Its performance counters, when the jobs before are done.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_device_counters(
    device: Option<&Device>,
    counters: Option<&mut MaybeUninit<Counters>>,
) -> Status {
    call(|| {
        let (found, simulated) = needed(device)?.queue.counters()?;
        let DriverCounters { cycles, busy, stalled_input, stalled_output, .. } = found;
        needed(counters)?.write(Counters {
            cycles,
            busy,
            stalled_input,
            stalled_output,
            blocks: found.blocks,
            bytes: found.bytes,
            jobs: found.jobs,
            simulated_cycles: simulated.unwrap_or(0),
        });
        Ok(())
    })
}

/// Clears keys and buffers of the device, when the jobs before are done.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_device_wipe(device: Option<&Device>) -> Status {
    call(|| Ok(needed(device)?.queue.wipe()?))
}

/// Waits for all jobs, wipes the device and frees it; null is none. Its jobs may be freed later.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_device_free(device: Option<Box<Device>>) {
    quiet(|| drop(device));
}

/// The device of that name.
pub fn open(name: &str, memory: &str, dma_bytes: usize) -> Result<Box<dyn DriverDevice>, Error> {
    match name.split_once(':') {
        #[cfg(target_os = "linux")]
        Some(("vfio", address)) => {
            let device = saltmill_device::linux::VfioDevice::open(address);
            Ok(Box::new(device.map_err(|error| Error::device(&error))?))
        }
        #[cfg(target_os = "linux")]
        Some(("uio", name)) => {
            let device = saltmill_device::linux::UioDevice::open(name);
            Ok(Box::new(device.map_err(|error| Error::device(&error))?))
        }
        #[cfg(feature = "sim")]
        Some(("sim", variant)) => {
            use saltmill_sim::{MemoryProfile, SimConfig, System};
            let memory = MemoryProfile::named(memory);
            let memory = memory.ok_or_else(|| Error::argument("no such memory profile"))?;
            let mut config =
                SimConfig { variant: variant.to_owned(), memory, ..SimConfig::default() };
            if dma_bytes > 0 {
                config.dma_bytes = dma_bytes;
            }
            let system = System::new(config).map_err(|error| Error::device(&error))?;
            let none = || Error::argument("a simulation without a device");
            Ok(Box::new(system.into_iter().next().ok_or_else(none)?))
        }
        _ => {
            let _ = (memory, dma_bytes);
            Err(Error::argument(format!("there is no device {name:?}")))
        }
    }
}
