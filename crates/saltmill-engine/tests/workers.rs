// SPDX-License-Identifier: Apache-2.0
//! Every kind of worker passes the one suite.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use std::time::Duration;

use common::{cpu, device, mock};
use saltmill_engine::{StubWorker, Transfer, Worker, WorkerFault, conformance};

#[test]
fn cpu_conforms() {
    conformance::run(|| cpu(0));
}

#[test]
fn mock_conforms() {
    conformance::run(|| mock(0, 3, WorkerFault::Slow(Duration::ZERO)));
}

#[test]
fn device_conforms() {
    conformance::run(|| device(true, Transfer::Text, vec![]));
}

#[test]
fn device_that_gives_keystream_conforms() {
    conformance::run(|| device(true, Transfer::Keystream, vec![]));
}

#[test]
fn device_without_the_final_addition_conforms() {
    conformance::run(|| device(false, Transfer::Text, vec![]));
}

#[test]
#[should_panic(expected = "has a wrong result")]
fn stub_does_not_conform() {
    conformance::run(|| Box::new(StubWorker::new(0, 2)) as Box<dyn Worker>);
}
