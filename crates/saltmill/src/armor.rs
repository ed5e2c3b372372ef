// SPDX-License-Identifier: Apache-2.0
//! An output stream with the armor of the age format around it, or nothing.

use std::{
    io::{self, Write},
    sync::{Arc, Mutex, PoisonError},
};

use age::armor::{ArmoredWriter, Format};

/// The stream that the engine's writer has, and whoever begins and ends it, too.
#[derive(Clone)]
pub(crate) struct Framed(Arc<Mutex<Option<Frame>>>);

enum Frame {
    Plain(Box<dyn Write + Send>),
    Armor(ArmoredWriter<Box<dyn Write + Send>>),
}

impl Framed {
    /// Begins: an armor has a first line.
    pub fn new(output: Box<dyn Write + Send>, armor: bool) -> io::Result<Self> {
        let frame = if armor {
            Frame::Armor(ArmoredWriter::wrap_output(output, Format::AsciiArmor)?)
        } else {
            Frame::Plain(output)
        };
        Ok(Self(Arc::new(Mutex::new(Some(frame)))))
    }

    /// What stands behind everything else.
    pub fn finish(&self) -> io::Result<()> {
        match self.0.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some(Frame::Armor(armor)) => armor.finish()?.flush(),
            Some(Frame::Plain(mut output)) => output.flush(),
            None => Ok(()),
        }
    }

    fn with<T>(&self, act: impl FnOnce(&mut dyn Write) -> io::Result<T>) -> io::Result<T> {
        match &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(Frame::Armor(armor)) => act(armor),
            Some(Frame::Plain(output)) => act(output),
            None => Err(io::ErrorKind::WriteZero.into()),
        }
    }
}

impl Write for Framed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.with(|output| output.write(bytes))
    }

    /// Nothing: [`finish`](Self::finish) does. A flush in mid-line spoils the crate's lines.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
