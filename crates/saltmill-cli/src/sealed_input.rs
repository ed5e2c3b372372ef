// SPDX-License-Identifier: Apache-2.0
//! An encrypted input: its prologue, and what is behind it. Armor is taken off on the way.

use std::{
    io::{self, BufRead, BufReader, Read},
    os::unix::fs::FileExt,
};

use saltmill_format::{Opened, Prologue, PrologueError, is_armor};

use crate::{
    failure::{Failure, hint, reason},
    input::{Input, InputKind},
};

/// An encrypted input whose prologue is read.
pub struct SealedInput {
    /// The prologue.
    pub prologue: Prologue,
    /// A file, or a stream that is behind the prologue.
    pub input: Input,
    /// It was armored.
    pub armored: bool,
}

impl SealedInput {
    /// Reads the prologue.
    pub fn open(input: Input) -> Result<Self, Failure> {
        let Input { name, metadata, kind } = input;
        let said = |error| unusable(&name, error);
        let (prologue, kind, armored) = match kind {
            InputKind::Regular(file, len) => {
                let mut front = BufReader::new(&file);
                if is_armor(front.fill_buf().map_err(|error| said(read_error(error)))?) {
                    from_stream(Box::new(file_from_start(file).map_err(said)?)).map_err(said)?
                } else {
                    let prologue = Prologue::read(&mut front).map_err(said)?;
                    (prologue, InputKind::Regular(file, len), false)
                }
            }
            InputKind::Stream(stream) => from_stream(stream).map_err(said)?,
        };
        Ok(Self { prologue, input: Input { name, metadata, kind }, armored })
    }

    /// Bytes of the input in front of the payload that are still to be skipped.
    pub fn skip(&self) -> u64 {
        match self.input.kind {
            InputKind::Regular(..) => self.prologue.len(),
            InputKind::Stream(_) => 0,
        }
    }
}

/// Whether it is a file with an armor, as far as that can be told without reading on.
pub fn is_armored(input: &Input) -> bool {
    let InputKind::Regular(file, _) = &input.kind else { return false };
    let mut start = [0; 2 << 10];
    file.read_at(&mut start, 0).is_ok_and(|len| is_armor(&start[..len]))
}

fn read_error(source: io::Error) -> PrologueError {
    PrologueError::Read { offset: 0, source }
}

fn file_from_start(mut file: std::fs::File) -> Result<std::fs::File, PrologueError> {
    io::Seek::rewind(&mut file).map_err(read_error)?;
    Ok(file)
}

fn from_stream(stream: Box<dyn Read + Send>) -> Result<(Prologue, InputKind, bool), PrologueError> {
    let Opened { prologue, payload, armored } = Opened::read(stream)?;
    Ok((prologue, InputKind::Stream(Box::new(payload)), armored))
}

/// What to say of a file whose armor can't be read, in the header or behind it.
pub fn bad_armor(name: &str, error: &io::Error) -> Failure {
    Failure::untrusted(
        format!("the armor of {name} is malformed: {error}"),
        "get the file again, with all its lines as they were",
    )
}

/// What to say of a file whose prologue can't be used.
pub fn unusable(name: &str, error: PrologueError) -> Failure {
    match error {
        PrologueError::Read { offset, source } if source.kind() != io::ErrorKind::InvalidData => {
            let sentence = format!("reading {name} failed at byte {offset}: {}", reason(&source));
            Failure::run(sentence, hint(&source))
        }
        PrologueError::Read { source, .. } => bad_armor(name, &source),
        PrologueError::NotAge | PrologueError::Version(_) => Failure::usage(
            format!("{name} can't be decrypted: {error}"),
            "files of the age format begin with age-encryption.org/v1, or with its armor",
        ),
        other => Failure::untrusted(
            format!("{name} can't be decrypted: {other}"),
            "get the file again; it was changed or cut off on its way",
        ),
    }
}
