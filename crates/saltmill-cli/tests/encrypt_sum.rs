// SPDX-License-Identifier: Apache-2.0
//! `saltmill encrypt --sum`: digests of what is read and of what is written.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use std::{
    fs,
    process::{Command, Stdio},
    thread,
};

use common::{Ended, Folder, text};

const CHUNK: usize = 64 << 10;
const ENCRYPT: [&str; 5] = ["encrypt", "-i", "key.txt", "--sum", "SUMS"];

fn folder() -> Folder {
    let folder = Folder::new();
    folder.call(&["keygen", "-o", "key.txt"]);
    folder
}

/// The names in the manifest. The digests are right, as `sha256sum` says where it is installed.
#[track_caller]
fn names(folder: &Folder) -> Vec<String> {
    folder.call(&["sum", "--check", "--strict", "--quiet", "SUMS"]).good();
    let mut command = Command::new("sha256sum");
    command.args(["--check", "--strict", "--quiet", "SUMS"]).current_dir(folder.path(""));
    if let Ok(output) = command.stdin(Stdio::null()).output() {
        Ended::from(output).good();
    }
    let text = String::from_utf8(folder.read("SUMS")).unwrap();
    text.lines().map(|line| line[66..].to_owned()).collect()
}

#[test]
fn a_file_of_any_length() {
    let folder = folder();
    for len in [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 80 * CHUNK + 3] {
        folder.write("text", &text(len));
        for armor in [&[][..], &["--armor"]] {
            let call = [&ENCRYPT[..], &["--force", "-o", "sealed", "text"], armor].concat();
            folder.call(&call).good();
            assert_eq!(names(&folder), ["text", "sealed"], "{len}");
            let opened = folder.call(&["decrypt", "-i", "key.txt", "sealed"]).good();
            assert!(opened == text(len));
        }
    }
}

/// A pipe with a name can't be read twice.
#[test]
fn the_input_is_read_once() {
    let folder = folder();
    assert!(Command::new("mkfifo").arg(folder.path("pipe")).status().unwrap().success());
    let pipe = folder.path("pipe");
    let writer = thread::spawn(move || fs::write(pipe, text(9_000_000)).unwrap());
    folder.call(&[&ENCRYPT[..], &["-o", "sealed", "pipe"]].concat()).good();
    writer.join().unwrap();
    fs::remove_file(folder.path("pipe")).unwrap();
    folder.write("pipe", &text(9_000_000));
    assert_eq!(names(&folder), ["pipe", "sealed"]);
}

#[test]
fn what_has_no_name_has_no_line() {
    let folder = folder();
    folder.write("text", b"text");
    let from_pipe = [&ENCRYPT[..], &["-o", "sealed"]].concat();
    folder.call_with_input(&from_pipe, b"text".to_vec()).good();
    assert_eq!(names(&folder), ["sealed"]);
    let into_pipe = [&ENCRYPT[..], &["--force", "text"]].concat();
    assert!(!folder.call(&into_pipe).good().is_empty());
    assert_eq!(names(&folder), ["text"]);
    let neither = folder.call_with_input(&[&ENCRYPT[..], &["--force"]].concat(), b"text".to_vec());
    neither.bad(2, "a manifest of standard input and standard output has no names");
}

#[test]
fn many_files_have_one_manifest() {
    let folder = folder();
    fs::create_dir_all(folder.path("in/sub")).unwrap();
    for (name, len) in [("in/a", 0), ("in/b\\c", CHUNK), ("in/sub/large", 80 * CHUNK + 3)] {
        folder.write(name, &text(len));
    }
    let many = ["--recursive", "in", "--out-dir", "out"];
    let call = [&ENCRYPT[..], &many].concat();
    folder.call(&call).good();
    let all =
        ["in/a", "out/a.age", " in/b\\\\c", " out/b\\\\c.age", "in/sub/large", "out/sub/large.age"];
    assert_eq!(names(&folder), all);
    // What fails has no lines, and the others have.
    fs::remove_file(folder.path("SUMS")).unwrap();
    fs::remove_dir_all(folder.path("out/sub")).unwrap();
    fs::remove_file(folder.path("out/a.age")).unwrap();
    let ended = folder.call(&call);
    assert!(ended.code == 2 && ended.stderr.contains("error: 1 of 3 files could not be done\n"));
    assert_eq!(names(&folder), ["in/a", "out/a.age", "in/sub/large", "out/sub/large.age"]);
}

#[test]
fn nothing_is_overwritten_by_it() {
    let folder = folder();
    folder.write("text", b"text");
    folder.write("SUMS", b"precious");
    let to = ["-o", "sealed", "text"];
    folder.call(&[&ENCRYPT[..], &to].concat()).bad(2, "manifest SUMS exists");
    let sum = |manifest: &str, more: &[&str]| {
        folder.call(&[&["encrypt", "-i", "key.txt", "--sum", manifest], &to[..], more].concat())
    };
    sum("text", &["--force"]).bad(2, "input and manifest are the same file: text");
    sum("key.txt", &["--force"]).bad(2, "identity file and manifest are the same file: key.txt");
    sum("sealed", &[]).bad(2, "output and manifest are the same file: sealed");
    sum("no/SUMS", &[]).bad(2, "manifest no/SUMS can't be made: no is not a folder");
    let both = ["encrypt", "-i", "key.txt", "--sum", "-", "text"];
    folder.call(&both).bad(2, "manifest and output can't both go to standard output");
    assert_eq!(folder.files(), ["SUMS", "key.txt", "text"]);
    assert_eq!(folder.read("SUMS"), b"precious");
    // To standard output, where that is free.
    let lines = sum("-", &[]).good();
    assert_eq!(lines.split_inclusive(|byte| *byte == b'\n').count(), 2);
}

#[test]
fn a_run_that_fails_has_no_manifest() {
    let folder = folder();
    folder.write("text", &text(4_000_000));
    let call = [&ENCRYPT[..], &["-o", "sealed", "text"]].concat().join(" ");
    let script = format!("trap '' XFSZ; ulimit -f 1000; exec {} {call}", common::SALTMILL);
    let output = Command::new("bash").args(["-c", &script]).current_dir(folder.path("")).output();
    let ended = Ended::from(output.unwrap());
    assert!(ended.code == 1 && ended.stderr.starts_with("error: writing sealed failed"));
    assert_eq!(folder.files(), ["key.txt", "text"]);
    // The disk of the manifest is full: the output is complete, and that is told.
    let full = ["encrypt", "-i", "key.txt", "--sum", "/dev/full", "-o", "sealed", "text"];
    folder.call(&full).bad(1, "writing manifest /dev/full failed: the disk is full");
    assert_eq!(folder.files(), ["key.txt", "sealed", "text"]);
}
