// SPDX-License-Identifier: Apache-2.0
//! Where a core's time goes when a file is sealed or opened: the cipher, the copies between the
//! kernel's memory and ours, the new pages of the output; their sum, below which one core can't
//! be; and the engine with one and two workers beside it.
//!
//! `cargo bench -p saltmill-engine --bench core_time -- --report docs/core-time.md`
#![allow(clippy::unwrap_used, reason = "a measurement")]

use std::{
    env,
    fmt::Write as _,
    fs::{self, File},
    os::unix::fs::FileExt,
    path::Path,
    time::{Duration, Instant},
};

use saltmill_engine::{
    CHUNK_BYTES, CancelToken, Chunks, CpuWorker, Engine, Job, Key, SEALED_CHUNK_BYTES, Work, Worker,
};

const CHUNKS: usize = 1 << 14;
/// Chunks that the engine reads and writes at once.
const AT_ONCE: usize = 4;
const RUNS: usize = 5;

/// Median of several runs, in seconds.
fn median(mut run: impl FnMut() -> Duration) -> f64 {
    let mut seconds: Vec<f64> = (0..RUNS).map(|_| run().as_secs_f64()).collect();
    seconds.sort_by(f64::total_cmp);
    seconds[RUNS / 2]
}

fn timed(act: impl FnOnce()) -> Duration {
    let started = Instant::now();
    act();
    started.elapsed()
}

/// In memory where there is such a folder: the disk is not what is measured.
fn new_file() -> File {
    let folder = ["/dev/shm", "."].into_iter().find(|folder| Path::new(folder).is_dir()).unwrap();
    tempfile::tempfile_in(folder).unwrap()
}

/// Sealing or opening: what is read and written for a chunk.
struct Way {
    name: &'static str,
    work: fn(Chunks) -> Work,
    from: usize,
    to: usize,
}

const SEAL: Way = Way { name: "seal", work: Work::Seal, from: CHUNK_BYTES, to: SEALED_CHUNK_BYTES };
const OPEN: Way = Way { name: "open", work: Work::Open, from: SEALED_CHUNK_BYTES, to: CHUNK_BYTES };

impl Way {
    fn work(&self) -> Work {
        (self.work)(Chunks::new(Key::new([7; 32])))
    }

    /// The cipher alone, chunk after chunk where it lies in memory. Chunks are opened that are
    /// good: the cipher does the same with others, but wipes them.
    fn cipher(&self) -> f64 {
        let first = Job { offset: 0, len: self.from, last: false };
        let mut sealed = vec![0; SEALED_CHUNK_BYTES];
        SEAL.work().apply(Job { len: CHUNK_BYTES, ..first }, &mut sealed).unwrap();
        let mut buffer = sealed.clone();
        let work = self.work();
        median(|| {
            let mut spent = Duration::ZERO;
            for _ in 0..CHUNKS {
                buffer.copy_from_slice(&sealed);
                spent += timed(|| work.apply(first, &mut buffer).unwrap());
            }
            spent
        })
    }

    fn read(&self, file: &File) -> f64 {
        let mut buffer = vec![1; AT_ONCE * self.from];
        median(|| {
            timed(|| {
                for offset in (0..CHUNKS * self.from).step_by(buffer.len()) {
                    file.read_exact_at(&mut buffer, offset as u64).unwrap();
                }
            })
        })
    }

    /// Into a new file, and once more over what is there.
    fn write(&self) -> (f64, f64) {
        let buffer = vec![1; AT_ONCE * self.to];
        let write = |file: &File| {
            for offset in (0..CHUNKS * self.to).step_by(buffer.len()) {
                file.write_all_at(&buffer, offset as u64).unwrap();
            }
        };
        let new = median(|| {
            let file = new_file();
            timed(|| write(&file))
        });
        let file = new_file();
        write(&file);
        (new, median(|| timed(|| write(&file))))
    }

    fn engine(&self, workers: usize, input: &File, output: &File) {
        let worker = |index| Box::new(CpuWorker::new(index)) as Box<dyn Worker>;
        let team = (0..workers).map(worker).collect();
        let mut engine = Engine::new(team, Duration::from_secs(10), CancelToken::default());
        let len = (CHUNKS * self.from) as u64;
        engine.in_place(self.work(), input, len, output, &mut |_| {}).unwrap();
    }

    /// The lines of one way in the table.
    fn report(&self, input: &File, table: &mut String) {
        let (cipher, read, (new, again)) = (self.cipher(), self.read(input), self.write());
        let floor = cipher + read + new;
        let mut line = |what: &str, seconds: f64| {
            let (name, bytes) = (self.name, (CHUNKS * CHUNK_BYTES) as f64);
            let (ms, speed, share) = (1e3 * seconds, bytes / seconds / 1e9, seconds / floor);
            writeln!(table, "| {name}: {what} | {ms:.0} ms | {speed:.2} GB/s | {share:.2} |")
                .unwrap();
        };
        line("cipher", cipher);
        line("copy from the input", read);
        line("copy to the output", again);
        line("new pages of the output", new - again);
        line("**sum: the floor of one core**", floor);
        for workers in [1, 2] {
            let seconds = median(|| {
                let output = new_file();
                timed(|| self.engine(workers, input, &output))
            });
            line(&format!("the engine, {workers} w"), seconds);
        }
    }
}

fn main() {
    let (text, sealed) = (new_file(), new_file());
    let buffer = vec![1; CHUNK_BYTES];
    for number in 0..CHUNKS {
        text.write_all_at(&buffer, (number * CHUNK_BYTES) as u64).unwrap();
    }
    SEAL.engine(1, &text, &sealed);
    let mut page = format!(
        "<!-- SPDX-License-Identifier: Apache-2.0 -->\n# Where a core's time goes\n\n\
         1 GiB in the age format from one file in memory to another: what one core needs for each\n\
         part, and the engine with one and two CPU threads (`w`). Measured (wall clock) on {}, {}\n\
         processors, by `make bench-host`; medians of {RUNS}. The last column: times the floor.\n\n\
         | | time | | floor |\n| --- | --- | --- | --- |\n",
        env::consts::ARCH,
        std::thread::available_parallelism().unwrap(),
    );
    SEAL.report(&text, &mut page);
    OPEN.report(&sealed, &mut page);
    print!("{page}");
    let arguments: Vec<_> = env::args().collect();
    if let Some(at) = arguments.iter().position(|argument| argument == "--report") {
        fs::write(&arguments[at + 1], page).unwrap();
    }
}
