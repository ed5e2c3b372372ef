// SPDX-License-Identifier: Apache-2.0
//! What a device without the final addition leaves to the host.
//!
//! Its "keystream" is the ChaCha20 state after the 20 rounds. Added word by word to the state
//! before the rounds it is the keystream of RFC 8439. It is as secret as the key: who sees a block
//! of it can turn the rounds back.

/// The ChaCha20 state before the rounds (RFC 8439, 2.3).
pub(crate) fn initial_state(key: &[u8; 32], nonce: &[u8; 12], counter: u32) -> [u32; 16] {
    let mut state = [0; 16];
    let constants = b"expand 32-byte k";
    let tail = counter.to_le_bytes();
    let bytes = constants.iter().chain(key).chain(&tail).chain(nonce);
    for (index, &byte) in bytes.enumerate() {
        state[index / 4] |= u32::from(byte) << (8 * (index % 4));
    }
    state
}

/// Encrypts or decrypts `data` with what the device gave for it: `data ^= rounds + initial state`.
///
/// `rounds` holds as many bytes as `data`, starting at the block with number `counter`.
///
/// # Panics
/// If `rounds` and `data` differ in length.
pub fn finish(key: &[u8; 32], nonce: &[u8; 12], counter: u32, rounds: &[u8], data: &mut [u8]) {
    assert_eq!(rounds.len(), data.len(), "as many bytes of keystream as of data");
    let mut state = initial_state(key, nonce, counter);
    let mut blocks = rounds.chunks_exact(64);
    let mut outputs = data.chunks_exact_mut(64);
    for (rounds, data) in (&mut blocks).zip(&mut outputs) {
        finish_words(&state, rounds, data);
        state[12] = state[12].wrapping_add(1);
    }
    let (rest, output) = (blocks.remainder(), outputs.into_remainder());
    if !rest.is_empty() {
        let (mut rounds, mut data) = ([0; 64], [0; 64]);
        rounds[..rest.len()].copy_from_slice(rest);
        data[..rest.len()].copy_from_slice(output);
        finish_words(&state, &rounds, &mut data);
        output.copy_from_slice(&data[..rest.len()]);
    }
}

/// One block, a word at a time.
fn finish_words(state: &[u32; 16], rounds: &[u8], data: &mut [u8]) {
    let words = rounds.as_chunks::<4>().0.iter().zip(data.as_chunks_mut::<4>().0);
    for (word, (round, data)) in state.iter().zip(words) {
        let keystream = word.wrapping_add(u32::from_le_bytes(*round));
        *data = (keystream ^ u32::from_le_bytes(*data)).to_le_bytes();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rfc_8439_2_3_2_from_the_state_after_the_rounds() {
        let key: [u8; 32] = std::array::from_fn(|i| i as u8);
        let nonce = [0, 0, 0, 9, 0, 0, 0, 0x4a, 0, 0, 0, 0];
        let after_rounds: [u32; 16] = [
            0x837778ab, 0xe238d763, 0xa67ae21e, 0x5950bb2f, 0xc4f2d0c7, 0xfc62bb2f, 0x8fa018fc,
            0x3f5ec7b7, 0x335271c2, 0xf29489f3, 0xeabda8fc, 0x82e46ebd, 0xd19c12b4, 0xb04e16de,
            0x9e83d0cb, 0x4e3c50a2,
        ];
        let rounds: Vec<u8> = after_rounds.iter().flat_map(|w| w.to_le_bytes()).collect();
        let keystream = [
            0x10, 0xf1, 0xe7, 0xe4, 0xd1, 0x3b, 0x59, 0x15, 0x50, 0x0f, 0xdd, 0x1f, 0xa3, 0x20,
            0x71, 0xc4, 0xc7, 0xd1, 0xf4, 0xc7, 0x33, 0xc0, 0x68, 0x03, 0x04, 0x22, 0xaa, 0x9a,
            0xc3, 0xd4, 0x6c, 0x4e, 0xd2, 0x82, 0x64, 0x46, 0x07, 0x9f, 0xaa, 0x09, 0x14, 0xc2,
            0xd7, 0x05, 0xd9, 0x8b, 0x02, 0xa2, 0xb5, 0x12, 0x9c, 0xd1, 0xde, 0x16, 0x4e, 0xb9,
            0xcb, 0xd0, 0x83, 0xe8, 0xa2, 0x50, 0x3c, 0x4e,
        ];
        for length in 0..=64 {
            let mut data = vec![0; length];
            finish(&key, &nonce, 1, &rounds[..length], &mut data);
            assert_eq!(data, keystream[..length]);
        }
    }
}
