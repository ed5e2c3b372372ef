// SPDX-License-Identifier: Apache-2.0
//! The driver on the scripted device: the conformance suite, and every fault.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::time::{Duration, Instant};

use saltmill_device::{
    Accelerator, Device, DeviceError, JobError, KeySize, Operation, Request, RequestError,
    conformance,
    mock::{MockConfig, MockCore, MockDevice, MockFault},
};

fn mock(config: MockConfig) -> MockDevice {
    MockDevice::new("mock:0", config)
}

fn faulty(fault: MockFault) -> MockDevice {
    mock(MockConfig { faults: vec![fault], ..MockConfig::default() })
}

fn probe(device: MockDevice) -> Result<Accelerator<MockDevice>, DeviceError> {
    Accelerator::probe(device, soon())
}

fn ready(fault: MockFault) -> Accelerator<MockDevice> {
    let mut accelerator = probe(faulty(fault)).unwrap();
    accelerator.set_key(0, &[7; 32]).unwrap();
    accelerator
}

fn request(accelerator: &Accelerator<MockDevice>, job: usize) -> Request {
    let start = accelerator.data().start + job * 64;
    Request {
        nonce: [1; 12].into(),
        source: start..start + 64,
        destination: start..start + 64,
        ..Request::default()
    }
}

fn soon() -> Instant {
    Instant::now() + Duration::from_millis(250)
}

fn conforms(core: MockCore) {
    conformance::run(|| mock(MockConfig { core, ..MockConfig::default() }));
}

#[test]
fn mock_of_chacha20_poly1305_conforms() {
    conforms(MockCore::ChaCha20Poly1305);
}

#[test]
fn mock_without_the_final_addition_conforms() {
    conforms(MockCore::HostAdd);
}

#[test]
fn mock_without_messages_conforms() {
    conforms(MockCore::ChaCha20);
}

#[test]
fn mock_of_aes_conforms() {
    conforms(MockCore::Aes);
}

#[test]
fn mock_without_keys_conforms() {
    conforms(MockCore::XorConstant);
}

#[test]
fn mock_with_longer_addresses_conforms() {
    for (address_bits, bus_address) in [(40, 0x1_2000_0000), (64, 0x7FFF_2000_0000)] {
        for core in [MockCore::ChaCha20Poly1305, MockCore::Aes] {
            let config = MockConfig { core, bus_address, address_bits, ..MockConfig::default() };
            conformance::run(|| mock(config.clone()));
        }
    }
}

#[test]
fn mock_that_needs_alignment_conforms() {
    conformance::run(|| mock(MockConfig { any_alignment: false, ..MockConfig::default() }));
}

#[test]
fn mock_with_a_ring_of_one_or_of_many_conforms() {
    for max_log2_entries in [2, 10] {
        conformance::run(|| mock(MockConfig { max_log2_entries, ..MockConfig::default() }));
    }
}

#[test]
fn ring_numbers_wrap_at_2_to_the_16() {
    let mut accelerator = probe(mock(MockConfig::default())).unwrap();
    accelerator.set_key(0, &[7; 32]).unwrap();
    let request = request(&accelerator, 0);
    for job in 0..70_000 {
        assert_eq!(accelerator.submit(&request).unwrap(), job);
        let completion = accelerator.complete(soon()).unwrap();
        assert_eq!((completion.job, completion.outcome), (job, Ok(())));
    }
}

#[test]
fn another_device_is_refused() {
    for magic in [0, u32::MAX, 0x5341_4C54] {
        let error = probe(faulty(MockFault::Magic(magic))).err().unwrap();
        assert!(matches!(error, DeviceError::NotSaltmill { found, .. } if found == magic));
        assert!(error.to_string().starts_with("mock:0 is not a Saltmill device"), "{error}");
    }
    for version in [0x0003_0002, 0x0000_0004] {
        let error = probe(faulty(MockFault::Version(version))).err().unwrap();
        let (found, low) = (version >> 16, version & 0xFFFF);
        assert!(
            matches!(error, DeviceError::Version { major, minor, known: 1, .. }
                if u32::from(major) == found && u32::from(minor) == low),
            "{error}"
        );
    }
}

#[test]
fn a_ring_that_the_device_can_not_address_is_refused() {
    for bus_address in [0x1_0000_0000, 0xFFFF_FF80, u64::MAX - 127] {
        let config = MockConfig { bus_address, ..MockConfig::default() };
        let error = probe(mock(config)).err().unwrap();
        assert!(matches!(error, DeviceError::Unreachable { bits: 32, .. }), "{error}");
    }
}

#[test]
fn a_buffer_that_the_device_can_not_address_is_refused() {
    // The memory goes on for a page behind the last address.
    let memory = 1 << 20;
    let last = memory - 4096;
    let bus_address = (1 << 32) - last as u64;
    let mut accelerator =
        probe(mock(MockConfig { memory, bus_address, ..MockConfig::default() })).unwrap();
    accelerator.set_key(0, &[7; 32]).unwrap();
    let good = request(&accelerator, 0);
    let ends = |range| Request { destination: range, ..good.clone() };
    accelerator.submit(&ends(last - 64..last)).unwrap();
    assert_eq!(accelerator.complete(soon()).unwrap().outcome, Ok(()));
    for bad in [
        ends(last - 63..last + 1),
        Request { source: last..last + 64, ..good.clone() },
        Request { operation: Operation::Seal, additional_data: last - 1..last + 1, ..good.clone() },
    ] {
        let error = accelerator.submit(&bad).unwrap_err();
        let DeviceError::Unreachable { end, bits: 32, .. } = error else { panic!("{error}") };
        assert!(end > 1 << 32, "{error}");
    }
    let nothing = last + 1..last + 1;
    accelerator.submit(&Request { source: nothing.clone(), destination: nothing, ..good }).unwrap();
    assert_eq!(accelerator.complete(soon()).unwrap().outcome, Ok(()));
}

#[test]
fn a_key_has_a_length_that_the_cipher_takes() {
    let taken = |core| {
        let mut accelerator = probe(mock(MockConfig { core, ..MockConfig::default() })).unwrap();
        (0..40).filter(|bytes| accelerator.set_key(0, &vec![1; *bytes]).is_ok()).collect::<Vec<_>>()
    };
    assert_eq!(taken(MockCore::Aes), [16, 24, 32]);
    assert_eq!(taken(MockCore::ChaCha20), [32]);
    assert!(taken(MockCore::XorConstant).is_empty());
}

#[test]
fn a_key_slot_that_is_not_there_is_named() {
    let mut accelerator =
        probe(mock(MockConfig { key_slots: 3, ..MockConfig::default() })).unwrap();
    accelerator.set_key(2, &[1; 32]).unwrap();
    let errors = [accelerator.set_key(3, &[1; 32]), accelerator.set_one_time_key(3, &[1; 32])];
    for error in errors.map(Result::unwrap_err) {
        assert!(matches!(error, DeviceError::NoKeySlot { slot: 3, slots: 3, .. }), "{error}");
    }
}

/// What is used as a shorter key would tell the longer one half by half.
#[test]
fn a_part_of_a_key_is_no_key() {
    let mut accelerator =
        probe(mock(MockConfig { core: MockCore::Aes, ..MockConfig::default() })).unwrap();
    accelerator.set_key(1, &[7; 32]).unwrap();
    let good = Request { key_slot: 1, key_size: KeySize::Bits256, ..request(&accelerator, 0) };
    let good = Request { nonce: [1; 16].into(), ..good };
    let short = Request { key_size: KeySize::Bits128, ..good.clone() };
    let error = accelerator.submit(&short).unwrap_err().to_string();
    assert_eq!(error, "mock:0 can't do this: key slot 1 holds a 256-bit key, not a 128-bit one");
    accelerator.submit(&good).unwrap();
    assert_eq!(accelerator.complete(soon()).unwrap().outcome, Ok(()));
    // Of a slot that was wiped the driver knows nothing; the device has nothing in it.
    accelerator.wipe(soon()).unwrap();
    for request in [short, good] {
        accelerator.submit(&request).unwrap();
        assert_eq!(accelerator.complete(soon()).unwrap().outcome, Err(JobError::BadKeySlot));
    }
}

#[test]
fn too_little_memory_is_refused() {
    let error = probe(mock(MockConfig { memory: 512, ..MockConfig::default() })).err().unwrap();
    assert!(matches!(error, DeviceError::TooLittleMemory { len: 512, .. }), "{error}");
}

#[test]
fn a_hung_device_misses_its_deadline() {
    let mut accelerator = ready(MockFault::HangAfter(2));
    for job in 0..4 {
        accelerator.submit(&request(&accelerator, job)).unwrap();
    }
    assert_eq!(accelerator.complete(soon()).unwrap().outcome, Ok(()));
    assert_eq!(accelerator.complete(soon()).unwrap().outcome, Ok(()));
    let deadline = soon();
    let error = accelerator.complete(deadline).unwrap_err();
    assert!(matches!(error, DeviceError::Deadline { found: 2, .. }), "{error}");
    assert!(Instant::now() >= deadline && Instant::now() < deadline + Duration::from_secs(1));
}

#[test]
fn a_device_that_is_gone_is_noticed() {
    let mut accelerator = ready(MockFault::GoneAfter(1));
    accelerator.submit(&request(&accelerator, 0)).unwrap();
    accelerator.submit(&request(&accelerator, 1)).unwrap();
    // Its status is in memory.
    accelerator.complete(soon()).unwrap().outcome.unwrap();
    let error = accelerator.complete(soon()).unwrap_err();
    assert!(matches!(error, DeviceError::RingTail { tail: u32::MAX, .. }), "{error}");
}

#[test]
fn refused_reads_name_the_register() {
    let error = probe(faulty(MockFault::RefuseReadsAfter(1))).err().unwrap();
    assert_eq!(error.to_string(), "mock:0 refused to read register 0x004");
}

#[test]
fn a_wipe_that_never_ends_misses_its_deadline() {
    let error = probe(faulty(MockFault::EndlessWipe)).err().unwrap();
    assert!(matches!(error, DeviceError::Deadline { waited_for: "the end of a wipe", .. }));
}

#[test]
fn a_lost_interrupt_costs_time_but_not_the_job() {
    let mut accelerator = ready(MockFault::LostInterrupts);
    accelerator.submit(&request(&accelerator, 0)).unwrap();
    let started = Instant::now();
    let deadline = started + Duration::from_secs(30);
    assert_eq!(accelerator.complete(deadline).unwrap().outcome, Ok(()));
    assert!(started.elapsed() < Duration::from_secs(10));
}

#[test]
fn every_status_is_an_error_of_its_job_alone() {
    let expected = [
        (0, JobError::StatusLost),
        (2, JobError::BadOperation),
        (3, JobError::BadDescriptor),
        (4, JobError::BadKeySlot),
        (5, JobError::BadAlignment),
        (6, JobError::BadCounter),
        (7, JobError::Fetch),
        (8, JobError::Read),
        (9, JobError::Write),
        (10, JobError::TagMismatch),
        (11, JobError::BadLength),
        (12, JobError::BadAddress),
        (77, JobError::Unknown(77)),
    ];
    for (status, error) in expected {
        let mut accelerator = ready(MockFault::Status { job: 1, status });
        for job in 0..3 {
            accelerator.submit(&request(&accelerator, job)).unwrap();
        }
        let outcomes: Vec<_> =
            (0..3).map(|_| accelerator.complete(soon()).unwrap().outcome).collect();
        assert_eq!(outcomes, [Ok(()), Err(error), Ok(())]);
    }
}

#[test]
fn whatever_fails_an_opened_job_clears_its_destination() {
    for status in (0..14).filter(|status| *status != 1) {
        let mut accelerator = ready(MockFault::Status { job: 0, status });
        let start = accelerator.data().start;
        let (source, destination) = (start..start + 100, start + 128..start + 228);
        let bytes = accelerator.data();
        accelerator.memory(bytes.clone()).unwrap().fill(7);
        let operation = Operation::Open;
        accelerator.device().sync_for_device(bytes.clone()).unwrap();
        let request = Request { operation, source, destination, ..request(&accelerator, 0) };
        accelerator.submit(&request).unwrap();
        assert!(accelerator.complete(soon()).unwrap().outcome.is_err());
        // In both views.
        for _ in 0..2 {
            let memory = accelerator.memory(start..start + 300).unwrap();
            assert!(memory[128..228].iter().all(|byte| *byte == 0), "status {status}");
            assert!(memory[..128].iter().chain(&memory[228..]).all(|byte| *byte == 7));
            accelerator.device().sync_for_cpu(bytes.clone()).unwrap();
        }
    }
}

#[test]
fn a_self_test_names_what_is_wrong() {
    for (fault, complaint) in [
        (MockFault::WrongTags, "a wrong tag for RFC 8439, 2.5.2"),
        (MockFault::AnyTag, "an opened forgery for Wycheproof"),
        (MockFault::Status { job: 20, status: 9 }, "a wrong sealed message for Wycheproof"),
    ] {
        let mut accelerator = ready(fault);
        let error = accelerator.self_test(Duration::from_secs(5)).unwrap_err().to_string();
        assert!(error.contains(complaint), "{error}");
    }
}

#[test]
fn ranges_outside_the_memory_are_refused() {
    let mut accelerator = probe(mock(MockConfig::default())).unwrap();
    let len = accelerator.data().end;
    let good = request(&accelerator, 0);
    let outside = Request { source: len - 63..len + 1, ..good.clone() };
    assert!(matches!(accelerator.submit(&outside), Err(DeviceError::Memory { .. })));
    let outside = Request { destination: len - 63..len + 1, ..good.clone() };
    assert!(matches!(accelerator.submit(&outside), Err(DeviceError::Memory { .. })));
    let outside = Request { additional_data: len - 1..len + 1, ..good.clone() };
    assert!(matches!(accelerator.submit(&outside), Err(DeviceError::Memory { .. })));
    let unequal = Request { source: good.source.start..good.source.end - 1, ..good };
    let error = accelerator.submit(&unequal).unwrap_err();
    let DeviceError::BadRequest { reason, .. } = error else { panic!("{error}") };
    assert!(matches!(reason, RequestError::Lengths { .. }), "{reason}");
    assert_eq!(accelerator.outstanding(), 0);
}

#[test]
fn a_full_ring_and_an_empty_one_are_refused() {
    let mut accelerator = probe(mock(MockConfig::default())).unwrap();
    let error = accelerator.complete(soon()).unwrap_err();
    assert!(matches!(error, DeviceError::NothingOutstanding { .. }), "{error}");
    let request = request(&accelerator, 0);
    for _ in 0..accelerator.entries() {
        accelerator.submit(&request).unwrap();
    }
    let error = accelerator.submit(&request).unwrap_err();
    assert!(matches!(error, DeviceError::RingFull { entries: 16, .. }), "{error}");
}
