// SPDX-License-Identifier: Apache-2.0
//! The configuration space: header of type 0, PCI Express and MSI capabilities (PCI Express Base
//! Specification, 7.5.1, 7.5.3, 7.7.1; PCI Local Bus 3.0, 6.8).

use saltmill_device::linux::{PCI_DEVICE as DEVICE_ID, PCI_VENDOR as VENDOR_ID};

use crate::interrupts::Wiring;

/// Bytes of the only memory region, BAR 0: the registers.
pub(crate) const BAR_BYTES: usize = 4096;
/// Bytes of the configuration space.
pub(crate) const CONFIG_BYTES: usize = 256;

const COMMAND: usize = 0x04;
const STATUS: usize = 0x06;
const CLASS: usize = 0x09;
const BAR0: usize = 0x10;
const SUBSYSTEM: usize = 0x2c;
const CAPABILITIES: usize = 0x34;
const INTERRUPT_PIN: usize = 0x3d;
const EXPRESS: usize = 0x40;
const DEVICE_CONTROL: usize = EXPRESS + 0x08;
const MSI: usize = 0x80;

const COMMAND_MEMORY: u16 = 1 << 1;
const COMMAND_BUS_MASTER: u16 = 1 << 2;
const COMMAND_NO_INTX: u16 = 1 << 10;
const STATUS_INTERRUPT: u16 = 1 << 3;
const STATUS_CAPABILITIES: u16 = 1 << 4;
/// Function-level reset: in the capabilities there is one, in the control register do it.
const CAPABLE_OF_RESET: u32 = 1 << 28;
const INITIATE_RESET: u16 = 1 << 15;

/// The bytes, and which of their bits can be written.
pub(crate) struct ConfigSpace {
    bytes: [u8; CONFIG_BYTES],
    writable: [u8; CONFIG_BYTES],
}

/// What a write asked for, beside changing bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Wish {
    /// Reset the function.
    pub(crate) reset: bool,
}

impl ConfigSpace {
    pub(crate) fn new(wiring: Wiring) -> Self {
        let has_messages = wiring != Wiring::Line;
        let mut space = Self { bytes: [0; CONFIG_BYTES], writable: [0; CONFIG_BYTES] };
        space.set(0x00, &VENDOR_ID.to_le_bytes());
        space.set(0x02, &DEVICE_ID.to_le_bytes());
        space.set(STATUS, &STATUS_CAPABILITIES.to_le_bytes());
        space.set(CLASS, &[0x00, 0x80, 0x10]); // encryption controller, other
        space.set(SUBSYSTEM, &VENDOR_ID.to_le_bytes());
        space.set(SUBSYSTEM + 2, &DEVICE_ID.to_le_bytes());
        space.set(CAPABILITIES, &[EXPRESS as u8]);
        space.set(INTERRUPT_PIN, &[1]); // INTA
        // PCI Express capability, version 2, endpoint; 8 GT/s x4 is what the link claims.
        let next = if has_messages { MSI as u8 } else { 0 };
        space.set(EXPRESS, &[0x10, next, 0x02, 0x00]);
        space.set(EXPRESS + 0x04, &CAPABLE_OF_RESET.to_le_bytes());
        space.set(EXPRESS + 0x0c, &0x43_u32.to_le_bytes());
        space.set(EXPRESS + 0x12, &0x43_u16.to_le_bytes());
        let command = COMMAND_MEMORY | COMMAND_BUS_MASTER | COMMAND_NO_INTX;
        space.allow(COMMAND, &command.to_le_bytes());
        space.allow(0x0c, &[0xff]); // cache line size, of no effect
        space.allow(BAR0, &(!(BAR_BYTES as u32 - 1)).to_le_bytes());
        space.allow(0x3c, &[0xff]); // interrupt line, a note of the system
        space.allow(DEVICE_CONTROL, &0x7fff_u16.to_le_bytes());
        if has_messages {
            // One message, addresses of 64 bits.
            space.set(MSI, &[0x05, 0x00, 0x80, 0x00]);
            space.allow(MSI + 2, &[0x01]);
            space.allow(MSI + 4, &[0xfc, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]);
        }
        space
    }

    /// Bytes from `offset`; what is behind the end reads as ones. `pending`: the interrupt is up.
    pub(crate) fn read(&self, offset: u64, data: &mut [u8], pending: bool) {
        let mut bytes = self.bytes;
        if pending {
            bytes[STATUS] |= STATUS_INTERRUPT.to_le_bytes()[0];
        }
        let offset = usize::try_from(offset).unwrap_or(usize::MAX);
        for (at, byte) in (0..).zip(data) {
            *byte = offset.checked_add(at).and_then(|at| bytes.get(at)).copied().unwrap_or(0xff);
        }
    }

    /// Writes what can be written of it.
    pub(crate) fn write(&mut self, offset: u64, data: &[u8]) -> Wish {
        let mut wish = Wish::default();
        let offset = usize::try_from(offset).unwrap_or(usize::MAX);
        for (at, byte) in (0..).zip(data) {
            let Some(at) = offset.checked_add(at).filter(|at| *at < CONFIG_BYTES) else { break };
            let mask = self.writable[at];
            self.bytes[at] = self.bytes[at] & !mask | byte & mask;
            wish.reset |= at == DEVICE_CONTROL + 1 && byte & INITIATE_RESET.to_le_bytes()[1] != 0;
        }
        wish
    }

    /// Whether the device may read and write memory.
    pub(crate) fn is_bus_master(&self) -> bool {
        self.command() & COMMAND_BUS_MASTER != 0
    }

    /// Whether the interrupt's line is off.
    pub(crate) fn has_no_intx(&self) -> bool {
        self.command() & COMMAND_NO_INTX != 0
    }

    fn command(&self) -> u16 {
        u16::from_le_bytes([self.bytes[COMMAND], self.bytes[COMMAND + 1]])
    }

    fn set(&mut self, at: usize, bytes: &[u8]) {
        self.bytes[at..at + bytes.len()].copy_from_slice(bytes);
    }

    fn allow(&mut self, at: usize, bits: &[u8]) {
        self.writable[at..at + bits.len()].copy_from_slice(bits);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(space: &ConfigSpace, offset: u64) -> u32 {
        let mut bytes = [0; 4];
        space.read(offset, &mut bytes, false);
        u32::from_le_bytes(bytes)
    }

    #[test]
    fn the_size_of_the_bar_is_found_by_writing_ones() {
        let mut space = ConfigSpace::new(Wiring::Proper);
        space.write(0x10, &[0xff; 4]);
        assert_eq!(word(&space, 0x10), 0xffff_f000);
        space.write(0x10, &0xfebf_1234_u32.to_le_bytes());
        assert_eq!(word(&space, 0x10), 0xfebf_1000);
        space.write(0x14, &[0xff; 24]);
        assert!((0x14..0x28).step_by(4).all(|bar| word(&space, bar) == 0));
    }

    #[test]
    fn identity_and_capabilities_stay() {
        for (wiring, capabilities) in
            [(Wiring::Proper, &[0x10, 0x05][..]), (Wiring::Line, &[0x10][..])]
        {
            identity_and_capabilities(ConfigSpace::new(wiring), capabilities);
        }
    }

    fn identity_and_capabilities(mut space: ConfigSpace, capabilities: &[u32]) {
        let before: Vec<_> = [0, 8, 0x2c, 0x34].map(|at| word(&space, at)).into();
        space.write(0, &[0xff; CONFIG_BYTES]);
        assert_eq!(before, [0, 8, 0x2c, 0x34].map(|at| word(&space, at)));
        // The chain of capabilities ends, and has all.
        let (mut at, mut found) = (word(&space, 0x34) & 0xff, vec![]);
        while at != 0 {
            let header = word(&space, u64::from(at));
            found.push(header & 0xff);
            at = header >> 8 & 0xff;
        }
        assert_eq!(found, capabilities);
    }

    #[test]
    fn bits_of_the_command_do_what_they_say() {
        let mut space = ConfigSpace::new(Wiring::Proper);
        assert!(!space.is_bus_master() && !space.has_no_intx());
        space.write(4, &[0x06, 0x04]);
        assert!(space.is_bus_master() && space.has_no_intx());
        // One byte leaves the other.
        space.write(4, &[0]);
        assert!(!space.is_bus_master() && space.has_no_intx());
    }

    #[test]
    fn a_reset_is_wished_by_its_bit_alone_and_reads_as_zero() {
        let mut space = ConfigSpace::new(Wiring::Proper);
        assert_eq!(space.write(0x48, &[0xff, 0x7f]), Wish { reset: false });
        assert_eq!(space.write(0x48, &[0x00, 0x80]), Wish { reset: true });
        assert_eq!(word(&space, 0x48) & 0x8000, 0);
    }

    #[test]
    fn nothing_is_behind_the_end() {
        let mut space = ConfigSpace::new(Wiring::Proper);
        let mut bytes = [0; 8];
        space.read(252, &mut bytes, false);
        assert_eq!(bytes[4..], [0xff; 4]);
        space.write(u64::MAX, &[1; 8]);
        space.read(u64::MAX, &mut bytes, false);
        assert_eq!(bytes, [0xff; 8]);
    }

    #[test]
    fn the_status_shows_the_interrupt() {
        let space = ConfigSpace::new(Wiring::Proper);
        let mut status = [0; 2];
        space.read(6, &mut status, true);
        assert_eq!(status[0] & 8, 8);
        space.read(6, &mut status, false);
        assert_eq!(status[0] & 8, 0);
    }
}
