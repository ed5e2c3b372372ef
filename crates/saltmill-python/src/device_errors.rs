// SPDX-License-Identifier: Apache-2.0
//! Exceptions of devices.

use std::{error::Error as StdError, fmt::Debug};

use pyo3::{create_exception, prelude::*};
use saltmill_device::{DeviceError as LibraryDeviceError, JobError as LibraryJobError};

use crate::errors::{Error, RefusedError, of_kind};

create_exception!(
    saltmill,
    DeviceError,
    Error,
    "A device can't be used, or does not answer; `kind` says which, as the driver's error does."
);
create_exception!(saltmill, JobError, Error, "A device could not do a job; `kind` says why.");

pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let (device, job) = (module.py().get_type::<DeviceError>(), module.py().get_type::<JobError>());
    device.setattr("kind", module.py().None())?;
    job.setattr("kind", module.py().None())?;
    module.add("DeviceError", device)?;
    module.add("JobError", job)
}

/// The name of a variant as Python would write it.
fn kind(error: &impl Debug) -> String {
    let said = format!("{error:?}");
    let name = said.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let mut kind = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !kind.is_empty() {
            kind.push('_');
        }
        kind.push(letter.to_ascii_lowercase());
    }
    kind
}

/// An error of the driver.
pub fn device(error: LibraryDeviceError) -> PyErr {
    device_error(&error)
}

/// The same for several who wait.
pub fn device_error(error: &LibraryDeviceError) -> PyErr {
    Python::attach(|py| of_kind(py, DeviceError::new_err(error.to_string()), &kind(error)))
}

/// How a job ended.
pub fn job(error: LibraryJobError) -> PyErr {
    if error == LibraryJobError::TagMismatch {
        return RefusedError::new_err("the tag is not that of the message");
    }
    Python::attach(|py| of_kind(py, JobError::new_err(error.to_string()), &kind(&error)))
}

/// Why a device could not be opened.
pub fn open_error(error: impl StdError) -> PyErr {
    Python::attach(|py| of_kind(py, DeviceError::new_err(error.to_string()), &kind(&error)))
}
