// SPDX-License-Identifier: Apache-2.0
//! What the kernel says of its devices.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::generic;

/// PCI vendor of devices that the drivers look for: pid.codes, which lends IDs to open hardware.
pub const PCI_VENDOR: u16 = 0x1209;
/// PCI device: one for private tests, and a product needs its own. The magic register says what it
/// is.
pub const PCI_DEVICE: u16 = 0x0001;

/// Folders of all PCI functions, by their addresses.
pub(super) const PCI: &str = "/sys/bus/pci/devices";
const UIO: &str = "/sys/class/uio";

/// The text of a file, without the line's end.
pub(super) fn text(path: &Path) -> Option<String> {
    fs::read_to_string(path).ok().map(|text| text.trim_end().to_owned())
}

/// A number of a file, as the kernel writes it: with 0x, hexadecimal.
pub(super) fn number(path: &Path) -> Option<u64> {
    let text = text(path)?;
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// Name of what a link leads to.
pub(super) fn target(path: &Path) -> Option<String> {
    let target = fs::read_link(path).ok()?;
    Some(target.file_name()?.to_string_lossy().into_owned())
}

/// Whether the PCI function of this folder says that it is a device that the drivers look for.
pub(super) fn has_identifier(folder: &Path) -> bool {
    number(&folder.join("vendor")) == Some(PCI_VENDOR.into())
        && number(&folder.join("device")) == Some(PCI_DEVICE.into())
}

/// A PCI address with its domain: `0000:00:02.0` of `00:02.0`.
pub(super) fn full_address(address: &str) -> String {
    let domain = if address.matches(':').count() == 1 { "0000:" } else { "" };
    format!("{domain}{address}")
}

/// Names of UIO devices: those of the module `saltmill_uio`; PCI addresses of others.
pub(super) fn uio() -> Vec<String> {
    names(UIO, |folder| {
        let name = text(&folder.join("name"))?;
        let function = folder.join("device");
        if name == generic::MODULE && has_identifier(&function) {
            return target(&function);
        }
        name.starts_with("saltmill").then_some(name)
    })
}

/// The folder of a UIO device, by its name, by that of its file, or by its PCI address.
pub(super) fn uio_named(name: &str) -> Option<PathBuf> {
    let address = full_address(name);
    let folders = fs::read_dir(UIO).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    let mut found: Vec<_> = folders
        .filter(|folder| {
            text(&folder.join("name")).as_deref() == Some(name)
                || folder.file_name().is_some_and(|file| file == name)
                || target(&folder.join("device")).as_deref() == Some(&address)
        })
        .collect();
    found.sort();
    found.into_iter().next()
}

pub(super) fn names(folder: &str, name: impl Fn(&Path) -> Option<String>) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut names: Vec<_> = entries.filter_map(|entry| name(&entry.ok()?.path())).collect();
    names.sort();
    names
}
