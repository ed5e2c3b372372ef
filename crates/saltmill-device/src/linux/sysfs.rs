// SPDX-License-Identifier: Apache-2.0
//! What the kernel says of its devices.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// PCI vendor of devices that the drivers look for: pid.codes, which lends IDs to open hardware.
pub const PCI_VENDOR: u16 = 0x1209;
/// PCI device: one for private tests, and a product needs its own. The magic register says what it
/// is.
pub const PCI_DEVICE: u16 = 0x0001;

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

pub(super) fn names(folder: &str, name: impl Fn(&Path) -> Option<String>) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut names: Vec<_> = entries.filter_map(|entry| name(&entry.ok()?.path())).collect();
    names.sort();
    names
}
