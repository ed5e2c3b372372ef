// SPDX-License-Identifier: Apache-2.0
//! Clients of a served device: good ones, and others.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use std::{
    io::Write,
    os::{fd::AsRawFd, unix::net::UnixStream},
    time::{Duration, Instant},
};

use common::{ADDRESS, Kind, Remote, Served, memory};
use saltmill_device::{Accelerator, Device, JobError, Request, conformance};
use saltmill_vfio_user::Wiring;
use vfio_bindings::bindings::vfio::{VFIO_PCI_INTX_IRQ_INDEX, VFIO_PCI_MSI_IRQ_INDEX};

const VARIANT: &str = "ring2";
const MEMORY: usize = 64 << 10;
const MIB: usize = 1 << 20;

fn later() -> Instant {
    Instant::now() + Duration::from_secs(60)
}

fn ready(remote: Remote) -> Accelerator<Remote> {
    let mut accelerator = Accelerator::probe(remote, later()).unwrap();
    accelerator.set_key(0, &[7; 32]).unwrap();
    accelerator
}

/// A job on all data of the device, in place.
fn request(accelerator: &Accelerator<Remote>) -> Request {
    let (source, destination) = (accelerator.data(), accelerator.data());
    Request { nonce: [1; 12].into(), source, destination, ..Request::default() }
}

/// Encrypts twice, which gives what there was.
fn works(remote: Remote) -> Accelerator<Remote> {
    let mut accelerator = ready(remote);
    let all = accelerator.data();
    accelerator.memory(all.clone()).unwrap().fill(0x5a);
    for round in 0..2 {
        let request = request(&accelerator);
        accelerator.submit(&request).unwrap();
        accelerator.complete(later()).unwrap().outcome.unwrap();
        let same = accelerator.memory(all.clone()).unwrap().iter().all(|byte| *byte == 0x5a);
        assert_eq!(same, round == 1);
    }
    accelerator
}

#[test]
fn a_served_device_conforms() {
    // A device of its own for each check.
    let mut served = Vec::new();
    conformance::run(|| {
        served.push(Served::new(VARIANT, 1));
        Remote::new(&served.last().unwrap().socket, Kind::Message, conformance::MEMORY)
    });
    for session in served.into_iter().flat_map(Served::sessions) {
        assert_eq!(session.broken, None);
        assert!(session.accesses > 0);
    }
}

#[test]
fn clients_follow_each_other_and_get_both_kinds_of_interrupts() {
    let served = Served::new(VARIANT, 2);
    for kind in [Kind::Message, Kind::Line] {
        works(Remote::new(&served.socket, kind, MEMORY));
    }
    for session in served.sessions() {
        // Jobs may be over before they are waited for; their interrupts come all the same.
        assert!((1..=2).contains(&session.interrupts), "{session:?}");
        assert!(session.cycles > 0);
    }
}

#[test]
fn jobs_end_whatever_the_interrupt_does_and_it_is_told() {
    for (wiring, kind) in [
        (Wiring::Line, Kind::Line),
        (Wiring::Stuck, Kind::Message),
        (Wiring::Stuck, Kind::Line),
        (Wiring::Cut, Kind::Message),
    ] {
        let served = Served::wired(VARIANT, 1, wiring);
        // Long enough that there are waits in it.
        let accelerator = works(Remote::new(&served.socket, kind, 4 * MIB));
        let (missed, spurious) =
            (accelerator.missed_interrupts(), accelerator.spurious_interrupts());
        assert!(missed > 0 || wiring != Wiring::Cut, "{wiring:?}, {kind:?}: {missed}");
        assert_eq!(spurious > 2, wiring == Wiring::Stuck, "{wiring:?}, {kind:?}: {spurious}");
        drop(accelerator);
        served.sessions();
    }
}

#[test]
fn a_device_without_messages_says_so() {
    let served = Served::wired(VARIANT, 1, Wiring::Line);
    let mut remote = Remote::new(&served.socket, Kind::Line, MEMORY);
    let count = |remote: &mut Remote, index| remote.client.get_irq_info(index).unwrap().count;
    assert_eq!(count(&mut remote, VFIO_PCI_MSI_IRQ_INDEX), 0);
    assert_eq!(count(&mut remote, VFIO_PCI_INTX_IRQ_INDEX), 1);
    drop(remote);
    served.sessions();
}

#[test]
fn the_next_client_finds_no_key_and_no_memory() {
    let served = Served::new(VARIANT, 2);
    works(Remote::new(&served.socket, Kind::Message, MEMORY));
    let mut second = Remote::new(&served.socket, Kind::Message, MEMORY);
    second.client.dma_unmap(ADDRESS, MEMORY as u64).unwrap();
    // The same memory elsewhere: where the first had it is nothing.
    let file = memory(MEMORY);
    second.client.dma_map(0, 2 * ADDRESS, MEMORY as u64, file.as_raw_fd()).unwrap();
    let mut accelerator = Accelerator::probe(second, later()).unwrap();
    let request = request(&accelerator);
    accelerator.submit(&request).unwrap();
    // Not even the descriptor can be read, nor its status written: the tail moves all the same.
    let completion = accelerator.complete(later()).unwrap();
    assert_eq!(completion.outcome, Err(JobError::StatusLost));
    drop(accelerator);
    served.sessions();
}

#[test]
fn memory_that_is_taken_away_in_mid_job_ends_the_job() {
    let served = Served::new(VARIANT, 2);
    let mut accelerator = ready(Remote::new(&served.socket, Kind::Message, MIB));
    accelerator.submit(&request(&accelerator)).unwrap();
    // While its bursts come: whole pages behind the ring's.
    let half = (MIB / 2) as u64;
    let client = &mut accelerator.device().client;
    client.dma_unmap(ADDRESS, MIB as u64).unwrap();
    let file = memory(MIB);
    client.dma_map(0, ADDRESS, half, file.as_raw_fd()).unwrap();
    // Its status goes into the new memory, where this driver does not look, or nowhere.
    let completion = accelerator.complete(later()).unwrap();
    assert_eq!(completion.outcome, Err(JobError::StatusLost));
    assert_eq!(accelerator.counters().unwrap().jobs, 1);
    drop(accelerator);
    works(Remote::new(&served.socket, Kind::Message, MEMORY));
    assert!(served.sessions().iter().all(|session| session.broken.is_none()));
}

#[test]
fn a_client_that_dies_in_mid_burst_leaves_a_device_that_works() {
    let served = Served::new(VARIANT, 6);
    for wait in [0, 1, 3, 10, 30] {
        let mut accelerator = ready(Remote::new(&served.socket, Kind::Message, MIB));
        accelerator.submit(&request(&accelerator)).unwrap();
        std::thread::sleep(Duration::from_millis(wait));
        drop(accelerator);
    }
    works(Remote::new(&served.socket, Kind::Message, MEMORY));
    assert!(served.sessions().iter().all(|session| session.broken.is_none()));
}

#[test]
fn nothing_reaches_memory_without_the_bus_master_bit() {
    let served = Served::new(VARIANT, 1);
    let mut accelerator = ready(Remote::new(&served.socket, Kind::Message, MEMORY));
    let request = request(&accelerator);
    accelerator.memory(request.source.clone()).unwrap().fill(0x5a);
    accelerator.device().command(2);
    accelerator.submit(&request).unwrap();
    assert_eq!(accelerator.complete(later()).unwrap().outcome, Err(JobError::StatusLost));
    let data = accelerator.device().bytes(request.source.clone());
    assert!(data.iter().all(|byte| *byte == 0x5a));
    accelerator.device().command(6);
    accelerator.submit(&request).unwrap();
    accelerator.complete(later()).unwrap().outcome.unwrap();
    drop(accelerator);
    served.sessions();
}

#[test]
fn registers_are_whole_or_read_as_ones() {
    let served = Served::new(VARIANT, 1);
    let mut remote = Remote::new(&served.socket, Kind::Message, MEMORY);
    let magic = remote.read(0).unwrap();
    assert_eq!(&magic.to_le_bytes(), b"SALT");
    for (offset, len) in [(1, 4), (0, 1), (0, 2), (4094, 4), (4096, 4), (u64::MAX, 4), (0, 4100)] {
        let mut bytes = vec![0; len];
        remote.client.region_read(0, offset, &mut bytes).unwrap();
        assert!(bytes.iter().all(|byte| *byte == 0xff), "{offset:#x}, {len}");
        remote.client.region_write(0, offset, &bytes).unwrap();
    }
    works(remote);
    served.sessions();
}

#[test]
fn bad_windows_are_refused_and_the_session_goes_on() {
    let served = Served::new(VARIANT, 1);
    let mut remote = Remote::new(&served.socket, Kind::Message, MEMORY);
    let (page, file) = (4096, memory(MEMORY));
    // Not of whole pages; none; behind the file's end; where one is; around the end.
    for (offset, address, len) in [
        (0, 0x1000, 100),
        (1, 0x1000, page),
        (0, 0x1001, page),
        (0, 0x1000, 0),
        (0, 0x1000, 2 * MEMORY as u64),
        (MEMORY as u64, 0x1000, page),
        (0, ADDRESS, page),
        (0, ADDRESS - page, 2 * page),
        (0, u64::MAX - page + 1, 2 * page),
        (0, u64::MAX - page + 1, page),
    ] {
        // What the client's side makes of the answer says nothing: the memory must still work.
        let _ = remote.client.dma_map(offset, address, len, file.as_raw_fd());
    }
    works(remote);
    let session = served.sessions().remove(0);
    assert_eq!(session.broken, None);
}

#[test]
fn nonsense_ends_the_session_and_not_the_server() {
    let nonsense: [Vec<u8>; 7] = [
        vec![],
        vec![0],
        vec![0xff; 1000],
        // A version whose length is below that of its own header.
        [0, 0, 1, 0, 1, 0, 0, 0].into_iter().chain([0; 24]).collect(),
        // A version without an end of its text.
        [0, 0, 1, 0, 24, 0, 0, 0].into_iter().chain([0; 12]).chain(*b"{}{}").collect(),
        // A read of 4 GiB of a region that is not there, and of the registers.
        [0, 0, 9, 0, 32, 0, 0, 0].into_iter().chain([0; 8]).chain([0xff; 16]).collect(),
        [0, 0, 9, 0, 32, 0, 0, 0].into_iter().chain([0; 20]).chain([0xff; 4]).collect(),
    ];
    let served = Served::new(VARIANT, nonsense.len() + 1);
    for bytes in nonsense {
        let mut stream = UnixStream::connect(&served.socket).unwrap();
        stream.write_all(&bytes).unwrap();
    }
    works(Remote::new(&served.socket, Kind::Message, MEMORY));
    let sessions = served.sessions();
    assert_eq!(sessions.last().unwrap().broken, None);
    assert!(sessions.iter().filter(|session| session.broken.is_some()).count() >= 3);
}
