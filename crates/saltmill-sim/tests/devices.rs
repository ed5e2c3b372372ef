// SPDX-License-Identifier: Apache-2.0
//! The driver on the simulated device: the conformance suite on every variant, several devices,
//! faults.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::{
    thread,
    time::{Duration, Instant},
};

use saltmill_device::{
    Accelerator, CoreAlgorithm, Device, DeviceError, JobError, KeySize, Operation, Request,
    Structure, conformance,
};
use saltmill_sim::{Fault, MemoryProfile, SimConfig, SimDevice, SimError, System, variants};

const KEY: [u8; 32] = [7; 32];
const LENGTH: usize = 3000;

fn later() -> Instant {
    Instant::now() + Duration::from_secs(60)
}

fn devices(config: SimConfig) -> Vec<SimDevice> {
    System::new(config).unwrap()
}

fn only(config: SimConfig) -> SimDevice {
    devices(config).pop().unwrap()
}

fn ready(device: SimDevice) -> Accelerator<SimDevice> {
    let mut accelerator = Accelerator::probe(device, later()).unwrap();
    accelerator.set_key(0, &KEY).unwrap();
    accelerator
}

/// A job on the data area's first `LENGTH` bytes, in place.
fn request(accelerator: &Accelerator<SimDevice>) -> Request {
    let start = accelerator.data().start;
    Request {
        nonce: [1; 12].into(),
        counter: 5,
        source: start..start + LENGTH,
        destination: start..start + LENGTH,
        ..Request::default()
    }
}

/// Encrypts `LENGTH` bytes of `fill`.
fn encrypt(accelerator: &mut Accelerator<SimDevice>, fill: u8) -> Vec<u8> {
    let request = request(accelerator);
    accelerator.memory(request.source.clone()).unwrap().fill(fill);
    accelerator.submit(&request).unwrap();
    accelerator.complete(later()).unwrap().outcome.unwrap();
    accelerator.memory(request.destination).unwrap().to_vec()
}

fn conforms(variant: &str, memory: MemoryProfile) {
    let config = SimConfig {
        variant: variant.into(),
        memory,
        dma_bytes: conformance::MEMORY,
        ..SimConfig::default()
    };
    conformance::run(|| only(config.clone()));
}

#[test]
fn small_conforms() {
    conforms("small", MemoryProfile::IDEAL);
}

#[test]
fn ring2_conforms() {
    conforms("ring2", MemoryProfile::IDEAL);
}

#[test]
fn ring2_behind_latency_conforms() {
    conforms("ring2", MemoryProfile::LATENCY100);
}

#[test]
fn ring2_on_a_narrow_port_conforms() {
    conforms("ring2", MemoryProfile::PYNQ_Z2);
}

#[test]
fn ring1_hostadd_conforms() {
    conforms("ring1-hostadd", MemoryProfile::DE10_NANO);
}

#[test]
fn ring2_hostadd_conforms() {
    conforms("ring2-hostadd", MemoryProfile::DE10_NANO);
}

#[test]
fn pipe_conforms() {
    conforms("pipe", MemoryProfile::LATENCY100);
}

#[test]
fn aead_small_conforms() {
    conforms("aead-small", MemoryProfile::IDEAL);
}

#[test]
fn aead_balanced_conforms() {
    conforms("aead-balanced", MemoryProfile::LATENCY100);
}

#[test]
fn aead_balanced_on_a_narrow_port_conforms() {
    conforms("aead-balanced", MemoryProfile::PYNQ_Z2);
}

#[test]
fn aead_fast_conforms() {
    conforms("aead-fast", MemoryProfile::IDEAL);
}

#[test]
fn aes_ring_conforms() {
    conforms("aes-ring", MemoryProfile::LATENCY100);
}

#[test]
fn aes_ring_on_a_narrow_port_conforms() {
    conforms("aes-ring", MemoryProfile::PYNQ_Z2);
}

#[test]
fn aes_pipe_conforms() {
    conforms("aes-pipe", MemoryProfile::IDEAL);
}

#[test]
fn tests_name_every_variant() {
    let messages = ["aead-balanced", "aead-fast", "aead-small"];
    let aes = ["aes-pipe", "aes-ring"];
    let ciphers = ["pipe", "ring1-hostadd", "ring2", "ring2-hostadd", "small"];
    let digests = ["md5-ring", "sha256-ring"];
    let mut all = [&messages[..], &aes, &ciphers, &digests].concat();
    all.sort_unstable();
    assert_eq!(variants(), all);
    for variant in variants() {
        let device = only(SimConfig { variant: variant.clone(), ..SimConfig::default() });
        let description = Accelerator::probe(device, later()).unwrap().description().clone();
        let able = [Operation::Mac, Operation::Seal, Operation::Open]
            .map(|operation| description.supports(operation));
        let chacha20 = messages.contains(&variant.as_str());
        let aes = aes.contains(&variant.as_str());
        assert_eq!(able, [chacha20, chacha20 || aes, chacha20 || aes], "{variant}");
        assert_eq!(description.extended_nonce, chacha20, "{variant}");
        let hash = digests.contains(&variant.as_str());
        assert_eq!(description.has_chacha20(), !aes && !hash, "{variant}");
        assert_eq!(description.supports(Operation::DigestPart), hash, "{variant}");
    }
}

#[test]
fn devices_tell_what_aes_they_have() {
    let describe = |variant: &str| {
        let device = only(SimConfig { variant: variant.into(), ..SimConfig::default() });
        Accelerator::probe(device, later()).unwrap().description().clone()
    };
    let modes = [
        Operation::EcbEncrypt,
        Operation::EcbDecrypt,
        Operation::CbcEncrypt,
        Operation::CbcDecrypt,
    ];
    let [ring, pipe, other] = ["aes-ring", "aes-pipe", "aead-fast"].map(describe);
    assert!(ring.key_sizes().eq(KeySize::ALL) && pipe.key_sizes().eq([KeySize::Bits128]));
    assert!(other.key_sizes().next().is_none());
    assert_eq!((ring.algorithm, ring.structure), (CoreAlgorithm::Aes, Structure::Ring));
    assert_eq!((pipe.algorithm, pipe.structure), (CoreAlgorithm::Aes, Structure::Pipeline));
    assert_eq!([ring.block_bytes, pipe.block_bytes], [16; 2]);
    for mode in modes {
        assert!(ring.supports(mode) && !pipe.supports(mode) && !other.supports(mode));
    }
}

#[test]
fn an_unknown_variant_is_named() {
    let config = SimConfig { variant: "ring3".into(), ..SimConfig::default() };
    let error = System::new(config).map(|_| ()).unwrap_err();
    assert!(matches!(&error, SimError::UnknownVariant { name, known }
        if name == "ring3" && known.contains(&"ring2".to_owned())));
}

#[test]
fn five_devices_are_too_many() {
    let error = System::new(SimConfig { devices: 5, ..SimConfig::default() });
    let sentence = error.map(|_| ()).unwrap_err().to_string();
    assert!(sentence.contains("1 to 4 devices"), "{sentence}");
}

#[test]
fn a_fault_is_for_a_device_that_is_there() {
    let fault = Some(Fault::Hang { device: 2, from_cycle: 0 });
    let error = System::new(SimConfig { devices: 2, fault, ..SimConfig::default() });
    let error = error.map(|_| ()).unwrap_err();
    assert!(matches!(error, SimError::FaultElsewhere { device: 2, count: 2 }), "{error}");
}

#[test]
fn four_devices_in_four_threads_agree() {
    let memory = MemoryProfile::ZEDBOARD;
    let config = SimConfig { devices: 4, memory, ..SimConfig::default() };
    let expected = encrypt(&mut ready(only(SimConfig::default())), 3);
    let threads: Vec<_> = devices(config)
        .into_iter()
        .map(|device| {
            thread::spawn(move || {
                let mut accelerator = ready(device);
                (0..20).map(|_| encrypt(&mut accelerator, 3)).collect::<Vec<_>>()
            })
        })
        .collect();
    for thread in threads {
        assert!(thread.join().unwrap().iter().all(|result| *result == expected));
    }
}

#[test]
fn devices_have_memory_of_their_own() {
    let mut pair = devices(SimConfig { devices: 2, ..SimConfig::default() });
    let mut second = pair.pop().unwrap();
    let mut first = pair.pop().unwrap();
    let (one, two) = (first.dma(), second.dma());
    assert!(one.bus_address > 0 && one.bus_address + one.len as u64 <= two.bus_address);

    first.memory(0..4).unwrap().fill(1);
    first.sync_for_device(0..4).unwrap();
    second.sync_for_cpu(0..4).unwrap();
    assert_eq!(second.memory(0..4).unwrap(), [0; 4]);
}

/// The variants have addresses of 32 bits. A job may end with the last one; there is no memory
/// behind it.
#[test]
fn memory_ends_with_the_last_address() {
    let config =
        |bus_address| SimConfig { bus_address, dma_bytes: 1 << 16, ..SimConfig::default() };
    let last = (1 << 32) - (1 << 16);
    for bus_address in [last + 4096, 1 << 32, 0x12_4000_0000] {
        let error = System::new(config(bus_address)).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains("past the last address of a port of 32 bits"), "{error}");
    }
    let error = System::new(config(0x4000_0800)).map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("not at a multiple of 4096"), "{error}");

    let expected = encrypt(&mut ready(only(SimConfig::default())), 4);
    let mut accelerator = ready(only(config(last)));
    assert_eq!(accelerator.description().address_bits, 32);
    let end = accelerator.data().end;
    let range = end - LENGTH..end;
    accelerator.memory(range.clone()).unwrap().fill(4);
    let (source, destination) = (range.clone(), range.clone());
    let request = Request { source, destination, ..request(&accelerator) };
    accelerator.submit(&request).unwrap();
    assert_eq!(accelerator.complete(later()).unwrap().outcome, Ok(()));
    assert_eq!(accelerator.memory(range).unwrap(), expected);
}

#[test]
fn memory_passes_with_the_syncs_only() {
    let mut device = only(SimConfig::default());
    device.memory(8..12).unwrap().copy_from_slice(b"salt");
    device.sync_for_device(8..12).unwrap();
    device.memory(8..12).unwrap().fill(0);
    device.sync_for_cpu(9..11).unwrap();
    assert_eq!(device.memory(8..12).unwrap(), *b"\0al\0");

    let len = device.dma().len;
    let error = device.sync_for_cpu(len - 1..len + 1).unwrap_err();
    assert!(matches!(error, DeviceError::Memory { .. }));
}

#[test]
fn a_slow_memory_takes_more_cycles() {
    let cycles = |memory| {
        let mut accelerator = ready(only(SimConfig { memory, ..SimConfig::default() }));
        let start = accelerator.device().cycles().unwrap().unwrap();
        encrypt(&mut accelerator, 0);
        accelerator.device().cycles().unwrap().unwrap() - start
    };
    let starved = MemoryProfile { shared_bytes_per_cycle: 2.0, ..MemoryProfile::IDEAL };
    let [ideal, latency, starved] =
        [MemoryProfile::IDEAL, MemoryProfile::LATENCY100, starved].map(cycles);
    // Descriptor, data and status wait for the memory, one after the other.
    assert!(ideal + 3 * 99 <= latency, "{ideal}, {latency}");
    // Read and written: 6000 bytes at 2 a cycle.
    assert!(ideal + 1000 < starved && starved > 3000, "{ideal}, {starved}");
}

#[test]
fn a_hanging_memory_ends_a_wait_at_its_deadline() {
    let fault = Fault::Hang { device: 0, from_cycle: 0 };
    let mut accelerator = ready(only(SimConfig { fault: Some(fault), ..SimConfig::default() }));
    let request = request(&accelerator);
    accelerator.submit(&request).unwrap();
    let started = Instant::now();
    let deadline = started + Duration::from_millis(50);
    assert!(!accelerator.device().wait(deadline).unwrap());
    assert!(started.elapsed() < Duration::from_secs(2));
    let error = accelerator.complete(deadline).unwrap_err();
    assert!(matches!(error, DeviceError::Deadline { .. }), "{error}");
}

#[test]
fn a_hanging_device_does_not_stop_the_other() {
    let fault = Some(Fault::Hang { device: 0, from_cycle: 0 });
    let mut pair = devices(SimConfig { devices: 2, fault, ..SimConfig::default() });
    let mut healthy = ready(pair.pop().unwrap());
    let mut hanging = ready(pair.pop().unwrap());
    let stuck = request(&hanging);
    hanging.submit(&stuck).unwrap();
    let waiting = thread::spawn(move || {
        hanging.complete(Instant::now() + Duration::from_millis(300)).map(|_| ())
    });
    let expected = encrypt(&mut ready(only(SimConfig::default())), 9);
    assert_eq!(encrypt(&mut healthy, 9), expected);
    assert!(waiting.join().unwrap().is_err());
}

#[test]
fn bus_errors_become_the_jobs_status() {
    let mut accelerator = ready(only(SimConfig::default()));
    let request = request(&accelerator);
    let middle = request.source.start + 1000..request.source.start + 1001;
    let faults = [
        (Fault::ReadError { device: 0, range: middle.clone() }, JobError::Read),
        (Fault::WriteError { device: 0, range: middle }, JobError::Write),
    ];
    for (fault, expected) in faults {
        accelerator.device().inject(&fault).unwrap();
        accelerator.submit(&request).unwrap();
        assert_eq!(accelerator.complete(later()).unwrap().outcome, Err(expected));
    }
    accelerator.device().clear_fault().unwrap();
    accelerator.submit(&request).unwrap();
    assert_eq!(accelerator.complete(later()).unwrap().outcome, Ok(()));
}

#[test]
fn a_register_that_is_not_there_is_refused() {
    let mut device = only(SimConfig::default());
    let error = device.read(0x3F0).unwrap_err();
    assert!(
        matches!(error, DeviceError::Register { action: "read", offset: 0x3F0, .. }),
        "{error}"
    );
}

#[test]
fn the_clock_stands_still_when_nobody_waits() {
    let mut device = only(SimConfig::default());
    let before = device.cycles().unwrap();
    device.sync_for_cpu(0..4096).unwrap();
    assert_eq!(device.cycles().unwrap(), before);
    device.read(0).unwrap();
    assert!(device.cycles().unwrap() > before);
}

#[test]
fn a_waveform_is_written_or_refused() {
    let file = std::env::temp_dir().join(format!("saltmill-{}.fst", std::process::id()));
    let config = SimConfig { trace: Some(file.clone()), ..SimConfig::default() };
    let result = System::new(config);
    assert_eq!(result.is_ok(), cfg!(feature = "trace"));
    match result {
        Ok(mut devices) => {
            devices[0].read(0).unwrap();
            drop(devices);
            assert!(std::fs::metadata(&file).unwrap().len() > 1000);
            std::fs::remove_file(file).unwrap();
        }
        Err(error) => assert!(matches!(error, SimError::NoWaveforms), "{error}"),
    }
}
