// SPDX-License-Identifier: Apache-2.0
//! The project's test vectors.

pub(super) struct Vector {
    pub(super) name: String,
    pub(super) key: [u8; 32],
    pub(super) nonce: [u8; 12],
    pub(super) counter: u32,
    pub(super) plaintext: Vec<u8>,
    pub(super) ciphertext: Vec<u8>,
}

pub(super) fn all() -> Vec<Vector> {
    let mut nonce = [0; 12];
    nonce[7] = 0x4a;
    vec![Vector {
        name: "RFC 8439, 2.4.2, first bytes".to_owned(),
        key: std::array::from_fn(|i| i as u8),
        nonce,
        counter: 1,
        plaintext: b"Ladies and Gentl".to_vec(),
        ciphertext: vec![
            0x6e, 0x2e, 0x35, 0x9a, 0x25, 0x68, 0xf9, 0x80, 0x41, 0xba, 0x07, 0x28, 0xdd, 0x0d,
            0x69, 0x81,
        ],
    }]
}
