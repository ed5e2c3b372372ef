// SPDX-License-Identifier: Apache-2.0
//! A simulated device in somebody else's machine: its memory is theirs, and they move its clock.

use std::os::fd::BorrowedFd;

use saltmill_device::DeviceError;

use crate::SimDevice;

/// Memory of another process that the devices of a system see: part of a file.
#[derive(Clone, Copy, Debug)]
pub struct Window<'a> {
    /// Its address on the bus, a multiple of 4096.
    pub address: u64,
    /// Bytes, a multiple of 4096.
    pub len: u64,
    /// The file. It must not get shorter: who accesses what it no longer has gets `SIGBUS`.
    pub file: BorrowedFd<'a>,
    /// Where in the file it begins, a multiple of 4096.
    pub offset: u64,
    /// Whether the devices may write to it; if not, they get a bus error (DECERR).
    pub writable: bool,
}

/// A device's interrupt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupt {
    /// It is up now.
    pub up: bool,
    /// It came up since the last look, in a register access too.
    pub rose: bool,
}

/// For a machine around the device. The system's windows and clock are those of all its devices.
impl SimDevice {
    /// Puts a window on the bus.
    ///
    /// # Errors
    /// The file is too short, or something else is at that address.
    pub fn map(&mut self, window: &Window<'_>) -> Result<(), DeviceError> {
        self.simulate(|raw, _| raw.map(window))
    }

    /// Takes the windows in a range off the bus, after the bursts that use them: the clock runs
    /// until those are over.
    ///
    /// # Errors
    /// Part of a window is outside of the range, or the bursts don't end.
    pub fn unmap(&mut self, address: u64, len: u64) -> Result<(), DeviceError> {
        self.simulate(|raw, _| raw.unmap(address, len))
    }

    /// Opens or closes all windows, as a PCI device's bus-master bit does. In closed ones nothing
    /// answers (DECERR); a burst under way is finished.
    ///
    /// # Errors
    /// The simulation has ended with an error before.
    pub fn open_windows(&mut self, open: bool) -> Result<(), DeviceError> {
        self.simulate(|raw, _| raw.open_windows(open))
    }

    /// Runs so many clock cycles, whatever the interrupt does; with 0 it only looks.
    ///
    /// # Errors
    /// The device broke a rule of its bus.
    pub fn step(&mut self, cycles: u64) -> Result<Interrupt, DeviceError> {
        let (up, rose) = self.simulate(|raw, index| raw.step(index, cycles))?;
        Ok(Interrupt { up, rose })
    }

    /// Resets all devices of the system. What their bursts had not moved by then stays as it is.
    ///
    /// # Errors
    /// The simulation has ended with an error before.
    pub fn reset(&mut self) -> Result<(), DeviceError> {
        self.simulate(|raw, _| raw.reset())
    }
}
