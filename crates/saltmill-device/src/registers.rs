// SPDX-License-Identifier: Apache-2.0
//! Addresses, fields and codes of the registers and of the descriptor, as generated from
//! `rtl/device/saltmill.rdl`, and names for those that the driver needs all the time.

#[allow(dead_code, reason = "generated whole; the driver does not use all of it")]
mod saltmill;
#[allow(dead_code, reason = "generated whole; the driver does not use all of it")]
pub(crate) mod saltmill_descriptor;

pub(crate) use saltmill::*;

/// Some bits of a register.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    shift: u32,
    bits: u32,
    reset: u32,
}

#[allow(dead_code, reason = "the driver grows into them")]
impl Field {
    /// The value of this field in a register's word.
    pub(crate) const fn of(self, word: u32) -> u32 {
        (word & self.mask()) >> self.shift
    }

    /// The word in which this field has the value, cut to its width, and everything else is 0.
    pub(crate) const fn with(self, value: u32) -> u32 {
        value << self.shift & self.mask()
    }

    /// The word in which this field is all ones and everything else is 0.
    pub(crate) const fn mask(self) -> u32 {
        u32::MAX >> (u32::BITS - self.bits) << self.shift
    }

    /// The value of this field after reset; of a constant field: its value.
    pub(crate) const fn reset(self) -> u32 {
        self.reset
    }
}

pub(crate) const MAGIC_VALUE: u32 = magic::VALUE.reset();
pub(crate) const VERSION_MAJOR: u16 = version::MAJOR.reset() as u16;
pub(crate) const CONTROL_ENABLE: u32 = control::ENABLE.mask();
pub(crate) const CONTROL_WIPE: u32 = control::WIPE.mask();
pub(crate) const CONTROL_CLEAR: u32 = control::CLEAR_COUNTERS.mask();
pub(crate) const STATUS_WIPING: u32 = status::WIPING.mask();
pub(crate) const INTERRUPT_DONE: u32 = interrupt_status::DONE.mask();
pub(crate) const INTERRUPT_ALL: u32 = INTERRUPT_DONE | interrupt_status::STATUS_LOST.mask();
/// What `KEY_USE` says of keys of this size, for every operation but mac.
pub(crate) const fn key_use_of(size: crate::KeySize) -> u32 {
    key_use::SIZE.with(size as u32)
}
/// What `KEY_USE` says of one-time keys, for mac.
pub(crate) const KEY_USE_ONE_TIME: u32 = key_use::ONE_TIME.mask();

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_cut_out_of_a_word_and_put_back() {
        let word = 0x544C_4153;
        let fields = [shape::UNROLL, shape::STAGES, shape::BLOCK_BYTES];
        assert_eq!(fields.map(|field| field.of(word)), [0x53, 0x41, 0x544C]);
        assert_eq!(fields.map(|field| field.with(field.of(word))).iter().sum::<u32>(), word);
        assert_eq!(shape::STAGES.with(0x123), 0x2300);
        assert_eq!(magic::VALUE.of(word), MAGIC_VALUE);
    }
}
