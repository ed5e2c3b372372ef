// SPDX-License-Identifier: Apache-2.0
//! Recipients and identities other than age's own: SSH keys, plugins, several at once.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use std::{
    env,
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

/// The test's plugin and its folder, in front of PATH.
fn with_plugin(folder: &Folder, arguments: &[&str]) -> Command {
    let plugins = Path::new(SALTMILL).parent().unwrap().join("examples");
    let path = format!("{}:{}", plugins.display(), env::var("PATH").unwrap());
    let mut command = folder.command(arguments);
    command.env("PATH", path);
    command
}

#[test]
fn plugins_wrap_and_unwrap() {
    let folder = Folder::new();
    let call = |arguments: &[&str]| Ended::from(with_plugin(&folder, arguments).output().unwrap());
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
