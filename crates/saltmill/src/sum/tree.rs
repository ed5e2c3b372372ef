// SPDX-License-Identifier: Apache-2.0
//! A large file with BLAKE3: its digest is the root of a tree, whose parts don't depend on each
//! other (the BLAKE3 paper, 5.1).

use std::{fs::File, io};

use blake3::hazmat::{
    ChainingValue, HasherExt, Mode, merge_subtrees_non_root, merge_subtrees_root,
};
use saltmill_engine::ReadAt;

use super::{
    FileError, HashAlgorithm, Hashed, Source,
    file::{READ_BYTES, Watch},
    version::Opened,
};

/// Bytes of a piece; a power of two, and at least a chunk of BLAKE3. Many buffers, so that handing
/// pieces out costs little beside hashing them.
pub(super) const PIECE_BYTES: u64 = 4 << 20;

/// A file in at least two pieces.
pub(super) struct Tree {
    file: File,
    opened: Opened,
    bytes: u64,
}

impl Tree {
    /// A file of so many bytes, if it can be hashed so and there are pieces for several threads.
    /// One that can't be opened is none: who hashes it as a whole says why.
    pub fn of(source: &Source, bytes: u64, algorithms: &[HashAlgorithm]) -> Option<Self> {
        if algorithms != [HashAlgorithm::Blake3] || bytes <= PIECE_BYTES {
            return None;
        }
        Self::new(source.open().ok()?)
    }

    fn new(file: File) -> Option<Self> {
        let opened = Opened::of(&file).ok()?;
        let bytes = opened.bytes().filter(|bytes| *bytes > PIECE_BYTES)?;
        Some(Self { file, opened, bytes })
    }

    /// How many there are.
    pub fn pieces(&self) -> u64 {
        self.bytes.div_ceil(PIECE_BYTES)
    }

    /// Hashes the piece of this number.
    pub fn piece(
        &self,
        number: u64,
        buffer: &mut [u8],
        watch: &Watch,
    ) -> Result<ChainingValue, FileError> {
        let mut offset = number * PIECE_BYTES;
        let end = self.bytes.min(offset + PIECE_BYTES);
        let mut hasher = blake3::Hasher::new();
        hasher.set_input_offset(offset);
        while offset < end {
            let len = usize::try_from(end - offset).map_or(READ_BYTES, |left| left.min(READ_BYTES));
            let buffer = &mut buffer[..len];
            ReadAt::read_exact_at(&self.file, buffer, offset).map_err(shorter)?;
            hasher.update(buffer);
            offset += len as u64;
            watch.advance(len)?;
        }
        Ok(hasher.finalize_non_root())
    }

    /// The digest, from the values of all pieces.
    pub fn root(&self, pieces: &[ChainingValue]) -> Result<Hashed, FileError> {
        let version = self.opened.check(&self.file)?;
        let (left, right) = halves(pieces);
        let root = merge_subtrees_root(&value(left), &value(right), Mode::Hash);
        Ok(Hashed { bytes: self.bytes, digests: vec![root.into()], version })
    }
}

fn shorter(error: io::Error) -> FileError {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => FileError::Changed,
        _ => error.into(),
    }
}

/// The value of the tree above some pieces.
fn value(pieces: &[ChainingValue]) -> ChainingValue {
    if let [piece] = pieces {
        return *piece;
    }
    let (left, right) = halves(pieces);
    merge_subtrees_non_root(&value(left), &value(right), Mode::Hash)
}

/// The left half has a power of two of pieces, and as many as it can.
fn halves(pieces: &[ChainingValue]) -> (&[ChainingValue], &[ChainingValue]) {
    pieces.split_at(pieces.len().div_ceil(2).next_power_of_two())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    /// Against the crate's own way, which has no pieces.
    #[test]
    fn a_tree_of_any_number_of_pieces_has_the_files_digest() {
        let piece = usize::try_from(PIECE_BYTES).expect("a piece");
        let text: Vec<u8> = (0..9 * piece).map(|i| (i % 251) as u8).collect();
        let (watch, mut buffer) = (Watch::default(), vec![0; READ_BYTES]);
        for len in (2..=9).flat_map(|pieces| [(pieces - 1) * piece + 1, pieces * piece]) {
            let mut file = tempfile::tempfile().expect("a file");
            file.write_all(&text[..len]).expect("written");
            let tree = Tree::new(file).expect("a tree");
            let values = (0..tree.pieces()).map(|number| tree.piece(number, &mut buffer, &watch));
            let values: Vec<_> = values.collect::<Result<_, _>>().expect("pieces");
            let hashed = tree.root(&values).expect("a root");
            assert_eq!(hashed.digests[0], blake3::hash(&text[..len]).into(), "{len}");
            assert_eq!(hashed.bytes, len as u64);
        }
    }

    #[test]
    fn a_file_that_became_shorter_has_changed() {
        let file = tempfile::tempfile().expect("a file");
        file.set_len(2 * PIECE_BYTES).expect("longer");
        let shorten = file.try_clone().expect("a handle");
        let tree = Tree::new(file).expect("a tree");
        shorten.set_len(PIECE_BYTES).expect("shorter");
        let outcome = tree.piece(1, &mut vec![0; READ_BYTES], &Watch::default());
        assert!(matches!(outcome, Err(FileError::Changed)));
    }
}
