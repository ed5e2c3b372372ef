// SPDX-License-Identifier: Apache-2.0
//! Files that come piece by piece, into the caller's buffers.

use std::mem::MaybeUninit;

use saltmill::{
    Opening, Sealing,
    engine::{CHUNK_BYTES, Engine as LibraryEngine, SEALED_CHUNK_BYTES},
    keys::ReadyIdentity,
};

use crate::{
    engine::{own, processors},
    error::{Error, Status, call, quiet},
    keys::{Identities, Recipients},
    raw::{Bytes, Room, make, needed},
};

/// Seals a text that comes piece by piece. One thread at a time.
pub struct Encryptor {
    sealing: Option<Sealing>,
    /// Header and nonce, until they are given out.
    prologue: Vec<u8>,
    engine: LibraryEngine,
}

/// Opens a file that comes piece by piece. One thread at a time.
pub struct Decryptor {
    opening: Option<Opening<ReadyIdentity>>,
    engine: LibraryEngine,
}

impl Encryptor {
    /// The first part of the file has the prologue in front.
    fn with_prologue(&mut self, sealed: Vec<u8>) -> Vec<u8> {
        let mut file = std::mem::take(&mut self.prologue);
        if file.is_empty() {
            return sealed;
        }
        file.extend_from_slice(&sealed);
        file
    }
}

/// Begins a file for these recipients, without an armor. With a passphrase it takes a second.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_encryptor_new(
    recipients: Option<&Recipients>,
    encryptor: Option<&mut MaybeUninit<Option<Box<Encryptor>>>>,
) -> Status {
    call(|| {
        make(encryptor, || {
            let (sealing, prologue) = Sealing::begin(&needed(recipients)?.boxed())?;
            let engine = own(processors() as u64);
            Ok(Encryptor { sealing: Some(sealing), prologue, engine })
        })
    })
}

/// Room that `saltmill_encryptor_update()` needs for a result if it is given `size` bytes, and with
/// 0 that of `saltmill_encryptor_finish()`; 0 for null.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_encryptor_room(encryptor: Option<&Encryptor>, size: usize) -> usize {
    let Some(encryptor) = encryptor else { return 0 };
    let chunks = (size / CHUNK_BYTES).saturating_add(1);
    chunks.saturating_mul(SEALED_CHUNK_BYTES).saturating_add(encryptor.prologue.len())
}

/// Takes the text that follows; gives the part of the file that is complete by it, and its length,
/// which may be 0. `room`: bytes that fit into `result`; with fewer than
/// `saltmill_encryptor_room()` says, nothing is taken.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_encryptor_update(
    encryptor: Option<&mut Encryptor>,
    text: Bytes,
    size: usize,
    mut result: Room,
    room: usize,
    mut length: Option<&mut MaybeUninit<usize>>,
) -> Status {
    call(|| {
        let encryptor = needed(encryptor)?;
        result.check(room, saltmill_encryptor_room(Some(encryptor), size), &mut length)?;
        let text = text.of(size)?;
        let sealing = encryptor.sealing.as_mut().ok_or_else(Error::ended)?;
        let sealed = sealing.push(&mut encryptor.engine, text)?;
        result.put(room, &encryptor.with_prologue(sealed), length)
    })
}

/// The end of the file. After it the object can only be freed.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_encryptor_finish(
    encryptor: Option<&mut Encryptor>,
    mut result: Room,
    room: usize,
    mut length: Option<&mut MaybeUninit<usize>>,
) -> Status {
    call(|| {
        let encryptor = needed(encryptor)?;
        result.check(room, saltmill_encryptor_room(Some(encryptor), 0), &mut length)?;
        let sealing = encryptor.sealing.take().ok_or_else(Error::ended)?;
        let sealed = sealing.finish(&mut encryptor.engine)?;
        result.put(room, &encryptor.with_prologue(sealed), length)
    })
}

/// Frees it, and clears what is in it; null is none.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_encryptor_free(encryptor: Option<Box<Encryptor>>) {
    quiet(|| drop(encryptor));
}

/// Begins to open a file for these identities, which are copied. One with an armor is
/// `SALTMILL_STATUS_FORMAT`, kind `armor`: `saltmill_decrypt_stream()` reads it.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_decryptor_new(
    identities: Option<&Identities>,
    decryptor: Option<&mut MaybeUninit<Option<Box<Decryptor>>>>,
) -> Status {
    call(|| {
        make(decryptor, || {
            let opening = Opening::begin(needed(identities)?.ready());
            let engine = own(processors() as u64);
            Ok(Decryptor { opening: Some(opening), engine })
        })
    })
}

/// Room that `saltmill_decryptor_update()` needs for a result if it is given `size` bytes, and with
/// 0 that of `saltmill_decryptor_finish()`; 0 for null.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_decryptor_room(decryptor: Option<&Decryptor>, size: usize) -> usize {
    let opening = decryptor.and_then(|decryptor| decryptor.opening.as_ref());
    opening.map_or(0, |opening| opening.pending_bytes().saturating_add(size))
}

/// Takes the bytes of the file that follow; gives text, of which each byte is authenticated, and
/// its length, which may be 0. The text is all there only when `saltmill_decryptor_finish()` has
/// succeeded. `room`: bytes that fit into `result`; with fewer than `saltmill_decryptor_room()`
/// says, nothing is taken.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_decryptor_update(
    decryptor: Option<&mut Decryptor>,
    file: Bytes,
    size: usize,
    mut result: Room,
    room: usize,
    mut length: Option<&mut MaybeUninit<usize>>,
) -> Status {
    call(|| {
        let decryptor = needed(decryptor)?;
        result.check(room, saltmill_decryptor_room(Some(decryptor), size), &mut length)?;
        let file = file.of(size)?;
        let opening = decryptor.opening.as_mut().ok_or_else(Error::ended)?;
        let text = opening.push(&mut decryptor.engine, file)?;
        result.put(room, &text, length)
    })
}

/// The file has ended: the rest of its text. If it was cut off, this is where it is noticed. After
/// it the object can only be freed.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_decryptor_finish(
    decryptor: Option<&mut Decryptor>,
    mut result: Room,
    room: usize,
    mut length: Option<&mut MaybeUninit<usize>>,
) -> Status {
    call(|| {
        let decryptor = needed(decryptor)?;
        result.check(room, saltmill_decryptor_room(Some(decryptor), 0), &mut length)?;
        let opening = decryptor.opening.take().ok_or_else(Error::ended)?;
        let text = opening.finish(&mut decryptor.engine)?;
        result.put(room, &text, length)
    })
}

/// Frees it, and clears what is in it; null is none.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_decryptor_free(decryptor: Option<Box<Decryptor>>) {
    quiet(|| drop(decryptor));
}
