// SPDX-License-Identifier: Apache-2.0
//! The age test kit (C2SP CCTV), all of it, each file as a file and through a pipe, with its
//! expected end.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use std::{
    io::{Cursor, Read, Write},
    process::Stdio,
    thread,
};

use age::x25519;
use common::{Ended, Folder, hex};
use flate2::read::ZlibDecoder;
use openssl::{base64::decode_block, sha::sha256};
use saltmill::engine::{CHUNK_BYTES, Chunks, Job, Key, SEALED_CHUNK_BYTES, TAG_BYTES, Work};
use saltmill::format::Opened;
use serde::Deserialize;

#[derive(Deserialize)]
struct Kit {
    vectors: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    expect: String,
    identities: Vec<String>,
    passphrases: Vec<String>,
    armored: bool,
    payload_sha256: Option<String>,
    file: String,
}

/// An identity that nothing is for, where the kit gives none.
const NOBODY: &str = "AGE-SECRET-KEY-1GQ9778VQXMMJVE8SK7J6VT8UJ4HDQAJUVSFCWCM02D8GEWQ72PVQ2Y5J33";

fn kit() -> Vec<Case> {
    let kit: Kit = serde_json::from_str(include_str!("../../../vectors/age.json")).unwrap();
    assert_eq!(kit.vectors.len(), 143);
    kit.vectors
}

impl Case {
    fn file(&self) -> Vec<u8> {
        let packed = decode_block(&self.file).unwrap();
        let mut file = Vec::new();
        ZlibDecoder::new(&packed[..]).read_to_end(&mut file).unwrap();
        file
    }

    /// Decrypts it, from a file into a file or through pipes.
    fn decrypt(&self, folder: &Folder, piped: bool) -> Ended {
        let ends: &[_] = if piped { &[] } else { &["-o", "out", "file"] };
        let with: &[_] = if self.needs_passphrase() { &[] } else { &["-i", "id.txt"] };
        let secret = self.passphrases.first().map_or("", String::as_str);
        let mut command = folder.command_with_secret(&[&["decrypt"], with, ends].concat(), secret);
        let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
        let (mut pipe, file) = (child.stdin.take().unwrap(), self.file());
        let writer = thread::spawn(move || drop(pipe.write_all(&file)));
        let ended = child.wait_with_output().unwrap().into();
        writer.join().unwrap();
        ended
    }

    fn needs_passphrase(&self) -> bool {
        self.identities.is_empty() && !self.passphrases.is_empty()
    }

    /// Whether a call ended as the kit says: its code, and its sentence.
    fn is_as_expected(&self, ended: &Ended) -> bool {
        let first = ended.stderr.lines().next().unwrap_or_default();
        let said = |code, sentences: &[&str]| {
            ended.code == code && sentences.iter().any(|sentence| first.contains(sentence))
        };
        let not_age = || said(2, &["it is not an age file"]);
        match self.expect.as_str() {
            "success" => ended.code == 0 && first.is_empty(),
            "no match" if self.needs_passphrase() => {
                let other_kind = "is encrypted to recipients, and no identity is given";
                said(4, &["wrong passphrase for"]) || said(2, &[other_kind])
            }
            "no match" => said(4, &["none of the identities can decrypt"]),
            "HMAC failure" => said(4, &["the authentication code does not match"]),
            "header failure" => {
                let other = ["it is of version", "at most 22 is accepted"];
                said(4, &["its header is malformed", "it ends inside its header"])
                    || said(2, &other)
                    || not_age()
            }
            "payload failure" => said(4, &["was changed or cut off: chunk"]),
            "armor failure" => self.armored && (said(4, &["the armor of"]) || not_age()),
            other => panic!("{other} is not known"),
        }
    }

    fn is_payload(&self, found: &[u8]) -> bool {
        self.payload_sha256.as_ref().is_none_or(|expected| *expected == hex(&sha256(found)))
    }

    /// Whether a pipe has got what it may: of a payload that fails, chunks in front of the one that
    /// is named. The kit's hash is of what age releases, which also takes a last chunk for good
    /// before it knows that the input does not end with it: an end that is not the end is refused
    /// here with its chunk.
    fn is_released(&self, ended: &Ended) -> bool {
        if self.expect != "payload failure" {
            return self.is_payload(&ended.stdout);
        }
        let known = self.good_chunks();
        let named = ended.stderr.split_once("chunk ").and_then(|(_, rest)| rest.split_once(','));
        let Some(named) = named.and_then(|(number, _)| number.parse::<usize>().ok()) else {
            return false;
        };
        self.is_payload(&known)
            && known.starts_with(&ended.stdout)
            && ended.stdout.len().is_multiple_of(CHUNK_BYTES)
            && ended.stdout.len() <= named * CHUNK_BYTES
    }

    /// The text of all chunks up to the first that opens neither as a last one nor as another.
    fn good_chunks(&self) -> Vec<u8> {
        let opened = Opened::read(Box::new(Cursor::new(self.file()))).unwrap();
        let identity: x25519::Identity = self.identities[0].parse().unwrap();
        let identity: Box<dyn age::Identity> = Box::new(identity);
        let key = Key::new(*opened.prologue.open(&[identity]).unwrap().bytes());
        let (mut sealed, mut text) = (Vec::new(), Vec::new());
        { opened.payload }.read_to_end(&mut sealed).unwrap();
        let work = Work::Open(Chunks::new(key));
        for (number, chunk) in sealed.chunks(SEALED_CHUNK_BYTES).enumerate() {
            let open = |last| {
                let mut bytes = chunk.to_vec();
                let offset = (number * SEALED_CHUNK_BYTES) as u64;
                let done = work.apply(Job { offset, len: chunk.len(), last }, &mut bytes);
                done.ok().map(|()| (bytes[..chunk.len() - TAG_BYTES].to_vec(), last))
            };
            let inner = if chunk.len() == SEALED_CHUNK_BYTES { open(false) } else { None };
            match inner.or_else(|| open(true)) {
                Some((more, last)) if number == 0 || !more.is_empty() => {
                    text.extend(more);
                    if last {
                        break;
                    }
                }
                _ => break,
            }
        }
        text
    }
}

#[test]
fn every_file_of_the_age_test_kit_ends_as_expected() {
    let folder = Folder::new();
    let mut wrong = Vec::new();
    for vector in kit() {
        let mut identities = vector.identities.join("\n");
        if identities.is_empty() {
            NOBODY.clone_into(&mut identities);
        }
        folder.write("id.txt", identities.as_bytes());
        folder.write("file", &vector.file());
        for piped in [false, true] {
            let ended = vector.decrypt(&folder, piped);
            let out = std::fs::read(folder.path("out"));
            let payload = match (piped, &vector.expect[..]) {
                (true, _) => vector.is_released(&ended),
                (false, "success") => out.as_ref().is_ok_and(|out| vector.is_payload(out)),
                // A file has all or nothing.
                (false, _) => out.is_err(),
            };
            if !payload || !vector.is_as_expected(&ended) {
                let Ended { code, stderr, .. } = ended;
                let (name, expect) = (&vector.name, &vector.expect);
                let what = format!("{name} (piped: {piped}): {expect}, payload {payload}");
                wrong.push(format!("{what}: {code}, {stderr}"));
            }
            let _ = std::fs::remove_file(folder.path("out"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
