// SPDX-License-Identifier: Apache-2.0
//! What the kernel says of its devices.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::OpenError;

/// PCI vendor of devices that the drivers look for: pid.codes.
pub const PCI_VENDOR: u16 = 0x1209;
/// PCI device: one for private tests. The magic register says what it is.
pub const PCI_DEVICE: u16 = 0x0001;

const PCI: &str = "/sys/bus/pci/devices";
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

/// The folder of a PCI device, from `0000:00:02.0` or `00:02.0`.
pub(super) fn pci(address: &str) -> Result<(String, PathBuf), OpenError> {
    let domain = if address.matches(':').count() == 1 { "0000:" } else { "" };
    let address = format!("{domain}{address}");
    let numbers: Vec<_> = address.split([':', '.']).collect();
    let hex = |number: &&str| !number.is_empty() && number.bytes().all(|b| b.is_ascii_hexdigit());
    let folder = Path::new(PCI).join(&address);
    if numbers.len() != 4 || !numbers.iter().all(hex) || !folder.exists() {
        return Err(OpenError::NoDevice { name: format!("vfio:{address}") });
    }
    Ok((address, folder))
}

/// Addresses of PCI devices with Saltmill's identifier that `vfio-pci` has.
pub(super) fn vfio() -> Vec<String> {
    let ours = |folder: &Path| {
        number(&folder.join("vendor")) == Some(PCI_VENDOR.into())
            && number(&folder.join("device")) == Some(PCI_DEVICE.into())
            && target(&folder.join("driver")).as_deref() == Some("vfio-pci")
    };
    names(PCI, |folder| ours(folder).then(|| folder.file_name()?.to_str().map(str::to_owned))?)
}

/// Names of UIO devices of the module `saltmill_uio`.
pub(super) fn uio() -> Vec<String> {
    names(UIO, |folder| text(&folder.join("name")).filter(|name| name.starts_with("saltmill")))
}

/// The folder of a UIO device, by its name or by that of its file.
pub(super) fn uio_named(name: &str) -> Option<PathBuf> {
    let folders = fs::read_dir(UIO).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    let mut found: Vec<_> = folders
        .filter(|folder| {
            text(&folder.join("name")).as_deref() == Some(name)
                || folder.file_name().is_some_and(|file| file == name)
        })
        .collect();
    found.sort();
    found.into_iter().next()
}

fn names(folder: &str, name: impl Fn(&Path) -> Option<String>) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut names: Vec<_> = entries.filter_map(|entry| name(&entry.ok()?.path())).collect();
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_no_paths() {
        for bad in ["", "..", "../..", "/etc", "0000:00:zz.0", "vfio", "ffff:ff:1f.7"] {
            assert!(matches!(pci(bad), Err(OpenError::NoDevice { .. })), "{bad}");
        }
    }
}
