// SPDX-License-Identifier: Apache-2.0
//! `saltmill sum --key-file`: HMAC-SHA-256 beside OpenSSL's, and manifests that are refused.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use common::{Folder, text};
use openssl::{hash::MessageDigest, pkey::PKey, sign::Signer};
use saltmill_device::vectors;

const KEY: [u8; 32] = *b"0123456789abcdef0123456789abcdef";
const NAMES: [&str; 5] = ["empty", "short", "block", "part", "long"];

/// Files of the lengths where HMAC or a device begins something new.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("secret.key", &KEY);
    for (name, length) in NAMES.into_iter().zip([0, 55, 64, 2048, 70_001]) {
        folder.write(name, &text(length));
    }
    folder
}

fn hmac(key: &[u8], message: &[u8]) -> String {
    let key = PKey::hmac(key).unwrap();
    let mut signer = Signer::new(MessageDigest::sha256(), &key).unwrap();
    signer.update(message).unwrap();
    hex::encode(signer.sign_to_vec().unwrap())
}

fn manifest(folder: &Folder, more: &[&str]) -> String {
    let call = [&["sum", "--key-file", "secret.key"], more, &NAMES].concat();
    String::from_utf8(folder.call(&call).good()).unwrap()
}

#[test]
fn tags_are_those_of_openssl() {
    let folder = folder();
    let line = |name: &str| format!("HMAC-SHA256 ({name}) = {}\n", hmac(&KEY, &folder.read(name)));
    let expected = NAMES.map(line).concat();
    assert_eq!(manifest(&folder, &[]), expected);
    assert_eq!(manifest(&folder, &["--algorithm", "hmac-sha256"]), expected);
    assert!(manifest(&folder, &["-a", "hmac-sha256,md5"]).contains("MD5 (short) = "));
    folder.write("keyed.sums", expected.as_bytes());
    let check = ["sum", "--key-file", "secret.key", "--check", "keyed.sums"];
    let all = NAMES.map(|name| format!("{name}: OK\n")).concat();
    assert_eq!(folder.call(&check).good(), all.as_bytes());
    // As `openssl dgst -sha256 -mac HMAC` prints them.
    let theirs = expected.replace("SHA256 (", "SHA2-256(").replace(") =", ")=");
    folder.write("keyed.sums", theirs.as_bytes());
    assert_eq!(folder.call(&check).good(), all.as_bytes());
}

#[test]
fn published_tags() {
    let folder = Folder::new();
    let known = vectors::hmac_sha256().into_iter().filter(|known| known.key.len() == 32);
    let (mut good, mut forged) = (0, 0);
    for known in known.filter(|known| known.tag.len() == 32) {
        folder.write("secret.key", &known.key);
        folder.write("message", &known.message);
        let tag = hex::encode(known.tag);
        folder.write("keyed.sums", format!("HMAC-SHA256 (message) = {tag}\n").as_bytes());
        let check = ["sum", "--key-file", "secret.key", "--check", "--status", "keyed.sums"];
        let ended = folder.call(&check);
        assert_eq!(ended.code, i32::from(!known.valid), "{}: {}", known.source, ended.stderr);
        *(if known.valid { &mut good } else { &mut forged }) += 1;
    }
    assert!(good > 10 && forged > 10, "{good} {forged}");
}

#[test]
fn another_key_or_file_is_found() {
    let folder = folder();
    folder.write("keyed.sums", manifest(&folder, &[]).as_bytes());
    folder.write("other.key", &[7; 32]);
    let check = ["sum", "--key-file", "other.key", "--check", "keyed.sums"];
    let ended = folder.call(&check);
    assert_eq!(ended.code, 1);
    assert!(ended.stderr.contains("WARNING: 5 computed checksums did NOT match"));
    folder.write("short", b"something else");
    let check = ["sum", "--key-file", "secret.key", "--check", "--quiet", "keyed.sums"];
    let ended = folder.call(&check);
    assert_eq!((ended.code, &ended.stdout[..]), (1, &b"short: FAILED\n"[..]));
}

/// Who can't make tags could put digests in their place.
#[test]
fn with_a_key_no_other_lines_are_taken() {
    let folder = folder();
    folder.write("plain.sums", &folder.call(&["sum", "--tag", "short"]).good());
    let check = ["sum", "--key-file", "secret.key", "--check", "plain.sums"];
    let ended = folder.call(&check);
    assert_eq!(ended.code, 1);
    assert!(ended.stderr.contains("no properly formatted checksum lines found"));
    // Without a name it is compared as a tag, which it is not.
    folder.write("plain.sums", &folder.call(&["sum", "short"]).good());
    let ended = folder.call(&check);
    assert_eq!(ended.code, 1);
    assert!(ended.stderr.contains("WARNING: 1 computed checksum did NOT match"));
}

#[test]
fn without_a_key_nothing_is_computed() {
    let folder = folder();
    folder.call(&["sum", "-a", "hmac-sha256", "short"]).bad(2, "hmac-sha256 needs a key");
    let call = ["sum", "-a", "sha256", "--key-file", "secret.key", "short"];
    folder.call(&call).bad(2, "--key-file is for hmac-sha256 only");
    let call = ["sum", "--duplicates", "--key-file", "secret.key", "short"];
    let sentence = "the argument '--duplicates' cannot be used with '--key-file <FILE>'";
    folder.call(&call).bad(2, sentence);
    folder.write("bad.key", b"too short");
    let call = ["sum", "--key-file", "bad.key", "short"];
    folder.call(&call).bad(2, "key file bad.key holds no key: it has 9 bytes");
    folder.write("keyed.sums", manifest(&folder, &[]).as_bytes());
    let ended = folder.call(&["sum", "--check", "keyed.sums"]);
    assert_eq!(ended.code, 1);
    assert!(ended.stderr.contains("short: its HMAC can't be computed without --key-file"));
}

#[test]
fn a_keyed_manifest_is_brought_up_to_date() {
    let folder = folder();
    let update = ["sum", "--key-file", "secret.key", "--update", "keyed.sums", "short", "long"];
    assert_eq!(folder.call(&update).code, 0);
    folder.write("short", b"something else");
    assert_eq!(folder.call(&update).code, 0);
    let text = String::from_utf8(folder.read("keyed.sums")).unwrap();
    let line = format!("HMAC-SHA256 (short) = {}", hmac(&KEY, b"something else"));
    assert!(text.lines().any(|found| found == line), "{text}");
    let check = ["sum", "--key-file", "secret.key", "--check", "--quiet", "keyed.sums"];
    folder.call(&check).good();
}

#[cfg(feature = "sim")]
#[test]
fn tags_of_a_device_are_those_of_the_cpu() {
    let folder = folder();
    let expected = manifest(&folder, &[]);
    assert_eq!(manifest(&folder, &["--engine", "sim"]), expected);
    assert_eq!(manifest(&folder, &["--engine", "sim", "--engine", "cpu"]), expected);
    let serial = ["--engine", "sim", "--sim-variant", "md5-ring"];
    let call = [&["sum", "--key-file", "secret.key"], &serial[..], &NAMES].concat();
    folder.call(&call).bad(2, "no device hashes with hmac-sha256");
    // The key is for that algorithm only.
    let both = ["sum", "-a", "sha256", "--engine", "sim", "long"];
    assert_eq!(folder.call(&both).good(), folder.call(&["sum", "long"]).good());
}
