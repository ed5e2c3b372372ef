// SPDX-License-Identifier: Apache-2.0
//! Every kind of worker passes the one suite.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use common::{cpu, device, device_as, mock};
use saltmill_device::mock::{MockConfig, MockCore, MockFault};
use saltmill_engine::{
    Algorithm, Cipher, Key, StubWorker, Transfer, Worker, WorkerFault, conformance,
};

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
fn device_without_messages_conforms() {
    let config = MockConfig { core: MockCore::ChaCha20, ..MockConfig::default() };
    conformance::run(|| device_as(config.clone(), Transfer::Text));
}

#[test]
fn device_with_aes_conforms() {
    let config = MockConfig { core: MockCore::Aes, ..MockConfig::default() };
    for transfer in [Transfer::Text, Transfer::Keystream] {
        conformance::run(|| device_as(config.clone(), transfer));
    }
}

/// What has no cipher does no work, and tells about itself all the same.
#[test]
fn device_without_a_cipher_does_nothing() {
    let config = MockConfig { core: MockCore::XorConstant, ..MockConfig::default() };
    let mut worker = device_as(config, Transfer::Text);
    let stream = Arc::new(Cipher::new(Key::new([1; 32]), [0; 12], 0).into());
    assert!(Algorithm::all().all(|algorithm| !worker.supports(algorithm)));
    let deadline = || Instant::now() + Duration::from_secs(5);
    assert!(worker.start(&stream, deadline()).is_err());
    let report = worker.stop(deadline()).unwrap().unwrap();
    assert_eq!(report.description.algorithm, saltmill_device::CoreAlgorithm::XorConstant);
    assert!(worker.self_test(Duration::from_secs(5)).unwrap().is_none());
}

#[test]
fn workers_say_what_they_can_do() {
    let (whole, part) =
        (device(true, Transfer::Text, vec![]), device(false, Transfer::Text, vec![]));
    for algorithm in Algorithm::all() {
        let messages = algorithm == Algorithm::ChaCha20Poly1305;
        assert!(cpu(0).supports(algorithm));
        assert_eq!(whole.supports(algorithm), messages || algorithm == Algorithm::ChaCha20);
        assert_eq!(part.supports(algorithm), algorithm == Algorithm::ChaCha20);
    }
    for mut worker in [cpu(0), device(true, Transfer::Text, vec![])] {
        let done = worker.self_test(Duration::from_secs(5)).unwrap().unwrap();
        assert!(done.sealed >= 256 && done.refused >= 60, "{done:?}");
    }
    let mut broken = device(true, Transfer::Text, vec![MockFault::AnyTag]);
    assert!(broken.self_test(Duration::from_secs(5)).is_err());
}

#[test]
#[should_panic(expected = "has a wrong result")]
fn stub_does_not_conform() {
    conformance::run(|| Box::new(StubWorker::new(0, 2)) as Box<dyn Worker>);
}
