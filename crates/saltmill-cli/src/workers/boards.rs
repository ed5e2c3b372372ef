// SPDX-License-Identifier: Apache-2.0
//! Workers on devices of this machine.

use std::time::{Duration, Instant};

use saltmill::engine::{DeviceWorker, Transfer, Worker};
use saltmill_device::{
    Accelerator, Device,
    linux::{OpenError, UioDevice, VfioDevice},
};

use crate::{
    args::EngineName,
    report::failure::{Failure, reason},
};

/// Names of the devices that can be used.
pub fn found() -> Vec<EngineName> {
    let vfio = VfioDevice::found().into_iter().map(EngineName::Vfio);
    vfio.chain(UioDevice::found().into_iter().map(EngineName::Uio)).collect()
}

/// The PCI device at an address.
pub fn vfio(address: &str, deadline: Duration) -> Result<Box<dyn Worker>, Failure> {
    worker(VfioDevice::open(address).map_err(failure)?, deadline)
}

/// A device of the kernel module.
pub fn uio(name: &str, deadline: Duration) -> Result<Box<dyn Worker>, Failure> {
    worker(UioDevice::open(name).map_err(failure)?, deadline)
}

fn worker(device: impl Device + 'static, deadline: Duration) -> Result<Box<dyn Worker>, Failure> {
    let accelerator = Accelerator::probe(device, Instant::now() + deadline)?;
    Ok(Box::new(DeviceWorker::new(accelerator, Transfer::Text)?))
}

/// Why a device can't be opened, and the command that helps.
fn failure(error: OpenError) -> Failure {
    let sentence = error.to_string();
    let hint = match &error {
        OpenError::NoDevice { .. } => {
            "`lspci -d 1209:` shows PCI devices, `cat /sys/class/uio/*/name` those of the module"
                .to_owned()
        }
        OpenError::WrongDriver { name, wanted: "vfio-pci", .. } => {
            let address = name.trim_start_matches("vfio:");
            format!("`sudo driverctl set-override {address} vfio-pci` gives it to vfio-pci")
        }
        OpenError::WrongDriver { name, wanted: "uio_pci_generic", .. } => {
            let address = name.trim_start_matches("uio:");
            format!(
                "`sudo driverctl set-override {address} uio_pci_generic` gives it to that driver"
            )
        }
        OpenError::WrongDriver { .. } => {
            "`sudo modprobe saltmill_uio` loads the module; boards/linux/saltmill_uio has it".into()
        }
        OpenError::NoIommu { .. } => {
            "start Linux with intel_iommu=on or amd_iommu=on, or use the module saltmill_uio".into()
        }
        OpenError::Iommu { name } => {
            let address = name.trim_start_matches("uio:");
            format!(
                "`sudo driverctl set-override {address} vfio-pci`, then --engine vfio:{address}"
            )
        }
        OpenError::NoHugePage { .. } => {
            "`sudo sysctl vm.nr_hugepages=16` sets 16 aside; a device needs one".into()
        }
        OpenError::NoPhysicalAddress { .. } => {
            "root may (CAP_SYS_ADMIN): use sudo; with the module saltmill_uio anybody may".into()
        }
        OpenError::Group { group, .. } => {
            format!("give all of /sys/kernel/iommu_groups/{group}/devices to vfio-pci")
        }
        OpenError::Busy { name } => {
            format!("`sudo fuser -v /dev/vfio/* /dev/uio*` shows who has {name}")
        }
        OpenError::Permission { path, .. } => {
            format!("`sudo chown \"$USER\" {}` lets you, until it is made again", path.display())
        }
        OpenError::LockedMemory { .. } => {
            "`ulimit -l` shows how many KiB may be locked; /etc/security/limits.conf sets it".into()
        }
        _ => "`saltmill devices --self-test` shows what works".to_owned(),
    };
    let sentence = match &error {
        OpenError::System { source, .. } => format!("{sentence}: {}", reason(source)),
        _ => sentence,
    };
    match error {
        OpenError::NoDevice { .. } => Failure::usage(sentence, hint),
        _ => Failure::device(sentence, hint),
    }
}
