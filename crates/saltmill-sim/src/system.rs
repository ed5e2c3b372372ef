// SPDX-License-Identifier: Apache-2.0
//! Simulated devices, and what they are made from.

use std::{
    env, ffi::CString, ops::Range, os::unix::ffi::OsStringExt, path::PathBuf, sync::Arc,
    time::Instant,
};

use parking_lot::FairMutex;
use saltmill_device::{Device, DeviceError, DmaRegion};

use crate::{
    MemoryProfile, SimError,
    error::BadStep,
    ffi::{self, Failure, Raw, RawFault},
};

/// Cycles that are simulated between two looks at the deadline: a few milliseconds.
const SLICE: u64 = 4096;

/// Names of the variants in this build.
pub fn variants() -> Vec<String> {
    ffi::variants()
}

/// What to simulate.
#[derive(Clone, Debug)]
pub struct SimConfig {
    /// One of [`variants`].
    pub variant: String,
    /// How many devices; 1 to 4.
    pub devices: usize,
    /// The memory that they share.
    pub memory: MemoryProfile,
    /// Memory of each device, in bytes. Takes real memory as it is used. With 0 the devices have
    /// only [windows](crate::Window).
    pub dma_bytes: usize,
    /// Where the first device's memory is on the bus, a multiple of 4096; the others' is behind it.
    /// All of it must be where the devices can address it.
    pub bus_address: u64,
    /// File for a waveform (FST); without it, the environment variable `SALTMILL_TRACE`. Needs the
    /// cargo feature `trace`, with which the simulation is slower.
    pub trace: Option<PathBuf>,
    /// What goes wrong from the start.
    pub fault: Option<Fault>,
}

impl Default for SimConfig {
    fn default() -> Self {
        Self {
            variant: "ring2".into(),
            devices: 1,
            memory: MemoryProfile::IDEAL,
            dma_bytes: 4 << 20,
            bus_address: 0x4000_0000,
            trace: None,
            fault: None,
        }
    }
}

/// Something that a device's memory port does wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// From this clock cycle on the memory does not answer.
    Hang {
        /// Number of the device.
        device: usize,
        /// The cycle; the count starts with the system.
        from_cycle: u64,
    },
    /// Reads in this range of the device's memory end with a bus error (SLVERR).
    ReadError {
        /// Number of the device.
        device: usize,
        /// Bytes of its memory.
        range: Range<usize>,
    },
    /// Writes in this range of the device's memory end with a bus error (SLVERR).
    WriteError {
        /// Number of the device.
        device: usize,
        /// Bytes of its memory.
        range: Range<usize>,
    },
}

impl Fault {
    fn device(&self) -> usize {
        match self {
            Self::Hang { device, .. }
            | Self::ReadError { device, .. }
            | Self::WriteError { device, .. } => *device,
        }
    }
}

/// Devices that share a clock and a memory.
#[derive(Debug)]
pub struct System;

impl System {
    /// Makes the devices of a system; it lives as long as one of them.
    ///
    /// # Errors
    /// A variant or a device that is not there, a waveform that can't be written, or numbers that
    /// the simulation does not take.
    #[allow(clippy::new_ret_no_self, reason = "a system is only its devices")]
    pub fn new(config: SimConfig) -> Result<Vec<SimDevice>, SimError> {
        let SimConfig { variant, devices, memory, dma_bytes, bus_address, trace, fault } = config;
        let known = variants();
        if !known.contains(&variant) {
            return Err(SimError::UnknownVariant { name: variant, known });
        }
        let trace = trace.map(PathBuf::into_os_string).or_else(|| env::var_os("SALTMILL_TRACE"));
        if trace.is_some() && !cfg!(feature = "trace") {
            return Err(SimError::NoWaveforms);
        }
        let trace = trace.map(|path| CString::new(path.into_vec())).transpose()?;
        // More than fit are too many all the same.
        let count = u32::try_from(devices).unwrap_or(u32::MAX);
        let dma = DmaRegion { bus_address, len: dma_bytes };
        let raw = Raw::new(&variant, count, dma, &memory, trace)
            .map_err(|reason| SimError::Setup { variant: variant.clone(), reason })?;
        let regions: Vec<u64> = (0..count).map(|device| raw.region(device)).collect();
        let shared = Arc::new(FairMutex::new(raw));
        let mut devices: Vec<_> = (0..count)
            .zip(regions)
            .map(|(index, bus_address)| SimDevice {
                name: format!("sim:{index} ({variant})"),
                index,
                bus_address,
                view: vec![0; dma_bytes],
                shared: Arc::clone(&shared),
            })
            .collect();
        if let Some(fault) = fault {
            let (device, count) = (fault.device(), devices.len());
            let found = devices.get_mut(device);
            found.ok_or(SimError::FaultElsewhere { device, count })?.inject(&fault)?;
        }
        Ok(devices)
    }
}

/// One simulated device.
pub struct SimDevice {
    name: String,
    index: u32,
    bus_address: u64,
    /// The host's view of the memory.
    view: Vec<u8>,
    /// Goes to those who wait in the order in which they came: a thread that simulates slice after
    /// slice would keep the others out of a common lock.
    shared: Arc<FairMutex<Raw>>,
}

impl SimDevice {
    /// Makes this device's memory port fail, in place of an earlier fault; the fault's device
    /// number is not looked at.
    ///
    /// # Errors
    /// The fault's range is not inside the device's memory.
    pub fn inject(&mut self, fault: &Fault) -> Result<(), DeviceError> {
        let (kind, first, last) = match fault {
            Fault::Hang { from_cycle, .. } => (RawFault::Hang, *from_cycle, 0),
            Fault::ReadError { range, .. } => self.window(RawFault::ReadError, range)?,
            Fault::WriteError { range, .. } => self.window(RawFault::WriteError, range)?,
        };
        self.simulate(|raw, index| raw.inject(index, kind, first, last))
    }

    /// Makes it work again.
    ///
    /// # Errors
    /// The simulation has ended with an error before.
    pub fn clear_fault(&mut self) -> Result<(), DeviceError> {
        self.simulate(|raw, index| raw.inject(index, RawFault::None, 0, 0))
    }

    /// Bus beats that the device has read and written.
    pub fn beats(&self) -> (u64, u64) {
        self.shared.lock().beats(self.index)
    }

    fn window(
        &self,
        kind: RawFault,
        range: &Range<usize>,
    ) -> Result<(RawFault, u64, u64), DeviceError> {
        self.check(range)?;
        if range.is_empty() {
            return Ok((RawFault::None, 0, 0));
        }
        let bus = |offset: usize| self.bus_address + offset as u64;
        Ok((kind, bus(range.start), bus(range.end - 1)))
    }

    fn check(&self, range: &Range<usize>) -> Result<(), DeviceError> {
        if range.start <= range.end && range.end <= self.view.len() {
            return Ok(());
        }
        Err(DeviceError::Memory {
            device: self.name.clone(),
            range: range.clone(),
            len: self.view.len(),
        })
    }

    /// Runs `body` on the system when it is this device's turn.
    pub(crate) fn simulate<R>(
        &self,
        body: impl FnOnce(&mut Raw, u32) -> Result<R, Failure>,
    ) -> Result<R, DeviceError> {
        body(&mut self.shared.lock(), self.index).map_err(|failure| {
            let source = match failure {
                Failure::Refused => BadStep("it refused an access".into()),
                Failure::Other(reason) => BadStep(reason),
            };
            let device = self.name.clone();
            DeviceError::Failed { device, action: "simulation", source: Box::new(source) }
        })
    }

    /// The same for a register access, which the device may refuse.
    fn access<R>(
        &self,
        action: &'static str,
        offset: u32,
        body: impl FnOnce(&mut Raw, u32) -> Result<R, Failure>,
    ) -> Result<R, DeviceError> {
        let refused = self.simulate(|raw, index| match body(raw, index) {
            Err(Failure::Refused) => Ok(None),
            other => other.map(Some),
        })?;
        refused.ok_or_else(|| DeviceError::Register { device: self.name.clone(), action, offset })
    }
}

impl Device for SimDevice {
    fn name(&self) -> &str {
        &self.name
    }

    fn read(&mut self, offset: u32) -> Result<u32, DeviceError> {
        self.access("read", offset, |raw, index| raw.read(index, offset))
    }

    fn write(&mut self, offset: u32, value: u32) -> Result<(), DeviceError> {
        self.access("write", offset, |raw, index| raw.write(index, offset, value))
    }

    fn dma(&self) -> DmaRegion {
        DmaRegion { bus_address: self.bus_address, len: self.view.len() }
    }

    fn memory(&mut self, range: Range<usize>) -> Result<&mut [u8], DeviceError> {
        self.check(&range)?;
        Ok(&mut self.view[range])
    }

    fn sync_for_device(&mut self, range: Range<usize>) -> Result<(), DeviceError> {
        self.check(&range)?;
        let address = self.bus_address + range.start as u64;
        self.simulate(|raw, _| raw.memory_write(address, &self.view[range]))
    }

    fn sync_for_cpu(&mut self, range: Range<usize>) -> Result<(), DeviceError> {
        self.check(&range)?;
        let address = self.bus_address + range.start as u64;
        let mut view = std::mem::take(&mut self.view);
        let result = self.simulate(|raw, _| raw.memory_read(address, &mut view[range]));
        self.view = view;
        result
    }

    fn wait(&mut self, deadline: Instant) -> Result<bool, DeviceError> {
        loop {
            if self.simulate(|raw, index| raw.run(index, SLICE))? {
                return Ok(true);
            }
            if Instant::now() >= deadline {
                return Ok(false);
            }
        }
    }

    fn cycles(&mut self) -> Result<Option<u64>, DeviceError> {
        Ok(Some(self.shared.lock().cycles()))
    }
}
