// SPDX-License-Identifier: Apache-2.0
//! What happens around a run in the age format: killed, its input changed meanwhile, its output gone.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

#[cfg(feature = "sim")]
use std::{fs::OpenOptions, process::Child};
use std::{
    fs,
    io::{Read, Write},
    process::Stdio,
    thread,
    time::{Duration, Instant},
};

use common::{Ended, Folder, text};

const ENCRYPT: [&str; 5] = ["encrypt", "-i", "key.txt", "-o", "out"];
const DECRYPT: [&str; 5] = ["decrypt", "-i", "key.txt", "-o", "out"];

/// A folder with an identity, a text of this length, and that text sealed.
fn folder(len: usize) -> Folder {
    let folder = Folder::new();
    folder.call(&["keygen", "-o", "key.txt"]);
    folder.write("text", &text(len));
    folder.call(&["encrypt", "-i", "key.txt", "-o", "sealed", "text"]).good();
    folder
}

/// Waits until the command has begun its output.
fn begun(folder: &Folder) {
    let patience = Instant::now() + Duration::from_secs(30);
    while !folder.files().iter().any(|name| name.starts_with(".saltmill-")) {
        assert!(Instant::now() < patience, "no temporary file: {:?}", folder.files());
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_kill_at_any_moment_leaves_no_part_under_the_final_name() {
    let folder = folder(30_000_000);
    let whole = folder.read("text");
    let mut killed = 0;
    for moment in 0..40 {
        let started = Instant::now();
        let mut child = folder.command(&[&DECRYPT[..], &["sealed"]].concat()).spawn().unwrap();
        // From before the header is read to after the end, which comes after some 20 ms.
        thread::sleep(Duration::from_micros(moment * 1000).saturating_sub(started.elapsed()));
        child.kill().unwrap();
        let ended = Ended::from(child.wait_with_output().unwrap());
        killed += usize::from(ended.code == -9);
        match fs::read(folder.path("out")) {
            Ok(found) => {
                assert!(found == whole, "{} bytes after {moment} ms", found.len());
                fs::remove_file(folder.path("out")).unwrap();
            }
            Err(_) => assert_eq!(ended.code, -9, "{}", ended.stderr),
        }
        for name in folder.files().iter().filter(|name| name.starts_with(".saltmill-")) {
            fs::remove_file(folder.path(name)).unwrap();
        }
    }
    assert!(killed > 0, "every run was faster");
}

/// A run that is slow enough for its input to be changed: on a simulated device.
#[cfg(feature = "sim")]
fn slow(folder: &Folder, arguments: &[&str]) -> Child {
    let engine = ["--engine", "sim", "--sim-variant", "aead-small"];
    let child = folder.command(&[arguments, &engine].concat()).spawn().unwrap();
    begun(folder);
    child
}

#[cfg(feature = "sim")]
#[test]
fn an_input_that_shrinks_is_an_error() {
    for (arguments, name) in [(ENCRYPT, "text"), (DECRYPT, "sealed")] {
        let folder = folder(10_000_000);
        let child = slow(&folder, &[&arguments[..], &[name]].concat());
        OpenOptions::new().write(true).open(folder.path(name)).unwrap().set_len(100_000).unwrap();
        let ended = Ended::from(child.wait_with_output().unwrap());
        let sentence = format!("error: reading {name} failed at byte ");
        assert!(ended.stderr.starts_with(&sentence), "{}", ended.stderr);
        assert!(ended.stderr.contains(": it ended too early\n"), "{}", ended.stderr);
        assert_eq!(ended.code, 1);
        assert_eq!(folder.files(), ["key.txt", "sealed", "text"]);
    }
}

#[cfg(feature = "sim")]
#[test]
fn an_input_that_grows_is_what_it_was_at_the_start() {
    let folder = folder(1_000_000);
    let child = slow(&folder, &[&ENCRYPT[..], &["text"]].concat());
    let mut input = OpenOptions::new().append(true).open(folder.path("text")).unwrap();
    input.write_all(b"and more").unwrap();
    Ended::from(child.wait_with_output().unwrap()).good();
    folder.call(&["decrypt", "-i", "key.txt", "-o", "opened", "out"]).good();
    assert!(folder.read("opened") == text(1_000_000));
}

#[test]
fn readers_that_go_away() {
    let folder = folder(4_000_000);
    for arguments in
        [&["encrypt", "-i", "key.txt", "text"], &["decrypt", "-i", "key.txt", "sealed"]]
    {
        let mut child = folder.command(arguments).spawn().unwrap();
        let mut some = [0; 1000];
        child.stdout.as_mut().unwrap().read_exact(&mut some).unwrap();
        drop(child.stdout.take());
        let ended = Ended::from(child.wait_with_output().unwrap());
        assert_eq!(ended.code, 1, "{}", ended.stderr);
        assert!(ended.stderr.contains("its reader has gone away\nhint: "), "{}", ended.stderr);
    }
}

#[test]
fn a_pipe_that_ends_early_leaves_nothing() {
    let folder = folder(1_000_000);
    let sealed = folder.read("sealed");
    let mut child = folder.command(&DECRYPT).stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.as_mut().unwrap().write_all(&sealed[..500_000]).unwrap();
    begun(&folder);
    drop(child.stdin.take());
    let ended = Ended::from(child.wait_with_output().unwrap());
    assert_eq!(ended.code, 4, "{}", ended.stderr);
    assert!(
        ended.stderr.contains("standard input was changed or cut off: chunk 7,"),
        "{}",
        ended.stderr
    );
    assert_eq!(folder.files(), ["key.txt", "sealed", "text"]);
}

#[test]
fn inputs_that_can_not_be_read_and_outputs_that_can_not_be_made() {
    let folder = folder(1000);
    let unreadable = folder.call(&[&ENCRYPT[..], &["/proc/self/mem"]].concat());
    assert_eq!(unreadable.code, 1, "{}", unreadable.stderr);
    assert!(unreadable.stderr.starts_with("error: reading /proc/self/mem failed at byte 0: "));
    // Nobody can make files there, not even root.
    let ended = folder.call(&["encrypt", "-i", "key.txt", "-o", "/proc/out", "text"]);
    assert_eq!(ended.code, 2, "{}", ended.stderr);
    assert!(ended.stderr.starts_with("error: output /proc/out can't be written: "));
    let ended = folder.call(&["encrypt", "-i", "key.txt", "--out-dir", "/proc/out", "text"]);
    assert!(ended.stderr.starts_with("error: /proc/out can't be made: "), "{}", ended.stderr);
    assert_eq!(folder.files(), ["key.txt", "sealed", "text"]);
}

/// A file size limit is as good as a disk that is full in the middle.
#[test]
fn a_disk_that_is_full_in_the_middle() {
    let folder = folder(4_000_000);
    for (start, end) in
        [(ENCRYPT, &["text"][..]), (ENCRYPT, &["-a", "text"]), (DECRYPT, &["sealed"])]
    {
        let arguments = [&start[..], end].concat();
        let command = format!(
            "trap '' XFSZ; ulimit -f 1000; exec {} {}",
            common::SALTMILL,
            arguments.join(" ")
        );
        let mut shell = std::process::Command::new("bash");
        let output = shell.args(["-c", &command]).current_dir(folder.path("")).output().unwrap();
        let ended = Ended::from(output);
        assert_eq!(ended.code, 1, "{}", ended.stderr);
        assert!(ended.stderr.starts_with("error: writing out failed"), "{}", ended.stderr);
        assert_eq!(folder.files(), ["key.txt", "sealed", "text"]);
    }
}
