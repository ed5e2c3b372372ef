// SPDX-License-Identifier: Apache-2.0
#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![deny(clippy::missing_errors_doc)]

mod armor;
mod begin;
mod copy;
mod crop;
mod error;
mod input;
pub mod keys;
mod many;
mod memory;
mod open;
mod opening;
mod output;
mod payload;
mod plan;
mod range;
mod reader;
mod seal;
mod sealing;
pub mod sum;
mod sums;
mod system;
mod task;
mod temporary;

pub use age;
pub use saltmill_engine as engine;
pub use saltmill_format as format;

pub use error::Error;
pub use input::Input;
pub use many::{Batch, many};
pub use memory::{Memory, MemoryMut};
pub use open::{Opener, SealedInput, Unlocked};
pub use opening::Opening;
pub use output::{NewFile, Output, PendingFile};
pub use payload::{Payload, Place};
pub use plan::{Plan, PlannedPart};
pub use reader::{Reader, Source, read_prologue};
pub use seal::Sealer;
pub use sealing::Sealing;
pub use sums::Sums;
pub use task::Task;
pub use temporary::{NoneUnfinished, remove_unfinished};
