// SPDX-License-Identifier: Apache-2.0
//! Digests.

use std::{
    ffi::c_char,
    fs::File,
    io::{ErrorKind, Read},
    mem::MaybeUninit,
    ptr,
};

use saltmill::{
    engine::Key,
    sum::{HashAlgorithm, Hasher},
};

use crate::{
    error::{Error, Status, call, quiet},
    raw::{Bytes, Room, Text, make, needed},
};

/// Bytes read at a time (decision 65).
const READ_BYTES: usize = 64 << 10;

/// A digest of bytes that come piece by piece. One thread at a time.
pub struct Hash {
    hasher: Option<Hasher>,
    digest_bytes: usize,
}

/// Name of a hash algorithm: number 0, 1 and so on, null behind the last one. They are the
/// command's: `md5` (RFC 1321), `sha1`, `sha224`, `sha256`, `sha384`, `sha512` (FIPS 180-4),
/// `blake3`, `hmac-sha256` (RFC 2104).
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_algorithm(number: usize) -> *const c_char {
    const NAMES: [(&str, HashAlgorithm); 8] = [
        ("md5\0", HashAlgorithm::Md5),
        ("sha1\0", HashAlgorithm::Sha1),
        ("sha224\0", HashAlgorithm::Sha224),
        ("sha256\0", HashAlgorithm::Sha256),
        ("sha384\0", HashAlgorithm::Sha384),
        ("sha512\0", HashAlgorithm::Sha512),
        ("blake3\0", HashAlgorithm::Blake3),
        ("hmac-sha256\0", HashAlgorithm::HmacSha256),
    ];
    NAMES.get(number).map_or(ptr::null(), |(name, _)| name.as_ptr().cast())
}

/// Begins a digest. `key` and its length: 32 bytes of `hmac-sha256`; the others have none: null, 0.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_hash_new(
    name: Text,
    key: Bytes,
    key_size: usize,
    hash: Option<&mut MaybeUninit<Option<Box<Hash>>>>,
) -> Status {
    call(|| make(hash, || begin(name.get()?, key.of(key_size)?)))
}

/// Takes the bytes that follow.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_hash_update(
    hash: Option<&mut Hash>,
    data: Bytes,
    size: usize,
) -> Status {
    call(|| {
        let data = data.of(size)?;
        needed(hash)?.hasher.as_mut().ok_or_else(Error::ended)?.update(data);
        Ok(())
    })
}

/// The digest, of 16 to 64 bytes. After it the object can only be freed.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_hash_finish(
    hash: Option<&mut Hash>,
    mut digest: Room,
    room: usize,
    mut length: Option<&mut MaybeUninit<usize>>,
) -> Status {
    call(|| {
        let hash = needed(hash)?;
        digest.check(room, hash.digest_bytes, &mut length)?;
        let hasher = hash.hasher.take().ok_or_else(Error::ended)?;
        digest.put(room, hasher.finish().bytes(), length)
    })
}

/// Frees it; null is none.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_hash_free(hash: Option<Box<Hash>>) {
    quiet(|| drop(hash));
}

/// The digest of a file. Arguments are those of `saltmill_hash_new()` and `saltmill_hash_finish()`.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_hash_file(
    path: Text,
    name: Text,
    key: Bytes,
    key_size: usize,
    mut digest: Room,
    room: usize,
    mut length: Option<&mut MaybeUninit<usize>>,
) -> Status {
    call(|| {
        let path = path.get()?;
        let system = |error| Error::system(&error, path);
        let hash = begin(name.get()?, key.of(key_size)?)?;
        digest.check(room, hash.digest_bytes, &mut length)?;
        let mut hasher = hash.hasher.ok_or_else(Error::ended)?;
        let mut file = File::open(path).map_err(system)?;
        let mut buffer = vec![0; READ_BYTES];
        loop {
            match file.read(&mut buffer) {
                Ok(0) => break,
                Ok(read) => hasher.update(&buffer[..read]),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(system(error)),
            }
        }
        digest.put(room, hasher.finish().bytes(), length)
    })
}

fn begin(name: &str, key: &[u8]) -> Result<Hash, Error> {
    let found = HashAlgorithm::ALL.into_iter().find(|algorithm| algorithm.name() == name);
    let algorithm = found.ok_or_else(|| Error::argument(format!("there is no hash {name:?}")))?;
    if key.is_empty() == (algorithm == HashAlgorithm::HmacSha256) {
        return Err(Error::argument("a key is for hmac-sha256, and it needs one"));
    }
    let key = match key {
        [] => None,
        key => {
            let key = key.try_into().map(Key::new);
            Some(key.map_err(|_| Error::argument("a key of HMAC has 32 bytes here"))?)
        }
    };
    let hasher = Hasher::new(algorithm, key.as_ref());
    let hasher = hasher.map_err(|error| Error::argument(error.to_string()))?;
    Ok(Hash { hasher: Some(hasher), digest_bytes: algorithm.digest_bytes() })
}

#[cfg(test)]
mod tests {
    use std::ffi::CStr;

    use super::*;

    #[test]
    fn all_algorithms_have_a_name() {
        for number in 0..9 {
            let found = saltmill_algorithm(number);
            let expected = HashAlgorithm::ALL.get(number).map(|known| known.name());
            assert_eq!(found.is_null(), expected.is_none());
            if let Some(expected) = expected {
                // SAFETY: not null, and all of them end with a zero byte.
                let name = unsafe { CStr::from_ptr(found) };
                assert_eq!(name.to_str(), Ok(expected));
            }
        }
    }
}
