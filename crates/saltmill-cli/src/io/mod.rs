// SPDX-License-Identifier: Apache-2.0
//! What is read and what is written: named, found and checked before anything is done.

pub mod input;
pub mod plan;
pub mod sources;
pub mod target;
pub mod walk;
