// SPDX-License-Identifier: Apache-2.0
//! No library.

fn main() {
    saltmill_libraries::run(|_| None);
}
