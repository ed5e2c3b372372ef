// SPDX-License-Identifier: Apache-2.0
//! The chunks that a reader keeps.

use std::collections::{BTreeMap, HashMap};

use zeroize::Zeroize;

/// Memory for the text of a chunk, which is cleared when it is dropped: as a slice, which is faster
/// than the bytes one by one of `Zeroizing<Vec<u8>>`.
#[derive(Default)]
pub struct Text {
    memory: Vec<u8>,
    len: usize,
}

impl Text {
    /// Makes it so long; what is in it is anything.
    pub fn set_len(&mut self, len: usize) {
        if self.memory.len() < len {
            // A longer vector would be a copy, and would leave the old text behind.
            *self = Self { memory: vec![0; len], len };
        }
        self.len = len;
    }

    pub fn bytes(&mut self) -> &mut [u8] {
        &mut self.memory[..self.len]
    }
}

impl Drop for Text {
    fn drop(&mut self) {
        self.memory.as_mut_slice().zeroize();
    }
}

/// The text of the chunks that were used last, and memory that is used again.
pub struct Cache {
    most: usize,
    /// When a chunk was used last, and its text.
    chunks: HashMap<u64, (u64, Text)>,
    /// Their numbers in the order of use.
    by_use: BTreeMap<u64, u64>,
    /// Counts uses.
    clock: u64,
    /// Memory for a sealed chunk; who reads one takes it, and whoever reads meanwhile has his own.
    pub sealed: Vec<u8>,
}

impl Cache {
    /// For so many chunks, and at least one.
    pub fn new(most: usize) -> Self {
        let (chunks, by_use, sealed) = (HashMap::new(), BTreeMap::new(), Vec::new());
        Self { most: most.max(1), chunks, by_use, clock: 0, sealed }
    }

    /// The text of a chunk, which is used now.
    pub fn find(&mut self, number: u64) -> Option<&[u8]> {
        let (used, text) = self.chunks.get_mut(&number)?;
        self.by_use.remove(used);
        self.clock += 1;
        *used = self.clock;
        self.by_use.insert(self.clock, number);
        Some(text.bytes())
    }

    /// Memory for one more chunk: that of the one whose last use is the longest ago.
    pub fn spare(&mut self) -> Text {
        if self.chunks.len() < self.most {
            return Text::default();
        }
        let oldest = self.by_use.pop_first();
        let oldest = oldest.and_then(|(_, number)| self.chunks.remove(&number));
        oldest.map(|(_, text)| text).unwrap_or_default()
    }

    /// Another thread may have had the same chunk, or filled the place.
    pub fn keep(&mut self, number: u64, text: Text) {
        if self.chunks.len() < self.most && !self.chunks.contains_key(&number) {
            self.clock += 1;
            self.by_use.insert(self.clock, number);
            self.chunks.insert(number, (self.clock, text));
        }
    }

    /// How many chunks are kept.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        assert_eq!(self.chunks.len(), self.by_use.len());
        self.chunks.len()
    }
}
