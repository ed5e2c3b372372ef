// SPDX-License-Identifier: Apache-2.0
//! Devices of this machine, driven from user space: through VFIO, or through UIO.
//!
//! | name | what it needs |
//! | --- | --- |
//! | [`VfioDevice`], `vfio:0000:00:02.0` | 64 bits, an IOMMU, a device bound to `vfio-pci` |
//! | [`UioDevice`], `uio:saltmill0` | the kernel module `saltmill_uio` (PCI, device tree) |
//! | [`UioDevice`], `uio:0000:00:02.0` | Linux's `uio_pci_generic`, a huge page, root; no IOMMU |
//!
//! Memory is coherent with the CPU's caches with all: VFIO and `uio_pci_generic` have it so on x86
//! and on machines whose PCI snoops, and the module asks the kernel for memory that is.

mod error;
mod generic;
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

/// Memory of a device that is asked for where no module gives it, bytes: rings, and jobs under way.
pub const DMA_BYTES: usize = 2 << 20;
