// SPDX-License-Identifier: Apache-2.0
//! Names that would steer a terminal, and secrets in files that others can read.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use std::{
    fs::{self, File, OpenOptions, Permissions},
    os::unix::fs::{OpenOptionsExt, PermissionsExt, symlink},
};

use common::{Ended, Folder, NONCE, text};

/// Clears the screen, and goes on in a new line with what looks like success.
const EVIL: &str = "a\u{1b}[2J\r\nok\u{9b}1m\u{202e}z";
const SHOWN: &str = "a\\u{1b}[2J\\r\\nok\\u{9b}1m\\u{202e}z";

#[track_caller]
fn told_safely(ended: &Ended) {
    assert_ne!(ended.stderr, "");
    let safe = |c: char| c == '\n' || !(c.is_control() || c == '\u{202e}');
    assert!(ended.stderr.chars().all(safe), "{:?}", ended.stderr);
    let known = ["error: ", "hint: ", "warning: "];
    let lines = ended.stderr.lines().all(|line| known.iter().any(|word| line.starts_with(word)));
    assert!(lines, "{:?}", ended.stderr);
    // What clap says of it has lost its line ends.
    assert!(ended.stderr.contains(&SHOWN[SHOWN.len() - 18..]), "{:?}", ended.stderr);
}

#[test]
fn no_name_steers_the_terminal() {
    let folder = Folder::new();
    folder.call(&["keygen", "-o", "key.txt"]);
    folder.write("text", &text(100));
    folder.write("list", b"age1nobody\n");
    let inside = format!("no/{EVIL}");
    let encrypt = ["encrypt", "-i", "key.txt", "-o", "out"];
    let with = |more: &[&'static str]| [&encrypt[..], more].concat();
    for call in [
        [&encrypt[..], &[EVIL]].concat(),
        vec!["encrypt", "-i", EVIL, "-o", "out", "text"],
        vec!["encrypt", "-R", EVIL, "-o", "out", "text"],
        vec!["encrypt", "-r", EVIL, "-o", "out", "text"],
        vec!["encrypt", "-j", EVIL, "-o", "out", "text"],
        vec!["encrypt", "-i", "key.txt", "-o", &inside, "text"],
        vec!["encrypt", "-i", "key.txt", "--out-dir", "made", EVIL, "text"],
        vec!["decrypt", "-i", EVIL, "-o", "out", "text"],
        vec!["decrypt", "-j", EVIL, "-o", "out", "text"],
        vec!["keygen", "-y", EVIL],
        vec!["inspect", EVIL],
        vec!["cipher", "--key-file", EVIL, "--nonce", NONCE, "-o", "out", "text"],
        vec!["man", EVIL],
        vec![EVIL],
        with(&["text", "--engine", EVIL]),
        with(&["text", "--deadline", EVIL]),
        with(&["text", "--progress", EVIL]),
    ] {
        let ended = folder.call(&call);
        assert_eq!(ended.code, 2, "{call:?}: {}", ended.stderr);
        told_safely(&ended);
    }
}

#[test]
fn files_with_such_names_are_worked_on_like_others() {
    let folder = Folder::new();
    folder.call(&["keygen", "-o", "key.txt"]);
    fs::create_dir(folder.path("in")).unwrap();
    folder.write(&format!("in/{EVIL}"), &text(100));
    symlink("nothing", folder.path(&format!("in/{EVIL}.link"))).unwrap();
    let call = ["encrypt", "-i", "key.txt", "--recursive", "in", "--out-dir", "out"];
    let ended = folder.call(&call);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    told_safely(&ended);
    let sealed = format!("out/{EVIL}.age");
    let shown = String::from_utf8(folder.call(&["inspect", &sealed]).good()).unwrap();
    assert!(shown.starts_with(&format!("out/{SHOWN}.age: age-encryption.org/v1\n")), "{shown:?}");
    told_safely(&folder.call(&call));
    let mut cut = folder.read(&sealed);
    cut.pop();
    folder.write(&sealed, &cut);
    let ended = folder.call(&["decrypt", "-i", "key.txt", "--verify", &sealed]);
    assert_eq!(ended.code, 4, "{}", ended.stderr);
    told_safely(&ended);
}

#[test]
fn an_identity_in_a_file_that_others_can_read_is_warned_of() {
    let folder = Folder::new();
    let keygen = |mode: u32, arguments: &[&str]| {
        let mut options = OpenOptions::new();
        let file = options.write(true).create(true).truncate(true).mode(mode);
        let file = file.open(folder.path("key.txt")).unwrap();
        // The mask of whoever runs this is not ours.
        file.set_permissions(Permissions::from_mode(mode)).unwrap();
        Ended::from(folder.command(arguments).stdout(file).output().unwrap())
    };
    for mode in [0o644, 0o640, 0o604] {
        for call in [&["keygen"][..], &["keygen", "-o", "-"]] {
            let ended = keygen(mode, call);
            let sentence = "warning: others can read the file that the identity is written to\n";
            assert!(ended.code == 0 && ended.stderr.starts_with(sentence), "{mode:o} {ended:?}");
            assert_eq!(ended.stderr.lines().count(), 2, "{ended:?}");
            let kept = File::open(folder.path("key.txt")).unwrap().metadata().unwrap();
            assert_eq!(kept.permissions().mode() & 0o777, mode, "somebody else made it");
            folder.call(&["keygen", "-y", "key.txt"]).good();
        }
    }
    keygen(0o600, &["keygen"]).good();
    folder.call(&["keygen", "-o", "other.txt"]);
    keygen(0o644, &["keygen", "-y", "other.txt"]).good();
}

#[test]
fn files_that_hold_no_identity_or_recipient_are_named() {
    let folder = Folder::new();
    folder.call(&["keygen", "-o", "key.txt"]);
    folder.write("text", b"some text\n");
    folder.write("bytes", &[0xff; 100]);
    folder.write("empty", b"# nothing\n");
    fs::create_dir(folder.path("folder")).unwrap();
    folder.call(&["encrypt", "-i", "key.txt", "-o", "sealed", "text"]).good();
    let line = "identity file text can't be used: it contains non-identity data on line 1";
    let bytes = "identity file bytes can't be used: it contains non-identity data on line 1";
    let decrypt = |with: &str| folder.call(&["decrypt", "-i", "key.txt", "-i", with, "sealed"]);
    let encrypt = |option: &str, with: &str| {
        folder.call(&["encrypt", "-i", "key.txt", option, with, "-o", "out", "text"])
    };
    for call in [&decrypt as &dyn Fn(&str) -> Ended, &|with: &str| encrypt("-i", with)] {
        call("bytes").bad(2, bytes);
        let ended = call("text");
        assert!(ended.stderr.contains("`saltmill keygen` writes, or an SSH private key"));
        ended.bad(2, line);
        call("folder").bad(2, "identity file folder can't be read: it is a directory");
    }
    decrypt("empty").bad(2, "identity file empty holds no identity");
    encrypt("-R", "folder").bad(2, "recipients file folder can't be read: it is a directory");
    encrypt("-R", "bytes").bad(2, "line 1 of bytes is not a recipient");
}
