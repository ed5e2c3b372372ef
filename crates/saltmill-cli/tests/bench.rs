// SPDX-License-Identifier: Apache-2.0
//! `saltmill bench`: results are right, simulated ones are the same each time, and what can't be
//! measured is refused.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use common::Folder;
use serde_json::Value;

fn found(arguments: &[&str]) -> Value {
    let folder = Folder::new();
    serde_json::from_slice(&folder.call(&[&["bench"], arguments, &["--json"]].concat()).good())
        .unwrap()
}

#[test]
fn throughput_has_the_rows_of_the_experiments_and_leaves_no_file() {
    let folder = Folder::new();
    let call = ["bench", "throughput", "--bytes", "1048576", "--runs", "3", "--folder", "."];
    let text = folder.call(&[&call[..], &["--json"]].concat()).good();
    let found: Value = serde_json::from_slice(&text).unwrap();
    let rows: Vec<_> = found["rows"].as_array().unwrap().iter().collect();
    let names: Vec<_> = rows.iter().map(|row| row["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["A", "B1", "B2", "C"]);
    for row in rows {
        assert_eq!(row["seconds"].as_array().unwrap().len(), 3);
        assert!(row["mib_per_second"].as_f64().unwrap() > 0.0);
    }
    assert_eq!(found["label"], "measured");
    assert_eq!(folder.files(), [] as [&str; 0]);
}

#[test]
fn throughput_refuses_what_it_can_not_do() {
    let folder = Folder::new();
    let call = ["bench", "throughput", "--runs", "1"];
    let refused = folder.call(&[&call[..], &["--bytes", "1000"]].concat());
    refused.bad(2, "1000 bytes are no whole number of tasks");
    let small = ["--bytes", "262144", "--folder", "nowhere"];
    folder
        .call(&[&call[..], &small].concat())
        .bad(1, "nowhere can't be written to: there is no such file");
}

/// OpenSSL is asked for the same with the key and the IV that the result names.
#[test]
fn streams_are_those_of_openssl() {
    let cases = [
        ("aes-128-ctr", openssl::symm::Cipher::aes_128_ctr()),
        ("chacha20", openssl::symm::Cipher::chacha20()),
    ];
    for (name, cipher) in cases {
        for bytes in [1_usize, 16, 1024, 100_003] {
            let size = bytes.to_string();
            let found = found(&["stream", "--algorithm", name, "--bytes", &size, "--runs", "3"]);
            let field = |name: &str| hex(found["inputs"][name].as_str().unwrap());
            let mut iv = field("iv");
            if name == "chacha20" {
                iv.splice(0..0, [0; 4]); // OpenSSL's has the counter in front
            }
            let period = found["inputs"]["text_period"].as_u64().unwrap() as usize;
            let text: Vec<u8> = (0..bytes).map(|index| (index % period) as u8).collect();
            let expected = openssl::symm::encrypt(cipher, &field("key"), Some(&iv), &text).unwrap();
            let expected = openssl::sha::sha256(&expected);
            let digests = found["sha256"].as_array().unwrap();
            assert_eq!(digests.len(), 3);
            let right = |digest: &Value| hex(digest.as_str().unwrap()) == expected;
            assert!(digests.iter().all(right), "{name}, {bytes} bytes");
        }
    }
}

fn hex(digits: &str) -> Vec<u8> {
    let byte = |index| u8::from_str_radix(&digits[index..index + 2], 16).unwrap();
    (0..digits.len()).step_by(2).map(byte).collect()
}

#[cfg(feature = "sim")]
mod device {
    use super::{Folder, Value, found};

    fn ring2(more: &[&str]) -> Value {
        found(&[&["device", "--sim-variant", "ring2", "--sim-memory", "de10-nano"], more].concat())
    }

    #[test]
    fn the_result_is_that_of_the_cpu_and_cycles_are_the_same_each_time() {
        let job = ["--bytes", "4096", "--in-flight", "1"];
        let first = ring2(&job);
        assert_eq!(first, ring2(&job));
        assert_eq!(first["label"], "simulated");
        let cpu = found(&["stream", "--algorithm", "chacha20", "--bytes", "4096"]);
        assert_eq!(first["sha256"], cpu["sha256"][0]);
        // 64 blocks, 10 cycles each, and the way to memory and back.
        let cycles = first["job_cycles"][0].as_u64().unwrap();
        assert!((640..1000).contains(&cycles), "{cycles}");
    }

    #[test]
    fn a_job_alone_takes_two_register_accesses() {
        let found = ring2(&["--bytes", "16", "--in-flight", "1", "--jobs", "3"]);
        assert_eq!(found["job_accesses"], serde_json::json!({ "reads": 0, "writes": 6 }));
        assert_eq!(found["key_accesses"], serde_json::json!({ "reads": 0, "writes": 9 }));
    }

    #[test]
    fn the_result_is_in_memory_before_the_interrupt_tells_of_it() {
        let job = ["--bytes", "16", "--in-flight", "1", "--jobs", "3"];
        let (told, polled) = (ring2(&job), ring2(&[&job[..], &["--poll"]].concat()));
        assert_eq!(polled["sha256"], told["sha256"]);
        assert_eq!(polled["job_accesses"], serde_json::json!({ "reads": 0, "writes": 3 }));
        for job in 0..3 {
            let cycles = |found: &Value| found["job_cycles"][job].as_u64().unwrap();
            // The memory has to answer the write of the status in between.
            assert!(cycles(&polled) + 10 < cycles(&told), "{polled} {told}");
        }
    }

    #[test]
    fn devices_share_the_memory_and_a_faster_clock_makes_it_slower_in_cycles() {
        let steady = |more: &[&str]| {
            let keystream = ["--operation", "keystream", "--bytes", "32768"];
            ring2(&[&keystream, more].concat())["steady_cycles"].as_f64().unwrap()
        };
        let (one, four) = (steady(&[]), steady(&["--devices", "4"]));
        // 512 blocks of 10 cycles; the end of a job is seen a little earlier or later.
        assert!((5100.0..5300.0).contains(&one), "{one}");
        assert!((one * 0.99..one * 1.05).contains(&four), "{four}");
        // At 2 GHz what the memory has for all is less than one of them writes.
        let fast = steady(&["--devices", "4", "--clock-hz", "2000000000"]);
        assert!(fast > 1.5 * one, "{fast}");
    }

    #[test]
    fn what_it_can_not_do_is_refused() {
        let folder = Folder::new();
        let device = |more: &[&'static str]| folder.call(&[&["bench", "device"], more].concat());
        device(&["--sim-variant", "ring3"]).bad(2, "there is no simulated device \"ring3\"");
        device(&["--sim-memory", "disk"]).bad(2, "there is no memory profile \"disk\"");
        device(&["--operation", "seal"]).bad(2, "262144 bytes are no message");
        device(&["--operation", "seal", "--bytes", "64"])
            .bad(3, "a job failed: the device does not have this operation");
    }
}
