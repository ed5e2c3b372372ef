// SPDX-License-Identifier: Apache-2.0
//! Arguments of `saltmill sim`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

pub const EXAMPLES: &str = "Examples:
  A device for a virtual machine (QEMU 10.1 or later, with memory that it shares):
    saltmill sim serve --socket saltmill.sock --sim-variant ring2 &
    qemu-system-x86_64 -machine q35,memory-backend=ram \\
      -object memory-backend-memfd,id=ram,size=1G,share=on \\
      -device '{\"driver\": \"vfio-user-pci\",
                \"socket\": {\"type\": \"unix\", \"path\": \"saltmill.sock\"}}' ...";

/// Arguments of `saltmill sim`.
#[derive(Args)]
pub struct SimArguments {
    /// What to do.
    #[command(subcommand)]
    pub command: SimCommand,
}

/// What `saltmill sim` does.
#[derive(Subcommand)]
pub enum SimCommand {
    /// Serve simulated devices as PCI devices over vfio-user, until interrupted
    Serve(ServeArguments),
}

/// Arguments of `saltmill sim serve`.
#[derive(Args)]
pub struct ServeArguments {
    /// Make this socket, for one device and one client at a time; can be repeated
    #[arg(long = "socket", value_name = "PATH", required = true)]
    pub sockets: Vec<PathBuf>,

    /// Which device to simulate, for example aead-balanced; `saltmill devices` lists them
    #[arg(long, value_name = "VARIANT", default_value = "ring2")]
    pub sim_variant: String,

    /// Latency and bandwidth of memory: ideal, latency100, de10-nano, zedboard or pynq-z2
    #[arg(long, value_name = "PROFILE", default_value = "ideal")]
    pub sim_memory: String,

    /// End after the first client of each socket has gone
    #[arg(long)]
    pub once: bool,
}
