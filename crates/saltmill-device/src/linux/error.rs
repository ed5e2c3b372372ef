// SPDX-License-Identifier: Apache-2.0
//! Why a device of this machine can't be opened.

use std::{io, path::PathBuf};

use thiserror::Error;

/// Why a device of this machine can't be opened.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OpenError {
    /// There is no device of that name.
    #[error("there is no device {name}")]
    NoDevice {
        /// What was asked for.
        name: String,
    },
    /// Another driver has it, or none.
    #[error("{name} is bound to {}, not to {wanted}", found.as_deref().unwrap_or("no driver"))]
    WrongDriver {
        /// Name of the device.
        name: String,
        /// The driver that has it.
        found: Option<String>,
        /// The driver that it needs.
        wanted: &'static str,
    },
    /// It is behind no IOMMU, so VFIO does not give it out.
    #[error("{name} is behind no IOMMU")]
    NoIommu {
        /// Name of the device.
        name: String,
    },
    /// It is behind an IOMMU, and no driver tells that what it may reach.
    #[error("{name} is behind an IOMMU, which uio_pci_generic does not set up")]
    Iommu {
        /// Name of the device.
        name: String,
    },
    /// Devices that the IOMMU can't tell from it are bound to other drivers.
    #[error("other devices of IOMMU group {group}, which {name} is in, are bound to other drivers")]
    Group {
        /// Name of the device.
        name: String,
        /// Number of the group.
        group: String,
    },
    /// Another program has it, or with VFIO another device of its IOMMU group.
    #[error("{name} is in use")]
    Busy {
        /// Name of the device.
        name: String,
    },
    /// This user may not open it.
    #[error("{name} can't be opened: no permission for {}", path.display())]
    Permission {
        /// Name of the device.
        name: String,
        /// The file that can't be opened.
        path: PathBuf,
    },
    /// So much memory can't be locked.
    #[error("{len} bytes of memory can't be locked for {name}")]
    LockedMemory {
        /// Name of the device.
        name: String,
        /// How much was asked for.
        len: usize,
    },
    /// The machine has set no huge page aside, or all are in use.
    #[error("there is no free huge page of {len} bytes for {name}")]
    NoHugePage {
        /// Name of the device.
        name: String,
        /// How much was asked for.
        len: usize,
    },
    /// The kernel does not tell this user where in the machine's memory something is.
    #[error("{name} can't be told where its memory is: this user may not know physical addresses")]
    NoPhysicalAddress {
        /// Name of the device.
        name: String,
    },
    /// It is not what it says.
    #[error("{name} can't be used: {reason}")]
    Unusable {
        /// Name of the device.
        name: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The operating system refused something else.
    #[error("{name}: {action} failed")]
    System {
        /// Name of the device.
        name: String,
        /// What was tried.
        action: &'static str,
        /// Why it failed.
        source: io::Error,
    },
}

impl OpenError {
    /// What it means that the operating system refused something.
    pub(super) fn system(name: &str, action: &'static str) -> impl Fn(io::Error) -> Self + use<> {
        let name = name.to_owned();
        move |source| Self::System { name: name.clone(), action, source }
    }

    /// What it means that a file of a device can't be opened.
    pub(super) fn of_file(name: &str, path: PathBuf, source: io::Error) -> Self {
        let name = name.to_owned();
        match source.kind() {
            io::ErrorKind::ResourceBusy => Self::Busy { name },
            io::ErrorKind::PermissionDenied => Self::Permission { name, path },
            io::ErrorKind::NotFound => Self::NoDevice { name },
            _ => Self::System { name, action: "opening it", source },
        }
    }
}
