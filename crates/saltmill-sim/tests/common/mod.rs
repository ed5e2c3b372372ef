// SPDX-License-Identifier: Apache-2.0
//! What the tests of jobs on simulated devices share.

use std::time::{Duration, Instant};

/// A deadline of every wait.
pub fn later() -> Instant {
    Instant::now() + Duration::from_secs(60)
}

/// xorshift64: the same texts each time.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % end
    }

    pub fn bytes(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| self.below(256) as u8).collect()
    }
}
