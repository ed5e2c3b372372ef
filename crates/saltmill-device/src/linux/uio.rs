// SPDX-License-Identifier: Apache-2.0
//! A UIO device: of the kernel module `saltmill_uio`, which also gives it memory, or of Linux's
//! `uio_pci_generic`.

use std::{
    fs::File,
    io,
    ops::Range,
    os::fd::AsFd,
    path::Path,
    time::{Duration, Instant},
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    param::page_size,
};

use super::{
    OpenError,
    generic::{self, Function},
    sys::{Mapping, barrier},
    sysfs,
};
use crate::{Device, DeviceError, DmaRegion};

/// What `MODULE` calls its devices begins with this.
const MODULE: &str = "saltmill_uio";
/// What the module gives: registers, and memory.
const REGISTERS: usize = 0;
const MEMORY: usize = 1;

/// A device of the module `saltmill_uio` or `uio_pci_generic`.
pub struct UioDevice {
    name: String,
    bus_address: u64,
    registers: Mapping,
    /// With `uio_pci_generic`: what else there is to a PCI function.
    function: Option<Function>,
    // Closed before the memory goes: that ends the function's bus mastering.
    file: File,
    memory: Mapping,
}

impl UioDevice {
    /// Names of the devices that `saltmill_uio` has, and PCI addresses of those that
    /// `uio_pci_generic` has.
    pub fn found() -> Vec<String> {
        sysfs::uio()
    }

    /// Opens a device by the name that `saltmill_uio` gave it, such as `saltmill0`, by that of its
    /// file, such as `uio0`, or by its PCI address.
    ///
    /// # Errors
    /// There is none, another module has it, it is in use, or this user may not. With
    /// `uio_pci_generic`: there is an IOMMU, or no huge page.
    pub fn open(name: &str) -> Result<Self, OpenError> {
        let shown = format!("uio:{name}");
        let Some(folder) = sysfs::uio_named(name) else { return Err(no_uio(shown, name)) };
        let found = sysfs::text(&folder.join("name"));
        match found.as_deref() {
            Some(generic::MODULE) => Self::of_function(shown, &folder),
            Some(known) if known.starts_with("saltmill") => Self::of_module(shown, &folder),
            _ => Err(OpenError::WrongDriver { name: shown, found, wanted: MODULE }),
        }
    }

    fn of_function(shown: String, folder: &Path) -> Result<Self, OpenError> {
        let address = sysfs::target(&folder.join("device"));
        let shown = address.map_or(shown, |address| format!("uio:{address}"));
        let opened = generic::open(&shown, folder)?;
        let generic::Opened { function, registers, file, memory, bus_address } = opened;
        let function = Some(function);
        Ok(Self { name: shown, bus_address, registers, function, file, memory })
    }

    fn of_module(shown: String, folder: &Path) -> Result<Self, OpenError> {
        let path = Path::new("/dev").join(folder.file_name().unwrap_or_default());
        let file = File::options().read(true).write(true).open(&path);
        let file = file.map_err(|error| OpenError::of_file(&shown, path, error))?;
        let of =
            |map: usize, what: &str| sysfs::number(&folder.join(format!("maps/map{map}/{what}")));
        let map = |index: usize| -> Result<Mapping, OpenError> {
            let len = of(index, "size").and_then(|len| usize::try_from(len).ok()).unwrap_or(0);
            let offset = (index * page_size()) as u64;
            Mapping::of_file(&file, offset, len)
                .map_err(OpenError::system(&shown, "mapping its registers and memory"))
        };
        let (registers, memory) = (map(REGISTERS)?, map(MEMORY)?);
        let Some(bus_address) = of(MEMORY, "addr") else {
            let reason = "the kernel does not say where its memory is";
            return Err(OpenError::Unusable { name: shown, reason });
        };
        Ok(Self { name: shown, bus_address, registers, function: None, file, memory })
    }
}

/// Why there is no UIO device of that name. A PCI function may have another driver.
fn no_uio(shown: String, name: &str) -> OpenError {
    let address = sysfs::full_address(name);
    let function = Path::new(sysfs::PCI).join(&address);
    if address.contains('/') || !sysfs::has_identifier(&function) {
        return OpenError::NoDevice { name: shown };
    }
    let found = sysfs::target(&function.join("driver"));
    OpenError::WrongDriver { name: format!("uio:{address}"), found, wanted: generic::MODULE }
}

impl Drop for UioDevice {
    fn drop(&mut self) {
        // saltmill_uio does so itself, when its file is closed.
        if let Some(function) = &mut self.function {
            function.end(&self.registers);
        }
    }
}

impl Device for UioDevice {
    fn name(&self) -> &str {
        &self.name
    }

    fn read(&mut self, offset: u32) -> Result<u32, DeviceError> {
        register_of(&self.name, "read", offset, self.registers.read(offset))
    }

    fn write(&mut self, offset: u32, value: u32) -> Result<(), DeviceError> {
        register_of(&self.name, "write", offset, self.registers.write(offset, value))
    }

    fn dma(&self) -> DmaRegion {
        DmaRegion { bus_address: self.bus_address, len: self.memory.len() }
    }

    fn memory(&mut self, range: Range<usize>) -> Result<&mut [u8], DeviceError> {
        memory_of(&self.name, &mut self.memory, range)
    }

    fn sync_for_device(&mut self, range: Range<usize>) -> Result<(), DeviceError> {
        synchronized(&self.name, &self.memory, range)
    }

    fn sync_for_cpu(&mut self, range: Range<usize>) -> Result<(), DeviceError> {
        synchronized(&self.name, &self.memory, range)
    }

    fn wait(&mut self, deadline: Instant) -> Result<bool, DeviceError> {
        let failed = failed(&self.name, "waiting for its interrupt");
        // Whichever module has it, the interrupt is off since it came.
        match &mut self.function {
            Some(function) => function.unmask().map_err(&failed)?,
            None => rustix::io::write(&self.file, &1_i32.to_ne_bytes())
                .map(drop)
                .map_err(|error| failed(error.into()))?,
        }
        if !wait_for(&self.file, deadline).map_err(&failed)? {
            return Ok(false);
        }
        rustix::io::read(&self.file, &mut [0; 4]).map_err(|error| failed(error.into()))?;
        if let Some(function) = &mut self.function {
            function.interrupted();
        }
        Ok(true)
    }
}

/// Waits until there is something to read, or the deadline has passed.
pub(super) fn wait_for(file: impl AsFd, deadline: Instant) -> io::Result<bool> {
    loop {
        let left = deadline.saturating_duration_since(Instant::now()).min(Duration::from_secs(60));
        let time = Timespec::try_from(left).map_err(io::Error::other)?;
        match poll(&mut [PollFd::new(&file, PollFlags::IN)], Some(&time)) {
            Ok(0) if Instant::now() >= deadline => return Ok(false),
            Ok(0) | Err(rustix::io::Errno::INTR) => {}
            Ok(_) => return Ok(true),
            Err(error) => return Err(error.into()),
        }
    }
}

/// Part of a device's memory.
pub(super) fn memory_of<'a>(
    name: &str,
    memory: &'a mut Mapping,
    range: Range<usize>,
) -> Result<&'a mut [u8], DeviceError> {
    let len = memory.len();
    memory.bytes(range.clone()).ok_or_else(|| DeviceError::Memory {
        device: name.to_owned(),
        range,
        len,
    })
}

/// Memory is coherent: only the order matters.
pub(super) fn synchronized(
    name: &str,
    memory: &Mapping,
    range: Range<usize>,
) -> Result<(), DeviceError> {
    let len = memory.len();
    if range.start > range.end || range.end > len {
        return Err(DeviceError::Memory { device: name.to_owned(), range, len });
    }
    barrier();
    Ok(())
}

/// What became of a register access.
pub(super) fn register_of<T>(
    name: &str,
    action: &'static str,
    offset: u32,
    result: Option<T>,
) -> Result<T, DeviceError> {
    result.ok_or_else(|| DeviceError::Register { device: name.to_owned(), action, offset })
}

/// What the operating system refused.
pub(super) fn failed(name: &str, action: &'static str) -> impl Fn(io::Error) -> DeviceError {
    let device = name.to_owned();
    move |source| DeviceError::Failed { device: device.clone(), action, source: source.into() }
}
