// SPDX-License-Identifier: Apache-2.0
//! A client: a `Device` whose registers, memory and interrupt are on the other side of a socket.
#![allow(clippy::unwrap_used, dead_code, reason = "tests")]

use std::{
    fs::File,
    ops::Range,
    os::{
        fd::{AsRawFd, OwnedFd},
        unix::fs::FileExt,
    },
    path::{Path, PathBuf},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use rustix::{
    event::{EventfdFlags, PollFd, PollFlags, Timespec, eventfd, poll},
    fs::{MemfdFlags, memfd_create},
};
use saltmill_device::{Device, DeviceError, DmaRegion};
use saltmill_sim::{SimConfig, System};
use saltmill_vfio_user::{ServeError, Server, Session, Wiring};
use tempfile::TempDir;
use vfio_bindings::bindings::vfio::{
    VFIO_IRQ_SET_ACTION_TRIGGER, VFIO_IRQ_SET_ACTION_UNMASK, VFIO_IRQ_SET_DATA_EVENTFD,
    VFIO_IRQ_SET_DATA_NONE, VFIO_PCI_BAR0_REGION_INDEX, VFIO_PCI_CONFIG_REGION_INDEX,
    VFIO_PCI_INTX_IRQ_INDEX, VFIO_PCI_MSI_IRQ_INDEX,
};
use vfio_user::Client;

/// Where the client maps its memory, unless it says otherwise.
pub const ADDRESS: u64 = 0x4000_0000;

/// A server in a thread, for so many clients.
pub struct Served {
    pub socket: PathBuf,
    folder: TempDir,
    thread: JoinHandle<Vec<Result<Session, ServeError>>>,
}

impl Served {
    pub fn new(variant: &str, clients: usize) -> Self {
        Self::wired(variant, clients, Wiring::default())
    }

    pub fn wired(variant: &str, clients: usize, wiring: Wiring) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("socket");
        let config = SimConfig { variant: variant.into(), dma_bytes: 0, ..SimConfig::default() };
        let device = System::new(config).unwrap().remove(0);
        let mut server = Server::bind_wired(&socket, device, wiring).unwrap();
        let thread = thread::spawn(move || (0..clients).map(|_| server.serve()).collect());
        Self { socket, folder, thread }
    }

    /// What became of all clients.
    pub fn sessions(self) -> Vec<Session> {
        self.thread.join().unwrap().into_iter().map(Result::unwrap).collect()
    }
}

/// How a client gets interrupts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Message,
    Line,
}

/// A device behind a socket.
pub struct Remote {
    pub client: Client,
    kind: Kind,
    file: File,
    view: Vec<u8>,
    event: OwnedFd,
}

impl Remote {
    /// Connects, maps memory, lets the device be bus master, and asks for interrupts.
    pub fn new(socket: &Path, kind: Kind, len: usize) -> Self {
        let mut client = Client::new(socket).unwrap();
        let file = memory(len);
        client.dma_map(0, ADDRESS, len as u64, file.as_raw_fd()).unwrap();
        let event = eventfd(0, EventfdFlags::CLOEXEC).unwrap();
        let flags = VFIO_IRQ_SET_ACTION_TRIGGER | VFIO_IRQ_SET_DATA_EVENTFD;
        client.set_irqs(index(kind), flags, 0, 1, &[event.as_raw_fd()]).unwrap();
        let mut remote = Self { client, kind, file, view: vec![0; len], event };
        remote.command(6);
        remote
    }

    /// Writes the command register: 2 is memory, 4 bus master, 0x400 no line interrupt.
    pub fn command(&mut self, value: u16) {
        let config = VFIO_PCI_CONFIG_REGION_INDEX;
        self.client.region_write(config, 4, &value.to_le_bytes()).unwrap();
    }

    /// Bytes of the memory as the device left them.
    pub fn bytes(&self, range: Range<usize>) -> Vec<u8> {
        let mut bytes = vec![0; range.len()];
        self.file.read_exact_at(&mut bytes, range.start as u64).unwrap();
        bytes
    }
}

/// Memory that can be shared.
pub fn memory(len: usize) -> File {
    let file = File::from(memfd_create("memory", MemfdFlags::CLOEXEC).unwrap());
    file.set_len(len as u64).unwrap();
    file
}

fn index(kind: Kind) -> u32 {
    match kind {
        Kind::Message => VFIO_PCI_MSI_IRQ_INDEX,
        Kind::Line => VFIO_PCI_INTX_IRQ_INDEX,
    }
}

impl Device for Remote {
    fn name(&self) -> &'static str {
        "remote"
    }

    fn read(&mut self, offset: u32) -> Result<u32, DeviceError> {
        let mut word = [0; 4];
        self.client.region_read(VFIO_PCI_BAR0_REGION_INDEX, offset.into(), &mut word).unwrap();
        Ok(u32::from_le_bytes(word))
    }

    fn write(&mut self, offset: u32, value: u32) -> Result<(), DeviceError> {
        let word = value.to_le_bytes();
        self.client.region_write(VFIO_PCI_BAR0_REGION_INDEX, offset.into(), &word).unwrap();
        Ok(())
    }

    fn dma(&self) -> DmaRegion {
        DmaRegion { bus_address: ADDRESS, len: self.view.len() }
    }

    fn memory(&mut self, range: Range<usize>) -> Result<&mut [u8], DeviceError> {
        let len = self.view.len();
        let device = self.name().to_owned();
        self.view.get_mut(range.clone()).ok_or(DeviceError::Memory { device, range, len })
    }

    fn sync_for_device(&mut self, range: Range<usize>) -> Result<(), DeviceError> {
        self.memory(range.clone())?;
        self.file.write_all_at(&self.view[range.clone()], range.start as u64).unwrap();
        Ok(())
    }

    fn sync_for_cpu(&mut self, range: Range<usize>) -> Result<(), DeviceError> {
        self.memory(range.clone())?;
        self.file.read_exact_at(&mut self.view[range.clone()], range.start as u64).unwrap();
        Ok(())
    }

    fn wait(&mut self, deadline: Instant) -> Result<bool, DeviceError> {
        let left = deadline.saturating_duration_since(Instant::now());
        let left = Timespec::try_from(left.min(Duration::from_secs(100))).unwrap();
        let mut events = [PollFd::new(&self.event, PollFlags::IN)];
        if poll(&mut events, Some(&left)).unwrap() == 0 {
            return Ok(false);
        }
        rustix::io::read(&self.event, &mut [0; 8]).unwrap();
        if self.kind == Kind::Line {
            // Cleared first: the line would fire again.
            self.write(0x48, 1)?;
            let flags = VFIO_IRQ_SET_ACTION_UNMASK | VFIO_IRQ_SET_DATA_NONE;
            self.client.set_irqs(VFIO_PCI_INTX_IRQ_INDEX, flags, 0, 1, &[]).unwrap();
        }
        Ok(true)
    }
}
