// SPDX-License-Identifier: Apache-2.0
//! The commands, and what runs with one input or many share.

pub mod bench;
pub mod cipher;
pub mod decrypt;
pub mod devices;
pub mod encrypt;
mod explain;
pub mod inspect;
pub mod keygen;
mod manifest;
mod many;
pub mod rekey;
mod run;
pub mod shell;
pub mod sim;
pub mod sum;
