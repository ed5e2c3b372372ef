// SPDX-License-Identifier: Apache-2.0
//! What a client's messages do.

use std::{fs::File, io, os::fd::AsFd, sync::Arc};

use saltmill_device::DeviceError;
use saltmill_sim::{SimDevice, Window};
use vfio_bindings::bindings::vfio::{VFIO_PCI_BAR0_REGION_INDEX, VFIO_PCI_CONFIG_REGION_INDEX};
use vfio_user::{DmaMapFlags, DmaUnmapFlags, ServerBackend};

use crate::function::{Function, Shared};

/// One client's session.
pub(crate) struct Backend {
    pub(crate) shared: Arc<Shared>,
    /// Bytes of memory that the client does not share: no device can reach them.
    pub(crate) unshared: u64,
    /// Windows that it has mapped.
    pub(crate) windows: u64,
    /// What was last refused.
    pub(crate) refused: Option<String>,
}

/// The longest access that is answered: what the protocol's crate offers.
const LONGEST: usize = 1 << 20;

impl Backend {
    /// Something that the client may have asked for in a wrong way: it fails, the device goes on.
    fn ask(
        &mut self,
        body: impl FnOnce(&mut SimDevice) -> Result<(), DeviceError>,
    ) -> Result<(), io::Error> {
        // Not through `attempt`: an error of the client is none of the device.
        let result = self.shared.with(|function| body(&mut function.device));
        result.map_err(|error| {
            let reason = match &error {
                DeviceError::Failed { source, .. } => source.to_string(),
                other => other.to_string(),
            };
            self.refused = Some(reason);
            io::Error::other(error)
        })
    }
}

impl ServerBackend for Backend {
    fn region_read(&mut self, region: u32, offset: u64, data: &mut [u8]) -> io::Result<()> {
        if data.len() > LONGEST {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        self.shared.with(|function| match region {
            VFIO_PCI_BAR0_REGION_INDEX => function.read(offset, data),
            VFIO_PCI_CONFIG_REGION_INDEX => {
                function.config.read(offset, data, function.interrupts.is_up());
            }
            _ => data.fill(0xff),
        });
        Ok(())
    }

    fn region_write(&mut self, region: u32, offset: u64, data: &[u8]) -> io::Result<()> {
        self.shared.with(|function| match region {
            VFIO_PCI_BAR0_REGION_INDEX => function.write(offset, data),
            VFIO_PCI_CONFIG_REGION_INDEX => {
                if function.config.write(offset, data).reset {
                    function.reset();
                } else {
                    function.follow_config();
                }
            }
            _ => {}
        });
        Ok(())
    }

    fn dma_map(
        &mut self,
        flags: DmaMapFlags,
        offset: u64,
        address: u64,
        len: u64,
        file: Option<File>,
    ) -> io::Result<()> {
        let Some(file) = file else {
            self.unshared = self.unshared.saturating_add(len);
            return Ok(());
        };
        self.windows += 1;
        let writable = flags.contains(DmaMapFlags::WRITE);
        self.ask(|device| {
            device.map(&Window { address, len, file: file.as_fd(), offset, writable })
        })
    }

    fn dma_unmap(&mut self, flags: DmaUnmapFlags, address: u64, len: u64) -> io::Result<()> {
        let (address, len) =
            if flags.contains(DmaUnmapFlags::UNMAP_ALL) { (0, u64::MAX) } else { (address, len) };
        self.ask(|device| device.unmap(address, len))
    }

    fn reset(&mut self) -> io::Result<()> {
        self.shared.with(Function::reset);
        Ok(())
    }

    fn set_irqs(
        &mut self,
        index: u32,
        flags: u32,
        start: u32,
        count: u32,
        files: Vec<File>,
    ) -> io::Result<()> {
        self.shared.with(|function| function.interrupts.set(index, flags, (start, count), files))
    }
}
