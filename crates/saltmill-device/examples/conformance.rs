// SPDX-License-Identifier: Apache-2.0
//! The suite that every device passes, on a device of this machine:
//! `conformance vfio:0000:00:01.0` or `conformance uio:saltmill0`.
#![cfg(target_os = "linux")]

use saltmill_device::{
    conformance,
    linux::{UioDevice, VfioDevice},
};

fn main() {
    let name = std::env::args().nth(1).unwrap_or_default();
    match name.split_once(':') {
        Some(("vfio", address)) => {
            conformance::run(|| VfioDevice::open(address).expect("a device"));
        }
        Some(("uio", name)) => conformance::run(|| UioDevice::open(name).expect("a device")),
        _ => panic!("name a device: vfio:ADDRESS or uio:NAME"),
    }
    println!("{name} conforms");
}
