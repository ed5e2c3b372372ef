// SPDX-License-Identifier: Apache-2.0
#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![deny(clippy::missing_errors_doc)]

mod armor;
mod copy;
mod crop;
mod error;
mod input;
mod many;
mod open;
mod output;
mod range;
mod seal;
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
pub use open::{Opener, SealedInput, Unlocked};
pub use output::{NewFile, Output, PendingFile};
pub use seal::Sealer;
pub use sums::Sums;
pub use task::Task;
pub use temporary::{NoneUnfinished, remove_unfinished};
