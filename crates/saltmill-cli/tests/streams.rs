// SPDX-License-Identifier: Apache-2.0
//! Standard output and error that can't be written, and few files that may be open at a time.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use std::{
    fs::{self, File, OpenOptions},
    io::{Read, Write},
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use common::{Ended, Folder, SALTMILL, text};

fn folder() -> Folder {
    let folder = Folder::new();
    folder.call(&["keygen", "-o", "key.txt"]);
    folder.write("text", &text(1000));
    folder.call(&["encrypt", "-i", "key.txt", "-o", "sealed", "text"]).good();
    folder
}

fn full() -> File {
    OpenOptions::new().write(true).open("/dev/full").unwrap()
}

/// The end of a pipe whose other end is closed.
fn gone() -> Stdio {
    let mut reader = Command::new("true").stdin(Stdio::piped()).spawn().unwrap();
    let pipe = reader.stdin.take().unwrap();
    reader.wait().unwrap();
    pipe.into()
}

#[test]
fn lists_and_texts_that_can_not_be_printed_are_failures() {
    let folder = folder();
    for call in [
        &["inspect", "sealed"][..],
        &["inspect", "--json", "sealed"],
        &["devices", "--engine", "cpu", "--workers", "1"],
        &["completions", "bash"],
        &["man"],
        &["--help"],
        &["--version"],
        &["encrypt", "--help"],
    ] {
        let ended = folder.command(call).stdout(full()).output().unwrap();
        Ended::from(ended).bad(1, "standard output can't be written: the disk is full");
        let ended = Ended::from(folder.command(call).stdout(gone()).output().unwrap());
        assert_eq!((ended.code, ended.stderr.as_str()), (0, ""), "{call:?}: head has seen enough");
    }
}

#[test]
fn whoever_does_not_listen_does_not_break_a_good_run() {
    let folder = folder();
    let stderr: [fn() -> Stdio; 2] = [|| full().into(), gone];
    for (number, stderr) in stderr.into_iter().enumerate() {
        let key = format!("new{number}.txt");
        let encrypt =
            ["encrypt", "-i", "key.txt", "--progress", "always", "--force", "-o", "out", "text"];
        for call in [&["keygen", "-o", &key][..], &encrypt] {
            let ended = folder.command(call).stderr(stderr()).output().unwrap();
            assert_eq!(ended.status.code(), Some(0), "{call:?}");
        }
        folder.call(&["decrypt", "-i", "key.txt", "--verify", "out"]).good();
        let failed = ["decrypt", "-i", &key, "--verify", "sealed"];
        let ended = folder.command(&failed).stderr(stderr()).output().unwrap();
        assert_eq!(ended.status.code(), Some(4), "the exit code still tells");
    }
    let script = format!("exec {SALTMILL} keygen -o closed.txt 2>&-");
    let ended = Command::new("sh").args(["-c", &script]).current_dir(folder.path("")).status();
    assert_eq!(ended.unwrap().code(), Some(0));
}

#[test]
fn more_workers_than_files_may_be_open() {
    let folder = folder();
    fs::create_dir(folder.path("in")).unwrap();
    for number in 0..300 {
        folder.write(&format!("in/{number}"), &text(number));
    }
    for limit in [24, 48, 256] {
        let script = format!(
            "ulimit -n {limit}; exec {SALTMILL} encrypt -i key.txt --workers 64 --force \
             --recursive in --out-dir sealed{limit}"
        );
        let mut shell = Command::new("bash");
        let output = shell.args(["-c", &script]).current_dir(folder.path("")).output().unwrap();
        Ended::from(output).good();
        let made = fs::read_dir(folder.path(&format!("sealed{limit}"))).unwrap().count();
        assert_eq!(made, 300, "{limit}");
    }
}

#[test]
fn a_chunk_goes_on_when_it_is_there() {
    let folder = folder();
    let text = text(200_000);
    let mut child =
        folder.command(&["encrypt", "-i", "key.txt"]).stdin(Stdio::piped()).spawn().unwrap();
    let (mut input, mut output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    // In pieces, with a wait behind each; the chunk is complete with the byte behind it.
    for piece in text[..65_537].chunks(30_000) {
        input.write_all(piece).unwrap();
        thread::sleep(Duration::from_millis(60));
    }
    let mut sealed = vec![0; 65_552];
    output.read_exact(&mut sealed).unwrap();
    input.write_all(&text[65_537..]).unwrap();
    drop(input);
    output.read_to_end(&mut sealed).unwrap();
    assert!(child.wait().unwrap().success());
    folder.write("sealed", &sealed);
    assert!(folder.call(&["decrypt", "-i", "key.txt", "sealed"]).good() == text);
}

#[test]
fn a_small_text_may_come_slowly() {
    let folder = folder();
    let sealed = folder.read("sealed");
    let mut child =
        folder.command(&["decrypt", "-i", "key.txt"]).stdin(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    for piece in sealed.chunks(300) {
        input.write_all(piece).unwrap();
        thread::sleep(Duration::from_millis(60));
    }
    drop(input);
    assert!(Ended::from(child.wait_with_output().unwrap()).good() == folder.read("text"));
}
