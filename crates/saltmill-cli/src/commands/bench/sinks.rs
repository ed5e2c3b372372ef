// SPDX-License-Identifier: Apache-2.0
//! Ends of a run that are no files.

use std::io;

use saltmill::engine::{ReadAt, WriteAt};

/// Nothing is read: the buffer stays as it is. What is written is discarded.
pub struct Stub;

impl ReadAt for Stub {
    fn read_exact_at(&self, _buffer: &mut [u8], _offset: u64) -> io::Result<()> {
        Ok(())
    }
}

impl WriteAt for Stub {
    fn write_all_at(&self, _buffer: &[u8], _offset: u64) -> io::Result<()> {
        Ok(())
    }
}

/// Takes only what another file has in the same place.
pub struct SameAs<'a>(pub &'a dyn ReadAt);

impl WriteAt for SameAs<'_> {
    fn write_all_at(&self, buffer: &[u8], offset: u64) -> io::Result<()> {
        let mut expected = vec![0; buffer.len()];
        self.0.read_exact_at(&mut expected, offset)?;
        if expected == buffer { Ok(()) } else { Err(io::Error::other("the bytes are wrong")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Sevens;

    impl ReadAt for Sevens {
        fn read_exact_at(&self, buffer: &mut [u8], _offset: u64) -> io::Result<()> {
            buffer.fill(7);
            Ok(())
        }
    }

    #[test]
    fn one_wrong_byte_is_seen() {
        assert!(SameAs(&Sevens).write_all_at(&[7; 100], 3).is_ok());
        let mut wrong = [7; 100];
        wrong[99] = 8;
        assert!(SameAs(&Sevens).write_all_at(&wrong, 3).is_err());
    }
}
