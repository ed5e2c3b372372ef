// SPDX-License-Identifier: Apache-2.0
//! Any part of a file.

use std::{fs::File, mem::MaybeUninit};

use saltmill::Reader as LibraryReader;

use crate::{
    error::{Error, Status, call, quiet},
    keys::Identities,
    raw::{Room, Text, make, needed},
};

/// Chunks that are kept if nothing else is said: 4 MiB.
const CACHED: usize = 64;

/// A file whose text is read anywhere. Threads may share it, and read at once.
pub struct Reader(LibraryReader);

/// Opens a file of the age format without an armor. Its last chunk is opened at once, so that a
/// file that was cut off is noticed. `cached`: chunks of 64 KiB that are kept in memory; 0: 64.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_reader_open(
    path: Text,
    identities: Option<&Identities>,
    cached: usize,
    reader: Option<&mut MaybeUninit<Option<Box<Reader>>>>,
) -> Status {
    call(|| {
        make(reader, || {
            let path = path.get()?;
            let system = |error| Error::system(&error, path);
            let file = File::open(path).map_err(system)?;
            let size = file.metadata().map_err(system)?.len();
            let identities = needed(identities)?.boxed();
            let cached = if cached == 0 { CACHED } else { cached };
            Ok(Reader(LibraryReader::open(Box::new(file), size, &identities, cached)?))
        })
    })
}

/// Bytes of its text; 0 for null.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_reader_size(reader: Option<&Reader>) -> u64 {
    reader.map_or(0, |reader| reader.0.payload().text_bytes())
}

/// Reads `size` bytes of the text from `offset` on, fewer only at its end; gives their number. Each
/// was authenticated. If this fails, `buffer` holds no text.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_reader_read(
    reader: Option<&Reader>,
    offset: u64,
    mut buffer: Room,
    size: usize,
    length: Option<&mut MaybeUninit<usize>>,
) -> Status {
    call(|| {
        let length = needed(length)?;
        length.write(0);
        let buffer = buffer.zeroed(size)?;
        let read = needed(reader)?.0.read_at(offset, buffer);
        match read {
            Ok(read) => length.write(read),
            Err(error) => {
                buffer.fill(0);
                return Err(error.into());
            }
        };
        Ok(())
    })
}

/// Frees it, and clears what is in it; null is none.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_reader_free(reader: Option<Box<Reader>>) {
    quiet(|| drop(reader));
}
