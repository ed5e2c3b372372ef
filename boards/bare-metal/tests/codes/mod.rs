// SPDX-License-Identifier: Apache-2.0
//! Codes of `rtl/device/generated/saltmill_codes.h`, from its text.
#![allow(missing_docs, reason = "names of the header")]

const HEADER: &str = include_str!("../../../../rtl/device/generated/saltmill_codes.h");

/// The value behind `name =`, or the number of lines from the beginning of the enum.
const fn code(name: &str) -> u32 {
    let (text, name) = (HEADER.as_bytes(), name.as_bytes());
    let mut at = 0;
    while at + name.len() < text.len() {
        let mut same = 0;
        while same < name.len() && text[at + same] == name[same] {
            same += 1;
        }
        let mut after = at + same;
        if same == name.len() && text[after] == b' ' && text[after + 1] == b'=' {
            after += 3;
            let mut value = 0;
            while text[after].is_ascii_digit() {
                value = 10 * value + (text[after] - b'0') as u32;
                after += 1;
            }
            return value;
        }
        at += 1;
    }
    panic!("no such code")
}

pub const CHACHA20: u32 = code("SALTMILL_ALGORITHM_CHACHA20");
pub const CHACHA20_POLY1305: u32 = code("SALTMILL_ALGORITHM_CHACHA20_POLY1305");
pub const AES: u32 = code("SALTMILL_ALGORITHM_AES");
pub const SHA256: u32 = code("SALTMILL_ALGORITHM_SHA256");
pub const MD5: u32 = code("SALTMILL_ALGORITHM_MD5");
pub const COUNTER_JOBS: u32 = code("SALTMILL_COUNTER_JOBS");

const fn operation(name: &str) -> u8 {
    code(name) as u8
}

pub const XOR_STREAM: u8 = operation("SALTMILL_OPERATION_XOR_STREAM");
pub const KEYSTREAM: u8 = operation("SALTMILL_OPERATION_KEYSTREAM");
pub const SEAL: u8 = operation("SALTMILL_OPERATION_SEAL");
pub const OPEN: u8 = operation("SALTMILL_OPERATION_OPEN");
pub const ECB_ENCRYPT: u8 = operation("SALTMILL_OPERATION_ECB_ENCRYPT");
pub const ECB_DECRYPT: u8 = operation("SALTMILL_OPERATION_ECB_DECRYPT");
pub const CBC_ENCRYPT: u8 = operation("SALTMILL_OPERATION_CBC_ENCRYPT");
pub const CBC_DECRYPT: u8 = operation("SALTMILL_OPERATION_CBC_DECRYPT");
pub const DIGEST: u8 = operation("SALTMILL_OPERATION_DIGEST");
pub const DIGEST_PART: u8 = operation("SALTMILL_OPERATION_DIGEST_PART");
pub const HMAC: u8 = operation("SALTMILL_OPERATION_HMAC");
