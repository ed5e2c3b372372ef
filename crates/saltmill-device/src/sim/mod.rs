// SPDX-License-Identifier: Apache-2.0
//! The Verilated device in this process.
