// SPDX-License-Identifier: Apache-2.0
//! Devices of this machine, driven from user space: through VFIO, or through UIO.
//!
//! | name | what it needs |
//! | --- | --- |
//! | [`VfioDevice`], `vfio:0000:00:02.0` | 64 bits, an IOMMU, a device bound to `vfio-pci` |
//! | [`UioDevice`], `uio:saltmill0` | the kernel module `saltmill_uio` (PCI, device tree) |
//!
//! Memory is coherent with the CPU's caches with both: VFIO has it so on x86 and on machines whose
//! PCI snoops, and the module asks the kernel for memory that is.

mod error;
#[cfg(target_pointer_width = "64")]
mod pci;
mod sys;
mod sysfs;
mod uio;
#[cfg(target_pointer_width = "64")]
mod vfio;
#[cfg(not(target_pointer_width = "64"))]
#[path = "no_vfio.rs"]
mod vfio;
#[cfg(target_pointer_width = "64")]
mod vfio_calls;

pub use error::OpenError;
pub use sysfs::{PCI_DEVICE, PCI_VENDOR};
pub use uio::UioDevice;
pub use vfio::VfioDevice;

/// Memory of a device that [`VfioDevice`] asks for, bytes: rings, and jobs under way.
pub const DMA_BYTES: usize = 2 << 20;
