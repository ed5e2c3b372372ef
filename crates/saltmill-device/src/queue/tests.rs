// SPDX-License-Identifier: Apache-2.0
//! Jobs of any length on the scripted device, and what goes wrong.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::{sync::mpsc::channel, time::Duration};

use super::{Job, Outcome, Queue, QueueError};
use crate::{
    DeviceError, JobError, Operation,
    mock::{MockConfig, MockDevice, MockFault},
};

const PATIENCE: Duration = Duration::from_millis(250);
const NONCE: [u8; 12] = [9; 12];

fn queue(memory: usize, faults: Vec<MockFault>) -> Queue {
    let config = MockConfig { memory, faults, ..MockConfig::default() };
    let queue = Queue::start(Box::new(MockDevice::new("mock:0", config)), PATIENCE).unwrap();
    queue.set_key(1, &[7; 32]).unwrap();
    queue
}

fn text(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i % 251) as u8).collect()
}

fn job(operation: Operation, data: Vec<u8>, counter: u32) -> Result<Job, QueueError> {
    Job::new(operation, data, 1, &NONCE, counter, Vec::new())
}

fn run(queue: &Queue, job: Job) -> Outcome {
    let (sender, results) = channel();
    queue.submit(job, move |outcome| sender.send(outcome).unwrap())?;
    results.recv().unwrap()
}

/// Small memory, in which a job is cut into many pieces, gives what a large one gives.
#[test]
fn a_stream_is_the_same_in_pieces() {
    let (whole, cut) = (queue(4 << 20, vec![]), queue(16 << 10, vec![]));
    for len in [0, 1, 63, 64, 65, 5000, 100_000] {
        let stream = |queue| run(queue, job(Operation::XorStream, text(len), 3).unwrap()).unwrap();
        let sealed = stream(&whole);
        assert_eq!(stream(&cut), sealed, "{len}");
        assert!(len < 16 || *sealed != text(len));
    }
    let tail = job(Operation::XorStream, text(1000)[640..].to_vec(), 13).unwrap();
    let all = run(&whole, job(Operation::XorStream, text(1000), 3).unwrap()).unwrap();
    assert_eq!(*run(&cut, tail).unwrap(), all[640..]);
}

#[test]
fn jobs_end_side_by_side_and_what_was_sealed_opens() {
    let queue = queue(64 << 10, vec![]);
    let (sender, results) = channel();
    for number in 0..40_u32 {
        let (sender, text) = (sender.clone(), text(100 * number as usize));
        let ended = move |outcome: Outcome| sender.send((number, outcome.unwrap())).unwrap();
        queue.submit(job(Operation::Seal, text, 0).unwrap(), ended).unwrap();
    }
    drop(sender);
    let sealed: Vec<_> = results.iter().collect();
    assert_eq!(sealed.len(), 40);
    for (number, message) in sealed {
        assert_eq!(message.len(), 100 * number as usize + 16);
        let opened = run(&queue, job(Operation::Open, message.to_vec(), 0).unwrap()).unwrap();
        assert_eq!(*opened, text(100 * number as usize));
        let mut changed = message.to_vec();
        changed[number as usize] ^= 1;
        let refused = run(&queue, job(Operation::Open, changed, 0).unwrap());
        assert!(matches!(refused, Err(QueueError::Job(JobError::TagMismatch))));
    }
}

#[test]
fn what_can_not_be_asked_for() {
    let queue = queue(16 << 10, vec![]);
    let error = job(Operation::XorStream, text(65), u32::MAX).err().unwrap();
    assert!(matches!(error, QueueError::Counter { longest: 64 }), "{error}");
    assert!(matches!(job(Operation::Open, text(15), 0).err(), Some(QueueError::NoTag)));
    let nonce = Job::new(Operation::Seal, vec![], 1, &[0; 13], 0, vec![]).err();
    assert!(matches!(nonce, Some(QueueError::Nonce(13))));
    let aad = Job::new(Operation::XorStream, vec![], 1, &NONCE, 0, vec![1]).err();
    assert!(matches!(aad, Some(QueueError::AdditionalData)));
    let large = run(&queue, job(Operation::Seal, text(16 << 10), 0).unwrap());
    let Err(QueueError::Room { bytes }) = large else { panic!("{large:?}") };
    assert!(run(&queue, job(Operation::Seal, text(bytes), 0).unwrap()).is_ok());
    assert!(run(&queue, job(Operation::Seal, text(bytes + 1), 0).unwrap()).is_err());
    queue.wipe().unwrap();
    let without = run(&queue, job(Operation::XorStream, text(10), 0).unwrap());
    assert!(matches!(without, Err(QueueError::Job(JobError::BadKeySlot))), "{without:?}");
    queue.close();
    let closed = run(&queue, job(Operation::XorStream, text(10), 0).unwrap());
    assert!(matches!(closed, Err(QueueError::Closed)));
}

#[test]
fn memory_for_the_ring_alone_is_too_little() {
    let config = MockConfig { memory: 3 << 10, ..MockConfig::default() };
    let error = Queue::start(Box::new(MockDevice::new("mock:0", config)), PATIENCE).err().unwrap();
    assert!(matches!(error, DeviceError::TooLittleMemory { .. }), "{error}");
}

/// All who wait are told.
#[test]
fn a_device_that_does_not_answer_is_told_to_all() {
    let queue = queue(64 << 10, vec![MockFault::HangAfter(1)]);
    let (sender, results) = channel();
    for _ in 0..3 {
        let sender = sender.clone();
        let stream = job(Operation::XorStream, text(100), 0).unwrap();
        queue.submit(stream, move |outcome| sender.send(outcome).unwrap()).unwrap();
    }
    drop(sender);
    let failed = results.iter().filter(Result::is_err).count();
    assert!(failed >= 2, "{failed}");
    let last = run(&queue, job(Operation::XorStream, text(100), 0).unwrap());
    assert!(matches!(last, Err(QueueError::Device(_))), "{last:?}");
}
