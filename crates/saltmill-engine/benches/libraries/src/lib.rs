// SPDX-License-Identifier: Apache-2.0
//! What the program of each library does: it says what its first operation in a process took, how
//! fast it is, and what it makes of a text, so that the libraries can be compared. Each operation
//! sets up its key, as the engine's jobs do.

use std::{
    env,
    hint::black_box,
    process::exit,
    sync::Barrier,
    thread,
    time::{Duration, Instant},
};

/// Of all algorithms; one of AES takes as many bytes of it as it needs.
pub const KEY: [u8; 32] = *b"a key of 32 bytes for a bench ..";
/// Of a message, and of ChaCha20.
pub const NONCE: [u8; 12] = *b"twelve bytes";
/// The number of ChaCha20's first block.
pub const COUNTER: u32 = 7;
/// The first counter block of AES in CTR mode: its carry goes through the lower 64 bits.
pub const BLOCK: [u8; 16] = [9, 8, 7, 6, 5, 4, 3, 2, 255, 255, 255, 255, 255, 255, 255, 254];

pub type Tag = [u8; 16];

/// What a library does with a text, in place.
#[derive(Clone, Copy)]
pub enum Operation {
    /// XORs keystream.
    Stream(fn(&mut [u8])),
    /// Seals a message, and opens it again.
    Message { seal: fn(&mut [u8]) -> Tag, open: fn(&mut [u8], &Tag) },
}

impl Operation {
    /// Runs it; gives how many bytes went through the library.
    fn run(self, text: &mut [u8]) -> usize {
        match self {
            Self::Stream(apply) => {
                apply(text);
                text.len()
            }
            Self::Message { seal, open } => {
                let tag = seal(text);
                open(text, &tag);
                2 * text.len()
            }
        }
    }
}

/// Does what the command line says, with a library's operations.
pub fn run(operations: fn(&str) -> Option<Operation>) {
    let words: Vec<_> = env::args().skip(1).collect();
    let words: Vec<_> = words.iter().map(String::as_str).collect();
    let find = |algorithm| operations(algorithm).unwrap_or_else(|| exit(3));
    match words[..] {
        [] => {}
        ["bytes", algorithm] => print_bytes(find(algorithm)),
        ["first", algorithm] => print_first(find(algorithm)),
        ["speed", algorithm, threads, milliseconds, ref sizes @ ..] => {
            let time = Duration::from_millis(milliseconds.parse().expect("milliseconds"));
            let threads = threads.parse().expect("a number of threads");
            for size in sizes {
                let size = size.parse().expect("a size");
                println!("{}", speed(find(algorithm), threads, time, size));
            }
        }
        _ => panic!("bytes ALGORITHM | first ALGORITHM | speed ALGORITHM THREADS MS SIZE..."),
    }
}

/// What it makes of 1000 bytes, and the tag.
fn print_bytes(operation: Operation) {
    let mut text: Vec<u8> = (0..1000_u32).map(|i| (i % 251) as u8).collect();
    match operation {
        Operation::Stream(apply) => apply(&mut text),
        Operation::Message { seal, .. } => {
            let tag = seal(&mut text);
            text.extend(tag);
        }
    }
    println!("{}", text.iter().map(|byte| format!("{byte:02x}")).collect::<String>());
}

/// Nanoseconds of the first operation of this process, and of one when the library is ready.
fn print_first(operation: Operation) {
    let time = || {
        let mut text = [0; 64];
        let started = Instant::now();
        operation.run(black_box(&mut text));
        started.elapsed().as_nanos()
    };
    let first = time();
    let later = (0..100).map(|_| time()).min().expect("times");
    println!("{first} {later}");
}

/// Bytes per nanosecond of all threads together, each with a text of its own. Of each it is that of
/// its best millisecond, or of its best operation if that takes longer: other work on the machine
/// comes between.
fn speed(operation: Operation, threads: usize, time: Duration, size: usize) -> f64 {
    const WINDOW: Duration = Duration::from_millis(1);
    // The clock is read after so many operations.
    let batch = ((16 << 10) / size).max(1);
    let barrier = Barrier::new(threads);
    let one = || {
        let mut text = vec![0; size];
        operation.run(&mut text);
        barrier.wait();
        let (started, mut best) = (Instant::now(), 0.0_f64);
        while started.elapsed() < time {
            let (began, mut bytes) = (Instant::now(), 0);
            while began.elapsed() < WINDOW {
                bytes += (0..batch).map(|_| operation.run(black_box(&mut text))).sum::<usize>();
            }
            best = best.max(bytes as f64 / began.elapsed().as_nanos() as f64);
        }
        best
    };
    thread::scope(|scope| {
        let all: Vec<_> = (0..threads).map(|_| scope.spawn(one)).collect();
        all.into_iter().map(|one| one.join().expect("a thread")).sum()
    })
}
