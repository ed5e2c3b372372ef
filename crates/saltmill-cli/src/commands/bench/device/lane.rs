// SPDX-License-Identifier: Apache-2.0
//! One device with its job, which it does again and again.

use std::{collections::VecDeque, time::Instant};

use saltmill::engine::{AesKey, Chunks, Job, Key, Work};
use saltmill_device::{Accelerator, Completion, Device, DeviceError, Operation, Request, host_add};

use super::counted::{Accesses, Counted};
use crate::{args::OperationName, commands::bench::data, report::failure::Failure};

/// The nonce of a message that is the only chunk of a text: with it `Chunks` is what to compare
/// with.
const NONCE_OF_MESSAGE: [u8; 12] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];

pub struct Lane {
    pub accelerator: Accelerator<Counted>,
    request: Request,
    /// Cycles at which the jobs under way were given to it.
    started: VecDeque<u64>,
    pub submitted: u16,
    pub finished: u16,
    tag: Option<[u8; 16]>,
}

impl Lane {
    pub fn new(
        mut accelerator: Accelerator<Counted>,
        operation: OperationName,
        bytes: usize,
    ) -> Result<Self, Failure> {
        let aes = !accelerator.description().has_chacha20();
        accelerator.set_key(0, if aes { &data::KEY[..16] } else { &data::KEY })?;
        let start = accelerator.data().start.next_multiple_of(4096);
        let middle = (start + bytes).next_multiple_of(4096);
        let source = start..start + bytes;
        accelerator.memory(source.clone())?.copy_from_slice(&data::text(bytes));
        let nonce = match operation {
            OperationName::Seal => NONCE_OF_MESSAGE.into(),
            _ if aes => data::IV.into(),
            _ => data::NONCE.into(),
        };
        let reads = operation != OperationName::Keystream;
        let request = Request {
            operation: operation_of(operation),
            nonce,
            source: if reads { source } else { 0..0 },
            destination: middle..middle + bytes,
            ..Request::default()
        };
        let (started, submitted, finished, tag) = (VecDeque::new(), 0, 0, None);
        Ok(Self { accelerator, request, started, submitted, finished, tag })
    }

    pub fn cycles(&mut self) -> Result<u64, DeviceError> {
        Ok(self.accelerator.device().cycles()?.expect("a simulation counts its cycles"))
    }

    pub fn accesses(&mut self) -> Accesses {
        self.accelerator.device().accesses
    }

    pub fn submit(&mut self) -> Result<(), DeviceError> {
        let now = self.cycles()?;
        self.started.push_back(now);
        self.accelerator.submit(&self.request)?;
        self.submitted += 1;
        Ok(())
    }

    /// Waits for the oldest job, by looking at memory after each cycle or for its interrupt; gives
    /// the cycles from the call that submitted it to its result.
    pub fn finish(&mut self, poll: bool, deadline: Instant) -> Result<u64, Failure> {
        let completion =
            if poll { self.poll(deadline)? } else { self.accelerator.complete(deadline)? };
        completion.outcome.map_err(|error| {
            Failure::device(format!("a job failed: {error}"), "try another --operation")
        })?;
        self.tag = completion.tag;
        self.finished += 1;
        let started = self.started.pop_front().expect("a finished job was started");
        Ok(self.cycles()? - started)
    }

    fn poll(&mut self, deadline: Instant) -> Result<Completion, DeviceError> {
        while Instant::now() < deadline {
            if let Some(completion) = self.accelerator.poll()? {
                return Ok(completion);
            }
            self.accelerator.device().device.step(1)?;
        }
        self.accelerator.complete(deadline) // which says that it has passed
    }

    /// The result, with its tag; speed without the right result would be worth nothing.
    pub fn checked(&mut self) -> Result<Vec<u8>, Failure> {
        let bytes = self.request.destination.len();
        let description = self.accelerator.description();
        let aes = !description.has_chacha20();
        let rounds_only = !aes && !description.final_add;
        let mut found = self.accelerator.memory(self.request.destination.clone())?.to_vec();
        if self.request.operation == Operation::Keystream && rounds_only {
            let rounds = std::mem::replace(&mut found, vec![0; bytes]);
            host_add::finish(&data::KEY, &data::NONCE, 0, &rounds, &mut found);
        }
        found.extend(self.tag.into_iter().flatten());
        if found == expected(self.request.operation, aes, bytes) {
            return Ok(found);
        }
        let name = self.accelerator.name().to_owned();
        Err(Failure::device(
            format!("{name} gave a wrong result"),
            "this is a fault; please report it",
        ))
    }
}

fn operation_of(name: OperationName) -> Operation {
    match name {
        OperationName::Keystream => Operation::Keystream,
        OperationName::Xor => Operation::XorStream,
        OperationName::Seal => Operation::Seal,
    }
}

/// What the CPU makes of it.
fn expected(operation: Operation, aes: bool, bytes: usize) -> Vec<u8> {
    let mut buffer =
        if operation == Operation::Keystream { vec![0; bytes] } else { data::text(bytes) };
    if operation == Operation::Seal {
        let chunks = if aes {
            Chunks::new(AesKey::new(&data::KEY[..16]).expect("16 bytes are a key"))
        } else {
            Chunks::new(Key::new(data::KEY))
        };
        let work = Work::Seal(chunks);
        let job = Job { offset: 0, len: bytes, last: true };
        buffer.resize(work.output_len(job), 0);
        work.apply(job, &mut buffer).expect("sealing refuses nothing");
    } else if aes {
        data::aes_ctr().apply(0, &mut buffer);
    } else {
        data::chacha20().apply(0, &mut buffer);
    }
    buffer
}
