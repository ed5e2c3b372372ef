// SPDX-License-Identifier: Apache-2.0
//! Nothing that a call reads is written by it, under whatever name and with whatever option.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use std::{
    fs::{self, OpenOptions},
    os::unix::fs::symlink,
};

use common::{Ended, Folder, NONCE, text};

/// A folder with everything that can be read, and other names for all of it.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.call(&["keygen", "-o", "key.txt"]);
    let recipient = folder.call(&["keygen", "-y", "key.txt"]).good();
    folder.write("to.txt", &recipient);
    folder.write("text", &text(1000));
    folder.call(&["encrypt", "-i", "key.txt", "-o", "sealed", "text"]).good();
    for name in ["key.txt", "to.txt", "text", "sealed", "key"] {
        symlink(name, folder.path(&format!("link-{name}"))).unwrap();
        fs::hard_link(folder.path(name), folder.path(&format!("hard-{name}"))).unwrap();
    }
    folder
}

/// Every call that reads the file, as what it reads it, with `OUT` for what it writes.
fn readers() -> Vec<(&'static str, &'static str, Vec<&'static str>)> {
    let cipher = ["cipher", "--key-file", "key", "--nonce", NONCE, "-o", "OUT", "text"];
    vec![
        ("key.txt", "identity file", vec!["keygen", "-y", "key.txt", "-o", "OUT"]),
        ("key.txt", "identity file", vec!["encrypt", "-i", "key.txt", "-o", "OUT", "text"]),
        ("key.txt", "identity file", vec!["decrypt", "-i", "key.txt", "-o", "OUT", "sealed"]),
        ("key.txt", "input", vec!["encrypt", "-R", "to.txt", "-o", "OUT", "key.txt"]),
        ("to.txt", "recipients file", vec!["encrypt", "-R", "to.txt", "-o", "OUT", "text"]),
        ("text", "input", vec!["encrypt", "-i", "key.txt", "-o", "OUT", "text"]),
        ("sealed", "input", vec!["decrypt", "-i", "key.txt", "-o", "OUT", "sealed"]),
        ("key", "key file", cipher.to_vec()),
        ("text", "input", cipher.to_vec()),
    ]
}

#[test]
fn what_is_read_is_not_written() {
    let folder = folder();
    for (name, what, call) in readers() {
        let before = folder.read(name);
        for output in [name.to_owned(), format!("link-{name}"), format!("hard-{name}")] {
            let call = call.iter().map(|word| if *word == "OUT" { output.as_str() } else { word });
            let call: Vec<_> = call.chain(["--force"]).collect();
            let sentence = format!("{what} and output are the same file: {output}");
            folder.call(&call).bad(2, &sentence);
            assert!(folder.read(name) == before, "{call:?}");
        }
    }
}

#[test]
fn standard_input_and_output_count() {
    let folder = folder();
    let before = folder.read("text");
    let append = || OpenOptions::new().append(true).read(true).open(folder.path("text")).unwrap();
    let encrypt =
        |arguments: &[&str]| folder.command(&[&["encrypt", "-R", "to.txt"], arguments].concat());
    let ended = encrypt(&["text"]).stdout(append()).output().unwrap();
    let sentence = "input and output are the same file: standard output";
    Ended::from(ended).bad(2, sentence);
    let ended = encrypt(&[]).stdin(append()).stdout(append()).output().unwrap();
    Ended::from(ended).bad(2, sentence);
    let ended = encrypt(&["--force", "-o", "hard-text"]).stdin(append()).output().unwrap();
    Ended::from(ended).bad(2, "input and output are the same file: hard-text");
    assert!(folder.read("text") == before);
}

#[test]
fn of_many_files_no_output_is_an_input_or_an_identity() {
    let folder = Folder::new();
    fs::create_dir(folder.path("in")).unwrap();
    folder.call(&["keygen", "-o", "in/key.age"]);
    let identity = folder.read("in/key.age");
    for (name, len) in [("in/key", 10), ("in/a", 20), ("in/a.age", 30), ("in/b", 40)] {
        folder.write(name, &text(len));
    }
    let call = ["encrypt", "-i", "in/key.age", "--force", "--out-dir", "in"];
    let ended = folder.call(&[&call[..], &["in/key", "in/a", "in/a.age", "in/b"]].concat());
    assert_eq!(ended.code, 2, "{}", ended.stderr);
    let errors: Vec<_> = ended.stderr.lines().filter(|line| line.starts_with("error")).collect();
    assert_eq!(
        errors,
        [
            "error: identity file and output are the same file: in/key.age",
            "error: input and output are the same file: in/a.age",
            "error: 2 of 4 files could not be done",
        ]
    );
    assert!(folder.read("in/key.age") == identity);
    assert!(folder.read("in/a.age") == text(30));
    folder.call(&["decrypt", "-i", "in/key.age", "--verify", "in/b.age", "in/a.age.age"]).good();
}

const RUN: [&str; 6] = ["encrypt", "-i", "key.txt", "-o", "out", "text"];

#[test]
fn statistics_replace_nothing_that_is_read_or_written() {
    let folder = folder();
    for (name, what) in [("key.txt", "identity file"), ("text", "input")] {
        let before = folder.read(name);
        for file in [name.to_owned(), format!("link-{name}"), format!("hard-{name}")] {
            let sentence = format!("{what} and statistics file are the same file: {file}");
            folder.call(&[&RUN[..], &["--force", "--stats", &file]].concat()).bad(2, &sentence);
            assert!(folder.read(name) == before, "{file}");
        }
    }
    let sentence = "output and statistics are the same file: out";
    for other in ["out", "./out"] {
        folder.call(&[&RUN[..], &["--stats", other]].concat()).bad(2, sentence);
    }
    folder.call(&RUN).good();
    let before = folder.read("out");
    folder
        .call(&[&RUN[..], &["--force", "--stats", "out"]].concat())
        .bad(2, &format!("output and statistics are the same file: {}", canonical(&folder, "out")));
    let out = OpenOptions::new().append(true).open(folder.path("out")).unwrap();
    let to_pipe = ["encrypt", "-i", "key.txt", "text", "--force", "--stats", "out"];
    let ended = folder.command(&to_pipe).stdout(out).output().unwrap();
    Ended::from(ended).bad(2, "output and statistics are the same file: standard output");
    assert!(folder.read("out") == before);
    let many = ["encrypt", "-i", "key.txt", "--out-dir", ".", "text", "--stats", "text.age"];
    let ended = folder.call(&many);
    assert_eq!(ended.code, 2, "{}", ended.stderr);
    assert!(ended.stderr.starts_with("error: output and statistics are the same"), "{ended:?}");
}

#[test]
fn statistics_replace_a_file_only_with_force() {
    let folder = folder();
    folder.write("stats", b"precious");
    let with = [&RUN[..], &["--stats", "stats"]].concat();
    folder.call(&with).bad(2, "statistics file stats exists");
    folder
        .call(&["encrypt", "-i", "key.txt", "--out-dir", "many", "text", "--stats", "stats"])
        .bad(2, "statistics file stats exists");
    assert_eq!(folder.read("stats"), b"precious");
    folder
        .call(&[&RUN[..], &["--stats", "no/where"]].concat())
        .bad(2, "statistics file no/where can't be made: no is not a folder");
    assert!(!folder.path("out").exists());
    folder.call(&[&with[..], &["--force"]].concat()).good();
    let found: serde_json::Value = serde_json::from_slice(&folder.read("stats")).unwrap();
    assert_eq!(found["bytes"], 1000);
    // A terminal, or nowhere, takes both.
    let nowhere = ["encrypt", "-i", "key.txt", "-o", "/dev/null", "--stats", "/dev/null", "text"];
    folder.call(&nowhere).good();
}

fn canonical(folder: &Folder, name: &str) -> String {
    folder.path(name).canonicalize().unwrap().display().to_string()
}
