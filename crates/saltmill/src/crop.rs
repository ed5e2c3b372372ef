// SPDX-License-Identifier: Apache-2.0
//! A part of what comes out, and no more: chunks are whole, and what is asked for may begin and end
//! in them.

use std::{
    io::{self, Write},
    ops::Range,
};

use saltmill_engine::WriteAt;

/// Takes all and keeps nothing.
pub(crate) struct Nowhere;

impl WriteAt for Nowhere {
    fn write_all_at(&self, _buffer: &[u8], _offset: u64) -> io::Result<()> {
        Ok(())
    }
}

/// Puts these bytes of what is written to the start of an output.
pub(crate) struct Crop<W> {
    output: W,
    kept: Range<u64>,
    /// Bytes that a stream has got.
    seen: u64,
}

impl<W> Crop<W> {
    /// What stands in front of an output.
    pub fn new(output: W, kept: Range<u64>) -> Self {
        Self { output, kept, seen: 0 }
    }

    /// What of a buffer at this offset is kept.
    fn part(&self, offset: u64, len: usize) -> Range<usize> {
        let within = |place: u64| place.clamp(offset, offset + len as u64) - offset;
        // Both are at most the buffer's length.
        within(self.kept.start) as usize..within(self.kept.end) as usize
    }
}

impl WriteAt for Crop<&dyn WriteAt> {
    fn write_all_at(&self, buffer: &[u8], offset: u64) -> io::Result<()> {
        let part = self.part(offset, buffer.len());
        if part.is_empty() {
            return Ok(());
        }
        let place = offset + part.start as u64 - self.kept.start;
        self.output.write_all_at(&buffer[part], place)
    }
}

impl<W: Write> Write for Crop<W> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        let part = self.part(self.seen, buffer.len());
        let mut taken = buffer.len();
        if !part.is_empty() {
            let written = self.output.write(&buffer[part.clone()])?;
            if written < part.len() {
                taken = part.start + written;
            }
            if taken == 0 {
                return Ok(0);
            }
        }
        self.seen += taken as u64;
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    /// Takes three bytes at a time.
    struct Slow<'a>(&'a mut Vec<u8>);

    impl Write for Slow<'_> {
        fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
            let few = buffer.len().min(3);
            self.0.extend_from_slice(&buffer[..few]);
            Ok(few)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    struct Placed(Mutex<Vec<u8>>);

    impl WriteAt for Placed {
        fn write_all_at(&self, buffer: &[u8], offset: u64) -> io::Result<()> {
            let offset = usize::try_from(offset).map_err(io::Error::other)?;
            let mut bytes = self.0.lock().map_err(|_| io::Error::other("poisoned"))?;
            let len = bytes.len().max(offset + buffer.len());
            bytes.resize(len, 0);
            bytes[offset..offset + buffer.len()].copy_from_slice(buffer);
            Ok(())
        }
    }

    #[test]
    fn every_crop_of_a_text_in_pieces() -> io::Result<()> {
        let text: Vec<u8> = (0..40).collect();
        for start in 0..=40 {
            for end in start..=40 {
                let kept = start as u64..end as u64;
                let mut stream = Vec::new();
                let mut crop = Crop::new(Slow(&mut stream), kept.clone());
                let placed = Placed(Mutex::default());
                let at = Crop::new(&placed as &dyn WriteAt, kept);
                for (index, piece) in text.chunks(7).enumerate() {
                    crop.write_all(piece)?;
                    at.write_all_at(piece, 7 * index as u64)?;
                }
                assert_eq!(stream, text[start..end]);
                assert_eq!(placed.0.into_inner().unwrap_or_default(), text[start..end]);
            }
        }
        Ok(())
    }
}
