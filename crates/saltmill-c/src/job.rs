// SPDX-License-Identifier: Apache-2.0
//! Jobs of a device.

use std::{
    mem::MaybeUninit,
    sync::{Arc, Condvar, Mutex, PoisonError},
    time::{Duration, Instant},
};

use saltmill::engine::TAG_BYTES;
use saltmill_device::{
    Operation,
    queue::{Job as QueuedJob, Outcome, operation},
};

use crate::{
    device::Device,
    error::{Error, Status, call, quiet},
    raw::{Bytes, Room, Text, make, needed},
};

/// What a device is to do. What an operation does not use stays 0.
#[repr(C)]
pub struct Request {
    /// `xor_stream` (ChaCha20, RFC 8439, 2.4, or AES in CTR mode, SP 800-38A, 6.5), `seal` and
    /// `open` (ChaCha20-Poly1305, RFC 8439, 2.8, or AES-GCM, SP 800-38D), `digest` (SHA-256, FIPS
    /// 180-4, or MD5, RFC 1321), `hmac` (RFC 2104), `ecb_encrypt`, `ecb_decrypt`, `cbc_encrypt`,
    /// `cbc_decrypt` (AES, SP 800-38A).
    pub operation: Text,
    /// Bytes of any number; for `open` with the tag of 16 bytes behind the text. A message with a
    /// tag must fit into a quarter of the device's memory, and ECB and CBC take whole blocks of 16.
    pub data: Bytes,
    /// Bytes of `data`.
    pub size: usize,
    /// 12 or 24 bytes of ChaCha20, 12 of AES-GCM; 16 of AES in CTR mode (the first counter block, a
    /// number with its highest byte first) and in CBC mode (the IV).
    pub nonce: Bytes,
    /// Bytes of `nonce`.
    pub nonce_size: usize,
    /// Additional data of `seal` and `open`.
    pub additional: Bytes,
    /// Bytes of `additional`.
    pub additional_size: usize,
    /// Counter of the first block of 64 bytes: of `xor_stream` with ChaCha20.
    pub counter: u32,
    /// Slot of the key.
    pub slot: u8,
}

/// A job that a device was given. Threads may share it and wait for it.
pub struct Job(Arc<State>);

#[derive(Default)]
struct State {
    outcome: Mutex<Option<Outcome>>,
    ended: Condvar,
}

impl State {
    /// Whether it has ended, after waiting until then or for so long.
    fn wait(&self, patience: Option<Duration>) -> bool {
        let deadline = patience.map(|patience| Instant::now() + patience);
        let mut outcome = self.outcome.lock().unwrap_or_else(PoisonError::into_inner);
        while outcome.is_none() {
            outcome = match deadline {
                None => self.ended.wait(outcome).unwrap_or_else(PoisonError::into_inner),
                Some(deadline) => {
                    let left = deadline.saturating_duration_since(Instant::now());
                    if left.is_zero() {
                        return false;
                    }
                    let waited = self.ended.wait_timeout(outcome, left);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
        true
    }

    /// The result, once it has ended.
    fn put(
        &self,
        result: &mut Room,
        room: usize,
        length: Option<&mut MaybeUninit<usize>>,
    ) -> Result<(), Error> {
        match &*self.outcome.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(Ok(bytes)) => result.put(room, bytes, length),
            Some(Err(error)) => Err(error.clone().into()),
            None => Err(Error::argument("the job has not ended")),
        }
    }
}

/// Hands a job to a device and does not wait for it. Data is copied.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_device_submit(
    device: Option<&Device>,
    request: Option<&Request>,
    job: Option<&mut MaybeUninit<Option<Box<Job>>>>,
) -> Status {
    call(|| make(job, || submit(needed(device)?, needed(request)?).map(Job)))
}

/// Does a job and waits for it. The result is as long as the data, and with `seal` 16 bytes more,
/// with `open` 16 less; a digest has its own length.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_device_run(
    device: Option<&Device>,
    request: Option<&Request>,
    mut result: Room,
    room: usize,
    mut length: Option<&mut MaybeUninit<usize>>,
) -> Status {
    call(|| {
        let (device, request) = (needed(device)?, needed(request)?);
        let digest = device.queue.description().digest_bytes.into();
        let bytes = match parse(request)? {
            Operation::Seal => request.size.saturating_add(TAG_BYTES),
            Operation::Open => request.size.saturating_sub(TAG_BYTES),
            Operation::Digest | Operation::Hmac => digest,
            _ => request.size,
        };
        result.check(room, bytes, &mut length)?;
        let state = submit(device, request)?;
        state.wait(None);
        state.put(&mut result, room, length)
    })
}

/// Waits until a job has ended, or for so many milliseconds; negative: for ever. Gives whether it
/// has ended, well or not.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_job_wait(
    job: Option<&Job>,
    milliseconds: i64,
    ended: Option<&mut MaybeUninit<bool>>,
) -> Status {
    call(|| {
        let patience = u64::try_from(milliseconds).ok().map(Duration::from_millis);
        needed(ended)?.write(needed(job)?.0.wait(patience));
        Ok(())
    })
}

/// The result of a job that has ended, as `saltmill_device_run()` gives it, or why it failed. It
/// can be asked for again.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_job_result(
    job: Option<&Job>,
    mut result: Room,
    room: usize,
    length: Option<&mut MaybeUninit<usize>>,
) -> Status {
    call(|| needed(job)?.0.put(&mut result, room, length))
}

/// Frees a job, ended or not, and clears its result; null is none. The device does it nevertheless.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_job_free(job: Option<Box<Job>>) {
    quiet(|| drop(job));
}

fn parse(request: &Request) -> Result<Operation, Error> {
    let name = request.operation.get()?;
    operation(name).ok_or_else(|| Error::argument(format!("there is no operation {name:?}")))
}

fn submit(device: &Device, request: &Request) -> Result<Arc<State>, Error> {
    let job = QueuedJob::new(
        parse(request)?,
        request.data.of(request.size)?.to_vec(),
        request.slot,
        request.nonce.of(request.nonce_size)?,
        request.counter,
        request.additional.of(request.additional_size)?.to_vec(),
    )?;
    let state = Arc::new(State::default());
    let told = Arc::clone(&state);
    device.queue.submit(job, move |outcome| {
        *told.outcome.lock().unwrap_or_else(PoisonError::into_inner) = Some(outcome);
        told.ended.notify_all();
    })?;
    Ok(state)
}
