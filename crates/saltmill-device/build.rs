// SPDX-License-Identifier: Apache-2.0
//! Builds the simulated device: for each row of `lab/variants.toml` with `sim = true` a Verilated model, and
//! the C++ of `sim/` around them. Models are kept in the target folder under a hash of all that goes into
//! them, so that debug, release and clippy share one build and an edit rebuilds only what it changes.

#[cfg(feature = "sim")]
#[path = "build_script/edges.rs"]
mod edges;
#[cfg(feature = "sim")]
#[path = "build_script/library.rs"]
mod library;
#[cfg(feature = "sim")]
#[path = "build_script/model.rs"]
mod model;
#[cfg(feature = "sim")]
#[path = "build_script/sim.rs"]
mod sim;
#[cfg(feature = "sim")]
#[path = "build_script/sources.rs"]
mod sources;
#[cfg(feature = "sim")]
#[path = "build_script/verilator.rs"]
mod verilator;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    #[cfg(feature = "sim")]
    if let Err(sentence) = sim::build() {
        eprintln!("error: {sentence}");
        std::process::exit(1);
    }
}
