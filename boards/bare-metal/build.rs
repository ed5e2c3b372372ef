// SPDX-License-Identifier: Apache-2.0
//! Compiles the driver as a processor without an operating system would have it, and the bench that
//! joins it to the simulated device.

use std::path::Path;

const DRIVER: [&str; 5] = [
    "saltmill_driver.c",
    "saltmill_probe.c",
    "saltmill_request.c",
    "saltmill_self_test.c",
    "saltmill_vectors.c",
];

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (registers, sim) = (root.join("rtl/device/generated"), root.join("sim"));
    let mut build = cc::Build::new();
    build
        .std("c11")
        .flags(["-ffreestanding", "-Wshadow", "-Wconversion", "-pedantic"])
        .extra_warnings(true)
        .warnings_into_errors(true)
        .opt_level(2)
        .includes([Path::new("."), Path::new("tests"), &registers, &sim])
        .define("SALTMILL_IO_HEADER", "\"bench_io.h\"")
        .files(DRIVER)
        .file("tests/bench.c")
        .compile("saltmill_bare_metal");
    println!("cargo:rerun-if-changed=.");
    println!("cargo:rerun-if-changed={}", registers.display());
    println!("cargo:rerun-if-changed={}", sim.join("saltmill_sim.h").display());
}
