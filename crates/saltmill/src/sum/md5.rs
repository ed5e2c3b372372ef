// SPDX-License-Identifier: Apache-2.0
//! MD5 (RFC 1321) of several messages in step. A message is a chain, in which each addition waits
//! for the one before: a processor does those of eight messages in hardly more time than of one.

use wide::u32x4;

/// Messages in step.
pub(super) const LANES: usize = 8;

/// With fewer messages, one after the other is as fast.
const WORTH: usize = 3;

/// A to D, before the first block (3.3).
pub(super) const INITIAL: [u32; 4] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];

pub(super) type Block = [u8; 64];

/// The integer part of 2^32 |sin(i + 1)| (3.4).
#[rustfmt::skip]
const T: [[u32; 16]; 4] = [
    [
        0xd76a_a478, 0xe8c7_b756, 0x2420_70db, 0xc1bd_ceee,
        0xf57c_0faf, 0x4787_c62a, 0xa830_4613, 0xfd46_9501,
        0x6980_98d8, 0x8b44_f7af, 0xffff_5bb1, 0x895c_d7be,
        0x6b90_1122, 0xfd98_7193, 0xa679_438e, 0x49b4_0821,
    ],
    [
        0xf61e_2562, 0xc040_b340, 0x265e_5a51, 0xe9b6_c7aa,
        0xd62f_105d, 0x0244_1453, 0xd8a1_e681, 0xe7d3_fbc8,
        0x21e1_cde6, 0xc337_07d6, 0xf4d5_0d87, 0x455a_14ed,
        0xa9e3_e905, 0xfcef_a3f8, 0x676f_02d9, 0x8d2a_4c8a,
    ],
    [
        0xfffa_3942, 0x8771_f681, 0x6d9d_6122, 0xfde5_380c,
        0xa4be_ea44, 0x4bde_cfa9, 0xf6bb_4b60, 0xbebf_bc70,
        0x289b_7ec6, 0xeaa1_27fa, 0xd4ef_3085, 0x0488_1d05,
        0xd9d4_d039, 0xe6db_99e5, 0x1fa2_7cf8, 0xc4ac_5665,
    ],
    [
        0xf429_2244, 0x432a_ff97, 0xab94_23a7, 0xfc93_a039,
        0x655b_59c3, 0x8f0c_cc92, 0xffef_f47d, 0x8584_5dd1,
        0x6fa8_7e4f, 0xfe2c_e6e0, 0xa301_4314, 0x4e08_11a1,
        0xf753_7e82, 0xbd3a_f235, 0x2ad7_d2bb, 0xeb86_d391,
    ],
];

/// Rotations of each round (3.4).
const ROTATIONS: [[u32; 4]; 4] =
    [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];

/// The blocks of messages, as many of each as the shortest has, go into their chaining values, four
/// words for each message. At most [`LANES`] messages. The number of blocks that are done.
pub(super) fn compress(values: &mut [[u32; 4]], blocks: &[&[Block]]) -> usize {
    let count = blocks.iter().map(|blocks| blocks.len()).min().unwrap_or(0);
    if values.len() < WORTH {
        for (value, blocks) in values.iter_mut().zip(blocks) {
            for block in &blocks[..count] {
                let mut words = [0; 16];
                for (i, word) in words.iter_mut().enumerate() {
                    *word = word_of(block, i);
                }
                step_all(value, &words);
            }
        }
        return count;
    }
    // A lane without a message does the first one's work again.
    let of = |lane: usize| if lane < values.len() { lane } else { 0 };
    let mut packed = std::array::from_fn(|i| Eight::of(|lane| values[of(lane)][i]));
    let lanes: [&[Block]; LANES] = std::array::from_fn(|lane| &blocks[of(lane)][..count]);
    // Loops, since the compiler does not put `map` and `from_fn` of arrays in line here.
    let word_of_lane = |lane: usize, at: usize, i: usize| word_of(&lanes[lane][at], i);
    for at in 0..count {
        let mut words = [Eight::all(0); 16];
        for (i, word) in words.iter_mut().enumerate() {
            *word = Eight::of(|lane| word_of_lane(lane, at, i));
        }
        step_all(&mut packed, &words);
    }
    for (lane, value) in values.iter_mut().enumerate() {
        *value = packed.map(|word| word.lane(lane));
    }
    count
}

#[inline]
fn word_of(block: &Block, i: usize) -> u32 {
    u32::from_le_bytes([block[4 * i], block[4 * i + 1], block[4 * i + 2], block[4 * i + 3]])
}

/// A word of one message, or of each of several.
trait Word: Copy {
    fn all(word: u32) -> Self;
    fn plus(self, other: Self) -> Self;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    fn rotated(self, by: u32) -> Self;
    fn not(self) -> Self {
        self.xor(Self::all(u32::MAX))
    }
}

impl Word for u32 {
    fn all(word: u32) -> Self {
        word
    }
    fn plus(self, other: Self) -> Self {
        self.wrapping_add(other)
    }
    fn and(self, other: Self) -> Self {
        self & other
    }
    fn or(self, other: Self) -> Self {
        self | other
    }
    fn xor(self, other: Self) -> Self {
        self ^ other
    }
    fn rotated(self, by: u32) -> Self {
        self.rotate_left(by)
    }
}

/// Two vectors: the additions of one fill the time in which the other waits.
#[derive(Clone, Copy)]
struct Eight([u32x4; 2]);

impl Eight {
    #[inline]
    fn of(lane: impl Fn(usize) -> u32) -> Self {
        let four = |i: usize| u32x4::new([lane(i), lane(i + 1), lane(i + 2), lane(i + 3)]);
        Self([four(0), four(4)])
    }

    fn lane(self, lane: usize) -> u32 {
        self.0[lane / 4].to_array()[lane % 4]
    }

    #[inline]
    fn with(self, other: Self, both: impl Fn(u32x4, u32x4) -> u32x4) -> Self {
        Self([both(self.0[0], other.0[0]), both(self.0[1], other.0[1])])
    }
}

impl Word for Eight {
    #[inline]
    fn all(word: u32) -> Self {
        Self([u32x4::splat(word); 2])
    }
    #[inline]
    fn plus(self, other: Self) -> Self {
        self.with(other, |x, y| x + y)
    }
    #[inline]
    fn and(self, other: Self) -> Self {
        self.with(other, |x, y| x & y)
    }
    #[inline]
    fn or(self, other: Self) -> Self {
        self.with(other, |x, y| x | y)
    }
    #[inline]
    fn xor(self, other: Self) -> Self {
        self.with(other, |x, y| x ^ y)
    }
    #[inline]
    fn rotated(self, by: u32) -> Self {
        let turn = |x: u32x4| x << by | x >> (32 - by);
        Self([turn(self.0[0]), turn(self.0[1])])
    }
}

/// The 64 steps of a block (3.4).
#[inline]
fn step_all<W: Word>(value: &mut [W; 4], words: &[W; 16]) {
    let mut state = *value;
    round::<W, 0>(&mut state, words);
    round::<W, 1>(&mut state, words);
    round::<W, 2>(&mut state, words);
    round::<W, 3>(&mut state, words);
    for (old, new) in value.iter_mut().zip(state) {
        *old = old.plus(new);
    }
}

#[inline]
fn round<W: Word, const ROUND: usize>(state: &mut [W; 4], words: &[W; 16]) {
    for i in 0..16 {
        let [a, b, c, d] = *state;
        let (mixed, word) = match ROUND {
            0 => (d.xor(b.and(c.xor(d))), i),
            1 => (c.xor(d.and(b.xor(c))), 5 * i + 1),
            2 => (b.xor(c).xor(d), 3 * i + 5),
            _ => (c.xor(b.or(d.not())), 7 * i),
        };
        let sum = a.plus(mixed).plus(words[word % 16]).plus(W::all(T[ROUND][i]));
        *state = [d, b.plus(sum.rotated(ROTATIONS[ROUND][i % 4])), b, c];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sum::{HashAlgorithm, Hasher};

    #[test]
    fn messages_in_step_have_the_values_that_they_have_alone() {
        for messages in 1..=LANES {
            // Other lengths for each; period 251, so that swapped blocks can't hide
            let text = |n: usize| (0..64 * (9 - n)).map(|i| ((i + 40 * n) % 251) as u8).collect();
            let texts: Vec<Vec<u8>> = (0..messages).map(text).collect();
            let mut values = vec![INITIAL; messages];
            let blocks: Vec<&[Block]> = texts.iter().map(|text| text.as_chunks().0).collect();
            let done = compress(&mut values, &blocks);
            assert_eq!(done, 10 - messages);
            for (value, text) in values.iter_mut().zip(&texts) {
                // The last block: what is left out, and the padding
                let mut last = vec![0x80];
                last.resize(56, 0);
                last.extend((8 * 64 * done as u64).to_le_bytes());
                compress(std::slice::from_mut(value), &[last.as_chunks().0]);
                let digest: Vec<u8> = value.iter().flat_map(|word| word.to_le_bytes()).collect();
                let mut alone = Hasher::new(HashAlgorithm::Md5, None).expect("it takes no key");
                alone.update(&text[..64 * done]);
                assert_eq!(digest, alone.finish().bytes());
            }
        }
    }
}
