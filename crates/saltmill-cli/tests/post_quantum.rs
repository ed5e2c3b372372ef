// SPDX-License-Identifier: Apache-2.0
//! Post-quantum recipients and identities, from all places that these come from.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use common::{Ended, Folder, text};

/// A folder with a text, an identity and its recipient's file.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("text", &text(100_000));
    let ended = folder.call(&["keygen", "--pq", "-o", "pq.txt"]);
    assert!(ended.code == 0 && ended.stderr.starts_with("recipient: age1pq1"), "{ended:?}");
    assert!(folder.read("pq.txt").starts_with(b"# created: "));
    folder.call(&["keygen", "-y", "pq.txt", "-o", "pq.pub"]).good();
    folder
}

fn opens(folder: &Folder, identities: &str) {
    folder.call(&["decrypt", "--force", "-i", identities, "-o", "opened", "sealed"]).good();
    assert!(folder.read("opened") == folder.read("text"));
}

#[test]
fn recipients_come_from_the_command_line_from_files_and_from_identities() {
    let folder = folder();
    let recipient = String::from_utf8(folder.read("pq.pub")).unwrap();
    for [option, value] in [["-R", "pq.pub"], ["-r", recipient.trim()], ["-i", "pq.txt"]] {
        folder.call(&["encrypt", "--force", "-o", "sealed", option, value, "text"]).good();
        opens(&folder, "pq.txt");
    }
    let about = String::from_utf8(folder.call(&["inspect", "sealed"]).good()).unwrap();
    assert!(about.contains("recipient: ML-KEM-768 and X25519, post-quantum"), "{about}");
}

#[test]
fn files_hold_both_kinds_and_each_opens_its_own() {
    let folder = folder();
    assert_eq!(folder.call(&["keygen", "-o", "classic.txt"]).code, 0);
    let both = [folder.read("classic.txt"), folder.read("pq.txt")].concat();
    folder.write("both.txt", &both);
    for identities in ["classic.txt", "pq.txt"] {
        folder.call(&["encrypt", "--force", "-i", identities, "-o", "sealed", "text"]).good();
        opens(&folder, "both.txt");
    }
    let recipients = folder.call(&["keygen", "-y", "both.txt"]).good();
    let classic = folder.call(&["keygen", "-y", "classic.txt"]).good();
    assert!(recipients == [classic, folder.read("pq.pub")].concat());

    // Whoever breaks the one reads the file.
    for arguments in [&["-i", "both.txt"][..], &["-i", "classic.txt", "-R", "pq.pub"]] {
        let arguments = [&["encrypt", "-o", "mixed"], arguments, &["text"]].concat();
        folder.call(&arguments).bad(2, "post-quantum recipients can't be mixed with others");
    }
    assert!(!folder.files().contains(&"mixed".to_owned()));
}

#[test]
fn encrypted_files_of_identities_hold_them_too() {
    let folder = folder();
    let with = |arguments: &[&str], secret| {
        Ended::from(folder.command_with_secret(arguments, secret).output().unwrap())
    };
    with(&["encrypt", "-p", "-a", "-o", "pq.age", "pq.txt"], "open sesame").good();
    with(&["encrypt", "-i", "pq.age", "-o", "sealed", "text"], "open sesame").good();
    opens(&folder, "pq.txt");
    let recipients = with(&["keygen", "-y", "pq.age"], "open sesame").good();
    assert!(recipients == folder.read("pq.pub"));
    let decrypt = ["decrypt", "--force", "-i", "pq.age", "-o", "opened", "sealed"];
    with(&decrypt, "open sesame").good();
    assert!(folder.read("opened") == folder.read("text"));
    let ended = with(&decrypt, "wrong");
    assert_ne!(ended.code, 0, "{ended:?}");
}

#[test]
fn what_is_no_recipient_or_identity_is_told_by_its_line_and_never_shown() {
    let folder = folder();
    folder.write("some.pub", b"# mine\nage1pq1qqqq\n");
    folder
        .call(&["encrypt", "-R", "some.pub", "-o", "sealed", "text"])
        .bad(2, "line 2 of some.pub is not a recipient: its checksum is wrong");
    folder
        .call(&["encrypt", "-r", "age1pq1qqqq", "-o", "sealed", "text"])
        .bad(2, "the post-quantum recipient can't be used: its checksum is wrong");
    folder.write("bad.txt", b"# mine\n\nAGE-SECRET-KEY-PQ-1QQQQ\n");
    folder
        .call(&["decrypt", "-i", "bad.txt", "-o", "opened", "text"])
        .bad(2, "identity file bad.txt can't be used: it contains non-identity data on line 3");
}
