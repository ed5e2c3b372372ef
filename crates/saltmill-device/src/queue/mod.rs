// SPDX-License-Identifier: Apache-2.0
//! Jobs of any length for a device, for callers that don't want to cut them: a thread has the
//! device, cuts jobs into pieces that fit its memory, and keeps its ring full.

mod job;
mod serve;
#[cfg(all(test, feature = "mock"))]
mod tests;

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{Sender, channel},
    },
    thread,
    time::{Duration, Instant},
};

use thiserror::Error;
use zeroize::Zeroizing;

use crate::{Accelerator, Counters, Description, Device, DeviceError, JobError, Operation};

pub use job::Job;

/// What came of a job.
pub type Outcome = Result<Zeroizing<Vec<u8>>, QueueError>;

/// Why something that a [`Queue`] was asked for was not done.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum QueueError {
    /// The device can't be used, or does not answer.
    #[error(transparent)]
    Device(Arc<DeviceError>),
    /// The device could not do the job.
    #[error(transparent)]
    Job(JobError),
    /// No nonce has this length.
    #[error("a nonce has 12 or 24 bytes, a counter block or IV 16, not {0}")]
    Nonce(usize),
    /// What is to be opened is shorter than a tag.
    #[error("a message has a tag of 16 bytes behind it")]
    NoTag,
    /// Additional data for an operation that takes none.
    #[error("only seal and open take additional data")]
    AdditionalData,
    /// The counter would pass 2^32 blocks.
    #[error("at most {longest} bytes can be encrypted here under one nonce")]
    Counter {
        /// The largest length possible, in bytes.
        longest: u64,
    },
    /// A message with a tag is done whole, and the device's memory has no room for it.
    #[error("the device has room for messages of {bytes} bytes")]
    Room {
        /// The largest length possible, in bytes, with all that is beside the message.
        bytes: usize,
    },
    /// The queue has ended.
    #[error("the device is closed")]
    Closed,
}

impl From<DeviceError> for QueueError {
    fn from(error: DeviceError) -> Self {
        Self::Device(Arc::new(error))
    }
}

/// Who waits for a job. The queue's thread calls it: it must not wait for another job there.
pub trait Waiter: Send {
    /// The job is begun. Whether it is still wanted.
    fn begun(&mut self) -> bool {
        true
    }

    /// The job has ended.
    fn ended(self: Box<Self>, outcome: Outcome);
}

impl<F: FnOnce(Outcome) + Send> Waiter for F {
    fn ended(self: Box<Self>, outcome: Outcome) {
        self(outcome);
    }
}

enum Command {
    Job(Box<Job>, Box<dyn Waiter>),
    Key { slot: u8, key: Zeroizing<Vec<u8>>, answer: Answer<()> },
    Counters(Answer<(Counters, Option<u64>)>),
    Wipe(Answer<()>),
}

type Answer<T> = Sender<Result<T, DeviceError>>;

/// A device and its thread. Jobs are done side by side as far as there is room, and end in any
/// order; everything else waits for the jobs before it. Any thread may use it.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # #[cfg(feature = "mock")] {
/// use std::{sync::mpsc::channel, time::Duration};
/// use saltmill_device::{Operation, mock::{MockConfig, MockDevice}, queue::{Job, Queue}};
///
/// let device = MockDevice::new("mock", MockConfig::default());
/// let queue = Queue::start(Box::new(device), Duration::from_secs(10))?;
/// queue.set_key(0, &[7; 32])?;
/// let (sender, results) = channel();
/// let job = Job::new(Operation::XorStream, vec![0; 100_000], 0, &[0; 12], 0, Vec::new())?;
/// queue.submit(job, move |outcome| sender.send(outcome).expect("somebody waits"))?;
/// assert_eq!(results.recv()??.len(), 100_000);
/// # }
/// # Ok(())
/// # }
/// ```
pub struct Queue {
    name: String,
    description: Description,
    commands: Mutex<Option<Sender<Command>>>,
    thread: Mutex<Option<thread::JoinHandle<()>>>,
}

impl Queue {
    /// Probes and wipes the device, and gives it to a thread. A device that takes longer than
    /// `patience` for a piece of a job does not answer.
    ///
    /// # Errors
    /// As [`Accelerator::probe`]; [`DeviceError::TooLittleMemory`].
    pub fn start(device: Box<dyn Device>, patience: Duration) -> Result<Self, DeviceError> {
        let driver = Accelerator::probe(device, Instant::now() + patience)?;
        let (name, description) = (driver.name().to_owned(), driver.description().clone());
        let slots = serve::slots(&driver)?;
        let (commands, receiver) = channel();
        let thread = thread::spawn(move || serve::serve(driver, slots, &receiver, patience));
        let (commands, thread) = (Mutex::new(Some(commands)), Mutex::new(Some(thread)));
        Ok(Self { name, description, commands, thread })
    }

    /// Name of the device.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How the device was built.
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// As [`Accelerator::set_key`].
    ///
    /// # Errors
    /// [`QueueError::Device`], [`QueueError::Closed`].
    pub fn set_key(&self, slot: u8, key: &[u8]) -> Result<(), QueueError> {
        let key = Zeroizing::new(key.to_vec());
        self.ask(|answer| Command::Key { slot, key, answer })
    }

    /// The performance counters, and the clock cycles of a simulated device.
    ///
    /// # Errors
    /// [`QueueError::Device`], [`QueueError::Closed`].
    pub fn counters(&self) -> Result<(Counters, Option<u64>), QueueError> {
        self.ask(Command::Counters)
    }

    /// Clears keys and buffers of the device.
    ///
    /// # Errors
    /// [`QueueError::Device`], [`QueueError::Closed`].
    pub fn wipe(&self) -> Result<(), QueueError> {
        self.ask(Command::Wipe)
    }

    /// Hands over a job, of which `waiter` is told.
    ///
    /// # Errors
    /// [`QueueError::Closed`].
    pub fn submit(&self, job: Job, waiter: impl Waiter + 'static) -> Result<(), QueueError> {
        self.send(Command::Job(Box::new(job), Box::new(waiter)))
    }

    /// Waits until all jobs have ended; the device is wiped. Dropping does the same.
    pub fn close(&self) {
        self.commands.lock().unwrap_or_else(PoisonError::into_inner).take();
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = thread {
            let _ = thread.join();
        }
    }

    fn send(&self, command: Command) -> Result<(), QueueError> {
        let commands = self.commands.lock().unwrap_or_else(PoisonError::into_inner);
        let sent = commands.as_ref().and_then(|commands| commands.send(command).ok());
        sent.ok_or(QueueError::Closed)
    }

    fn ask<T>(&self, command: impl FnOnce(Answer<T>) -> Command) -> Result<T, QueueError> {
        let (answer, receiver) = channel();
        self.send(command(answer))?;
        Ok(receiver.recv().map_err(|_| QueueError::Closed)??)
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        self.close();
    }
}

/// The operation of that name that whole jobs of any length can have: `xor_stream`, `seal`, `open`,
/// `digest`, `hmac`, `ecb_encrypt`, `ecb_decrypt`, `cbc_encrypt`, `cbc_decrypt`.
pub fn operation(name: &str) -> Option<Operation> {
    Some(match name {
        "xor_stream" => Operation::XorStream,
        "seal" => Operation::Seal,
        "open" => Operation::Open,
        "digest" => Operation::Digest,
        "hmac" => Operation::Hmac,
        "ecb_encrypt" => Operation::EcbEncrypt,
        "ecb_decrypt" => Operation::EcbDecrypt,
        "cbc_encrypt" => Operation::CbcEncrypt,
        "cbc_decrypt" => Operation::CbcDecrypt,
        _ => return None,
    })
}
