// SPDX-License-Identifier: Apache-2.0
//! The age format, both ways against the `age` crate, whose payload is not ours; every kind of file
//! that must not open; devices.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use std::{
    io::{Read, Write},
    iter,
    os::unix::fs::PermissionsExt,
};

use age::{
    Decryptor, Encryptor,
    armor::{ArmoredReader, ArmoredWriter, Format},
    scrypt,
    secrecy::ExposeSecret,
    x25519,
};
use common::{Folder, text};
use saltmill::engine::{Chunks, Job, Key, Work};
use saltmill::format::Prologue;

const CHUNK: usize = 64 << 10;
const TAG: usize = 16;
const LENGTHS: [usize; 8] =
    [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 4 * CHUNK + 7, 1_000_000];

/// A folder with an identity in `key.txt`, and that identity.
fn folder() -> (Folder, x25519::Identity) {
    let folder = Folder::new();
    folder.call(&["keygen", "-o", "key.txt"]);
    let file = String::from_utf8(folder.read("key.txt")).unwrap();
    let line = file.lines().find(|line| line.starts_with("AGE-SECRET-KEY-1")).unwrap();
    (folder, line.parse().unwrap())
}

fn sealed_by_age(identity: &x25519::Identity, text: &[u8], format: Format) -> Vec<u8> {
    let recipient = identity.to_public();
    let encryptor = Encryptor::with_recipients(iter::once(&recipient as _)).unwrap();
    let armor = ArmoredWriter::wrap_output(Vec::new(), format).unwrap();
    let mut writer = encryptor.wrap_output(armor).unwrap();
    writer.write_all(text).unwrap();
    writer.finish().unwrap().finish().unwrap()
}

fn opened_by_age(identity: &x25519::Identity, file: &[u8]) -> Vec<u8> {
    let decryptor = Decryptor::new(ArmoredReader::new(file)).unwrap();
    let mut text = Vec::new();
    let mut reader = decryptor.decrypt(iter::once(identity as _)).unwrap();
    reader.read_to_end(&mut text).unwrap();
    text
}

/// Bytes in front of the payload.
fn prologue(file: &[u8]) -> usize {
    let mac = file.windows(5).position(|bytes| bytes == b"\n--- ").unwrap() + 1;
    mac + file[mac..].iter().position(|byte| *byte == b'\n').unwrap() + 1 + 16
}

#[test]
fn files_and_pipes_open_with_age_and_age_s_with_us() {
    let (folder, identity) = folder();
    let recipient = identity.to_public().to_string();
    for len in LENGTHS {
        let text = text(len);
        folder.write("text", &text);
        folder.call(&["encrypt", "-r", &recipient, "--force", "-o", "ours", "text"]).good();
        assert_eq!(opened_by_age(&identity, &folder.read("ours")), text, "{len}");
        let piped = folder.call_with_input(&["encrypt", "-i", "key.txt"], text.clone()).good();
        assert_eq!(opened_by_age(&identity, &piped), text, "{len}");
        let armored = folder.call(&["encrypt", "-a", "-i", "key.txt", "text"]).good();
        assert!(armored.starts_with(b"-----BEGIN AGE ENCRYPTED FILE-----\n"));
        assert_eq!(opened_by_age(&identity, &armored), text, "{len}");

        let decrypt = ["decrypt", "-i", "key.txt"];
        for format in [Format::Binary, Format::AsciiArmor] {
            let theirs = sealed_by_age(&identity, &text, format);
            folder.write("theirs", &theirs);
            assert_eq!(folder.call_with_input(&decrypt, theirs).good(), text, "{len}");
            let named = [&decrypt[..], &["--force", "-o", "opened", "theirs"]].concat();
            folder.call(&named).good();
            assert_eq!(folder.read("opened"), text, "{len}");
            folder.call(&[&decrypt[..], &["--verify", "theirs"]].concat()).good();
        }
    }
}

#[test]
fn what_was_changed_leaves_nothing() {
    let (folder, identity) = folder();
    let text = text(3 * CHUNK + 100);
    let good = sealed_by_age(&identity, &text, Format::Binary);
    let start = prologue(&good);
    let chunk =
        |n: usize| start + n * (CHUNK + TAG)..(start + (n + 1) * (CHUNK + TAG)).min(good.len());
    let (front, chunks) = (&good[..start], |list: &[usize]| {
        list.iter().flat_map(|n| good[chunk(*n)].to_vec()).collect::<Vec<_>>()
    });
    let files = [
        ("swapped", [front, &chunks(&[1, 0, 2, 3])].concat()),
        ("doubled", [front, &chunks(&[0, 0, 1, 2, 3])].concat()),
        ("left out", [front, &chunks(&[0, 2, 3])].concat()),
        ("no last", [front, &chunks(&[0, 1, 2])].concat()),
        ("cut in a chunk", good[..good.len() - 1].to_vec()),
        ("cut to a tag", good[..chunk(3).start + TAG].to_vec()),
        ("cut in a tag", good[..chunk(3).start + 3].to_vec()),
        ("no chunk", front.to_vec()),
        ("more behind", [&good[..], b"more"].concat()),
        ("last twice", [front, &chunks(&[0, 1, 2, 3, 3])].concat()),
    ];
    for (what, file) in files {
        folder.write("changed", &file);
        for engine in ["1", "2"] {
            let ended = folder.call(&[
                "decrypt",
                "-i",
                "key.txt",
                "--workers",
                engine,
                "-o",
                "out",
                "changed",
            ]);
            assert_eq!(ended.code, 4, "{what}: {}", ended.stderr);
            assert!(ended.stderr.contains("was changed or cut off: chunk "), "{}", ended.stderr);
        }
        let ended = folder.call(&["decrypt", "-i", "key.txt", "--verify", "changed"]);
        assert_eq!(ended.code, 4, "{what}: {}", ended.stderr);
        let piped = folder.call_with_input(&["decrypt", "-i", "key.txt"], file);
        assert_eq!(piped.code, 4, "{what}: {}", piped.stderr);
        assert!(text.starts_with(&piped.stdout), "{what}: only what is good comes out");
        assert_eq!(folder.files(), ["changed", "key.txt"], "{what}");
    }
}

#[test]
fn an_empty_chunk_behind_others_is_refused() {
    let (folder, identity) = folder();
    let full = sealed_by_age(&identity, &text(CHUNK), Format::Binary);
    let prologue = Prologue::read(&mut &full[..]).unwrap();
    let identities: [Box<dyn age::Identity>; 1] = [Box::new(identity)];
    let key = *prologue.open(&identities).unwrap().bytes();
    // Sealed as a last one, with the right key and number; and the one before it as one that is not
    // last.
    let work = Work::Seal(Chunks::new(Key::new(key)));
    let mut chunks = text(CHUNK);
    chunks.resize(CHUNK + 2 * TAG, 0);
    let job = |offset, len, last| Job { offset: offset as u64, len, last };
    work.apply(job(0, CHUNK, false), &mut chunks[..CHUNK + TAG]).unwrap();
    work.apply(job(CHUNK, 0, true), &mut chunks[CHUNK + TAG..]).unwrap();
    let front = usize::try_from(prologue.len()).unwrap();
    folder.write("file", &[&full[..front], &chunks].concat());
    let ended = folder.call(&["decrypt", "-i", "key.txt", "-o", "out", "file"]);
    assert_eq!(ended.code, 4, "{}", ended.stderr);
    assert!(ended.stderr.contains("was changed or cut off: chunk 1,"), "{}", ended.stderr);
    assert_eq!(folder.files(), ["file", "key.txt"]);
}

#[test]
fn a_range_is_that_part_of_the_text_and_needs_no_other_chunk() {
    let (folder, identity) = folder();
    let text = text(4 * CHUNK + 100);
    let mut file = sealed_by_age(&identity, &text, Format::Binary);
    folder.write("file", &file);
    let range = |range: &str, name: &str| {
        folder.call(&["decrypt", "-i", "key.txt", "--range", range, name])
    };
    for (offset, length) in [
        (0, 0),
        (0, 1),
        (0, CHUNK),
        (1, CHUNK),
        (CHUNK - 1, 2),
        (CHUNK, CHUNK),
        (5, 3 * CHUNK),
        (4 * CHUNK, 100),
        (4 * CHUNK + 99, 1),
        (4 * CHUNK + 100, 0),
        (0, 4 * CHUNK + 100),
    ] {
        let wanted = &text[offset..offset + length];
        let named = format!("{offset}:{length}");
        assert_eq!(range(&named, "file").good(), wanted, "{named}");
        let into = ["decrypt", "-i", "key.txt", "--force", "-o", "out", "--range", &named, "file"];
        folder.call(&into).good();
        assert_eq!(folder.read("out"), wanted, "{named}");
    }
    assert_eq!(range("262000:", "file").good(), text[262_000..]);
    let sentence = "the range 262244:1 is not in file, whose text has 262244 bytes";
    range("262244:1", "file").bad(2, sentence);
    range("18446744073709551615:2", "file")
        .bad(2, "the range 18446744073709551615:2 is not in file, whose text has 262244 bytes");
    range("5", "file").bad(2, "\"5\" is not a range");
    let place = prologue(&file) + CHUNK + TAG + 7;
    file[place] ^= 1;
    folder.write("file", &file);
    assert_eq!(range(&format!("0:{CHUNK}"), "file").good(), text[..CHUNK]);
    assert_eq!(range(&format!("{}:", 2 * CHUNK), "file").good(), text[2 * CHUNK..]);
    let at = prologue(&file) + CHUNK + TAG;
    let sentence = format!(
        "file was changed or cut off: chunk 1, at byte {at}, is not what was encrypted there"
    );
    range(&format!("{}:2", CHUNK - 1), "file").bad(4, &sentence);
    range(&format!("{CHUNK}:1"), "file").bad(4, &sentence);
    // The chunk before the last does not pass for the last one.
    folder.write("file", &file[..file.len() - 100 - TAG]);
    assert_eq!(range(&format!("{}:1", 3 * CHUNK), "file").code, 4);
    let piped = ["decrypt", "-i", "key.txt", "--range", "0:1"];
    folder
        .call_with_input(&piped, file)
        .bad(2, "a range of standard input can't be read: it can only be read from start to end");
}

#[test]
fn headers_that_do_not_open() {
    let (folder, identity) = folder();
    let good = sealed_by_age(&identity, b"text", Format::Binary);
    let changed = |at: &[u8], by: u8| {
        let mut file = good.clone();
        let place = file.windows(at.len()).position(|bytes| bytes == at).unwrap() + at.len();
        file[place] = by;
        file
    };
    let mac = if changed(b"\n--- ", b'A') == good { b'B' } else { b'A' };
    folder.write("mac", &changed(b"\n--- ", mac));
    folder.write("malformed", &changed(b"\n-> ", b' '));
    folder.write("cut", &good[..60]);
    folder.write("version", b"age-encryption.org/v9\n");
    folder.write("other", b"something else");
    folder.write("empty", b"");
    let other = x25519::Identity::generate();
    folder.write("others", &sealed_by_age(&other, b"text", Format::Binary));
    let decrypt = |name: &str| folder.call(&["decrypt", "-i", "key.txt", "-o", "out", name]);
    decrypt("mac").bad(
        4,
        "mac can't be decrypted: its header was changed: the authentication code does not match",
    );
    decrypt("malformed").bad(4, "malformed can't be decrypted: its header is malformed");
    decrypt("cut").bad(4, "cut can't be decrypted: it ends inside its header, after 60 bytes");
    decrypt("version").bad(
        2,
        "version can't be decrypted: it is of version \"v9\" of the age format; this program knows v1",
    );
    decrypt("other").bad(2, "other can't be decrypted: it is not an age file");
    decrypt("empty").bad(2, "empty can't be decrypted: it is not an age file");
    decrypt("others").bad(4, "none of the identities can decrypt others");
    let armored = sealed_by_age(&identity, b"text", Format::AsciiArmor);
    let mut spoilt = armored.clone();
    spoilt[50] = b'!';
    folder.write("armor", &spoilt);
    let ended = decrypt("armor");
    assert_eq!(ended.code, 4, "{}", ended.stderr);
    folder.write("half", &armored[..armored.len() / 2]);
    assert_eq!(decrypt("half").code, 4);
    folder.write("behind", &[&armored[..], b"more"].concat());
    assert_eq!(decrypt("behind").code, 4);
    folder
        .call(&["decrypt", "-o", "out", "mac"])
        .bad(2, "mac is encrypted to recipients, and no identity is given");
    assert!(!folder.files().contains(&"out".to_owned()));
}

#[test]
fn recipients_that_can_t_be_used() {
    let (folder, identity) = folder();
    folder.write("text", b"text");
    let encrypt =
        |with: &[&str]| folder.call(&[&["encrypt", "-o", "out"], with, &["text"]].concat());
    encrypt(&["-r", "age1x"]).bad(2, "\"age1x\" is not a recipient");
    encrypt(&["-R", "none"]).bad(2, "recipients file none: there is no such file");
    encrypt(&["-i", "none"]).bad(2, "identity file none: there is no such file");
    folder.write("list", b"# nobody\n\nage1x\n");
    encrypt(&["-R", "list"]).bad(2, "line 3 of list is not a recipient");
    folder.write("list", b"# nobody\n");
    encrypt(&["-R", "list"]).bad(2, "the files named hold no recipient");
    encrypt(&["-j", "not-there"]).bad(
        2,
        "plugin not-there can't be used: Could not find 'age-plugin-not-there' on the PATH",
    );
    let secret = identity.to_string();
    let ended = encrypt(&["-r", secret.expose_secret()]);
    assert!(!ended.stderr.contains(secret.expose_secret()), "a key is never shown");
    ended.bad(2, "an identity was given where a recipient is needed");
    assert_eq!(folder.files(), ["key.txt", "list", "text"]);
}

#[test]
fn passphrases_are_asked_for() {
    let folder = Folder::new();
    folder.write("text", b"a small text");
    let with = |secret: &str, arguments: &[&str]| {
        common::Ended::from(folder.command_with_secret(arguments, secret).output().unwrap())
    };
    with("open sesame", &["encrypt", "-p", "-o", "ours", "text"]).good();
    let identity = scrypt::Identity::new("open sesame".to_owned().into());
    let ours = folder.read("ours");
    let decryptor = Decryptor::new(&ours[..]).unwrap();
    let mut text = String::new();
    let mut reader = decryptor.decrypt(iter::once(&identity as _)).unwrap();
    reader.read_to_string(&mut text).unwrap();
    assert_eq!(text, "a small text");
    assert_eq!(with("open sesame", &["decrypt", "ours"]).good(), b"a small text");
    with("wrong", &["decrypt", "ours"]).bad(4, "wrong passphrase for ours");
}

#[test]
fn inspect_tells_what_can_be_known() {
    let (folder, identity) = folder();
    folder.write("file", &sealed_by_age(&identity, &text(CHUNK + 5), Format::Binary));
    let found = folder.call(&["inspect", "--json", "file"]).good();
    let found: serde_json::Value = serde_json::from_slice(&found).unwrap();
    assert_eq!(found["recipients"][0]["kind"], "X25519");
    assert_eq!((&found["chunks"], &found["text_bytes"]), (&2.into(), &(CHUNK + 5).into()));
    assert_eq!(found["prologue_bytes"], prologue(&folder.read("file")));
    let text = String::from_utf8(folder.call(&["inspect", "file"]).good()).unwrap();
    assert!(text.contains("recipient: X25519") && text.contains("2 chunks"), "{text}");
}

#[test]
fn keys_are_for_their_owner_and_are_not_replaced() {
    let folder = Folder::new();
    let ended = folder.call(&["keygen", "-o", "key.txt"]);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    let recipient = ended.stderr.strip_prefix("recipient: ").unwrap();
    let mode = std::fs::metadata(folder.path("key.txt")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert_eq!(folder.call(&["keygen", "-y", "key.txt"]).good(), recipient.as_bytes());
    let before = folder.read("key.txt");
    folder.call(&["keygen", "-o", "key.txt"]).bad(2, "output key.txt exists");
    assert_eq!(folder.read("key.txt"), before);
    let open = PermissionsExt::from_mode(0o644);
    std::fs::set_permissions(folder.path("key.txt"), open).unwrap();
    assert_eq!(folder.call(&["keygen", "--force", "-o", "key.txt"]).code, 0);
    assert_ne!(folder.read("key.txt"), before);
    let mode = std::fs::metadata(folder.path("key.txt")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600, "what others could read is not what they can read now");
}

#[cfg(feature = "sim")]
#[test]
fn devices_alone_and_with_cpus_make_the_same() {
    let (folder, identity) = folder();
    let text = text(20 * CHUNK + 3);
    folder.write("text", &text);
    for engines in [&["--engine", "sim"][..], &["--engine", "sim:2", "--engine", "cpu"]] {
        let run = [&["--force", "--stats", "stats.json"], engines].concat();
        let encrypt = [&["encrypt", "-i", "key.txt", "-o", "ours", "text"], &run[..]].concat();
        folder.call(&encrypt).good();
        assert_eq!(opened_by_age(&identity, &folder.read("ours")), text);
        let stats: serde_json::Value = serde_json::from_slice(&folder.read("stats.json")).unwrap();
        let jobs = stats["workers"].as_array().unwrap().iter();
        assert_eq!(jobs.map(|worker| worker["jobs"].as_u64().unwrap()).sum::<u64>(), 21);
        let decrypt = [&["decrypt", "-i", "key.txt", "-o", "opened", "ours"], &run[..]].concat();
        folder.call(&decrypt).good();
        assert_eq!(folder.read("opened"), text);
    }
    let cipher_only = ["--engine", "sim", "--sim-variant", "ring2"];
    let encrypt = [&["encrypt", "-i", "key.txt", "-o", "other", "text"], &cipher_only[..]].concat();
    folder.call(&encrypt).bad(2, "sim:0 (ring2) can't do chacha20-poly1305");
}
