// SPDX-License-Identifier: Apache-2.0
//! What happens around a run in the age format: killed, its input changed meanwhile, its output
//! gone.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use std::{
    fs,
    io::{Read, Write},
    process::Stdio,
    thread,
    time::{Duration, Instant},
};
#[cfg(feature = "sim")]
use std::{fs::OpenOptions, process::Child};

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

/// Kills a call after so many microseconds. Whether it was still running, and nothing of it is left
/// but a whole file, or what was there.
fn killed(folder: &Folder, call: &[&str], after: u64, before: Option<&[u8]>, whole: &[u8]) -> bool {
    if let Some(before) = before {
        folder.write("out", before);
    }
    let started = Instant::now();
    let mut child = folder.command(call).spawn().unwrap();
    thread::sleep(Duration::from_micros(after).saturating_sub(started.elapsed()));
    child.kill().unwrap();
    let ended = Ended::from(child.wait_with_output().unwrap());
    let killed = ended.code == -9;
    match fs::read(folder.path("out")) {
        Ok(found) if found == whole => {}
        Ok(found) => {
            let old = before.is_some_and(|before| before == found);
            assert!(killed && old, "{} bytes after {after} us", found.len());
        }
        Err(_) => assert!(killed && before.is_none(), "{} after {after} us", ended.stderr),
    }
    let _ = fs::remove_file(folder.path("out"));
    for name in folder.files().iter().filter(|name| name.starts_with(".saltmill-")) {
        // There for the instant of the rename that replaces a file; then it is complete.
        assert!(before.is_some() && folder.read(name) == whole, "{name} after {after} us");
        fs::remove_file(folder.path(name)).unwrap();
    }
    assert_eq!(folder.files(), ["key.txt", "sealed", "text"]);
    killed
}

/// Moments from the start to beyond the end, in an order that looks like chance: steps of the
/// golden ratio.
fn moments(longest: u64, count: u64) -> impl Iterator<Item = u64> {
    (0..count).map(move |step| (step * 618_034 % 1_000_000) * longest / 1_000_000)
}

/// In `make test-all` a thousand times, over files of 1 MiB to 1 GiB.
#[test]
fn a_kill_at_any_moment_leaves_nothing_and_loses_nothing() {
    let long = std::env::var_os("SALTMILL_LONG").is_some();
    let (sizes, count): (&[usize], _) =
        if long { (&[1 << 20, 16 << 20, 128 << 20, 1 << 30], 125) } else { (&[30_000_000], 40) };
    for &size in sizes {
        let folder = folder(size);
        let whole = folder.read("text");
        let decrypt = [&DECRYPT[..], &["sealed"]].concat();
        // The shortest: the first one may be slower than all that follow.
        let runs = (0..3).map(|_| {
            let started = Instant::now();
            folder.call(&decrypt).good();
            let elapsed = started.elapsed();
            fs::remove_file(folder.path("out")).unwrap();
            elapsed
        });
        let longest = u64::try_from(runs.min().unwrap().as_micros()).unwrap() * 5 / 4;
        let replace = [&decrypt[..], &["--force"]].concat();
        for (call, before) in [(&decrypt, None), (&replace, Some(&b"precious"[..]))] {
            let at = moments(longest, count);
            let killed = at.filter(|&at| killed(&folder, call, at, before, &whole)).count();
            println!("{size} bytes: {killed} of {count} killed in mid-run, {call:?}");
            assert!(killed > 0, "every run was faster");
        }
    }
}

/// The signal that a file size limit sends ends a program that does not know of it.
#[test]
fn a_file_size_limit_leaves_nothing() {
    let folder = folder(4_000_000);
    let call = [&ENCRYPT[..], &["text"]].concat().join(" ");
    let script = format!("ulimit -c 0; ulimit -f 1000; exec {} {call}", common::SALTMILL);
    let mut shell = std::process::Command::new("bash");
    let output = shell.args(["-c", &script]).current_dir(folder.path("")).output().unwrap();
    let ended = Ended::from(output);
    // Rust programs may have it ignored; then the file can't be written on.
    assert!(ended.code == -25 || ended.code == 1, "{ended:?}");
    assert_eq!(folder.files(), ["key.txt", "sealed", "text"]);
}

/// A run that is slow enough for its input to be changed: on a simulated device.
#[cfg(feature = "sim")]
fn slow(folder: &Folder, arguments: &[&str]) -> Child {
    let engine = ["--engine", "sim", "--sim-variant", "aead-small"];
    let child = folder.command(&[arguments, &engine].concat()).spawn().unwrap();
    folder.wait_for_output(&child);
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
    folder.wait_for_output(&child);
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
