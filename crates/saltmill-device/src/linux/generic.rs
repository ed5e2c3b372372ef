// SPDX-License-Identifier: Apache-2.0
//! A PCI function that Linux's `uio_pci_generic` has: no IOMMU, and no kernel module of ours.
//!
//! The registers are those of PCI's resource file. The kernel switches the line interrupt off when
//! it comes, and the configuration space on again. The memory is one huge page: in one piece, and
//! where it is for as long as a file has it. The device gets its physical address.

use std::{
    fs::File,
    io,
    os::unix::fs::FileExt,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use rustix::{
    fs::{FallocateFlags, FlockOperation, MemfdFlags, fallocate, flock, memfd_create},
    param::page_size,
};

use super::{DMA_BYTES, OpenError, sys::Mapping, sysfs};
use crate::registers;

/// Linux's driver of any PCI function with a line interrupt that can be switched off.
pub(super) const MODULE: &str = "uio_pci_generic";
/// Huge pages of this size are asked for. Two of them need not be neighbours, so one must do.
const HUGE_PAGE: usize = 2 << 20;
const _: () = assert!(DMA_BYTES == HUGE_PAGE);

/// The command register in the configuration space: memory, bus master, no line interrupt.
const COMMAND: u64 = 4;
const COMMAND_ON: u16 = 1 << 1 | 1 << 2;
const COMMAND_MASTER: u16 = 1 << 2;
const COMMAND_NO_INTX: u16 = 1 << 10;

/// A page's entry in `/proc/self/pagemap`: the bits of its number.
const FRAME: u64 = (1 << 55) - 1;
/// A wipe takes some hundred cycles and what memory needs to answer.
const WIPE: Duration = Duration::from_secs(1);

/// What `/dev/uioN` does not have of a function.
pub(super) struct Function {
    config: File,
    command: u16,
    /// The kernel may have switched the interrupt off.
    masked: bool,
    /// Locked: other programs of ours keep off.
    _resource: File,
    /// Memory stays while a file has it, also when a killed program has lost its mappings.
    _memory: File,
}

/// An opened function: its registers, its memory and where that is.
pub(super) struct Opened {
    pub(super) function: Function,
    pub(super) registers: Mapping,
    pub(super) file: File,
    pub(super) memory: Mapping,
    pub(super) bus_address: u64,
}

/// Opens the function behind a UIO device, whose folder is in `/sys/class/uio`.
pub(super) fn open(name: &str, uio: &Path) -> Result<Opened, OpenError> {
    let folder = uio.join("device");
    let system = |action| OpenError::system(name, action);
    let unusable = |reason| OpenError::Unusable { name: name.to_owned(), reason };
    if !sysfs::has_identifier(&folder) {
        return Err(unusable("its PCI identifier is not that of a Saltmill device"));
    }
    // Behind an IOMMU physical addresses lead nowhere.
    if folder.join("iommu_group").exists() {
        return Err(OpenError::Iommu { name: name.to_owned() });
    }
    let resource = read_write(name, folder.join("resource0"))?;
    // Not the file in /dev: to close that ends the bus mastering of whoever has it.
    flock(&resource, FlockOperation::NonBlockingLockExclusive)
        .map_err(|_| OpenError::Busy { name: name.to_owned() })?;
    let len = resource.metadata().map_err(system("asking for its registers"))?.len();
    let len = usize::try_from(len).unwrap_or(usize::MAX);
    let registers = Mapping::of_file(&resource, 0, len).map_err(system("mapping its registers"))?;
    // Whoever had it may have left jobs; it is no bus master before they are gone.
    quiet(&registers).map_err(unusable)?;
    let (pages, mut memory) = huge_page(name)?;
    memory.bytes(0..DMA_BYTES).ok_or_else(|| unusable("its memory is too small"))?.fill(0);
    let bus_address = physical(name, &memory)?;
    let config = read_write(name, folder.join("config"))?;
    let device = Path::new("/dev").join(uio.file_name().unwrap_or_default());
    let file = read_write(name, device)?;
    let mut command = [0; 2];
    config.read_exact_at(&mut command, COMMAND).map_err(system("reading its command register"))?;
    let command = (u16::from_le_bytes(command) | COMMAND_ON) & !COMMAND_NO_INTX;
    let mut function =
        Function { config, command, masked: true, _resource: resource, _memory: pages };
    function.unmask().map_err(system("making it a bus master"))?;
    Ok(Opened { function, registers, file, memory, bus_address })
}

fn read_write(name: &str, path: PathBuf) -> Result<File, OpenError> {
    let file = File::options().read(true).write(true).open(&path);
    file.map_err(|error| OpenError::of_file(name, path, error))
}

/// Without interrupts, jobs, keys and transactions.
fn quiet(registers: &Mapping) -> Result<(), &'static str> {
    let magic = registers.read(registers::MAGIC);
    if magic != Some(registers::MAGIC_VALUE) {
        return Err("its magic register is not that of a Saltmill device");
    }
    let wiping = || {
        let status = registers.read(registers::STATUS);
        status.is_none_or(|status| status & registers::STATUS_WIPING != 0)
    };
    registers.write(registers::INTERRUPT_ENABLE, 0);
    registers.write(registers::CONTROL, registers::CONTROL_WIPE);
    let end = Instant::now() + WIPE;
    while wiping() {
        if Instant::now() >= end {
            return Err("memory does not answer it, so it can't be wiped");
        }
    }
    Ok(())
}

/// A huge page, and the file that has it.
fn huge_page(name: &str) -> Result<(File, Mapping), OpenError> {
    let flags = MemfdFlags::CLOEXEC | MemfdFlags::HUGETLB | MemfdFlags::HUGE_2MB;
    let made = || -> io::Result<(File, Mapping)> {
        let file = File::from(memfd_create("saltmill", flags)?);
        file.set_len(DMA_BYTES as u64)?;
        // Here the kernel says that there is none; where memory is first used, it kills.
        fallocate(&file, FallocateFlags::empty(), 0, DMA_BYTES as u64)?;
        let memory = Mapping::of_file(&file, 0, DMA_BYTES)?;
        Ok((file, memory))
    };
    made().map_err(|error| match error.kind() {
        io::ErrorKind::OutOfMemory | io::ErrorKind::StorageFull => {
            OpenError::NoHugePage { name: name.to_owned(), len: DMA_BYTES }
        }
        _ => OpenError::system(name, "getting a huge page")(error),
    })
}

/// The physical address of memory in one piece.
fn physical(name: &str, memory: &Mapping) -> Result<u64, OpenError> {
    let page = page_size();
    let frames = || -> io::Result<(u64, u64)> {
        let map = File::open("/proc/self/pagemap")?;
        let frame = |offset: usize| -> io::Result<u64> {
            let number = (memory.address() + offset as u64) / page as u64;
            let mut entry = [0; 8];
            map.read_exact_at(&mut entry, 8 * number)?;
            Ok(u64::from_ne_bytes(entry) & FRAME)
        };
        Ok((frame(0)?, frame(memory.len() - page)?))
    };
    let (first, last) = frames().map_err(OpenError::system(name, "asking where its memory is"))?;
    // Who may not know gets zeros.
    if first == 0 {
        return Err(OpenError::NoPhysicalAddress { name: name.to_owned() });
    }
    if last != first + (memory.len() / page) as u64 - 1 {
        let reason = "its memory is not in one piece";
        return Err(OpenError::Unusable { name: name.to_owned(), reason });
    }
    Ok(first * page as u64)
}

impl Function {
    /// Lets the line interrupt again.
    pub(super) fn unmask(&mut self) -> io::Result<()> {
        if self.masked {
            self.config.write_all_at(&self.command.to_le_bytes(), COMMAND)?;
        }
        self.masked = false;
        Ok(())
    }

    /// The interrupt has come: the kernel has switched it off.
    pub(super) fn interrupted(&mut self) {
        self.masked = true;
    }

    /// Ends all transactions and leaves no keys behind.
    pub(super) fn end(&mut self, registers: &Mapping) {
        // Nobody is left to be told.
        let _ = quiet(registers);
        let off = (self.command & !COMMAND_MASTER).to_le_bytes();
        let _ = self.config.write_all_at(&off, COMMAND);
    }
}
