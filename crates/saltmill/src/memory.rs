// SPDX-License-Identifier: Apache-2.0
//! Memory in the place of a file, for whoever has bytes and wants bytes.

use std::{
    io,
    sync::{Mutex, PoisonError},
};

use saltmill_engine::{ReadAt, WriteAt};

/// Bytes that are read like a file.
#[derive(Clone, Copy, Debug)]
pub struct Memory<'a>(pub &'a [u8]);

impl ReadAt for Memory<'_> {
    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        let start = usize::try_from(offset).ok();
        let end = start.and_then(|start| start.checked_add(buffer.len()));
        let part = start.zip(end).and_then(|(start, end)| self.0.get(start..end));
        buffer.copy_from_slice(part.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

/// Bytes that are written like a file. Workers write different pieces at the same time: each piece
/// has a lock of its own.
pub struct MemoryMut<'a> {
    pieces: Vec<Mutex<&'a mut [u8]>>,
    piece: usize,
}

impl<'a> MemoryMut<'a> {
    /// Memory in pieces of so many bytes, at best those of a result.
    ///
    /// # Panics
    /// If a piece has no bytes.
    pub fn new(bytes: &'a mut [u8], piece: usize) -> Self {
        Self { pieces: bytes.chunks_mut(piece).map(Mutex::new).collect(), piece }
    }
}

impl WriteAt for MemoryMut<'_> {
    fn write_all_at(&self, mut buffer: &[u8], offset: u64) -> io::Result<()> {
        let mut offset = usize::try_from(offset).map_err(|_| io::ErrorKind::FileTooLarge)?;
        while !buffer.is_empty() {
            let piece = self.pieces.get(offset / self.piece).ok_or(io::ErrorKind::StorageFull)?;
            let mut piece = piece.lock().unwrap_or_else(PoisonError::into_inner);
            let room = piece.get_mut(offset % self.piece..).unwrap_or_default();
            let (now, later) = buffer.split_at(buffer.len().min(room.len()));
            if now.is_empty() {
                return Err(io::ErrorKind::StorageFull.into());
            }
            room[..now.len()].copy_from_slice(now);
            (buffer, offset) = (later, offset + now.len());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_over_pieces_is_read_again() {
        let (text, mut memory) = ((0..40).collect::<Vec<u8>>(), [0; 40]);
        let target = MemoryMut::new(&mut memory, 7);
        for (start, end) in [(30, 40), (0, 3), (3, 30), (5, 5)] {
            target.write_all_at(&text[start..end], start as u64).expect("there is room");
        }
        let full = target.write_all_at(&[1, 2], 39).expect_err("one byte too many");
        assert_eq!(full.kind(), io::ErrorKind::StorageFull);
        let (mut again, mut behind) = ([0; 38], [0; 2]);
        Memory(&memory).read_exact_at(&mut again, 1).expect("it is there");
        assert_eq!(again, text[1..39]);
        let end = Memory(&memory).read_exact_at(&mut behind, 39).expect_err("it ends");
        assert_eq!(end.kind(), io::ErrorKind::UnexpectedEof);
    }
}
