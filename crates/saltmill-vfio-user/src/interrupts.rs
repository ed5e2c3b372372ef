// SPDX-License-Identifier: Apache-2.0
//! From the device's level to what the client asked for: a message, or a line.

use std::{fs::File, io, io::Write};

use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use saltmill_sim::Interrupt;
use vfio_bindings::bindings::vfio::{
    VFIO_IRQ_SET_ACTION_MASK, VFIO_IRQ_SET_ACTION_TRIGGER, VFIO_IRQ_SET_ACTION_TYPE_MASK,
    VFIO_IRQ_SET_ACTION_UNMASK, VFIO_IRQ_SET_DATA_EVENTFD, VFIO_IRQ_SET_DATA_NONE,
    VFIO_IRQ_SET_DATA_TYPE_MASK, VFIO_PCI_INTX_IRQ_INDEX, VFIO_PCI_MSI_IRQ_INDEX,
};

/// How the device's interrupt gets to its client: as it should, or in a way that a driver is tested
/// with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Wiring {
    /// As a message (MSI), or INTA.
    #[default]
    Proper,
    /// As INTA only.
    Line,
    /// It is up all the time: INTA comes again whenever it is unmasked, and the message after each
    /// some hundred clock cycles, which take a millisecond.
    Stuck,
    /// It does not come.
    Cut,
}

impl Wiring {
    /// What becomes of the device's interrupt; `again`: of one that is stuck, a message is due.
    pub(crate) fn carry(self, interrupt: Interrupt, again: bool) -> Interrupt {
        match self {
            Self::Proper | Self::Line => interrupt,
            Self::Stuck => Interrupt { up: true, rose: interrupt.rose || again },
            Self::Cut => Interrupt { up: false, rose: false },
        }
    }
}

/// Where interrupts go: to event file descriptors of the client.
#[derive(Default)]
pub(crate) struct Interrupts {
    message: Option<File>,
    line: Option<File>,
    /// The line is masked: by the client, or since it fired.
    masked: bool,
    /// The line is off in the configuration space.
    pub(crate) line_off: bool,
    up: bool,
    fired: u64,
}

impl Interrupts {
    /// The device's interrupt, after each time that its clock has moved.
    pub(crate) fn follow(&mut self, interrupt: Interrupt) {
        self.up = interrupt.up;
        if self.message.is_some() {
            if interrupt.rose {
                self.fire();
            }
        } else if self.up && !self.masked && !self.line_off && self.line.is_some() {
            // A level: quiet until the client has seen to it.
            self.masked = true;
            self.fire();
        }
    }

    /// What a `SET_IRQS` message says.
    pub(crate) fn set(
        &mut self,
        index: u32,
        flags: u32,
        (start, count): (u32, u32),
        files: Vec<File>,
    ) -> io::Result<()> {
        let (action, data) =
            (flags & VFIO_IRQ_SET_ACTION_TYPE_MASK, flags & VFIO_IRQ_SET_DATA_TYPE_MASK);
        let invalid = || Err(io::Error::from(io::ErrorKind::InvalidInput));
        if start != 0 || count > 1 || files.len() > 1 {
            return invalid();
        }
        let target = match index {
            VFIO_PCI_MSI_IRQ_INDEX => &mut self.message,
            VFIO_PCI_INTX_IRQ_INDEX => &mut self.line,
            _ if count == 0 => return Ok(()), // other kinds are off, and stay so
            _ => return invalid(),
        };
        match (action, data) {
            (VFIO_IRQ_SET_ACTION_TRIGGER, VFIO_IRQ_SET_DATA_EVENTFD) => {
                *target = files.into_iter().next();
                if let Some(event) = target {
                    // One that is full must not hold up the device.
                    fcntl_setfl(&*event, fcntl_getfl(&*event)? | OFlags::NONBLOCK)?;
                }
                self.masked = false;
                // What came up before is told now.
                self.follow(Interrupt { up: self.up, rose: self.up });
            }
            (VFIO_IRQ_SET_ACTION_TRIGGER, VFIO_IRQ_SET_DATA_NONE) if count == 0 => *target = None,
            (VFIO_IRQ_SET_ACTION_TRIGGER, VFIO_IRQ_SET_DATA_NONE) => self.fire(),
            (VFIO_IRQ_SET_ACTION_MASK, VFIO_IRQ_SET_DATA_NONE)
                if index == VFIO_PCI_INTX_IRQ_INDEX =>
            {
                self.masked = true;
            }
            (VFIO_IRQ_SET_ACTION_UNMASK, VFIO_IRQ_SET_DATA_NONE)
                if index == VFIO_PCI_INTX_IRQ_INDEX =>
            {
                self.masked = false;
                self.follow(Interrupt { up: self.up, rose: false });
            }
            _ => return invalid(),
        }
        Ok(())
    }

    /// Whether the interrupt is up, for the configuration space.
    pub(crate) fn is_up(&self) -> bool {
        self.up
    }

    /// Interrupts that the client got.
    pub(crate) fn fired(&self) -> u64 {
        self.fired
    }

    fn fire(&mut self) {
        let Some(event) = self.message.as_mut().or(self.line.as_mut()) else { return };
        // Full: there is something for the client to see already.
        if event.write_all(&1_u64.to_ne_bytes()).is_ok() {
            self.fired += 1;
        }
    }
}
