// SPDX-License-Identifier: Apache-2.0
//! `saltmill sum` on simulated devices: the digests of the CPU, and what happens if a device fails.
#![cfg(feature = "sim")]
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use common::{Folder, text};

/// Files of many lengths, most of them short: a simulated device is slow.
fn folder() -> Folder {
    let folder = Folder::new();
    for n in 0..40 {
        folder.write(&format!("file{n}"), &text(n * n * 7));
    }
    folder.write("long", &text(100_000));
    folder
}

fn names(folder: &Folder) -> Vec<String> {
    folder.files().into_iter().filter(|name| name != "key.txt").collect()
}

#[test]
fn digests_are_those_of_the_cpu() {
    let folder = folder();
    let names = names(&folder);
    for (algorithm, engines) in
        [("sha256", &["sim"][..]), ("md5", &["sim"]), ("sha256", &["sim:2", "cpu"])]
    {
        let mut call = vec!["sum", "-a", algorithm];
        call.extend(names.iter().map(String::as_str));
        let expected = folder.call(&call).good();
        call.extend(engines.iter().flat_map(|engine| ["--engine", engine]));
        assert_eq!(folder.call(&call).good(), expected, "{algorithm} {engines:?}");
        folder.write("sums", &expected);
        folder.call(&["sum", "--check", "--quiet", "--engine", "sim", "sums"]).good();
    }
}

#[test]
fn a_device_that_fails_leaves_its_files_to_others() {
    let folder = folder();
    let names = names(&folder);
    let mut call = vec!["sum"];
    call.extend(names.iter().map(String::as_str));
    let expected = folder.call(&call).good();
    let hang = ["--engine", "sim", "--sim-hang-at", "20000", "--deadline", "1"];
    call.extend(hang);
    let alone = folder.call(&call);
    assert_ne!(alone.code, 0, "{}", alone.stderr);
    assert!(alone.stderr.contains("sim:0"), "{}", alone.stderr);
    call.extend(["--engine", "cpu", "--workers", "1"]);
    let ended = folder.call(&call);
    assert_eq!((ended.code, &ended.stdout), (0, &expected), "{}", ended.stderr);
}

#[test]
fn what_no_device_hashes_is_refused() {
    let folder = folder();
    for (algorithms, named) in [("blake3", "blake3"), ("sha256,md5", "sha256, md5")] {
        let call = ["sum", "-a", algorithms, "--engine", "sim", "long"];
        folder.call(&call).bad(2, &format!("no device hashes with {named}"));
    }
    let duplicates = ["sum", "--duplicates", "--engine", "sim", "long"];
    folder.call(&duplicates).bad(2, "no device hashes with blake3");
    let other = ["sum", "-a", "md5", "--engine", "sim", "--sim-variant", "ring2", "long"];
    folder.call(&other).bad(2, "no device hashes with md5");
}
