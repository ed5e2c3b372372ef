// SPDX-License-Identifier: Apache-2.0
//! Sealed chunks: what opens is what was sealed, and all ways to open it agree.

use std::{
    io::{self, Cursor, Write},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use saltmill_engine::{
    CancelToken, Chunks, CpuWorker, Engine, Key, ReadAt, SingleWorker, Work, WriteAt,
};

/// Longer than anything takes here.
const DEADLINE: Duration = Duration::from_secs(60);

/// Bytes in memory as both ends of a run.
#[derive(Clone, Default)]
struct Memory(Arc<Mutex<Vec<u8>>>);

impl Memory {
    fn with<T>(&self, act: impl FnOnce(&mut Vec<u8>) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl ReadAt for Memory {
    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        self.with(|bytes| {
            let start = usize::try_from(offset).map_err(io::Error::other)?;
            let found = bytes.get(start..start + buffer.len());
            buffer.copy_from_slice(found.ok_or(io::ErrorKind::UnexpectedEof)?);
            Ok(())
        })
    }
}

impl WriteAt for Memory {
    fn write_all_at(&self, buffer: &[u8], offset: u64) -> io::Result<()> {
        self.with(|bytes| {
            let start = usize::try_from(offset).map_err(io::Error::other)?;
            let end = start + buffer.len();
            bytes.resize(bytes.len().max(end), 0);
            bytes[start..end].copy_from_slice(buffer);
            Ok(())
        })
    }
}

impl Write for Memory {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        self.with(|bytes| bytes.extend_from_slice(buffer));
        Ok(buffer.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn chunks() -> Chunks {
    Chunks::new(Key::new([7; 32]))
}

fn run(work: Work, input: &[u8]) -> Option<Vec<u8>> {
    let (source, target) = (Memory(Arc::new(Mutex::new(input.to_vec()))), Memory::default());
    let mut worker = CpuWorker::new(0);
    let mut single = SingleWorker::new(&mut worker, DEADLINE);
    single.in_place(work, &source, input.len() as u64, &target).ok()?;
    Some(target.with(std::mem::take))
}

/// The first byte says what is done with the others: opened as they are, or sealed, changed there
/// where the next two bytes say, and opened.
///
/// # Panics
/// If something does not hold.
pub fn payload(bytes: &[u8]) {
    let Some((&how, rest)) = bytes.split_first() else { return };
    let sealed = match (how % 2, rest) {
        (1, [low, high, text @ ..]) => {
            let mut sealed = run(Work::Seal(chunks()), text).expect("all can be sealed");
            let place = usize::from(u16::from_le_bytes([*low, *high]));
            let whole = sealed.clone();
            if let Some(byte) = sealed.get_mut(place) {
                *byte ^= how | 1;
            }
            let opened = run(Work::Open(chunks()), &sealed);
            assert_eq!(opened.is_some(), sealed == whole, "every change is noticed");
            whole
        }
        _ => rest.to_vec(),
    };
    let opened = run(Work::Open(chunks()), &sealed);
    if let Some(text) = &opened {
        assert_eq!(run(Work::Seal(chunks()), text), Some(sealed.clone()), "nothing else opens");
    }
    let target = Memory::default();
    let mut engine =
        Engine::new(vec![Box::new(CpuWorker::new(0))], DEADLINE, CancelToken::default());
    let input = Box::new(Cursor::new(sealed));
    let piped = engine.streamed(Work::Open(chunks()), input, Box::new(target.clone()), &mut |_| ());
    assert_eq!(piped.is_ok(), opened.is_some(), "a pipe is as a file");
    if let Some(text) = opened {
        assert_eq!(target.with(std::mem::take), text);
    }
}
