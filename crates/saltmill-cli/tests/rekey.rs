// SPDX-License-Identifier: Apache-2.0
//! Files for new recipients: judged by the `age` crate, with the payload as it was, byte for byte.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use std::{
    fs,
    io::{Read, Write},
    iter,
    process::{Command, Stdio},
};

use age::{
    Decryptor, Encryptor, Identity, Recipient,
    armor::{ArmoredReader, ArmoredWriter, Format},
    scrypt, x25519,
};
use common::{Ended, Folder, text};
use saltmill::format::{Prologue, hybrid};

/// A folder with two identities in `old.txt` and `new.txt`, and those.
fn folder() -> (Folder, x25519::Identity, x25519::Identity) {
    let folder = Folder::new();
    let make = |name: &str| {
        assert_eq!(folder.call(&["keygen", "-o", name]).code, 0);
        let file = String::from_utf8(folder.read(name)).unwrap();
        let line = file.lines().find(|line| line.starts_with("AGE-SECRET-KEY-1")).unwrap();
        line.parse().unwrap()
    };
    let (old, new) = (make("old.txt"), make("new.txt"));
    (folder, old, new)
}

fn sealed(recipient: &dyn Recipient, text: &[u8], format: Format) -> Vec<u8> {
    let encryptor = Encryptor::with_recipients(iter::once(recipient)).unwrap();
    let armor = ArmoredWriter::wrap_output(Vec::new(), format).unwrap();
    let mut writer = encryptor.wrap_output(armor).unwrap();
    writer.write_all(text).unwrap();
    writer.finish().unwrap().finish().unwrap()
}

/// The text, if the `age` crate opens the file with this identity.
fn opened(identity: &dyn Identity, file: &[u8]) -> Option<Vec<u8>> {
    let decryptor = Decryptor::new(ArmoredReader::new(file)).unwrap();
    let mut reader = decryptor.decrypt(iter::once(identity)).ok()?;
    let mut text = Vec::new();
    reader.read_to_end(&mut text).unwrap();
    Some(text)
}

/// Nonce and payload, without an armor.
fn payload(file: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    ArmoredReader::new(file).read_to_end(&mut bytes).unwrap();
    let len = Prologue::read(&mut &bytes[..]).unwrap().len();
    bytes.split_off(usize::try_from(len).unwrap() - 16)
}

fn is_armored(file: &[u8]) -> bool {
    file.starts_with(b"-----BEGIN AGE ENCRYPTED FILE-----\n")
}

#[test]
fn files_and_pipes_open_for_the_new_and_not_for_the_old() {
    let (folder, old, new) = folder();
    let recipient = new.to_public().to_string();
    for len in [0, 1, 65_536, 300_000] {
        let text = text(len);
        for format in [Format::Binary, Format::AsciiArmor] {
            let file = sealed(&old.to_public(), &text, format);
            folder.write("file", &file);
            let rekey = ["rekey", "-i", "old.txt", "-r", &recipient];
            folder.call(&[&rekey[..], &["--force", "-o", "out", "file"]].concat()).good();
            let piped = folder.call_with_input(&rekey, file.clone()).good();
            for result in
                [folder.read("out"), piped, folder.call(&[&rekey[..], &["file"]].concat()).good()]
            {
                assert_eq!(opened(&new, &result).as_ref(), Some(&text), "{len}");
                assert_eq!(opened(&old, &result), None);
                assert_eq!(payload(&result), payload(&file));
                assert_eq!(is_armored(&result), is_armored(&file));
            }
            assert_eq!(folder.read("file"), file);
            for (option, armor) in [("-a", true), ("--armor=false", false)] {
                let result = folder.call(&[&rekey[..], &[option, "file"]].concat()).good();
                assert_eq!(is_armored(&result), armor, "{option}");
                assert_eq!(opened(&new, &result).as_ref(), Some(&text), "{option}");
                assert_eq!(payload(&result), payload(&file), "{option}");
            }
        }
    }
}

#[test]
fn recipients_come_from_all_places_and_of_all_kinds() {
    let (folder, old, new) = folder();
    let text = text(100_000);
    let file = sealed(&old.to_public(), &text, Format::Binary);
    folder.write("file", &file);
    folder.write("list", format!("# new\n{}\n", new.to_public()).as_bytes());
    let rekey = ["rekey", "-i", "old.txt", "--force", "-o", "out", "file"];
    let to = |words: &[&str]| folder.call(&[&rekey[..], words].concat());
    for words in [&["-R", "list"][..], &["--to-identity", "new.txt"]] {
        to(words).good();
        assert_eq!(opened(&new, &folder.read("out")).as_ref(), Some(&text), "{words:?}");
    }
    to(&["--to-identity", "new.txt", "--to-identity", "old.txt"]).good();
    for identity in [&old, &new] {
        assert_eq!(opened(identity, &folder.read("out")).as_ref(), Some(&text));
    }
    // Post-quantum, and back.
    assert_eq!(folder.call(&["keygen", "--pq", "-o", "pq.txt"]).code, 0);
    to(&["--to-identity", "pq.txt"]).good();
    let pq = String::from_utf8(folder.read("pq.txt")).unwrap();
    let pq: hybrid::Identity = pq.lines().last().unwrap().parse().unwrap();
    assert_eq!(opened(&pq, &folder.read("out")).as_ref(), Some(&text));
    assert_eq!(opened(&old, &folder.read("out")), None);
    let back = folder.call(&["rekey", "-i", "pq.txt", "-R", "list", "out"]).good();
    assert_eq!(opened(&new, &back).as_ref(), Some(&text));
    assert_eq!(payload(&back), payload(&file));
    to(&["--to-identity", "pq.txt", "-R", "list"])
        .bad(2, "post-quantum recipients can't be mixed with others");
}

#[test]
fn passphrases_go_both_ways() {
    let (folder, old, new) = folder();
    let text = text(100_000);
    let file = sealed(&old.to_public(), &text, Format::Binary);
    folder.write("file", &file);
    let call = |arguments: &[&str], secrets: &[(&str, &str)]| {
        Ended::from(folder.command_with_secrets(arguments, secrets).output().unwrap())
    };
    let passphrase = ("Type passphrase", "open sesame");
    call(&["rekey", "-i", "old.txt", "-p", "-o", "locked", "file"], &[passphrase]).good();
    let identity = scrypt::Identity::new("open sesame".to_owned().into());
    assert_eq!(opened(&identity, &folder.read("locked")).as_ref(), Some(&text));
    assert_eq!(opened(&old, &folder.read("locked")), None);
    let rekey = ["rekey", "--to-identity", "new.txt", "-o", "out", "locked"];
    call(&rekey, &[("Passphrase of", "wrong")]).bad(4, "wrong passphrase for locked");
    call(&rekey, &[("Passphrase of", "open sesame")]).good();
    assert_eq!(opened(&new, &folder.read("out")).as_ref(), Some(&text));
    assert_eq!(payload(&folder.read("out")), payload(&file));
    // A wrong passphrase is told before a new one is asked for.
    folder.asked();
    call(&["rekey", "-p", "-o", "other", "locked"], &[("Passphrase of", "wrong"), passphrase])
        .bad(4, "wrong passphrase for locked");
    assert_eq!(folder.asked().len(), 1);
    let both = folder.call(&["rekey", "-p", "-R", "list", "file"]);
    assert_eq!(both.code, 2, "{both:?}");
}

#[test]
fn a_file_replaces_itself_only_with_force() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
    let (folder, old, new) = folder();
    let text = text(300_000);
    let file = sealed(&old.to_public(), &text, Format::Binary);
    folder.write("file", &file);
    fs::set_permissions(folder.path("file"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("file", folder.path("link")).unwrap();
    let rekey = ["rekey", "-i", "old.txt", "--to-identity", "new.txt", "-o"];
    let to = |words: &[&str]| folder.call(&[&rekey[..], words].concat());
    to(&["file", "file"]).bad(2, "output file exists");
    assert_eq!(folder.read("file"), file);
    let before = fs::metadata(folder.path("file")).unwrap();
    to(&["link", "--force", "file"]).good();
    let after = fs::metadata(folder.path("file")).unwrap();
    assert_eq!(opened(&new, &folder.read("file")).as_ref(), Some(&text));
    assert_eq!(payload(&folder.read("file")), payload(&file));
    assert!(folder.path("link").is_symlink() && after.ino() != before.ino());
    assert_eq!(after.mode() & 0o777, 0o640);
    // What fails leaves the file as it was: the old identity does not fit any more.
    let renewed = folder.read("file");
    to(&["file", "--force", "file"]).bad(4, "none of the identities can decrypt file");
    assert_eq!(folder.read("file"), renewed);
    // The identity is no output.
    to(&["old.txt", "--force", "file"])
        .bad(2, "identity file and output are the same file: old.txt");
    let own = ["rekey", "-i", "file", "-R", "list", "--force", "-o", "file", "file"];
    folder.call(&own).bad(2, "identity file and output are the same file: file");
    let output = fs::File::options().append(true).open(folder.path("file")).unwrap();
    let mut onto = folder.command(&["rekey", "-i", "new.txt", "--to-identity", "old.txt", "file"]);
    Ended::from(onto.stdout(output).output().unwrap())
        .bad(2, "input and output are the same file: standard output");
    assert_eq!(folder.read("file"), renewed);
    assert_eq!(folder.files(), ["file", "link", "new.txt", "old.txt"]);
}

#[test]
fn what_can_t_be_opened_leaves_nothing() {
    let (folder, old, _) = folder();
    let good = sealed(&old.to_public(), &text(1000), Format::Binary);
    let code = good.windows(5).position(|bytes| bytes == b"\n--- ").unwrap() + 5;
    let mut changed = good.clone();
    changed[code] = if changed[code] == b'A' { b'B' } else { b'A' };
    let armored = sealed(&old.to_public(), &text(100_000), Format::AsciiArmor);
    folder.write("good", &good);
    folder.write("changed", &changed);
    folder.write("cut", &good[..60]);
    folder.write("half", &armored[..armored.len() / 2]);
    let rekey = |identity: &str, name: &str| {
        folder.call(&["rekey", "-i", identity, "--to-identity", "new.txt", "-o", "out", name])
    };
    rekey("new.txt", "good").bad(4, "none of the identities can decrypt good");
    rekey("old.txt", "changed").bad(
        4,
        "changed can't be decrypted: its header was changed: the authentication code does not match",
    );
    rekey("old.txt", "cut")
        .bad(4, "cut can't be decrypted: it ends inside its header, after 60 bytes");
    rekey("old.txt", "old.txt").bad(2, "old.txt can't be decrypted: it is not an age file");
    let half = rekey("old.txt", "half");
    assert!(half.code == 4 && half.stderr.contains("the armor of half is malformed"), "{half:?}");
    let nobody = folder.call(&["rekey", "-i", "old.txt", "-o", "out", "good"]);
    assert!(nobody.code == 2 && nobody.stderr.contains("--recipient"), "{nobody:?}");
    folder
        .call(&["rekey", "--to-identity", "new.txt", "-o", "out", "good"])
        .bad(2, "good is encrypted to recipients, and no identity is given");
    let full = ["rekey", "-i", "old.txt", "--to-identity", "new.txt", "-o", "/dev/full", "good"];
    folder.call(&full).bad(1, "writing /dev/full failed at byte 0: the disk is full");
    assert_eq!(folder.files(), ["changed", "cut", "good", "half", "new.txt", "old.txt"]);
}

#[test]
fn an_interrupt_leaves_nothing() {
    let (folder, old, _) = folder();
    let arguments = ["rekey", "-i", "old.txt", "--to-identity", "new.txt", "-o", "out"];
    let mut child = folder.interruptible(&arguments).stdin(Stdio::piped()).spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    pipe.write_all(&sealed(&old.to_public(), &text(300_000), Format::Binary)).unwrap();
    folder.wait_for_output(&child);
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    assert_eq!(Ended::from(child.wait_with_output().unwrap()).code, 130);
    assert_eq!(folder.files(), ["new.txt", "old.txt"]);
}

#[test]
fn many_files_are_done_beside_one_that_fails() {
    let (folder, old, new) = folder();
    fs::create_dir_all(folder.path("all/below")).unwrap();
    let lens = [("all/a", 10), ("all/b", 100_000), ("all/below/c", 5_000_000)];
    for (name, len) in lens {
        folder.write(name, &sealed(&old.to_public(), &text(len), Format::Binary));
    }
    folder.write("all/other", b"no age file");
    let rekey = ["rekey", "-i", "old.txt", "--to-identity", "new.txt", "--recursive", "all"];
    for out in [&["--out-dir", "new"][..], &["--out-dir", "all", "--force"]] {
        let before: Vec<_> = lens.iter().map(|(name, _)| payload(&folder.read(name))).collect();
        let ended = folder.call(&[&rekey[..], out].concat());
        assert_eq!(ended.code, 2, "{ended:?}");
        assert!(ended.stderr.contains("1 of 4 files could not be done"), "{ended:?}");
        for ((name, len), before) in lens.iter().zip(before) {
            let file = folder.read(&name.replace("all/", &format!("{}/", out[1])));
            assert_eq!(opened(&new, &file), Some(text(*len)), "{name}");
            assert_eq!(payload(&file), before, "{name}");
        }
    }
    assert_eq!(folder.read("all/other"), b"no age file");
    let again = folder.call(&[
        "rekey",
        "-i",
        "new.txt",
        "--to-identity",
        "old.txt",
        "all/a",
        "all/b",
        "--out-dir",
        "all",
    ]);
    assert!(again.code == 2 && again.stderr.contains("output all/a exists"), "{again:?}");
}

#[test]
fn larger_work_factors_are_tried_when_they_are_allowed() {
    let (folder, old, _) = folder();
    let mut recipient = scrypt::Recipient::new("open sesame".to_owned().into());
    recipient.set_work_factor(4);
    folder.write("file", &sealed(&recipient, b"a small text", Format::Binary));
    let key = folder.read("old.txt");
    folder.write("old.age", &sealed(&recipient, &key, Format::Binary));
    folder.write("theirs", &sealed(&old.to_public(), b"a small text", Format::Binary));
    let call = |arguments: &[&str]| {
        Ended::from(folder.command_with_secret(arguments, "open sesame").output().unwrap())
    };
    let refused =
        "file can't be decrypted: its passphrase has work factor 4, and at most 3 is accepted";
    for command in [&["decrypt"][..], &["rekey", "--to-identity", "new.txt"]] {
        let with = |most: &str| call(&[command, &["--max-work-factor", most, "file"]].concat());
        let ended = with("3");
        assert!(ended.stderr.contains("see --max-work-factor"), "{ended:?}");
        ended.bad(2, refused);
        with("4").good();
    }
    // A file of identities has a passphrase of its own.
    let refused = "the passphrase of old.age has work factor 4";
    for command in [
        &["decrypt", "-i", "old.age", "theirs"][..],
        &["rekey", "-i", "old.age", "--to-identity", "new.txt", "theirs"],
        &["rekey", "-i", "old.txt", "--to-identity", "old.age", "theirs"],
        &["encrypt", "-i", "old.age", "theirs"],
        &["keygen", "-y", "old.age"],
    ] {
        let with = |most: &str| call(&[command, &["--max-work-factor", most]].concat());
        let ended = with("3");
        assert!(ended.code == 2 && ended.stderr.contains(refused), "{ended:?}");
        assert!(ended.stderr.contains("--max-work-factor"), "{ended:?}");
        with("4").good();
    }
    for bad in ["0", "31", "x"] {
        let ended = call(&["decrypt", "--max-work-factor", bad, "file"]);
        assert!(ended.code == 2 && ended.stderr.contains("--max-work-factor"), "{ended:?}");
    }
}
