// SPDX-License-Identifier: Apache-2.0
//! VFIO's control calls (`linux/vfio.h`), each as a function.

use std::{
    io,
    os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd},
};

use vfio_bindings::bindings::vfio::{
    VFIO_DMA_MAP_FLAG_READ, VFIO_DMA_MAP_FLAG_WRITE, VFIO_GROUP_FLAGS_VIABLE,
    VFIO_IRQ_SET_ACTION_TRIGGER, VFIO_IRQ_SET_ACTION_UNMASK, VFIO_IRQ_SET_DATA_EVENTFD,
    VFIO_IRQ_SET_DATA_NONE, VFIO_TYPE1v2_IOMMU, vfio_device_info, vfio_group_status,
    vfio_iommu_type1_dma_map, vfio_irq_info, vfio_region_info,
};

use super::sys::{Mapping, call, call_number, opened};

const SET_IOMMU: u8 = 2;
const GROUP_GET_STATUS: u8 = 3;
const GROUP_SET_CONTAINER: u8 = 4;
const GROUP_GET_DEVICE: u8 = 6;
const DEVICE_GET_INFO: u8 = 7;
const DEVICE_GET_REGION_INFO: u8 = 8;
const DEVICE_GET_IRQ_INFO: u8 = 9;
const DEVICE_SET_IRQS: u8 = 10;
const DEVICE_RESET: u8 = 11;
const IOMMU_MAP_DMA: u8 = 13;

/// A PCI address as text that ends with 0.
pub(super) struct Address([u8; 32]);

/// `vfio_irq_set` without data.
#[repr(C)]
pub(super) struct IrqSet {
    argsz: u32,
    flags: u32,
    index: u32,
    start: u32,
    count: u32,
}

/// The same with the number of one event file.
#[repr(C)]
pub(super) struct EventSet {
    set: IrqSet,
    file: i32,
}

fn size<T>() -> u32 {
    size_of::<T>() as u32
}

/// Whether all devices of the group are given out.
pub(super) fn is_viable(group: BorrowedFd<'_>) -> io::Result<bool> {
    let mut status = vfio_group_status { argsz: size::<vfio_group_status>(), flags: 0 };
    call(group, GROUP_GET_STATUS, &mut status)?;
    Ok(status.flags & VFIO_GROUP_FLAGS_VIABLE != 0)
}

/// Puts the group into the container, and the container behind the IOMMU.
pub(super) fn set_container(group: BorrowedFd<'_>, container: BorrowedFd<'_>) -> io::Result<()> {
    call(group, GROUP_SET_CONTAINER, &mut container.as_raw_fd())?;
    call_number(container, SET_IOMMU, VFIO_TYPE1v2_IOMMU)?;
    Ok(())
}

/// Maps memory at an address of the device.
pub(super) fn map(container: BorrowedFd<'_>, memory: &Mapping, iova: u64) -> io::Result<()> {
    let mut map = vfio_iommu_type1_dma_map {
        argsz: size::<vfio_iommu_type1_dma_map>(),
        flags: VFIO_DMA_MAP_FLAG_READ | VFIO_DMA_MAP_FLAG_WRITE,
        vaddr: memory.address(),
        iova,
        size: memory.len() as u64,
    };
    call(container, IOMMU_MAP_DMA, &mut map).map(drop)
}

/// Opens a device of the group.
pub(super) fn device(group: BorrowedFd<'_>, address: &str) -> io::Result<OwnedFd> {
    let mut text = Address([0; 32]);
    let room = text.0.get_mut(..address.len()).filter(|room| room.len() < 32);
    room.ok_or(io::ErrorKind::InvalidInput)?.copy_from_slice(address.as_bytes());
    call(group, GROUP_GET_DEVICE, &mut text).map(opened)
}

/// Flags of the device.
pub(super) fn flags(device: BorrowedFd<'_>) -> io::Result<u32> {
    let mut info = vfio_device_info { argsz: size::<vfio_device_info>(), ..Default::default() };
    call(device, DEVICE_GET_INFO, &mut info)?;
    Ok(info.flags)
}

/// Resets the device.
pub(super) fn reset(device: BorrowedFd<'_>) -> io::Result<()> {
    call(device, DEVICE_RESET, &mut ()).map(drop)
}

/// Size, offset in the device's file and flags of a region.
pub(super) fn region(device: BorrowedFd<'_>, index: u32) -> io::Result<(u64, u64, u32)> {
    let argsz = size::<vfio_region_info>();
    let mut info = vfio_region_info { argsz, index, ..Default::default() };
    call(device, DEVICE_GET_REGION_INFO, &mut info)?;
    Ok((info.size, info.offset, info.flags))
}

/// How many interrupts there are of a kind.
pub(super) fn interrupts(device: BorrowedFd<'_>, index: u32) -> io::Result<u32> {
    let argsz = size::<vfio_irq_info>();
    let mut info = vfio_irq_info { argsz, index, ..Default::default() };
    call(device, DEVICE_GET_IRQ_INFO, &mut info)?;
    Ok(info.count)
}

/// Lets an interrupt raise an event.
pub(super) fn set_event(device: BorrowedFd<'_>, index: u32, event: impl AsFd) -> io::Result<()> {
    let flags = VFIO_IRQ_SET_DATA_EVENTFD | VFIO_IRQ_SET_ACTION_TRIGGER;
    let set = IrqSet { argsz: size::<EventSet>(), flags, index, start: 0, count: 1 };
    let mut set = EventSet { set, file: event.as_fd().as_raw_fd() };
    call(device, DEVICE_SET_IRQS, &mut set).map(drop)
}

/// Lets a line interrupt again.
pub(super) fn unmask(device: BorrowedFd<'_>, index: u32) -> io::Result<()> {
    let flags = VFIO_IRQ_SET_DATA_NONE | VFIO_IRQ_SET_ACTION_UNMASK;
    let mut set = IrqSet { argsz: size::<IrqSet>(), flags, index, start: 0, count: 1 };
    call(device, DEVICE_SET_IRQS, &mut set).map(drop)
}
