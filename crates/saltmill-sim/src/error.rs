// SPDX-License-Identifier: Apache-2.0
//! Why there is no simulation.

use std::ffi::NulError;

use saltmill_device::DeviceError;
use thiserror::Error;

/// Why simulated devices could not be made.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SimError {
    /// This build has no variant of that name.
    #[error("there is no simulated device {name:?}")]
    UnknownVariant {
        /// What was asked for.
        name: String,
        /// What this build has.
        known: Vec<String>,
    },
    /// A waveform was asked for, and this build writes none.
    #[error("this build writes no waveforms (saltmill-sim has the cargo feature trace for them)")]
    NoWaveforms,
    /// The name of the waveform's file has a zero byte in it.
    #[error("the name of a waveform's file can't be used")]
    WaveformName(#[from] NulError),
    /// A fault is for a device that is not there.
    #[error("a fault is for device {device}, and there are {count}")]
    FaultElsewhere {
        /// Number of the device.
        device: usize,
        /// How many there are.
        count: usize,
    },
    /// The simulation does not take these numbers.
    #[error("sim ({variant}) could not be set up: {reason}")]
    Setup {
        /// Name of the variant.
        variant: String,
        /// One clause saying why.
        reason: String,
    },
    /// A device could not be told its fault.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

/// What the simulation says when it ends: a rule of its bus was broken, or it can't go on.
#[derive(Debug, Error)]
#[error("{0}")]
pub(crate) struct BadStep(pub(crate) String);
