// SPDX-License-Identifier: Apache-2.0
//! The bytes are those of `openssl enc -chacha20`, whatever does the work and however it gets
//! there.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use std::fs;

use common::{Folder, text};

/// Lengths at the edges of blocks and jobs (256 KiB).
const LENGTHS: [usize; 12] =
    [0, 1, 63, 64, 65, 4095, 65_537, 262_143, 262_144, 262_145, 1_000_003, 3_145_728];

fn same_as_openssl(engines: &[&str], lengths: &[usize]) {
    for &len in lengths {
        for counter in [0, 1, 0x0102_0304] {
            let folder = Folder::new();
            folder.write("text", &text(len));
            let expected = folder.openssl(counter, "text");
            let counter = counter.to_string();
            let arguments = |rest: &[&'static str]| {
                let mut all = vec!["--counter", counter.as_str()];
                all.extend(engines);
                all.extend(rest);
                folder.cipher(&all)
            };
            arguments(&["-o", "file", "text"]).good();
            assert!(folder.read("file") == expected, "{engines:?}: file, {len} bytes");
            let pipe = arguments(&["text"]).good();
            assert!(pipe == expected, "{engines:?}: file to pipe, {len} bytes");

            let mut all = vec!["--counter", &counter, "-o", "from-pipe", "-"];
            all.extend(engines);
            folder.cipher_with_input(&all, text(len)).good();
            assert!(folder.read("from-pipe") == expected, "{engines:?}: pipe to file, {len} bytes");
            assert_eq!(folder.files(), ["file", "from-pipe", "text"]);
        }
    }
}

#[test]
fn cpu() {
    same_as_openssl(&[], &LENGTHS);
    same_as_openssl(&["--engine", "cpu", "--workers", "1"], &LENGTHS);
    same_as_openssl(&["--engine", "cpu", "--workers", "7"], &LENGTHS);
}

#[cfg(feature = "sim")]
#[test]
fn simulated_devices_alone_and_with_the_cpu() {
    same_as_openssl(&["--engine", "sim"], &[0, 1, 65, 262_145]);
    same_as_openssl(&["--engine", "sim:2", "--sim-memory", "zedboard"], &[800_000]);
    same_as_openssl(&["--engine", "cpu", "--workers", "1", "--engine", "sim:2"], &[65, 3_145_728]);
}

#[cfg(feature = "sim")]
#[test]
fn every_variant_of_the_simulated_device() {
    for variant in ["small", "ring2", "pipe", "ring2-hostadd"] {
        same_as_openssl(&["--engine", "sim", "--sim-variant", variant], &[1, 20_000]);
    }
}

#[test]
fn twice_is_the_text_again() {
    let folder = Folder::new();
    folder.write("text", &text(500_000));
    folder.cipher(&["-o", "encrypted", "text"]).good();
    folder.cipher(&["-o", "decrypted", "encrypted"]).good();
    assert!(folder.read("decrypted") == folder.read("text"));
}

#[test]
fn a_range_is_that_part_of_the_stream() {
    let folder = Folder::new();
    folder.write("text", &text(700_000));
    let whole = folder.openssl(7, "text");
    for (offset, length) in [
        (0, 0),
        (0, 1),
        (1, 63),
        (63, 2),
        (64, 64),
        (100, 500_000),
        (262_144, 262_145),
        (699_999, 1),
        (700_000, 0),
    ] {
        let range = format!("{offset}:{length}");
        let found = folder.cipher(&["--counter", "7", "--range", &range, "text"]).good();
        assert!(found == whole[offset..offset + length], "{range}");
        let part = ["--counter", "7", "--range", &range, "--force", "-o", "part", "text"];
        folder.cipher(&part).good();
        assert!(folder.read("part") == whole[offset..offset + length], "{range}");
    }
    assert_eq!(folder.cipher(&["--counter", "7", "--range", "5:", "text"]).good(), whole[5..]);
    let outside = "the range 1:700000 is not in text, whose text has 700000 bytes";
    folder.cipher(&["--range", "1:700000", "text"]).bad(2, outside);
    let pipe = "a range of standard input can't be read: it can only be read from start to end";
    folder.cipher(&["--range", "1:2"]).bad(2, pipe);
    folder.write("long", &text(192));
    let end = folder.cipher(&["--counter", "4294967293", "--range", "128:64", "long"]).good();
    assert_eq!(end, folder.openssl(4_294_967_293, "long")[128..]);
}

#[test]
fn the_last_block_of_the_counter() {
    let folder = Folder::new();
    folder.write("text", &text(128));
    let found = folder.cipher(&["--counter", "4294967294", "text"]).good();
    assert_eq!(found, folder.openssl(4_294_967_294, "text"));
}

#[test]
fn a_hex_key_file_is_the_same_key() {
    let folder = Folder::new();
    folder.write("text", &text(1000));
    let expected = folder.openssl(0, "text");
    for end in ["", "\n"] {
        folder.write("key", format!("{}{end}", "5A".repeat(32)).as_bytes());
        assert_eq!(folder.cipher(&["text"]).good(), expected);
    }
}

#[test]
fn force_replaces_and_keeps_the_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    folder.write("text", &text(1000));
    folder.write("old", b"something longer than nothing");
    fs::set_permissions(folder.path("old"), fs::Permissions::from_mode(0o640)).unwrap();
    std::os::unix::fs::symlink("old", folder.path("link")).unwrap();
    folder.cipher(&["--force", "-o", "link", "text"]).good();
    assert_eq!(folder.read("old"), folder.openssl(0, "text"));
    assert!(folder.path("link").is_symlink());
    let mode = fs::metadata(folder.path("old")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
    assert_eq!(folder.files(), ["link", "old", "text"]);
}

#[test]
fn statistics_tell_what_each_worker_did() {
    let folder = Folder::new();
    folder.write("text", &text(1_000_000));
    let found = folder.cipher(&["--workers", "2", "--stats", "-", "-o", "out", "text"]).good();
    let stats: serde_json::Value = serde_json::from_slice(&found).unwrap();
    assert_eq!(stats["bytes"], 1_000_000);
    let workers = stats["workers"].as_array().unwrap();
    assert_eq!(workers.len(), 2);
    let sum: u64 = workers.iter().map(|worker| worker["bytes"].as_u64().unwrap()).sum();
    assert_eq!(sum, 1_000_000);
}

#[cfg(feature = "sim")]
#[test]
fn statistics_of_a_device_have_its_counters() {
    let folder = Folder::new();
    folder.write("text", &text(100_000));
    folder.cipher(&["--engine", "sim", "--stats", "stats", "-o", "out", "text"]).good();
    let stats: serde_json::Value = serde_json::from_slice(&folder.read("stats")).unwrap();
    let device = &stats["workers"][0]["device"];
    assert_eq!(device["bytes"], 100_000);
    assert_eq!(device["blocks"], 1563);
    assert_eq!(device["simulated"], true);
    let (cycles, core) = (&device["cycles_per_block"], &device["core_cycles_per_block"]);
    assert!(cycles.as_f64() >= core.as_f64(), "{device}");
}

/// The AES modes and the bytes of their keys.
const AES: [(&str, usize); 3] = [("aes-128-ctr", 16), ("aes-192-ctr", 24), ("aes-256-ctr", 32)];

#[test]
fn aes_in_ctr_mode() {
    // The second one carries into all 128 bits.
    for iv in ["00112233445566778899aabbccddeeff", "fffffffffffffffffffffffffffffffe"] {
        for (mode, bytes) in AES {
            for len in [0, 1, 15, 16, 17, 65_537, 262_145, 1_000_003] {
                let folder = Folder::new();
                folder.write("text", &text(len));
                folder.write("aes", &text(300)[300 - bytes..]);
                let expected = folder.openssl_aes(mode, "aes", iv, "text");
                let call = |rest: &[&str]| {
                    let mut all =
                        vec!["cipher", "--algorithm", mode, "--key-file", "aes", "--iv", iv];
                    all.extend(rest);
                    folder.call(&all)
                };
                call(&["-o", "file", "text"]).good();
                assert!(folder.read("file") == expected, "{mode}: file, {len} bytes");
                assert!(
                    call(&["--workers", "3", "text"]).good() == expected,
                    "{mode}, {len} bytes"
                );
                call(&["-o", "again", "file"]).good();
                assert!(folder.read("again") == text(len), "{mode}: there and back, {len} bytes");
                if len > 65_000 {
                    let part = call(&["--range", "65001:400", "text"]).good();
                    assert!(part == expected[65_001..65_401], "{mode}: a range");
                }
            }
        }
    }
}

#[cfg(feature = "sim")]
#[test]
fn aes_on_simulated_devices_alone_and_with_the_cpu() {
    let iv = "fffffffffffffffffffffffffffffff0";
    let sim = ["--engine", "sim"];
    let pipe = ["--engine", "sim", "--sim-variant", "aes-pipe"];
    let mixed = ["--engine", "cpu", "--workers", "1", "--engine", "sim:2"];
    for (mode, bytes) in AES {
        let pipes = bytes == 16;
        for (engines, lengths) in [
            (&sim[..], &[0, 1, 15, 16, 17, 65_537][..]),
            (&pipe, if pipes { &[1, 262_145] } else { &[] }),
            (&mixed, &[1_000_003]),
        ] {
            for &len in lengths {
                let folder = Folder::new();
                folder.write("text", &text(len));
                folder.write("aes", &text(300)[300 - bytes..]);
                let expected = folder.openssl_aes(mode, "aes", iv, "text");
                let call = |rest: &[&str]| {
                    let mut all =
                        vec!["cipher", "--algorithm", mode, "--key-file", "aes", "--iv", iv];
                    all.extend(engines);
                    all.extend(rest);
                    folder.call(&all)
                };
                call(&["-o", "file", "text"]).good();
                assert!(folder.read("file") == expected, "{mode}, {engines:?}: {len} bytes");
                if len > 65_000 {
                    let part = call(&["--range", "65001:400", "text"]).good();
                    assert!(part == expected[65_001..65_401], "{mode}, {engines:?}: a range");
                }
            }
        }
    }
}
