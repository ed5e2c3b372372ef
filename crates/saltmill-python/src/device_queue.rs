// SPDX-License-Identifier: Apache-2.0
//! Futures of Python that wait for a device's jobs, and what the queue's errors are there.

use pyo3::{exceptions::PyValueError, prelude::*, types::PyBytes};
use saltmill_device::queue::{Outcome, QueueError, Waiter};

use crate::{
    device_errors::{device_error, job},
    errors::too_long,
};

/// A `concurrent.futures.Future`.
pub struct PythonFuture(pub Py<PyAny>);

impl Waiter for PythonFuture {
    fn begun(&mut self) -> bool {
        let wanted = Python::attach(|py| {
            let running = self.0.bind(py).call_method0("set_running_or_notify_cancel")?;
            running.is_truthy()
        });
        wanted.unwrap_or(false)
    }

    /// Whoever waits is told; if that fails, nobody can be.
    fn ended(self: Box<Self>, outcome: Outcome) {
        Python::attach(|py| {
            let future = self.0.bind(py);
            let _ = match outcome {
                Ok(bytes) => future.call_method1("set_result", (PyBytes::new(py, &bytes),)),
                Err(error) => future.call_method1("set_exception", (queue_error(error),)),
            };
        });
    }
}

/// Why the queue did not do something.
pub fn queue_error(error: QueueError) -> PyErr {
    match error {
        QueueError::Device(error) => device_error(&error),
        QueueError::Job(error) => job(error),
        QueueError::Counter { longest } => too_long(longest),
        other => PyValueError::new_err(other.to_string()),
    }
}
