// SPDX-License-Identifier: Apache-2.0
//! `saltmill sum --update` that is interrupted: what was hashed is not hashed again.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use std::{
    fs::{self, File},
    process::{Child, Command},
    thread,
    time::{Duration, Instant, SystemTime},
};

use common::{Ended, Folder};

const UPDATE: [&str; 5] = ["sum", "--update", "SUMS", "--recursive", "in"];

/// Small files, which are done soon, and one that is not; nobody has written to them lately.
fn folder() -> Folder {
    let folder = Folder::new();
    fs::create_dir(folder.path("in")).unwrap();
    for number in 0..100 {
        folder.write(&format!("in/{number:03}"), b"small");
    }
    File::create(folder.path("in/huge")).unwrap().set_len(1 << 36).unwrap();
    for entry in fs::read_dir(folder.path("in")).unwrap() {
        let file = File::options().append(true).open(entry.unwrap().path()).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(100)).unwrap();
    }
    folder
}

/// Starts a run, and waits until all small files are in the journal.
fn start(folder: &Folder) -> Child {
    let mut child = folder.interruptible(&UPDATE).spawn().unwrap();
    let patience = Instant::now() + Duration::from_secs(30);
    while fs::read_to_string(folder.path("SUMS.part")).unwrap_or_default().lines().count() < 201 {
        if Instant::now() > patience {
            child.kill().unwrap();
            panic!("they are not done");
        }
        thread::sleep(Duration::from_millis(5));
    }
    child
}

fn signal(child: &Child, number: &str) {
    let status = Command::new("kill").args([number, &child.id().to_string()]).status();
    assert!(status.unwrap().success());
}

/// The file that takes so long becomes one that does not.
#[track_caller]
fn goes_on(folder: &Folder, sentence: &str) {
    File::options().write(true).open(folder.path("in/huge")).unwrap().set_len(5).unwrap();
    let ended = folder.call(&UPDATE);
    assert_eq!((ended.code, ended.stderr.as_str()), (0, sentence));
    assert_eq!(folder.files(), ["SUMS", "in"]);
    folder.call(&["sum", "--check", "--strict", "--quiet", "SUMS"]).good();
}

const REST: &str = "saltmill: SUMS: 1 file hashed, 100 hashed by the run that was interrupted, \
                    0 trusted by size, time and inode\n";

#[test]
fn after_an_interrupt_it_goes_on() {
    for (number, code) in [("-2", 130), ("-15", 143)] {
        let folder = folder();
        let child = start(&folder);
        signal(&child, number);
        let ended = Ended::from(child.wait_with_output().unwrap());
        assert!(ended.stderr.contains("\nhint: run it again: SUMS.part has what was hashed\n"));
        ended.bad(code, "interrupted");
        assert_eq!(folder.files(), ["SUMS.part", "in"]);
        goes_on(&folder, REST);
    }
}

#[test]
fn after_a_kill_it_goes_on() {
    let folder = folder();
    let mut child = start(&folder);
    child.kill().unwrap();
    child.wait().unwrap();
    // Half a line, as a kill may leave it, and what a power failure may.
    let mut journal = folder.read("SUMS.part");
    journal.extend(b"\0\0\0\n\xff\nSHA256 (in/huge) = 1234");
    folder.write("SUMS.part", &journal);
    goes_on(&folder, REST);
}

#[test]
fn what_changed_after_the_interrupt_is_read_again() {
    let folder = folder();
    let child = start(&folder);
    signal(&child, "-2");
    child.wait_with_output().unwrap();
    folder.write("in/000", b"SMALL");
    fs::remove_file(folder.path("in/001")).unwrap();
    goes_on(
        &folder,
        "saltmill: SUMS: 2 files hashed, 98 hashed by the run that was interrupted, \
         0 trusted by size, time and inode\n",
    );
}

#[test]
fn two_runs_are_not_in_each_others_way() {
    let folder = folder();
    let mut child = start(&folder);
    let second = folder.call(&UPDATE);
    second.bad(2, "another saltmill is at work on this manifest: SUMS.part is its");
    child.kill().unwrap();
    child.wait().unwrap();
    goes_on(&folder, REST);
}

#[test]
fn a_file_that_is_no_journal_is_not_touched() {
    let folder = Folder::new();
    for content in [&b"mine"[..], b"# saltmill"] {
        folder.write("SUMS.part", content);
        let ended = folder.call(&["sum", "--update", "SUMS", "key"]);
        if content == b"mine" {
            ended.bad(2, "SUMS.part is in the way: it is not a file of saltmill");
            assert_eq!(folder.read("SUMS.part"), b"mine");
        } else {
            // A kill at the very start.
            assert_eq!(ended.code, 0, "{}", ended.stderr);
            assert_eq!(folder.files(), ["SUMS"]);
        }
    }
}

/// A file size limit is as good as a disk that is full.
#[test]
fn a_full_disk_loses_nothing() {
    let folder = folder();
    let script =
        format!("trap '' XFSZ; ulimit -f 4; exec {} {}", common::SALTMILL, UPDATE.join(" "));
    let mut shell = Command::new("bash");
    let output = shell.args(["-c", &script]).current_dir(folder.path("")).output().unwrap();
    Ended::from(output).bad(1, "writing SUMS.part failed: file too large");
    let journal = fs::metadata(folder.path("SUMS.part")).unwrap();
    assert_eq!(journal.len(), 4096);
    File::options().write(true).open(folder.path("in/huge")).unwrap().set_len(5).unwrap();
    let ended = folder.call(&UPDATE);
    assert!(ended.code == 0 && ended.stderr.contains("hashed by the run that was interrupted"));
    assert_eq!(folder.files(), ["SUMS", "in"]);
}
