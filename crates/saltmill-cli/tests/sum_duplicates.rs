// SPDX-License-Identifier: Apache-2.0
//! `saltmill sum --duplicates`.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use std::{
    ffi::OsStr,
    fs::{self, OpenOptions},
    os::unix::{ffi::OsStrExt, fs::symlink},
    thread,
    time::Duration,
};

use common::{Ended, Folder, text};

const CALL: [&str; 4] = ["sum", "--duplicates", "--recursive", "in"];

/// Files in `in`: three with one content, two with another one of the same length, two that are
/// empty, and some that have no like.
fn folder() -> Folder {
    let folder = Folder::new();
    fs::create_dir_all(folder.path("in/sub")).unwrap();
    let large = text(9_000_000);
    let mut other = large.clone();
    *other.last_mut().unwrap() ^= 1;
    for (name, content) in [
        ("in/a", &large[..]),
        ("in/b", &other),
        ("in/c", b""),
        ("in/d", b"single"),
        ("in/e", b"alone!"),
        ("in/sub/a", &large),
        ("in/sub/b", &other),
        ("in/sub/c", b""),
        ("in/sub/d", &large),
    ] {
        folder.write(name, content);
    }
    folder
}

#[test]
fn groups_have_one_content() {
    let folder = folder();
    let groups = "in/a\nin/sub/a\nin/sub/d\n\nin/b\nin/sub/b\n\nin/c\nin/sub/c\n";
    for algorithms in [&[][..], &["-a", "md5"], &["-a", "sha1,blake3"]] {
        let found = folder.call(&[&CALL[..], algorithms].concat()).good();
        assert_eq!(String::from_utf8(found).unwrap(), groups);
    }
    let found = folder.call(&[&CALL[..], &["--zero"]].concat()).good();
    assert_eq!(String::from_utf8(found).unwrap().replace('\0', "\n"), groups);
    // Named one by one, in that order; and nothing is like nothing else.
    let found = folder.call(&["sum", "--duplicates", "in/sub/b", "in/d", "in/b"]).good();
    assert_eq!(found, b"in/sub/b\nin/b\n");
    assert!(folder.call(&["sum", "--duplicates", "in/a", "in/b", "in/d"]).good().is_empty());
}

#[test]
fn one_file_is_not_its_own_duplicate() {
    let folder = folder();
    fs::hard_link(folder.path("in/d"), folder.path("in/d2")).unwrap();
    fs::hard_link(folder.path("in/sub/c"), folder.path("in/sub/c2")).unwrap();
    symlink("a", folder.path("in/link")).unwrap();
    let ended = folder.call(&["sum", "--duplicates", "-r", "in", "./in/a"]);
    assert_eq!(ended.code, 0);
    assert!(ended.stdout.ends_with(b"in/b\nin/sub/b\n\nin/c\nin/sub/c\n"));
    let lines: Vec<_> = ended.stderr.lines().collect();
    assert!(lines[0].starts_with("warning: skipped, because they are links"), "{lines:?}");
    assert_eq!(lines[2], "saltmill: left out, as hard links to files above: in/sub/c2");
    let ended = folder.call(&[&CALL[..], &["--json"]].concat());
    let lines: Vec<serde_json::Value> = ended
        .stdout
        .split_inclusive(|byte| *byte == b'\n')
        .map(|line| serde_json::from_slice(line).unwrap())
        .collect();
    assert_eq!((lines.len(), &lines[0]["bytes"]), (3, &9_000_000.into()));
    assert_eq!(lines[0]["files"][2]["file"], "in/sub/d");
    assert!(lines[0]["files"][0].get("links").is_none());
    assert_eq!(lines[2]["files"][1]["links"][0]["file"], "in/sub/c2");
    // b3sum of nothing.
    let empty = "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262";
    assert_eq!(lines[2]["digests"]["blake3"], empty);
}

#[test]
fn names_can_not_look_like_two() {
    let folder = Folder::new();
    fs::create_dir(folder.path("in")).unwrap();
    for name in [&b"a\nb"[..], b"c\\d", b"\xff"] {
        fs::write(folder.path("in").join(OsStr::from_bytes(name)), "same").unwrap();
    }
    assert_eq!(folder.call(&CALL).good(), b"\\in/a\\nb\nin/c\\d\nin/\xff\n");
    let found = folder.call(&[&CALL[..], &["--zero"]].concat()).good();
    assert_eq!(found, b"in/a\nb\0in/c\\d\0in/\xff\0");
}

#[test]
fn what_can_not_be_read_is_told_and_the_others_are_done() {
    let folder = folder();
    let ended =
        folder.call(&["sum", "--duplicates", "in/a", "no", "in/sub", "/dev/null", "in/sub/a"]);
    assert_eq!((ended.code, &ended.stdout[..]), (1, &b"in/a\nin/sub/a\n"[..]));
    assert_eq!(
        ended.stderr,
        "saltmill: no: No such file or directory\n\
         saltmill: in/sub: Is a directory\n\
         saltmill: /dev/null: not a regular file\n"
    );
}

#[test]
fn command_lines_that_make_no_sense() {
    let folder = folder();
    for options in [&["--check"][..], &["--tag"], &["--update", "SUMS"]] {
        let ended = folder.call(&[&CALL[..], options].concat());
        assert!(ended.code == 2 && ended.stderr.contains("cannot be used with"), "{options:?}");
    }
    let ended = folder.call(&["sum", "--duplicates"]);
    assert!(ended.code == 2 && ended.stderr.contains("<FILE>"), "{}", ended.stderr);
}

#[test]
fn progress_and_interrupts() {
    let folder = folder();
    let ended = folder.call(&[&CALL[..], &["--progress", "always"]].concat());
    assert_eq!((ended.code, ended.stderr.as_str()), (0, "progress: 42.92 MiB of 42.92 MiB\n"));
    for name in ["in/huge", "in/huge2"] {
        fs::File::create(folder.path(name)).unwrap().set_len(1 << 38).unwrap();
    }
    let child = folder.interruptible(&CALL).spawn().unwrap();
    thread::sleep(Duration::from_millis(300));
    let signal = std::process::Command::new("kill").args(["-2", &child.id().to_string()]).status();
    assert!(signal.unwrap().success());
    Ended::from(child.wait_with_output().unwrap()).bad(130, "interrupted");
}

#[test]
fn standard_output_that_does_not_take_it() {
    let folder = folder();
    let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = folder.command(&CALL).stdout(full).output().unwrap();
    Ended::from(output).bad(1, "standard output can't be written: the disk is full");
}
