// SPDX-License-Identifier: Apache-2.0
//! What the kernel says of PCI devices.

use std::path::{Path, PathBuf};

use super::{
    OpenError,
    sysfs::{PCI, full_address, has_identifier, names, target},
};

/// The folder of a PCI device, from `0000:00:02.0` or `00:02.0`.
pub(super) fn folder(address: &str) -> Result<(String, PathBuf), OpenError> {
    let address = full_address(address);
    let numbers: Vec<_> = address.split([':', '.']).collect();
    let hex = |number: &&str| !number.is_empty() && number.bytes().all(|b| b.is_ascii_hexdigit());
    let folder = Path::new(PCI).join(&address);
    if numbers.len() != 4 || !numbers.iter().all(hex) || !folder.exists() {
        return Err(OpenError::NoDevice { name: format!("vfio:{address}") });
    }
    Ok((address, folder))
}

/// Addresses of PCI devices with Saltmill's identifier that `vfio-pci` has.
pub(super) fn found() -> Vec<String> {
    let ours = |folder: &Path| {
        has_identifier(folder) && target(&folder.join("driver")).as_deref() == Some("vfio-pci")
    };
    names(PCI, |folder| ours(folder).then(|| folder.file_name()?.to_str().map(str::to_owned))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_no_paths() {
        for bad in ["", "..", "../..", "/etc", "0000:00:zz.0", "vfio", "ffff:ff:1f.7"] {
            assert!(matches!(folder(bad), Err(OpenError::NoDevice { .. })), "{bad}");
        }
    }
}
