// SPDX-License-Identifier: Apache-2.0
//! `saltmill sum` beside coreutils, where they are installed, and against published digests.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use std::{
    ffi::OsStr,
    fs::{self, OpenOptions},
    io::Write,
    os::unix::{ffi::OsStrExt, fs::symlink},
    process::Command,
    thread,
    time::{Duration, Instant},
};

use common::{
    Ended,
    coreutils::{ABC, TOOLS, ZEROS, both_say, folder},
    text,
};

#[test]
fn published_digests() {
    let folder = folder();
    folder.write("million", &vec![b'a'; 1_000_000]);
    folder.write("blake3", &text(102_400));
    for (algorithm, name, digest) in [
        // RFC 1321, A.5; FIPS 180-4's examples.
        ("md5", "abc", "900150983cd24fb0d6963f7d28e17f72"),
        ("sha1", "million", "34aa973cd4c4daa4f61eeb2bdbad27316534016f"),
        ("sha224", "million", "20794655980c91d8bbb4c1ea97618a4bf03f42581948b2ee4ee7ad67"),
        ("sha256", "abc", ABC),
        ("sha256", "million", "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
        (
            "sha384",
            "abc",
            "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed\
             8086072ba1e7cc2358baeca134c825a7",
        ),
        (
            "sha512",
            "abc",
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a\
             2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
        ),
        // test_vectors.json of BLAKE3, whose input has the same period.
        ("blake3", "blake3", "bc3e3d41a1146b069abffad3c0d44860cf664390afce4d9661f7902e7943e085"),
    ] {
        let found = folder.call(&["sum", "-a", algorithm, name]).good();
        assert_eq!(String::from_utf8(found).unwrap(), format!("{digest}  {name}\n"));
    }
}

#[test]
fn manifests_are_those_of_coreutils() {
    let folder = folder();
    folder.write("empty", b"");
    folder.write("large", &text(5_000_001));
    let odd = ["a b", " a", "*a", "a\nb", "a\\b", "a\rb", "é", "a) = b", "#", "-x"];
    for name in odd {
        folder.write(name, name.as_bytes());
    }
    let bytes = folder.path("").join(OsStr::from_bytes(b"\xff\xfe"));
    fs::write(bytes, b"no text").unwrap();
    let names = "for name in *; do set -- \"$@\" \"$name\"; done; exec \"$@\"";
    for (algorithm, tool) in TOOLS {
        for style in ["--", "--tag --", "--zero --", "-z --tag --"] {
            let run = |program: &str| {
                let mut shell = Command::new("sh");
                let script = format!("set -- {program} {style}; {names}");
                Ended::from(
                    shell.args(["-c", &script]).current_dir(folder.path("")).output().unwrap(),
                )
            };
            let ours = run(&format!("{} sum -a {algorithm}", common::SALTMILL)).good();
            let end = if style.contains("-z") { 0 } else { b'\n' };
            assert_eq!(ours.split(|byte| *byte == end).count(), 16);
            let theirs = run(tool);
            assert!(theirs.code == 127 || theirs.good() == ours, "{tool} {style}");
        }
    }
}

#[test]
fn files_that_can_not_be_read() {
    let folder = folder();
    fs::create_dir(folder.path("d")).unwrap();
    for (algorithm, tool) in TOOLS {
        both_say(&folder, algorithm, tool, &["abc", "missing", "d", "abc"]);
        both_say(&folder, algorithm, tool, &["--check", "missing"]);
        both_say(&folder, algorithm, tool, &["-"]);
    }
    let ended = folder.call(&["sum", "missing", "abc"]);
    assert_eq!(ended.code, 1);
    assert_eq!(ended.stderr, "saltmill: missing: No such file or directory\n");
    assert_eq!(ended.stdout, format!("{ABC}  abc\n").as_bytes());
}

#[test]
fn what_is_written_can_be_checked() {
    let folder = folder();
    fs::create_dir_all(folder.path("in/sub")).unwrap();
    folder.write("in/sub/large", &text(9_000_000));
    symlink("sub", folder.path("in/link")).unwrap();
    for name in [&b"a"[..], b"b\r", b"c\n", b"\xff"] {
        fs::write(folder.path("in").join(OsStr::from_bytes(name)), name).unwrap();
    }
    for style in [&["-a", "sha256"][..], &["--zero"], &["-a", "md5,blake3", "-a", "sha1"]] {
        let made = folder.call(&[&["sum", "--recursive", "in"], style].concat());
        let sentence = "warning: skipped, because they are links or special files: in/link\n";
        assert!(made.code == 0 && made.stderr.starts_with(sentence), "{}", made.stderr);
        folder.write("manifest", &made.stdout);
        let zero = if style == ["--zero"] { &style[..1] } else { &[] };
        let checked = folder.call(&[&["sum", "--check", "manifest"], zero].concat()).good();
        let algorithms = if style.len() == 4 { 3 } else { 1 };
        let ok = checked.windows(5).filter(|part| part == b": OK\n").count();
        assert_eq!(ok, 5 * algorithms, "{style:?}");
    }
}

fn json_lines(ended: &Ended) -> Vec<serde_json::Value> {
    let lines = ended.stdout.split_inclusive(|byte| *byte == b'\n');
    lines.map(|line| serde_json::from_slice(line).unwrap()).collect()
}

#[test]
fn json_has_every_name() {
    let folder = folder();
    fs::write(folder.path("").join(OsStr::from_bytes(b"x\xff")), b"").unwrap();
    let mut command = folder.command(&["sum", "-a", "md5,sha256", "--json", "abc", "missing"]);
    let ended = Ended::from(command.arg(OsStr::from_bytes(b"x\xff")).output().unwrap());
    assert_eq!(ended.code, 1);
    let lines = json_lines(&ended);
    assert_eq!((&lines[0]["file"], &lines[0]["bytes"]), (&"abc".into(), &3.into()));
    assert_eq!(lines[0]["digests"]["sha256"], ABC);
    assert_eq!(lines[0]["digests"]["md5"], "900150983cd24fb0d6963f7d28e17f72");
    assert_eq!(lines[1]["error"], "No such file or directory");
    assert_eq!((&lines[2]["file"], &lines[2]["file_hex"]), (&"x\u{fffd}".into(), &"78ff".into()));
    folder.write("manifest", format!("{ABC}  abc\n{ZEROS}  abc\n{ABC}  missing\n").as_bytes());
    let ended = folder.call(&["sum", "--check", "--json", "manifest"]);
    let lines = json_lines(&ended);
    let status: Vec<_> = lines.iter().map(|line| line["status"].as_str().unwrap()).collect();
    assert_eq!(status, ["ok", "failed", "unreadable"]);
}

#[test]
fn a_file_that_changes_while_it_is_read_has_no_digest() {
    let folder = folder();
    // Longer with BLAKE3, which is faster and reads it in pieces.
    for (algorithm, bytes) in [("sha512", 256 << 20), ("blake3", 2 << 30)] {
        let file = fs::File::create(folder.path("growing")).unwrap();
        file.set_len(bytes).unwrap();
        let child = folder.command(&["sum", "-a", algorithm, "growing", "abc"]).spawn().unwrap();
        let open = format!("/proc/{}/fd", child.id());
        let growing = folder.path("growing").canonicalize().unwrap();
        let is_open = || {
            let mut files = fs::read_dir(&open).unwrap().filter_map(Result::ok);
            files.any(|file| fs::read_link(file.path()).is_ok_and(|name| name == growing))
        };
        let patience = Instant::now() + Duration::from_secs(30);
        while !is_open() {
            assert!(Instant::now() < patience, "it is not opened");
            thread::sleep(Duration::from_millis(1));
        }
        // It is open, and what it was like is known a moment later.
        thread::sleep(Duration::from_millis(20));
        let mut file = OpenOptions::new().append(true).open(&growing).unwrap();
        file.write_all(b"more").unwrap();
        let ended = Ended::from(child.wait_with_output().unwrap());
        assert_eq!(ended.stderr, "saltmill: growing: file changed while it was read\n");
        let stdout = String::from_utf8(ended.stdout).unwrap();
        assert!(ended.code == 1 && stdout.lines().count() == 1 && stdout.ends_with("  abc\n"));
    }
}

#[test]
fn an_interrupt_ends_it() {
    let folder = folder();
    fs::File::create(folder.path("large")).unwrap().set_len(64 << 30).unwrap();
    let child = folder.interruptible(&["sum", "-a", "sha512", "abc", "large"]).spawn().unwrap();
    thread::sleep(Duration::from_millis(200));
    let signal = Command::new("kill").args(["-2", &child.id().to_string()]).status();
    assert!(signal.unwrap().success());
    let ended = Ended::from(child.wait_with_output().unwrap());
    ended.bad(130, "interrupted");
}

#[test]
fn command_lines_that_make_no_sense() {
    let folder = folder();
    for option in ["--ignore-missing", "--quiet", "--status", "--strict", "--warn"] {
        let ended = folder.call(&["sum", option, "abc"]);
        assert!(ended.code == 2 && ended.stderr.contains("--check"), "{}", ended.stderr);
    }
    for options in [&["--check", "--tag"][..], &["--json", "--tag"], &["-a", "sha3"], &["-r"]] {
        let ended = folder.call(&[&["sum"], options].concat());
        assert!(ended.code == 2 && ended.stderr.starts_with("error: "), "{}", ended.stderr);
    }
    let both = ["sum", "--check", "-a", "md5,sha256", "abc"];
    folder.call(&both).bad(2, "--check takes one --algorithm at most");
}

#[test]
fn standard_output_that_does_not_take_it() {
    let folder = folder();
    let many = [vec!["sum", "-a", "md5"], vec!["abc"; 20_000]].concat();
    let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = folder.command(&many).stdout(full).output().unwrap();
    Ended::from(output).bad(1, "standard output can't be written: the disk is full");
    // As with `head`.
    let mut child = folder.command(&many).spawn().unwrap();
    drop(child.stdout.take());
    Ended::from(child.wait_with_output().unwrap()).good();
}

#[test]
fn progress_is_shown() {
    let folder = folder();
    folder.write("large", &text(9_000_000));
    for algorithm in ["md5", "blake3"] {
        let ended = folder.call(&["sum", "-a", algorithm, "--progress", "always", "abc", "large"]);
        assert_eq!((ended.code, ended.stderr.as_str()), (0, "progress: 8.58 MiB of 8.58 MiB\n"));
    }
}
