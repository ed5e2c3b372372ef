// SPDX-License-Identifier: Apache-2.0
//! Efficiency of the whole device, ring and DMA included: simulated cycles per block over the
//! core's own rate, for several sizes of job, behind a memory with 100 cycles of latency. Also how
//! fast the simulation is.
//!
//! Jobs are queued by the driver so that the ring never runs dry. `steady` counts from the end of
//! the first batch of jobs to the end of the last, `whole` from the first doorbell to the last
//! status, start-up and all. Cycles are simulated; the host takes none but those of its register
//! accesses, which are included. One number more is how long a small job takes alone, from its
//! doorbell to the interrupt.

use std::{
    error::Error,
    fmt::Write as _,
    fs,
    path::Path,
    process::ExitCode,
    time::{Duration, Instant},
};

use chacha20::{
    ChaCha20,
    cipher::{KeyIvInit, StreamCipher},
};
use openssl::symm::{Cipher, encrypt, encrypt_aead};
use saltmill_device::{Accelerator, Coalescing, Counters, Device, Operation, Request};
use saltmill_sim::{MemoryProfile, SimConfig, SimDevice, System};

const MEMORY: MemoryProfile = MemoryProfile::LATENCY100;
const SIZES: [usize; 5] = [64, 1 << 10, 16 << 10, 64 << 10, 1 << 20];
/// About how long each measurement runs.
const CYCLES: usize = 1_500_000;
const KEY: [u8; 32] = [0x5A; 32];
const NONCE: [u8; 12] = [3; 12];
const COUNTER_BLOCK: [u8; 16] = [3; 16];

/// Sealed messages of 64 KiB: the cycles that the core alone takes for one, back to back
/// (`rtl/chacha20_poly1305/README.md`).
const MESSAGE: usize = 64 << 10;
const MESSAGES: [(&str, usize); 3] =
    [("aead-small", 162_058), ("aead-balanced", 10_250), ("aead-fast", 4_113)];

/// Two write bursts per small job, its data and its status, and 16 of them in 100 cycles would
/// measure the memory: 14 cycles per job, whatever the device. Small jobs run behind one that takes
/// as many as there are jobs in flight.
const MEMORY_OF_SMALL: MemoryProfile = MemoryProfile {
    name: "latency100-64",
    outstanding_reads: 64,
    outstanding_writes: 64,
    ..MEMORY
};

/// What a packet of one block costs a core that gives one in each cycle: its parameters are taken
/// every other one (rtl/chacha20/README.md).
const SMALL: usize = 64;
const PIPE_SMALL: usize = 2;

/// Streams and sealed messages of as many bytes with a key of 128 bits, at the rate that the device
/// states for its core: what messages take besides their blocks counts as waiting.
const AES: [&str; 2] = ["aes-ring", "aes-pipe"];

/// What must hold: at most this ratio in steady state for a variant, what it does and a size of
/// job.
const LIMITS: [(&str, Operation, usize, f64); 12] = [
    ("ring2", Operation::XorStream, SMALL, 1.25),
    ("pipe", Operation::XorStream, SMALL, 6.0),
    ("small", Operation::XorStream, 64 << 10, 1.05),
    ("ring2", Operation::XorStream, 64 << 10, 1.05),
    ("pipe", Operation::XorStream, 1 << 20, 1.10),
    ("aead-small", Operation::Seal, MESSAGE, 1.0 / 0.9),
    ("aead-balanced", Operation::Seal, MESSAGE, 1.0 / 0.9),
    ("aead-fast", Operation::Seal, MESSAGE, 1.0 / 0.9),
    ("aes-ring", Operation::XorStream, MESSAGE, 1.0 / 0.9),
    ("aes-ring", Operation::Seal, MESSAGE, 1.0 / 0.9),
    ("aes-pipe", Operation::XorStream, MESSAGE, 1.0 / 0.85),
    ("aes-pipe", Operation::Seal, MESSAGE, 1.0 / 0.85),
];
/// What must hold: cycles of one job of so many bytes on this variant, behind a memory of this
/// latency, from the doorbell to the interrupt.
const ALONE: (&str, usize, u32, u64) = ("ring2", 16, 30, 250);
struct Row {
    variant: &'static str,
    operation: Operation,
    memory: &'static str,
    size: usize,
    jobs: usize,
    /// Cycles per block of the core alone.
    formula: f64,
    steady: f64,
    whole: f64,
    counters: Counters,
    mib_per_second: Option<f64>,
    megabytes_per_wall_second: f64,
}

impl Row {
    fn ratio(&self) -> f64 {
        self.steady / self.formula
    }

    fn share(&self, cycles: u64) -> f64 {
        100.0 * cycles as f64 / self.counters.cycles as f64
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<bool, Box<dyn Error>> {
    println!(
        "device efficiency, simulated, memory {} ({} cycles, {} bursts of each direction at once, for jobs of \
         {SMALL} bytes {})",
        MEMORY.name,
        MEMORY.read_latency,
        MEMORY.outstanding_reads,
        MEMORY_OF_SMALL.outstanding_reads
    );
    println!(
        "{:13} {:4} {:>8} {:>5} {:>8} {:>9} {:>6} {:>9} {:>6} {:>7} {:>8} {:>9} {:>10}",
        "variant",
        "",
        "job",
        "jobs",
        "formula",
        "cyc/block",
        "ratio",
        "whole",
        "busy",
        "no input",
        "no output",
        "MiB/s",
        "wall MB/s"
    );
    let mut rows = Vec::new();
    for variant in ["small", "ring2", "pipe"] {
        for size in SIZES {
            let cycles = (variant == "pipe" && size == SMALL).then_some(PIPE_SMALL);
            rows.push(measure(variant, size, Operation::XorStream, cycles)?);
        }
    }
    for (variant, cycles) in MESSAGES {
        rows.push(measure(variant, MESSAGE, Operation::Seal, Some(cycles))?);
    }
    for variant in AES {
        for operation in [Operation::XorStream, Operation::Seal] {
            rows.push(measure(variant, MESSAGE, operation, None)?);
        }
    }
    let alone = measure_alone()?;
    write_json(&rows)?;
    Ok(judge(&rows, alone))
}

/// Cycles of one job, from the write of the doorbell on, which is included, to the interrupt.
fn measure_alone() -> Result<u64, Box<dyn Error>> {
    let (variant, size, latency, _) = ALONE;
    let memory = MemoryProfile { read_latency: latency, write_latency: latency, ..MEMORY };
    let config = SimConfig { variant: variant.into(), memory, ..SimConfig::default() };
    let deadline = Instant::now() + Duration::from_secs(60);
    let mut accelerator = Accelerator::probe(System::new(config)?.remove(0), deadline)?;
    accelerator.set_key(0, &KEY)?;
    let request = request(&accelerator, size, Operation::XorStream);
    accelerator.stage(&request)?;
    let start = cycles(&mut accelerator)?;
    accelerator.ring_doorbell()?;
    if !accelerator.device().wait(deadline)? {
        return Err("the interrupt does not come".into());
    }
    let end = cycles(&mut accelerator)?;
    accelerator.complete(deadline)?.outcome?;
    check(&mut accelerator, &request, vec![0; size], None)?;
    Ok(end - start)
}

/// Jobs beside a core that takes one in so many cycles; if they are not given, at the rate that the
/// device states for it.
fn measure(
    variant: &'static str,
    size: usize,
    operation: Operation,
    cycles_of_job: Option<usize>,
) -> Result<Row, Box<dyn Error>> {
    let dma_bytes = (2 * size + (64 << 10)).next_multiple_of(4096);
    let memory = if size == SMALL { MEMORY_OF_SMALL } else { MEMORY };
    let config = SimConfig { variant: variant.into(), memory, dma_bytes, ..SimConfig::default() };
    let device = System::new(config)?.remove(0);
    let deadline = Instant::now() + Duration::from_secs(300);
    let mut accelerator = Accelerator::probe(device, deadline)?;
    let description = accelerator.description().clone();
    let aes = !description.has_chacha20();
    accelerator.set_key(0, if aes { &KEY[..16] } else { &KEY })?;

    let blocks = size.div_ceil(description.block_bytes.into());
    let stated = usize::from(description.cycles_per_block) * blocks;
    let cycles_per_job = cycles_of_job.unwrap_or(stated);
    let formula = cycles_per_job as f64 / blocks as f64;
    let jobs = (CYCLES / cycles_per_job).clamp(4, 4096);
    let batch = (jobs / 4).clamp(1, accelerator.entries() / 2);
    let batches = jobs / batch;
    accelerator.set_coalescing(Coalescing { jobs: batch as u8, timeout_cycles: 0 })?;
    let request = request(&accelerator, size, operation);
    let source: Vec<u8> = (0..size).map(|i| (i % 251) as u8).collect();
    accelerator.memory(request.source.clone())?.copy_from_slice(&source);
    accelerator.clear_counters()?;

    let clock = Instant::now();
    let start = cycles(&mut accelerator)?;
    let mut first_batch = start;
    let mut tag = None;
    submit(&mut accelerator, &request, batch)?;
    for done in 0..batches {
        if done + 1 < batches {
            submit(&mut accelerator, &request, batch)?;
        }
        for _ in 0..batch {
            let completion = accelerator.complete(deadline)?;
            completion.outcome?;
            tag = completion.tag;
        }
        if done == 0 {
            first_batch = cycles(&mut accelerator)?;
        }
    }
    let end = cycles(&mut accelerator)?;
    let wall = clock.elapsed().as_secs_f64();
    check(&mut accelerator, &request, source, tag)?;

    let per_block =
        |from: u64, batches: usize| (end - from) as f64 / (batches * batch * blocks) as f64;
    let (steady, whole) = (per_block(first_batch, batches - 1), per_block(start, batches));
    let bytes_per_cycle = size as f64 / blocks as f64 / steady;
    let row = Row {
        variant,
        operation,
        memory: memory.name,
        size,
        jobs: batches * batch,
        formula,
        steady,
        whole,
        counters: accelerator.counters()?,
        mib_per_second: description
            .clock_hz
            .map(|hz| f64::from(hz) * bytes_per_cycle / f64::from(1 << 20)),
        megabytes_per_wall_second: (batches * batch * size) as f64 / 1e6 / wall,
    };
    print(&row);
    Ok(row)
}

fn request(accelerator: &Accelerator<SimDevice>, size: usize, operation: Operation) -> Request {
    let start = accelerator.data().start.next_multiple_of(4096);
    let middle = (start + size).next_multiple_of(4096);
    let aes = !accelerator.description().has_chacha20();
    let counter_block = aes && operation == Operation::XorStream;
    Request {
        operation,
        nonce: if counter_block { COUNTER_BLOCK.into() } else { NONCE.into() },
        source: start..start + size,
        destination: middle..middle + size,
        ..Request::default()
    }
}

fn submit(
    accelerator: &mut Accelerator<SimDevice>,
    request: &Request,
    jobs: usize,
) -> Result<(), Box<dyn Error>> {
    for _ in 0..jobs {
        accelerator.stage(request)?;
    }
    Ok(accelerator.ring_doorbell()?)
}

fn cycles(accelerator: &mut Accelerator<SimDevice>) -> Result<u64, Box<dyn Error>> {
    accelerator.device().cycles()?.ok_or_else(|| "the device counts no cycles".into())
}

/// Speed without the right result would be worth nothing.
fn check(
    accelerator: &mut Accelerator<SimDevice>,
    request: &Request,
    source: Vec<u8>,
    tag: Option<[u8; 16]>,
) -> Result<(), Box<dyn Error>> {
    let (mut expected, mut expected_tag) = (source, None);
    let aes = !accelerator.description().has_chacha20();
    if request.operation == Operation::Seal {
        let mut made = [0; 16];
        let (aead, key) = if aes {
            (Cipher::aes_128_gcm(), &KEY[..16])
        } else {
            (Cipher::chacha20_poly1305(), &KEY[..])
        };
        expected = encrypt_aead(aead, key, Some(&NONCE), &[], &expected, &mut made)?;
        expected_tag = Some(made);
    } else if aes {
        expected = encrypt(Cipher::aes_128_ctr(), &KEY[..16], Some(&COUNTER_BLOCK), &expected)?;
    } else {
        ChaCha20::new(&KEY.into(), &NONCE.into()).apply_keystream(&mut expected);
    }
    if tag == expected_tag && accelerator.memory(request.destination.clone())? == expected {
        return Ok(());
    }
    Err("the device's output is wrong".into())
}

/// A short word for it.
fn name(operation: Operation) -> &'static str {
    if operation == Operation::Seal { "seal" } else { "xor" }
}

fn print(row: &Row) {
    println!(
        "{:13} {:4} {:>8} {:>5} {:>8.2} {:>9.3} {:>6.3} {:>9.3} {:>5.1}% {:>7.1}% {:>8.1}% {:>9.1} {:>10.1}",
        row.variant,
        name(row.operation),
        row.size,
        row.jobs,
        row.formula,
        row.steady,
        row.ratio(),
        row.whole,
        row.share(row.counters.busy),
        row.share(row.counters.stalled_input),
        row.share(row.counters.stalled_output),
        row.mib_per_second.unwrap_or(f64::NAN),
        row.megabytes_per_wall_second,
    );
}

fn write_json(rows: &[Row]) -> Result<(), Box<dyn Error>> {
    let mut text = String::new();
    for row in rows {
        let separator = if text.is_empty() { "[\n" } else { ",\n" };
        write!(
            text,
            "{separator}  {{\"variant\": \"{}\", \"operation\": \"{}\", \"memory\": \"{}\", \"job_bytes\": {}, \"jobs\": {}, \
             \"formula_cycles_per_block\": {:.4}, \"steady_cycles_per_block\": {:.4}, \
             \"whole_cycles_per_block\": {:.4}, \"ratio\": {:.4}, \"cycles\": {}, \"busy\": {}, \
             \"stalled_input\": {}, \"stalled_output\": {}, \"simulated_mib_per_second\": {}, \
             \"wall_megabytes_per_second\": {:.2}}}",
            row.variant,
            name(row.operation),
            row.memory,
            row.size,
            row.jobs,
            row.formula,
            row.steady,
            row.whole,
            row.ratio(),
            row.counters.cycles,
            row.counters.busy,
            row.counters.stalled_input,
            row.counters.stalled_output,
            row.mib_per_second.map_or("null".into(), |rate| format!("{rate:.2}")),
            row.megabytes_per_wall_second,
        )?;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../build");
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("efficiency.json"), text + "\n]\n")?;
    Ok(())
}

/// Says of each limit whether it holds.
fn judge(rows: &[Row], alone: u64) -> bool {
    let mut good = true;
    let mut verdict = |holds: bool, text: String| {
        println!("{}: {text}", if holds { "holds " } else { "MISSED" });
        good &= holds;
    };
    for (variant, operation, size, limit) in LIMITS {
        let of_limit =
            |row: &&Row| row.variant == variant && row.operation == operation && row.size == size;
        for row in rows.iter().filter(of_limit) {
            let (ratio, name) = (row.ratio(), name(operation));
            verdict(
                ratio <= limit,
                format!("{variant}, {name} {size} bytes: {ratio:.4}, at most {limit:.4}"),
            );
        }
    }
    let (variant, size, latency, limit) = ALONE;
    verdict(
        alone <= limit,
        format!(
            "{variant}, one job of {size} bytes, memory latency {latency}: {alone} cycles from doorbell to \
             interrupt, at most {limit}"
        ),
    );
    // What the wall clock says depends on the machine: told, and no limit.
    let speeds = rows.iter().filter(|row| row.variant == "ring2" && row.size >= 64 << 10);
    let speed = speeds.map(|row| row.megabytes_per_wall_second).fold(0.0, f64::max);
    println!("ring2: {speed:.1} MB/s of data simulated in wall-clock time, measured here");
    good
}
