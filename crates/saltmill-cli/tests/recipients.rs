// SPDX-License-Identifier: Apache-2.0
//! Recipients and identities other than age's own: SSH keys, plugins, several at once.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use std::{
    io::{Read, Write},
    iter,
    path::Path,
    process::Command,
};

use age::{Decryptor, Encryptor, ssh};
use common::{Ended, Folder, SALTMILL, text};

const KEYS: [(&str, &str, &str); 2] = [
    ("ed25519", include_str!("keys/ed25519"), include_str!("keys/ed25519.pub")),
    ("rsa", include_str!("keys/rsa"), include_str!("keys/rsa.pub")),
];

#[test]
fn ssh_keys_open_with_age_and_age_s_with_us() {
    for (name, private, public) in KEYS {
        let folder = Folder::new();
        let text = text(100_000);
        folder.write("text", &text);
        folder.write(name, private.as_bytes());
        folder.write("public", public.as_bytes());
        for recipient in [["-R", "public"], ["-r", public.trim()], ["-i", name]] {
            let [option, value] = recipient;
            folder.call(&["encrypt", "--force", "-o", "ours", option, value, "text"]).good();
            let identity = ssh::Identity::from_buffer(private.as_bytes(), None).unwrap();
            let mut opened = Vec::new();
            let ours = folder.read("ours");
            let decryptor = Decryptor::new(&ours[..]).unwrap();
            let mut reader = decryptor.decrypt(iter::once(&identity as _)).unwrap();
            reader.read_to_end(&mut opened).unwrap();
            assert!(opened == text, "{name} by {recipient:?}");
        }
        let recipient: ssh::Recipient = public.parse().unwrap();
        let encryptor = Encryptor::with_recipients(iter::once(&recipient as _)).unwrap();
        let mut sealed = Vec::new();
        let mut writer = encryptor.wrap_output(&mut sealed).unwrap();
        writer.write_all(&text).unwrap();
        writer.finish().unwrap();
        folder.write("theirs", &sealed);
        folder.call(&["decrypt", "-i", name, "-o", "opened", "theirs"]).good();
        assert!(folder.read("opened") == text, "{name}");
        let kind = String::from_utf8(folder.call(&["inspect", "ours"]).good()).unwrap();
        assert!(kind.contains(&format!("recipient: ssh-{name}")), "{kind}");
    }
}

#[test]
fn plugins_wrap_and_unwrap() {
    let folder = Folder::new();
    let call =
        |arguments: &[&str]| Ended::from(folder.command_with_plugin(arguments).output().unwrap());
    let plugin = Path::new(SALTMILL).parent().unwrap().join("examples/age-plugin-plain");
    let made = Command::new(plugin).output().unwrap().stdout;
    let made = String::from_utf8(made).unwrap();
    let word = |start: &str| made.split_whitespace().find(|word| word.starts_with(start)).unwrap();
    let (recipient, identity) = (word("age1plain1"), word("AGE-PLUGIN-PLAIN-1"));
    folder.write("id.txt", format!("{identity}\n").as_bytes());
    let text = text(70_000);
    folder.write("text", &text);
    for (to, from) in [
        (["-r", recipient], ["-i", "id.txt"]),
        (["-r", recipient], ["-j", "plain"]),
        (["-i", "id.txt"], ["-j", "plain"]),
        (["-j", "plain"], ["-i", "id.txt"]),
    ] {
        call(&["encrypt", "--force", "-o", "sealed", to[0], to[1], "text"]).good();
        call(&["decrypt", "--force", "-o", "opened", from[0], from[1], "sealed"]).good();
        assert!(folder.read("opened") == text, "{to:?} {from:?}");
    }
    // Many files, one plugin: its identity is there once for all of them.
    folder.write("other", b"another text");
    call(&["encrypt", "-r", recipient, "--out-dir", "many", "text", "other"]).good();
    call(&["decrypt", "-j", "plain", "--recursive", "many", "--out-dir", "back"]).good();
    assert_eq!(folder.read("back/other"), b"another text");
    let missing = folder.call(&["decrypt", "-i", "id.txt", "sealed"]);
    assert_eq!(missing.code, 2, "{}", missing.stderr);
    assert!(missing.stderr.contains("age-plugin-plain"), "{}", missing.stderr);
}

#[test]
fn identities_are_tried_in_their_order() {
    let folder = Folder::new();
    folder.write("text", b"a small text");
    folder.call(&["keygen", "-o", "key.txt"]);
    let called = |arguments: &[&str]| {
        let mut command = folder.command_with_plugin(arguments);
        let command = command.env("PLAIN_LOG", folder.path("log"));
        let ended = Ended::from(command.output().unwrap());
        ended.good();
        std::fs::remove_file(folder.path("log")).is_ok()
    };
    assert!(called(&["encrypt", "-o", "sealed", "-i", "key.txt", "-j", "plain", "text"]));
    assert!(called(&["decrypt", "-o", "1", "-j", "plain", "-i", "key.txt", "sealed"]));
    assert!(!called(&["decrypt", "-o", "2", "-i", "key.txt", "-j", "plain", "sealed"]));
    let recipient = String::from_utf8(folder.call(&["keygen", "-y", "key.txt"]).good()).unwrap();
    let rekey = ["rekey", "-r", recipient.trim(), "-o"];
    let with = |words: &[&'static str]| called(&[&rekey[..], words, &["sealed"]].concat());
    assert!(with(&["3", "-j", "plain", "-i", "key.txt"]));
    assert!(!with(&["4", "-i", "key.txt", "-j", "plain"]));
}

#[test]
fn plugins_know_passphrases() {
    let folder = Folder::new();
    folder.write("text", b"a small text");
    folder.call(&["keygen", "-o", "key.txt"]);
    let call = |passphrase: &str, arguments: &[&str]| {
        let mut command = folder.command_with_plugin(arguments);
        Ended::from(command.env("PLAIN_PASSPHRASE", passphrase).output().unwrap())
    };
    call("open sesame", &["encrypt", "-j", "plain", "-o", "sealed", "text"]).good();
    let found = String::from_utf8(folder.call(&["inspect", "sealed"]).good()).unwrap();
    assert!(found.contains("recipient: a passphrase (scrypt, work factor 2)"), "{found}");
    let with = |arguments: &[&str]| {
        let arguments = [&["decrypt"], arguments, &["sealed"]].concat();
        Ended::from(folder.command_with_secret(&arguments, "open sesame").output().unwrap())
    };
    assert_eq!(with(&[]).good(), b"a small text");
    with(&["-i", "key.txt"]).bad(2, "sealed is encrypted with a passphrase, not to an identity");
    for arguments in [&["-j", "plain"][..], &["-i", "key.txt", "-j", "plain"]] {
        let decrypt = [&["decrypt"], arguments, &["sealed"]].concat();
        assert_eq!(call("open sesame", &decrypt).good(), b"a small text");
        let wrong = call("wrong", &decrypt);
        assert!(wrong.code == 2 && wrong.stderr.contains("incorrect passphrase"), "{wrong:?}");
    }
    // A plugin that knows no passphrases.
    let mut command = folder.command_with_plugin(&["decrypt", "-j", "plain", "sealed"]);
    let ended = Ended::from(command.output().unwrap());
    ended.bad(2, "sealed is encrypted with a passphrase, not to an identity");
    // Nothing can be beside a passphrase.
    let both = ["encrypt", "-j", "plain", "-i", "key.txt", "-o", "both", "text"];
    let ended = call("open sesame", &both);
    assert!(ended.code == 2 && !folder.path("both").exists(), "{ended:?}");
}

#[test]
fn any_of_several_recipients_opens() {
    let folder = Folder::new();
    folder.write("text", b"a small text");
    for (name, private, _) in KEYS {
        folder.write(name, private.as_bytes());
    }
    folder.call(&["keygen", "-o", "key.txt"]);
    let to = ["encrypt", "-o", "sealed", "-i", "key.txt", "-i", "ed25519", "-i", "rsa", "text"];
    folder.call(&to).good();
    for identity in ["key.txt", "ed25519", "rsa"] {
        let opened = folder.call(&["decrypt", "-i", identity, "sealed"]).good();
        assert_eq!(opened, b"a small text", "{identity}");
    }
}
