// SPDX-License-Identifier: Apache-2.0
#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![deny(clippy::missing_errors_doc)]

mod backend;
mod config_space;
mod function;
mod interrupts;
mod server;

pub use interrupts::Wiring;
pub use server::{ServeError, Server, Session};
