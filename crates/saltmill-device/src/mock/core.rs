// SPDX-License-Identifier: Apache-2.0
//! What each of the mock's cores can do, in the terms of the hardware's core socket.

use crate::registers::{Algorithm, saltmill_descriptor::Operation};

/// What a mock computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MockCore {
    /// ChaCha20 alone.
    ChaCha20,
    /// ChaCha20 with the final addition left to the host.
    HostAdd,
    /// ChaCha20-Poly1305, Poly1305 alone, and nonces of 24 bytes.
    ChaCha20Poly1305,
    /// AES and AES-GCM: all key sizes and modes.
    Aes,
    /// XOR with a constant, which needs no key.
    XorConstant,
}

/// What the device has to know of a core. Bit n of a mask stands for operation n.
#[derive(Default)]
pub(super) struct Facts {
    pub(super) algorithm: u32,
    pub(super) final_add: bool,
    pub(super) block_bytes: u32,
    /// All that it can do.
    pub(super) operations: u32,
    /// Needs no key.
    pub(super) keyless: u32,
    /// Takes a one-time key, uses it up, and has no destination.
    pub(super) one_time: u32,
    /// Bytes of the result of [`Operation::Digest`], whatever the length; 0: it does not have it.
    pub(super) digest_bytes: u32,
    /// Has no source: it is zeros.
    pub(super) sourceless: u32,
    /// May have additional data, and ends with a tag.
    pub(super) aead: u32,
    /// May have its initialisation vector in memory.
    pub(super) ivs: u32,
    /// Uses the counter field.
    pub(super) counters: u32,
    /// Uses it as a number of blocks that must not pass 2^32.
    pub(super) block_counters: u32,
    pub(super) short_counters: u32,
    pub(super) extended_nonces: u32,
    /// May have a tag of fewer bytes.
    pub(super) tag_lengths: u32,
    /// The length is a multiple of 16.
    pub(super) whole_blocks: u32,
    /// Bit n: key size n; 0: the key size has to be 0.
    pub(super) key_sizes: u32,
}

const STREAMS: u32 = only(Operation::XorStream) | only(Operation::Keystream);
const AEAD: u32 = only(Operation::Seal) | only(Operation::Open);
const ECB: u32 = only(Operation::EcbEncrypt) | only(Operation::EcbDecrypt);
const CBC: u32 = only(Operation::CbcEncrypt) | only(Operation::CbcDecrypt);

const fn only(operation: Operation) -> u32 {
    1 << operation as u32
}

/// Whether an operation is one of a mask.
pub(super) const fn is_in(mask: u32, operation: Operation) -> bool {
    mask & only(operation) != 0
}

impl MockCore {
    pub(super) fn facts(self) -> Facts {
        let keystream = only(Operation::Keystream);
        let ciphers = if self == Self::HostAdd { keystream } else { STREAMS };
        let chacha20 = Facts {
            algorithm: Algorithm::Chacha20 as u32,
            final_add: self != Self::HostAdd,
            block_bytes: 64,
            operations: ciphers,
            sourceless: keystream,
            counters: ciphers,
            block_counters: ciphers,
            ..Facts::default()
        };
        match self {
            Self::ChaCha20 | Self::HostAdd => chacha20,
            Self::ChaCha20Poly1305 => Facts {
                algorithm: Algorithm::Chacha20Poly1305 as u32,
                operations: STREAMS | AEAD | only(Operation::Mac),
                one_time: only(Operation::Mac),
                aead: AEAD,
                extended_nonces: STREAMS | AEAD,
                ..chacha20
            },
            Self::Aes => Facts {
                algorithm: Algorithm::Aes as u32,
                block_bytes: 16,
                operations: STREAMS | AEAD | ECB | CBC,
                aead: AEAD,
                ivs: AEAD,
                counters: STREAMS | CBC,
                block_counters: 0,
                short_counters: STREAMS,
                tag_lengths: only(Operation::Open),
                whole_blocks: ECB | CBC,
                key_sizes: 0b111,
                ..chacha20
            },
            Self::XorConstant => Facts {
                algorithm: Algorithm::XorConstant as u32,
                final_add: true,
                block_bytes: super::DATA_BYTES.into(),
                operations: only(Operation::XorStream) | only(Operation::Digest),
                keyless: only(Operation::XorStream) | only(Operation::Digest),
                digest_bytes: 32,
                ..Facts::default()
            },
        }
    }
}
