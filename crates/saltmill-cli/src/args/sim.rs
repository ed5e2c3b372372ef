// SPDX-License-Identifier: Apache-2.0
//! Arguments of `saltmill sim`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

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

    /// How the interrupt gets to the client, for tests of drivers
    #[arg(long, value_enum, value_name = "WIRING", default_value_t = WiringName::Proper, hide = true)]
    pub interrupt: WiringName,

    /// Let the memory of all devices hang from this clock cycle on, for tests
    #[arg(long, value_name = "CYCLE", hide = true)]
    pub sim_hang_at: Option<u64>,

    /// End after the first client of each socket has gone
    #[arg(long)]
    pub once: bool,
}

/// How the interrupt gets to the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum WiringName {
    /// As a message (MSI), or INTA
    Proper,
    /// As INTA only
    Line,
    /// It is up all the time
    Stuck,
    /// It does not come
    Cut,
}
