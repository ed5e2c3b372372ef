// SPDX-License-Identifier: Apache-2.0
//! Passphrases and plugins: what is asked for is asked once, and an interrupt at a prompt ends the
//! command with the terminal as it was.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use std::{
    io::{Read, Write},
    iter,
    os::unix::fs::PermissionsExt,
    process::{Child, Command, Stdio},
};

use age::{Encryptor, scrypt};
use common::{Ended, Folder, SALTMILL};

/// A folder with three small files for a passphrase.
fn folder() -> Folder {
    let folder = Folder::new();
    for name in ["a.age", "b.age", "c.age"] {
        let mut recipient = scrypt::Recipient::new("open sesame".to_owned().into());
        recipient.set_work_factor(2);
        let encryptor = Encryptor::with_recipients(iter::once(&recipient as _)).unwrap();
        let mut sealed = Vec::new();
        let mut writer = encryptor.wrap_output(&mut sealed).unwrap();
        writer.write_all(b"a small text").unwrap();
        writer.finish().unwrap();
        folder.write(name, &sealed);
    }
    folder.write("text", b"a small text");
    folder
}

/// A call on a terminal, up to its prompt; how the terminal is before and after it is in files.
fn prompted(folder: &Folder, call: &str) -> (Child, String) {
    let script = format!(
        "trap : INT; stty -a > before; sh -c 'echo $$ > pid; exec {SALTMILL} {call}'; \
         echo \"code $?\"; stty -a > after"
    );
    let mut command = Command::new("env");
    command.args(["--default-signal=INT,TERM,HUP", "script", "-qec", &script, "/dev/null"]);
    command.current_dir(folder.path(""));
    // No program of a desktop is to be asked.
    command.env("PINENTRY_PROGRAM", "none").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut said = Vec::new();
    while !String::from_utf8_lossy(&said).to_lowercase().contains("passphrase") {
        let mut byte = [0];
        child.stdout.as_mut().unwrap().read_exact(&mut byte).unwrap();
        said.push(byte[0]);
    }
    // The echo goes off behind the prompt, or before it.
    let terminal = String::from_utf8(folder.read("before")).unwrap();
    assert!(terminal.contains(" echo "), "{terminal}");
    (child, String::from_utf8(said).unwrap())
}

#[track_caller]
fn ended(folder: &Folder, child: &mut Child, mut said: String, code: i32) {
    child.stdout.as_mut().unwrap().read_to_string(&mut said).unwrap();
    child.wait().unwrap();
    assert!(said.contains(&format!("code {code}")), "{said}");
    assert!(said.contains("error: interrupted"), "{said}");
    assert_eq!(said.matches("Passphrase of").count().max(1), 1, "asked again: {said}");
    assert_eq!(folder.read("before"), folder.read("after"), "the terminal is not as it was");
    assert!(!folder.path("out").exists() || folder.path("out").read_dir().unwrap().count() == 0);
}

const CALLS: [&str; 5] = [
    "decrypt --out-dir out a.age b.age c.age",
    "decrypt -o out a.age",
    "decrypt --verify a.age b.age",
    "encrypt -p -o out text",
    "rekey -p --out-dir out a.age b.age",
];

#[test]
fn ctrl_c_at_a_prompt_ends_the_command() {
    for call in CALLS {
        let folder = folder();
        let (mut child, said) = prompted(&folder, call);
        let mut keyboard = child.stdin.take().unwrap();
        keyboard.write_all(b"half\x03").unwrap();
        ended(&folder, &mut child, said, 130);
    }
}

#[test]
fn a_signal_at_a_prompt_does_too() {
    for call in CALLS {
        let folder = folder();
        let (mut child, said) = prompted(&folder, call);
        // It is on the prompt's line, and may come before the echo is off.
        std::thread::sleep(std::time::Duration::from_millis(200));
        let pid = String::from_utf8(folder.read("pid")).unwrap();
        let kill = Command::new("kill").args(["-TERM", pid.trim()]).status().unwrap();
        assert!(kill.success());
        ended(&folder, &mut child, said, 143);
    }
}

/// A program in the folder.
fn program(folder: &Folder, name: &str, text: &str) {
    folder.write(name, text.as_bytes());
    std::fs::set_permissions(folder.path(name), PermissionsExt::from_mode(0o755)).unwrap();
}

#[test]
fn who_gives_no_passphrase_is_not_asked_again() {
    let folder = folder();
    let cancels = "#!/bin/sh\necho OK\nwhile read -r command rest; do\n  case $command in\n    \
        GETPIN) echo asked >> asked; echo 'ERR 83886179 cancelled' ;;\n    BYE) exit ;;\n    *) echo OK ;;\n  \
        esac\ndone\n";
    program(&folder, "pinentry", cancels);
    let mut command = folder.command(&["decrypt", "--verify", "a.age", "b.age", "c.age"]);
    let ended =
        Ended::from(command.env("PINENTRY_PROGRAM", folder.path("pinentry")).output().unwrap());
    assert_eq!(ended.code, 2, "{}", ended.stderr);
    assert_eq!(ended.stderr.matches("no passphrase was given").count(), 3, "{}", ended.stderr);
    assert_eq!(folder.read("asked"), b"asked\n");
}

#[test]
fn a_passphrase_is_asked_for_once() {
    let folder = folder();
    let (old, new) = (("Passphrase of", "open sesame"), ("Type passphrase", "abracadabra"));
    let call = |arguments: &[&str], secrets: &[(&str, &str)]| {
        Ended::from(folder.command_with_secrets(arguments, secrets).output().unwrap()).good();
        let asked = folder.asked();
        assert_eq!(asked.len(), secrets.len(), "{asked:?}");
        let of = |(asked, about): (&String, &(&str, &str))| asked.contains(about.0);
        assert!(asked.iter().zip(secrets).all(of), "{asked:?}");
    };
    call(&["decrypt", "--out-dir", "opened", "a.age", "b.age", "c.age"], &[old]);
    assert_eq!(folder.read("opened/c"), b"a small text");
    call(&["encrypt", "-p", "--out-dir", "sealed", "text", "a.age"], &[new]);
    // The old one is asked for first: what is typed first by habit is not made the new one.
    call(&["rekey", "-p", "--force", "--out-dir", ".", "a.age", "b.age"], &[old, new]);
    let files = ["a.age", "b.age", "sealed/text.age", "sealed/a.age.age"];
    let verify = [&["decrypt", "--verify"], &files[..]].concat();
    call(&verify, &[("Passphrase of", "abracadabra")]);
}

#[test]
fn a_plugin_is_called_once_for_a_file_with_an_armor() {
    let folder = folder();
    let call = |arguments: &[&str]| {
        let mut command = folder.command_with_plugin(arguments);
        command.env("PLAIN_LOG", folder.path("log"));
        let ended = Ended::from(command.output().unwrap());
        let calls = String::from_utf8(folder.read("log")).unwrap().lines().count();
        std::fs::remove_file(folder.path("log")).unwrap();
        ended.good();
        calls
    };
    for armor in [&[][..], &["--armor"]] {
        let encrypt = ["encrypt", "-j", "plain", "--out-dir", "sealed", "--force", "text"];
        assert_eq!(call(&[&encrypt[..], armor].concat()), 1, "{armor:?}");
        let decrypt = ["decrypt", "-j", "plain", "--out-dir", "opened", "--force"];
        assert_eq!(call(&[&decrypt[..], &["sealed/text.age"]].concat()), 1, "{armor:?}");
        assert_eq!(folder.read("opened/text"), b"a small text");
    }
}
