// SPDX-License-Identifier: Apache-2.0
//! The shared library's name for those that are linked with it: it changes when programs must be
//! built anew. Before version 1.0 each minor version may ask for that (install.sh has the same).

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let part = |name: &str| env::var(format!("CARGO_PKG_VERSION_{name}")).unwrap_or_default();
    let (major, minor) = (part("MAJOR"), part("MINOR"));
    let interface = if major == "0" { format!("0.{minor}") } else { major };
    if env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "linux") {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libsaltmill.so.{interface}");
    }
}
