// SPDX-License-Identifier: Apache-2.0
//! `saltmill devices`.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use saltmill::engine::{
    AesCtr, AesKey, Algorithm, Cipher, DeviceReport, Interface, Job, Key, Work, Worker,
    WorkerError, cpu_implementation,
};
use saltmill_device::{
    CoreAlgorithm, Description, KeySize, Operation, SelfTest,
    vectors::{self, Vector},
};
use serde::Serialize;

use crate::{
    args::DevicesArguments,
    report::{failure::Failure, say, stats},
    workers::{self, boards, simulated},
};

/// One line of the list.
#[derive(Serialize)]
struct Entry {
    name: String,
    core: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    self_test: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    device: Option<stats::DeviceStatistics>,
    #[serde(skip)]
    passed: bool,
}

/// Runs the command.
pub fn run(arguments: &DevicesArguments) -> Result<(), Failure> {
    let mut entries = Vec::new();
    for mut worker in workers(arguments)? {
        entries.push(entry(&mut *worker, arguments.self_test, arguments.engines.deadline.0));
    }
    let text = if arguments.json {
        serde_json::to_string_pretty(&entries).unwrap_or_default() + "\n"
    } else {
        table(&entries)
    };
    say::print(text.as_bytes())?;
    let failed: Vec<_> = entries.iter().filter(|e| !e.passed).map(|e| e.name.clone()).collect();
    if failed.is_empty() {
        return Ok(());
    }
    let sentence = format!("{} failed", failed.join(", "));
    Err(Failure::device(sentence, "don't use it; the other engines are not affected"))
}

/// The named engines; if none is named, the CPU, one of each simulated device, and the devices of
/// this machine.
fn workers(arguments: &DevicesArguments) -> Result<Vec<Box<dyn Worker>>, Failure> {
    if !arguments.engines.engines.is_empty() {
        return workers::workers(&arguments.engines, "ring2", None);
    }
    let mut workers: Vec<_> = workers::cpu(Some(1), 1).collect();
    let variants = match &arguments.engines.sim_variant {
        Some(variant) => vec![variant.clone()],
        None => simulated::variants(),
    };
    for variant in variants {
        workers.extend(simulated::workers(&arguments.engines, &variant, 1)?);
    }
    for name in boards::found() {
        // One that is in use is no reason not to list the others.
        match workers::board(&name, arguments.engines.deadline.0) {
            Ok(board) => workers.extend(board),
            Err(failure) => say::tell(failure),
        }
    }
    Ok(workers)
}

fn entry(worker: &mut dyn Worker, self_test: bool, deadline: Duration) -> Entry {
    let chacha20 = worker.supports(Algorithm::ChaCha20);
    let mut known_answers = if self_test && chacha20 { vectors::chacha20() } else { Vec::new() };
    known_answers.retain(|vector| vector.plaintext.len() <= cipher_of(vector).longest() as usize);
    let messages = if self_test { worker.self_test(deadline) } else { Ok(None) };
    let outcome = messages
        .map_err(|error| error.to_string())
        .and_then(|done| Ok((examine(worker, &known_answers, deadline)?, done)));
    let name = worker.name().to_owned();
    let core = match &outcome {
        Ok((Some(DeviceReport { description, .. }), _)) => core(description),
        Ok((None, _)) => {
            format!("chacha20, chacha20-poly1305, aes-ctr, aes-gcm, {}", cpu_implementation())
        }
        Err(reason) => reason.clone(),
    };
    let verdict = match &outcome {
        Ok((_, done)) => format!("passed ({})", answers(known_answers.len(), *done)),
        Err(reason) => format!("FAILED: {reason}"),
    };
    let passed = outcome.is_ok();
    let device =
        outcome.ok().and_then(|(report, _)| report).as_ref().map(stats::DeviceStatistics::from);
    Entry { name, core, self_test: self_test.then_some(verdict), device, passed }
}

/// How a device is built, in words.
fn core(about: &Description) -> String {
    let list = |of: Vec<String>| of.join("/");
    let aes = if about.algorithm == CoreAlgorithm::Aes {
        let modes = [
            ("ecb", Operation::EcbEncrypt),
            ("cbc", Operation::CbcEncrypt),
            ("ctr", Operation::XorStream),
            ("gcm", Operation::Seal),
        ];
        let modes = modes.into_iter().filter(|(_, operation)| about.supports(*operation));
        let modes = list(modes.map(|(name, _)| name.to_owned()).collect());
        let keys = list(about.key_sizes().map(|size| size.to_string()).collect());
        format!(", {modes}, {keys}-bit keys")
    } else {
        String::new()
    };
    format!(
        "{} {}{aes}, unroll {}, stages {}, {} cycles per block{}, {}-bit memory, {}-bit addresses",
        about.algorithm,
        about.structure,
        about.unroll,
        about.stages,
        about.cycles_per_block,
        if about.final_add { "" } else { " without final addition" },
        8 * u32::from(about.data_bytes),
        about.address_bits,
    )
}

/// What a self-test did, in words.
fn answers(ciphers: usize, messages: Option<SelfTest>) -> String {
    let Some(SelfTest { encrypted, digested, tagged, sealed, refused, .. }) = messages else {
        return format!("{ciphers} known answers");
    };
    if digested > 0 {
        let tags = if tagged > 0 {
            format!(", {tagged} tags of HMAC, {refused} forgeries refused")
        } else {
            String::new()
        };
        return format!("{digested} digests, whole and in parts{tags}");
    }
    let ciphers = ciphers + encrypted;
    let known = if ciphers == 1 { "known answer" } else { "known answers" };
    let tags = if tagged > 0 { format!("{tagged} tags, ") } else { String::new() };
    format!(
        "{ciphers} {known}; {tags}{sealed} messages sealed and opened, {refused} forgeries refused"
    )
}

/// Runs the vectors, and asks the device about itself.
fn examine(
    worker: &mut dyn Worker,
    vectors: &[Vector],
    deadline: Duration,
) -> Result<Option<DeviceReport>, String> {
    let failed = |error: WorkerError| error.to_string();
    let mut report = None;
    if vectors.is_empty() {
        // A device without a cipher has no work, and tells about itself all the same.
        if let Some(work) = any_work().iter().find(|work| worker.supports(work.algorithm())) {
            worker.start(work, Instant::now() + deadline).map_err(failed)?;
        }
        report = worker.stop(Instant::now() + deadline).map_err(failed)?;
    }
    for vector in vectors {
        worker
            .start(&Arc::new(cipher_of(vector).into()), Instant::now() + deadline)
            .map_err(failed)?;
        let found = answer(worker, &vector.plaintext, deadline).map_err(failed)?;
        report = worker.stop(Instant::now() + deadline).map_err(failed)?;
        if found != vector.ciphertext {
            return Err(format!("wrong answer to {}", vector.source));
        }
    }
    Ok(report)
}

/// Of each cipher one work: an engine can do one of them.
fn any_work() -> Vec<Arc<Work>> {
    let keys = KeySize::ALL.into_iter().filter_map(|size| AesKey::new(&[0; 32][..size.bytes()]));
    let aes = keys.map(|key| AesCtr::new(key, [0; 16]).into());
    let chacha20 = Cipher::new(Key::new([0; 32]), [0; 12], 0).into();
    [chacha20].into_iter().chain(aes).map(Arc::new).collect()
}

fn cipher_of(vector: &Vector) -> Cipher {
    Cipher::new(Key::new(vector.key), vector.nonce, vector.counter)
}

fn answer(
    worker: &mut dyn Worker,
    text: &[u8],
    deadline: Duration,
) -> Result<Vec<u8>, WorkerError> {
    let job = Job { offset: 0, len: text.len(), last: true };
    let worker = match worker.interface() {
        Interface::Slots(worker) => worker,
        Interface::Memory(worker) => {
            let mut memory = text.to_vec();
            worker.apply(job, &mut memory)?;
            return Ok(memory);
        }
    };
    worker.buffer(0, text.len())?.copy_from_slice(text);
    worker.submit(0, job)?;
    let slot = worker.finish(Instant::now() + deadline)?;
    Ok(worker.buffer(slot, text.len())?.to_vec())
}

fn table(entries: &[Entry]) -> String {
    use std::fmt::Write;
    let width = entries.iter().map(|entry| entry.name.len()).max().unwrap_or_default();
    let mut text = String::new();
    for entry in entries {
        let _ = writeln!(text, "{:width$}  {}", entry.name, entry.core);
        for line in
            [entry.device.as_ref().map(stats::DeviceStatistics::summary), entry.self_test.clone()]
                .into_iter()
                .flatten()
        {
            let _ = writeln!(text, "{:width$}  {line}", "");
        }
    }
    text
}
