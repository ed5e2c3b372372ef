// SPDX-License-Identifier: Apache-2.0
//! Builds the simulated devices: for each variant that is asked for a Verilated model, and the C++
//! of `sim/` around them. Models are kept in the target folder under a hash of all that goes into
//! them, so that debug, release and clippy share one build and an edit rebuilds only what it
//! changes.

#[path = "build_script/edges.rs"]
mod edges;
#[path = "build_script/library.rs"]
mod library;
#[path = "build_script/model.rs"]
mod model;
#[path = "build_script/sim.rs"]
mod sim;
#[path = "build_script/sources.rs"]
mod sources;
#[path = "build_script/verilator.rs"]
mod verilator;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // There is no Verilator where docs.rs makes the documentation, and nothing is linked.
    if std::env::var_os("DOCS_RS").is_some() {
        return;
    }
    if let Err(sentence) = sim::build() {
        eprintln!("error: {sentence}");
        std::process::exit(1);
    }
}
