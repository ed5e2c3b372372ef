// SPDX-License-Identifier: Apache-2.0
//! A socket, and one client after the other.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    sync::Arc,
    thread,
};

use saltmill_device::{Device, DeviceError};
use saltmill_sim::SimDevice;
use thiserror::Error;
use vfio_bindings::bindings::vfio::{
    VFIO_IRQ_INFO_AUTOMASKED, VFIO_IRQ_INFO_EVENTFD, VFIO_IRQ_INFO_MASKABLE,
    VFIO_PCI_BAR0_REGION_INDEX, VFIO_PCI_CONFIG_REGION_INDEX, VFIO_PCI_INTX_IRQ_INDEX,
    VFIO_PCI_MSI_IRQ_INDEX, VFIO_PCI_NUM_IRQS, VFIO_PCI_NUM_REGIONS, VFIO_REGION_INFO_FLAG_READ,
    VFIO_REGION_INFO_FLAG_WRITE, vfio_region_info,
};
use vfio_user::{Error as VfioUserError, IrqInfo, ServerRegion};

use crate::{
    backend::Backend,
    config_space::{BAR_BYTES, CONFIG_BYTES},
    function::{Function, Shared},
    interrupts::Wiring,
};

/// Why a device is not served.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ServeError {
    /// There is a file where the socket should be.
    #[error("there is a file at the socket's path")]
    Exists,
    /// The socket can't be made, or takes no clients.
    #[error("the socket can't be used")]
    Socket(#[source] std::io::Error),
    /// The device broke a rule of its bus, or does not answer: it is of no more use.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

/// What happened while a client was there.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Session {
    /// Interrupts that it got.
    pub interrupts: u64,
    /// Accesses to registers.
    pub accesses: u64,
    /// Clock cycles of the device.
    pub cycles: u64,
    /// Bytes of memory that the client told of and did not share; the device can't reach them.
    /// There are some of QEMU's that nobody needs.
    pub unshared_bytes: u64,
    /// Windows of memory that it mapped.
    pub windows: u64,
    /// Why a window was not mapped or not taken away, of the last one. A client may not be told:
    /// QEMU takes the answer for a success.
    pub refused: Option<String>,
    /// What it did wrong, if that ended the session.
    pub broken: Option<String>,
}

/// A socket at which one device is served.
pub struct Server {
    socket: vfio_user::Server,
    wiring: Wiring,
    /// Not there while a client has it, or since it failed.
    device: Option<SimDevice>,
}

impl Server {
    /// Makes the socket. The device should have no memory of its own (`dma_bytes: 0`): what there
    /// is takes addresses from the client's.
    ///
    /// # Errors
    /// The socket can't be made.
    pub fn bind(socket: &Path, device: SimDevice) -> Result<Self, ServeError> {
        Self::bind_wired(socket, device, Wiring::default())
    }

    /// The same with another way of the interrupt.
    ///
    /// # Errors
    /// As [`bind`](Self::bind).
    pub fn bind_wired(
        socket: &Path,
        device: SimDevice,
        wiring: Wiring,
    ) -> Result<Self, ServeError> {
        let server = vfio_user::Server::new(socket, true, irqs(wiring), regions());
        let socket = server.map_err(|error| match error {
            VfioUserError::SocketPathExists => ServeError::Exists,
            VfioUserError::SocketBind(error) => ServeError::Socket(error),
            other => ServeError::Socket(std::io::Error::other(other)),
        })?;
        Ok(Self { socket, wiring, device: Some(device) })
    }

    /// Waits for a client and serves it until it goes; then the device is as after power-on, and
    /// sees none of the client's memory.
    ///
    /// # Errors
    /// The socket takes no clients, or the device failed; what a client does wrong is in the
    /// [`Session`].
    ///
    /// # Panics
    /// If it is called again after the device failed.
    pub fn serve(&mut self) -> Result<Session, ServeError> {
        let mut device = self.device.take().expect("the device has not failed");
        let before = device.cycles()?.unwrap_or_default();
        let shared = Shared::new(Function::new(device, self.wiring));
        shared.with(Function::reset);
        let clocked = Arc::clone(&shared);
        let clock = thread::spawn(move || clocked.clock());
        let mut backend = Backend { shared, unshared: 0, windows: 0, refused: None };
        // The protocol's crate trusts some lengths that a client sends, and panics.
        let ended = catch_unwind(AssertUnwindSafe(|| self.socket.run(&mut backend)));
        let Backend { shared, unshared, windows, refused } = backend;
        shared.end();
        let clock = clock.join();
        let function = Shared::into_function(shared);
        debug_assert!(clock.is_ok(), "the clock's thread does not panic");
        let mut device = function.device;
        let (interrupts, accesses) = (function.interrupts.fired(), function.accesses);
        if let Some(failure) = function.failure {
            return Err(failure.into());
        }
        device.unmap(0, u64::MAX)?;
        device.reset()?;
        let cycles = device.cycles()?.unwrap_or_default() - before;
        self.device = Some(device);
        let broken = match ended {
            Ok(Ok(())) => None,
            Ok(Err(VfioUserError::SocketAccept(error))) => return Err(ServeError::Socket(error)),
            Ok(Err(error)) => Some(error.to_string()),
            Err(_) => Some("a message that makes no sense".to_owned()),
        };
        Ok(Session {
            interrupts,
            accesses,
            cycles,
            unshared_bytes: unshared,
            windows,
            refused,
            broken,
        })
    }
}

/// BAR 0 and the configuration space; the others are empty.
fn regions() -> Vec<ServerRegion> {
    let region = |index| {
        let size = match index {
            VFIO_PCI_BAR0_REGION_INDEX => BAR_BYTES as u64,
            VFIO_PCI_CONFIG_REGION_INDEX => CONFIG_BYTES as u64,
            _ => 0,
        };
        let flags =
            if size == 0 { 0 } else { VFIO_REGION_INFO_FLAG_READ | VFIO_REGION_INFO_FLAG_WRITE };
        let argsz = size_of::<vfio_region_info>() as u32;
        let region_info = vfio_region_info { argsz, index, flags, size, ..Default::default() };
        ServerRegion { region_info, sparse_areas: vec![], mmap_fd: None }
    };
    (0..VFIO_PCI_NUM_REGIONS).map(region).collect()
}

/// One line, or one message.
fn irqs(wiring: Wiring) -> Vec<IrqInfo> {
    let irq = |index| {
        let flags = match index {
            VFIO_PCI_INTX_IRQ_INDEX => {
                VFIO_IRQ_INFO_EVENTFD | VFIO_IRQ_INFO_MASKABLE | VFIO_IRQ_INFO_AUTOMASKED
            }
            VFIO_PCI_MSI_IRQ_INDEX if wiring != Wiring::Line => VFIO_IRQ_INFO_EVENTFD,
            _ => 0,
        };
        IrqInfo { index, flags, count: u32::from(flags != 0) }
    };
    (0..VFIO_PCI_NUM_IRQS).map(irq).collect()
}
