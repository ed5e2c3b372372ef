// SPDX-License-Identifier: Apache-2.0
//! What people and programs are told: progress, failures, statistics; and how signals end a run.

pub mod failure;
pub mod interrupt;
pub mod progress;
pub mod say;
pub mod stats;
