// SPDX-License-Identifier: Apache-2.0
//! Many files in one call: what they are called, what fails alone, what ends the call.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::symlink,
    path::Path,
    thread,
    time::{Duration, Instant},
};

use common::{Ended, Folder, text};

const CHUNK: usize = 64 << 10;

/// A folder with an identity, and files of many lengths at several depths in `in`.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.call(&["keygen", "-o", "key.txt"]);
    for (name, len) in [
        ("in/empty", 0),
        ("in/a", 1),
        ("in/b c.txt", 4096),
        ("in/sub/a", CHUNK),
        ("in/sub/deep/a.age", CHUNK + 1),
        ("in/sub/deep/large", 80 * CHUNK + 3),
    ] {
        let path = folder.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text(len)).unwrap();
    }
    folder
}

/// All regular files below a folder: their places and contents.
fn tree(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_symlink() {
            } else if path.is_dir() {
                folders.push(path);
            } else {
                let place = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
                found.insert(place, fs::read(path).unwrap());
            }
        }
    }
    found
}

const ENCRYPT: [&str; 7] =
    ["encrypt", "-i", "key.txt", "--recursive", "in", "--out-dir", "sealed/here"];
const DECRYPT: [&str; 7] =
    ["decrypt", "-i", "key.txt", "--recursive", "sealed/here", "--out-dir", "out"];

/// Ended with these sentences, in this order, and a hint behind each.
#[track_caller]
fn told(ended: &Ended, code: i32, sentences: &[&str]) {
    let lines: Vec<_> = ended.stderr.lines().collect();
    let (sentences_found, hints): (Vec<_>, Vec<_>) =
        lines.chunks(2).map(|pair| (pair[0], pair[1])).unzip();
    assert_eq!((ended.code, &sentences_found[..]), (code, sentences));
    assert!(hints.iter().all(|hint| hint.starts_with("hint: ") && hint.len() > 10), "{lines:?}");
}

#[test]
fn folders_go_there_and_back() {
    let folder = folder();
    folder.call(&ENCRYPT).good();
    let sealed = tree(&folder.path("sealed/here"));
    let before = tree(&folder.path("in"));
    assert!(
        sealed.keys().eq(before
            .keys()
            .map(|name| format!("{name}.age"))
            .collect::<Vec<_>>()
            .iter())
    );
    folder.call(&DECRYPT).good();
    assert_eq!(tree(&folder.path("out")), before);
    folder.call(&["decrypt", "-i", "key.txt", "--verify", "--recursive", "sealed"]).good();
    // The armor makes streams of all of them.
    let armored = [&ENCRYPT[..], &["--armor", "--force"]].concat();
    folder.call(&armored).good();
    assert!(tree(&folder.path("sealed/here"))["a.age"].starts_with(b"-----BEGIN AGE"));
    folder.call(&[&DECRYPT[..], &["--force"]].concat()).good();
    assert_eq!(tree(&folder.path("out")), before);
}

#[test]
fn named_files_need_a_folder() {
    let folder = folder();
    let named = ["encrypt", "-i", "key.txt", "in/a", "in/b c.txt"];
    folder.call(&named).bad(2, "several files can't have one output");
    folder.call(&[&named[..], &["--out-dir", "out"]].concat()).good();
    assert!(tree(&folder.path("out")).keys().eq(["a.age", "b c.txt.age"]));
    folder.call(&["encrypt", "-i", "key.txt", "--out-dir", "q"]).bad(2, "no files are named");
    let ended =
        folder.call(&["encrypt", "-i", "key.txt", "--out-dir", "q", "in", "-", "in/a", "in/sub/a"]);
    told(
        &ended,
        2,
        &[
            "error: input in can't be read: it is a directory",
            "error: standard input has no name for its output",
            "error: in/a and in/sub/a would both be q/a.age",
            "error: 3 of 4 files could not be done",
        ],
    );
    assert!(tree(&folder.path("q")).keys().eq(["a.age"]));
}

#[test]
fn outputs_among_the_inputs_do_not_become_inputs() {
    let folder = folder();
    let count = tree(&folder.path("in")).len();
    let inside = ["encrypt", "-i", "key.txt", "--recursive", "in", "--out-dir", "in/sealed"];
    folder.call(&inside).good();
    folder.call(&[&inside[..], &["--force"]].concat()).good();
    assert_eq!(tree(&folder.path("in/sealed")).len(), count);
}

#[test]
fn what_fails_is_told_and_the_others_are_done() {
    let folder = folder();
    folder.call(&ENCRYPT).good();
    let before = tree(&folder.path("in"));
    let sealed = |name: &str| folder.path("sealed/here").join(name);
    let mut cut = fs::read(sealed("b c.txt.age")).unwrap();
    cut.truncate(cut.len() - 1);
    fs::write(sealed("b c.txt.age"), cut).unwrap();
    fs::write(sealed("sub/deep/other.age"), b"no age file").unwrap();
    let mut changed = fs::read(sealed("sub/deep/large.age")).unwrap();
    let middle = changed.len() / 2;
    changed[middle] ^= 1;
    fs::write(sealed("sub/deep/large.age"), changed).unwrap();
    fs::write(sealed("sub/named"), b"").unwrap();
    symlink("a.age", sealed("link.age")).unwrap();
    let ended = folder.call(&DECRYPT);
    let lines: Vec<_> = ended.stderr.lines().filter(|line| !line.starts_with("hint:")).collect();
    assert_eq!(
        lines[0],
        "warning: skipped, because they are links or special files: sealed/here/link.age"
    );
    assert_eq!(
        lines[1],
        "error: sealed/here/sub/named does not end in .age: its output has no name"
    );
    assert!(
        lines[2].starts_with("error: sealed/here/b c.txt.age was changed or cut off: chunk 0,")
    );
    assert!(lines[3].starts_with("error: sealed/here/sub/deep/large.age was changed or cut off"));
    assert_eq!(
        lines[4],
        "error: sealed/here/sub/deep/other.age can't be decrypted: it is not an age file"
    );
    assert_eq!((ended.code, lines[5]), (2, "error: 4 of 8 files could not be done"));
    let mut rest = before.clone();
    rest.remove("b c.txt");
    rest.remove("sub/deep/large");
    assert_eq!(tree(&folder.path("out")), rest, "and nothing is left of the others");
    // What is there is not replaced.
    let again = folder.call(&DECRYPT);
    assert!(again.stderr.contains("error: output out/a exists\n"), "{}", again.stderr);
    assert_eq!(tree(&folder.path("out")), rest);
}

#[test]
fn statistics_that_can_not_be_written_hide_nothing() {
    let folder = folder();
    fs::write(folder.path("in/a.age"), b"no age file").unwrap();
    let decrypt = ["decrypt", "-i", "key.txt", "--verify", "--stats", "/dev/full", "in/a.age"];
    let ended = folder.call(&[&decrypt[..], &["key.txt"]].concat());
    told(
        &ended,
        2,
        &[
            "error: in/a.age can't be decrypted: it is not an age file",
            "error: key.txt can't be decrypted: it is not an age file",
            "error: writing statistics file /dev/full failed: the disk is full",
            "error: 2 of 2 files could not be done",
        ],
    );
    let encrypt = ["encrypt", "-i", "key.txt", "--out-dir", "out", "in/a", "in/empty"];
    let sentence = "writing statistics file /dev/full failed: the disk is full";
    folder.call(&[&encrypt[..], &["--stats", "/dev/full"]].concat()).bad(1, sentence);
    assert_eq!(tree(&folder.path("out")).len(), 2);
}

#[test]
fn links_are_followed_where_they_are_named() {
    let folder = folder();
    symlink("in/a", folder.path("good")).unwrap();
    symlink("nothing", folder.path("dangling")).unwrap();
    let named = ["encrypt", "-i", "key.txt", "--out-dir", "out", "dangling", "good"];
    let sentence = "error: input dangling can't be read: there is no such file";
    told(&folder.call(&named), 2, &[sentence, "error: 1 of 2 files could not be done"]);
    assert!(tree(&folder.path("out")).keys().eq(["good.age"]));
}

#[test]
fn an_interrupt_leaves_whole_files_only() {
    let folder = folder();
    for index in 0..2000 {
        fs::write(folder.path(&format!("in/{index}")), text(100_000)).unwrap();
    }
    let child = folder.interruptible(&ENCRYPT).spawn().unwrap();
    let patience = Instant::now() + Duration::from_secs(30);
    let sealed = folder.path("sealed/here");
    while fs::read_dir(&sealed).map_or(0, Iterator::count) < 20 {
        assert!(Instant::now() < patience, "nothing is made");
        thread::sleep(Duration::from_millis(1));
    }
    let signal = std::process::Command::new("kill").args(["-2", &child.id().to_string()]).status();
    assert!(signal.unwrap().success());
    let ended = Ended::from(child.wait_with_output().unwrap());
    if ended.code == 0 {
        return; // it was faster than the signal
    }
    assert_eq!(ended.code, 130, "{}", ended.stderr);
    assert!(ended.stderr.starts_with("error: interrupted, after "), "{}", ended.stderr);
    let verify = ["decrypt", "-i", "key.txt", "--verify", "--recursive", "sealed/here"];
    folder.call(&verify).good();
    assert!(tree(&sealed).keys().all(|name| !name.contains(".part")));
}

#[cfg(feature = "sim")]
#[test]
fn devices_and_cpus_share_the_files() {
    let folder = folder();
    let engines = ["--engine", "sim:2", "--engine", "cpu", "--stats", "stats.json"];
    folder.call(&[&ENCRYPT[..], &engines].concat()).good();
    let stats: serde_json::Value = serde_json::from_slice(&folder.read("stats.json")).unwrap();
    let bytes: u64 = tree(&folder.path("in")).values().map(|text| text.len() as u64).sum();
    assert_eq!(stats["bytes"], bytes);
    let workers = stats["workers"].as_array().unwrap().iter();
    assert_eq!(workers.map(|worker| worker["bytes"].as_u64().unwrap()).sum::<u64>(), bytes);
    folder.call(&DECRYPT).good();
    assert_eq!(tree(&folder.path("out")), tree(&folder.path("in")));
}

#[cfg(feature = "sim")]
#[test]
fn files_of_a_device_that_fails_are_done_by_others() {
    let folder = folder();
    let hang = ["--engine", "sim", "--sim-hang-at", "20000", "--deadline", "1"];
    let ended = folder.call(&[&ENCRYPT[..], &hang, &["--engine", "cpu"]].concat());
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    folder.call(&DECRYPT).good();
    assert_eq!(tree(&folder.path("out")), tree(&folder.path("in")));
    let alone = folder.call(&[&ENCRYPT[..], &hang, &["--force"]].concat());
    assert_eq!(alone.code, 3, "{}", alone.stderr);
}
