// SPDX-License-Identifier: Apache-2.0
//! Mapped memory and control calls: the only file with `unsafe`.
#![allow(unsafe_code)]

use std::{
    io,
    ops::Range,
    os::fd::AsFd,
    ptr::{self, NonNull},
    sync::atomic::{Ordering, fence},
};

use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};
#[cfg(target_pointer_width = "64")]
use {
    rustix::mm::mmap_anonymous,
    std::os::fd::{AsRawFd, BorrowedFd},
};

/// Memory that a device also uses, or its registers; unmapped when it is dropped.
pub(super) struct Mapping {
    start: NonNull<u8>,
    len: usize,
}

// SAFETY: it is plain memory that belongs to this value alone; the device is no thread.
unsafe impl Send for Mapping {}

impl Mapping {
    /// Part of what a device's file has to map.
    pub(super) fn of_file(file: impl AsFd, offset: u64, len: usize) -> io::Result<Self> {
        let (protection, flags) = (ProtFlags::READ | ProtFlags::WRITE, MapFlags::SHARED);
        // SAFETY: a new mapping, at an address that the kernel chooses.
        let start = unsafe { mmap(ptr::null_mut(), len, protection, flags, file, offset)? };
        Ok(Self { start: NonNull::new(start.cast()).ok_or(io::ErrorKind::OutOfMemory)?, len })
    }

    /// New memory, zeros: one huge page after the other if the machine has them to spare.
    #[cfg(target_pointer_width = "64")]
    pub(super) fn memory(len: usize) -> io::Result<Self> {
        let protection = ProtFlags::READ | ProtFlags::WRITE;
        let flags = MapFlags::SHARED | MapFlags::POPULATE;
        let huge = MapFlags::HUGETLB | MapFlags::HUGE_2MB;
        // SAFETY: a new mapping, at an address that the kernel chooses.
        let start = unsafe {
            mmap_anonymous(ptr::null_mut(), len, protection, flags | huge)
                .or_else(|_| mmap_anonymous(ptr::null_mut(), len, protection, flags))?
        };
        Ok(Self { start: NonNull::new(start.cast()).ok_or(io::ErrorKind::OutOfMemory)?, len })
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Where it is in this process.
    pub(super) fn address(&self) -> u64 {
        self.start.as_ptr() as u64
    }

    /// Its bytes. The device has given them back.
    pub(super) fn bytes(&mut self, range: Range<usize>) -> Option<&mut [u8]> {
        // SAFETY: the memory lives as long as `self`, which is borrowed mutably. That the device
        // does not write to it meanwhile is what the two `sync` calls of `Device` are for; what it
        // did would be bytes like any others.
        let all = unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.len) };
        all.get_mut(range)
    }

    /// A register. `None`: not a whole one, or not in it.
    pub(super) fn read(&self, offset: u32) -> Option<u32> {
        let register = self.register(offset)?;
        // SAFETY: a whole aligned word inside the mapping.
        let value = unsafe { register.read_volatile() };
        // What is read from memory now is what it was after.
        barrier();
        Some(u32::from_le(value))
    }

    /// Writes a register.
    pub(super) fn write(&self, offset: u32, value: u32) -> Option<()> {
        let register = self.register(offset)?;
        // What was written to memory is there before.
        barrier();
        // SAFETY: a whole aligned word inside the mapping.
        unsafe { register.write_volatile(value.to_le()) };
        Some(())
    }

    fn register(&self, offset: u32) -> Option<*mut u32> {
        let offset = usize::try_from(offset).ok()?;
        let inside = offset % 4 == 0 && offset.checked_add(4)? <= self.len;
        // SAFETY: the offset is inside the mapping.
        inside.then(|| unsafe { self.start.as_ptr().add(offset) }.cast())
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: made by `mmap` with this length, unmapped once; nothing borrows from it any more.
        let gone = unsafe { munmap(self.start.as_ptr().cast(), self.len) };
        debug_assert!(gone.is_ok(), "what was mapped can be unmapped");
    }
}

/// Orders accesses to memory, and to registers, as the device sees them.
pub(super) fn barrier() {
    fence(Ordering::SeqCst);
    // The fence is for other cores; this is for the device too.
    #[cfg(any(target_arch = "aarch64", target_arch = "arm"))]
    // SAFETY: a barrier changes nothing.
    unsafe {
        std::arch::asm!("dmb osh", options(nostack, preserves_flags));
    }
}

/// VFIO's numbers have neither direction nor size: `_IO(';', 100 + number)`.
#[cfg(target_pointer_width = "64")]
fn request(number: u8) -> libc::Ioctl {
    libc::Ioctl::from(b';') << 8 | libc::Ioctl::from(100 + number)
}

/// A control call of VFIO: request `number`, with something that it reads or writes.
#[cfg(target_pointer_width = "64")]
pub(super) fn call<T: Argument>(
    file: BorrowedFd<'_>,
    number: u8,
    argument: &mut T,
) -> io::Result<u32> {
    // SAFETY: `Argument` is only implemented for what VFIO reads and writes in calls, of the size
    // that it says itself; it lives until the call is over.
    let result = unsafe { libc::ioctl(file.as_raw_fd(), request(number), ptr::from_mut(argument)) };
    u32::try_from(result).map_err(|_| io::Error::last_os_error())
}

/// A control call of VFIO whose argument is a number.
#[cfg(target_pointer_width = "64")]
pub(super) fn call_number(file: BorrowedFd<'_>, number: u8, argument: u32) -> io::Result<u32> {
    // SAFETY: the kernel takes the argument as a number.
    let result =
        unsafe { libc::ioctl(file.as_raw_fd(), request(number), libc::c_ulong::from(argument)) };
    u32::try_from(result).map_err(|_| io::Error::last_os_error())
}

/// Takes a file that a call has opened.
#[cfg(target_pointer_width = "64")]
pub(super) fn opened(descriptor: u32) -> std::os::fd::OwnedFd {
    // SAFETY: the kernel has just opened it for this process; nobody else has it.
    unsafe { std::os::fd::FromRawFd::from_raw_fd(descriptor.cast_signed()) }
}

/// What a control call of VFIO takes.
///
/// # Safety
/// The kernel reads and writes no more than the value, whatever is in it.
#[cfg(target_pointer_width = "64")]
pub(super) unsafe trait Argument {}

#[cfg(target_pointer_width = "64")]
mod arguments {
    use vfio_bindings::bindings::vfio::{
        vfio_device_info, vfio_group_status, vfio_iommu_type1_dma_map, vfio_irq_info,
        vfio_region_info,
    };

    use super::Argument;
    use crate::linux::vfio_calls::{Address, EventSet, IrqSet};

    // SAFETY: `argsz` in them is set where they are made, by the functions of `vfio_calls`, to
    // their size; the kernel keeps to it. The memory that a `dma_map` names is mapped for the
    // device, which does not end before the container's file is closed.
    unsafe impl Argument for vfio_device_info {}
    // SAFETY: as above.
    unsafe impl Argument for vfio_group_status {}
    // SAFETY: as above.
    unsafe impl Argument for vfio_iommu_type1_dma_map {}
    // SAFETY: as above.
    unsafe impl Argument for vfio_irq_info {}
    // SAFETY: as above.
    unsafe impl Argument for vfio_region_info {}
    // SAFETY: as above.
    unsafe impl Argument for IrqSet {}
    // SAFETY: as above.
    unsafe impl Argument for EventSet {}
    // SAFETY: a number of a file.
    unsafe impl Argument for i32 {}
    // SAFETY: a text that ends with 0.
    unsafe impl Argument for Address {}
    // SAFETY: the kernel neither reads nor writes.
    unsafe impl Argument for () {}
}
