// SPDX-License-Identifier: Apache-2.0
//! A PCI device through VFIO: the IOMMU keeps it to the memory that it was given.

use std::{
    fs::File,
    io,
    ops::Range,
    os::{
        fd::{AsFd, OwnedFd},
        unix::fs::FileExt,
    },
    path::{Path, PathBuf},
    time::Instant,
};

use rustix::event::{EventfdFlags, eventfd};
use vfio_bindings::bindings::vfio::{
    VFIO_DEVICE_FLAGS_PCI, VFIO_DEVICE_FLAGS_RESET, VFIO_PCI_BAR0_REGION_INDEX,
    VFIO_PCI_CONFIG_REGION_INDEX, VFIO_PCI_INTX_IRQ_INDEX, VFIO_PCI_MSI_IRQ_INDEX,
    VFIO_REGION_INFO_FLAG_MMAP,
};

use super::{
    DMA_BYTES, OpenError, pci,
    sys::Mapping,
    sysfs::target,
    uio::{failed, memory_of, register_of, synchronized, wait_for},
    vfio_calls,
};
use crate::{Device, DeviceError, DmaRegion};

/// Where the device finds its memory: below 4 GiB, and none of the addresses that x86 keeps for
/// interrupts.
const IOVA: u64 = 0x4000_0000;
/// The command register in the configuration space: memory, bus master.
const COMMAND: u64 = 4;
const COMMAND_ON: u16 = 1 << 1 | 1 << 2;

/// A PCI device that the kernel's `vfio-pci` has.
pub struct VfioDevice {
    name: String,
    registers: Mapping,
    event: OwnedFd,
    /// The line is masked since it fired; a message is not.
    line: bool,
    // The device's file, then the container's and the group's, are closed before its memory goes.
    device: File,
    _kept: [File; 2],
    memory: Mapping,
}

impl VfioDevice {
    /// PCI addresses of the devices that can be opened.
    pub fn found() -> Vec<String> {
        pci::found()
    }

    /// Opens the device at a PCI address, such as `0000:00:02.0`, and resets it.
    ///
    /// # Errors
    /// There is none, it is bound to another driver, there is no IOMMU, it is in use, or this user
    /// may not.
    pub fn open(address: &str) -> Result<Self, OpenError> {
        let (address, folder) = pci::folder(address)?;
        let name = format!("vfio:{address}");
        // Without an IOMMU no driver of VFIO's takes it: that is said first.
        let group = target(&folder.join("iommu_group"));
        let Some(number) = group else { return Err(OpenError::NoIommu { name }) };
        let found = target(&folder.join("driver"));
        if found.as_deref() != Some("vfio-pci") {
            return Err(OpenError::WrongDriver { name, found, wanted: "vfio-pci" });
        }
        let group = open(&name, Path::new("/dev/vfio").join(&number))?;
        let container = open(&name, "/dev/vfio/vfio".into())?;
        let system = |action| OpenError::system(&name, action);
        if !vfio_calls::is_viable(group.as_fd()).map_err(system("asking for its IOMMU group"))? {
            return Err(OpenError::Group { name, group: number });
        }
        vfio_calls::set_container(group.as_fd(), container.as_fd())
            .map_err(system("setting up the IOMMU"))?;
        let memory = Mapping::memory(DMA_BYTES).map_err(system("getting memory"))?;
        vfio_calls::map(container.as_fd(), &memory, IOVA).map_err(|source| {
            if source.kind() == io::ErrorKind::OutOfMemory {
                return OpenError::LockedMemory { name: name.clone(), len: DMA_BYTES };
            }
            system("mapping memory for it")(source)
        })?;
        let device =
            File::from(vfio_calls::device(group.as_fd(), &address).map_err(system("opening it"))?);
        let flags = vfio_calls::flags(device.as_fd()).map_err(system("asking what it is"))?;
        if flags & VFIO_DEVICE_FLAGS_PCI == 0 {
            return Err(OpenError::Unusable { name, reason: "it is no PCI device" });
        }
        if flags & VFIO_DEVICE_FLAGS_RESET != 0 {
            vfio_calls::reset(device.as_fd()).map_err(system("resetting it"))?;
        }
        let (len, offset, flags) = vfio_calls::region(device.as_fd(), VFIO_PCI_BAR0_REGION_INDEX)
            .map_err(system("asking for its registers"))?;
        if len == 0 || flags & VFIO_REGION_INFO_FLAG_MMAP == 0 {
            let reason = "its first memory region can't be mapped";
            return Err(OpenError::Unusable { name, reason });
        }
        let len = usize::try_from(len).unwrap_or(usize::MAX);
        let registers =
            Mapping::of_file(&device, offset, len).map_err(system("mapping its registers"))?;
        let (_, config, _) = vfio_calls::region(device.as_fd(), VFIO_PCI_CONFIG_REGION_INDEX)
            .map_err(system("asking for its configuration space"))?;
        device
            .write_all_at(&COMMAND_ON.to_le_bytes(), config + COMMAND)
            .map_err(system("making it a bus master"))?;
        let event = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)
            .map_err(|error| system("making an event")(error.into()))?;
        let messages = vfio_calls::interrupts(device.as_fd(), VFIO_PCI_MSI_IRQ_INDEX);
        let line = messages.unwrap_or(0) == 0;
        let index = if line { VFIO_PCI_INTX_IRQ_INDEX } else { VFIO_PCI_MSI_IRQ_INDEX };
        vfio_calls::set_event(device.as_fd(), index, &event)
            .map_err(system("asking for its interrupt"))?;
        Ok(Self { name, registers, event, line, device, _kept: [container, group], memory })
    }
}

fn open(name: &str, path: PathBuf) -> Result<File, OpenError> {
    let file = File::options().read(true).write(true).open(&path);
    file.map_err(|error| match error.kind() {
        // The kernel has VFIO without an IOMMU, under other names.
        io::ErrorKind::NotFound => OpenError::NoIommu { name: name.to_owned() },
        _ => OpenError::of_file(name, path, error),
    })
}

impl Device for VfioDevice {
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
        DmaRegion { bus_address: IOVA, len: self.memory.len() }
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
        if self.line {
            vfio_calls::unmask(self.device.as_fd(), VFIO_PCI_INTX_IRQ_INDEX).map_err(&failed)?;
        }
        if !wait_for(&self.event, deadline).map_err(&failed)? {
            return Ok(false);
        }
        match rustix::io::read(&self.event, &mut [0; 8]) {
            Ok(_) => Ok(true),
            Err(error) => Err(failed(error.into())),
        }
    }
}
