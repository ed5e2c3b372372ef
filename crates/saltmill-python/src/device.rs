// SPDX-License-Identifier: Apache-2.0
//! Devices: which there are, and jobs of any length for one. The device belongs to the queue's
//! thread, which tells futures how jobs ended.

use std::time::Duration;

use pyo3::{exceptions::PyValueError, prelude::*, types::PyDict};
use saltmill_device::{
    Counters, Device,
    queue::{Job, Queue, operation as operation_of},
};
use zeroize::Zeroizing;

use crate::{
    buffers::Buffer,
    device_errors::{device, open_error},
    device_queue::{PythonFuture, queue_error},
};

/// A device that takes longer for a job does not answer.
pub const PATIENCE: Duration = Duration::from_secs(60);

pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(devices, module)?)?;
    module.add_class::<DeviceQueue>()
}

/// Names of the devices that there are: of this machine (`vfio:0000:00:02.0`, `uio:saltmill0`), and
/// in a build with the feature `sim` simulated ones (`sim:ring2`).
#[pyfunction]
fn devices() -> Vec<String> {
    let mut names = Vec::new();
    #[cfg(target_os = "linux")]
    {
        use saltmill_device::linux::{UioDevice, VfioDevice};
        names.extend(VfioDevice::found().into_iter().map(|name| format!("vfio:{name}")));
        names.extend(UioDevice::found().into_iter().map(|name| format!("uio:{name}")));
    }
    #[cfg(feature = "sim")]
    names.extend(saltmill_sim::variants().into_iter().map(|name| format!("sim:{name}")));
    names
}

/// The device of that name. `memory` and `dma_bytes` are for simulated ones.
pub fn open(name: &str, memory: &str, dma_bytes: usize) -> PyResult<Box<dyn Device>> {
    match name.split_once(':') {
        #[cfg(target_os = "linux")]
        Some(("vfio", address)) => {
            let device = saltmill_device::linux::VfioDevice::open(address);
            Ok(Box::new(device.map_err(open_error)?))
        }
        #[cfg(target_os = "linux")]
        Some(("uio", name)) => {
            let device = saltmill_device::linux::UioDevice::open(name);
            Ok(Box::new(device.map_err(open_error)?))
        }
        #[cfg(feature = "sim")]
        Some(("sim", variant)) => {
            use saltmill_sim::{MemoryProfile, SimConfig, System};
            let profile = MemoryProfile::named(memory);
            let memory = profile.ok_or_else(|| PyValueError::new_err("no such memory profile"))?;
            let variant = variant.to_owned();
            let config = SimConfig { variant, memory, dma_bytes, ..SimConfig::default() };
            Ok(Box::new(System::new(config).map_err(open_error)?.remove(0)))
        }
        _ => {
            let _ = (memory, dma_bytes);
            Err(PyValueError::new_err(format!("there is no device {name:?}; see devices()")))
        }
    }
}

/// A device and its thread.
#[pyclass(frozen, module = "saltmill._saltmill")]
pub struct DeviceQueue {
    queue: Queue,
}

#[pymethods]
impl DeviceQueue {
    #[new]
    fn new(py: Python<'_>, name: &str, memory: &str, dma_bytes: usize) -> PyResult<Self> {
        let opened = open(name, memory, dma_bytes)?;
        let queue = py.detach(|| Queue::start(opened, PATIENCE)).map_err(device)?;
        Ok(Self { queue })
    }

    #[getter]
    fn name(&self) -> &str {
        self.queue.name()
    }

    fn description<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (found, all) = (self.queue.description(), PyDict::new(py));
        all.set_item("algorithm", found.algorithm.to_string())?;
        all.set_item("structure", found.structure.to_string())?;
        all.set_item("unroll", found.unroll)?;
        all.set_item("stages", found.stages)?;
        all.set_item("block_bytes", found.block_bytes)?;
        all.set_item("cycles_per_block", found.cycles_per_block)?;
        all.set_item("clock_hz", found.clock_hz)?;
        all.set_item("data_bytes", found.data_bytes)?;
        all.set_item("key_slots", found.key_slots)?;
        all.set_item("digest_bytes", found.digest_bytes)?;
        Ok(all)
    }

    fn set_key(&self, py: Python<'_>, slot: u8, key: &[u8]) -> PyResult<()> {
        let key = Zeroizing::new(key.to_vec());
        py.detach(|| self.queue.set_key(slot, &key)).map_err(queue_error)
    }

    fn counters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let found = py.detach(|| self.queue.counters());
        let (counters, cycles) = found.map_err(queue_error)?;
        let Counters { cycles: counted, busy, stalled_input, stalled_output, .. } = counters;
        let all = PyDict::new(py);
        all.set_item("cycles", counted)?;
        all.set_item("busy", busy)?;
        all.set_item("stalled_input", stalled_input)?;
        all.set_item("stalled_output", stalled_output)?;
        all.set_item("blocks", counters.blocks)?;
        all.set_item("bytes", counters.bytes)?;
        all.set_item("jobs", counters.jobs)?;
        all.set_item("simulated_cycles", cycles)?;
        Ok(all)
    }

    fn wipe(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.queue.wipe()).map_err(queue_error)
    }

    #[pyo3(signature = (future, operation, data, slot, nonce, counter, aad))]
    #[expect(clippy::too_many_arguments, reason = "Python calls it with names")]
    fn submit(
        &self,
        future: Bound<'_, PyAny>,
        operation: &str,
        data: &Bound<'_, PyAny>,
        slot: u8,
        nonce: &[u8],
        counter: u32,
        aad: &[u8],
    ) -> PyResult<()> {
        let py = future.py();
        let data = Buffer::of(data)?.whole(py)?.into_owned();
        let unknown = || PyValueError::new_err(format!("no operation {operation:?}"));
        let operation = operation_of(operation).ok_or_else(unknown)?;
        let job = Job::new(operation, data, slot, nonce, counter, aad.to_vec());
        let job = job.map_err(queue_error)?;
        self.queue.submit(job, PythonFuture(future.unbind())).map_err(queue_error)
    }

    /// Ends when all jobs have; the device is wiped.
    fn close(&self, py: Python<'_>) {
        py.detach(|| self.queue.close());
    }
}

impl Drop for DeviceQueue {
    /// Its thread may have to tell a future how a job ended.
    fn drop(&mut self) {
        Python::attach(|py| self.close(py));
    }
}
