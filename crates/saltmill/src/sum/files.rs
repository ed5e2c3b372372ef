// SPDX-License-Identifier: Apache-2.0
//! Many files side by side.

use std::{
    collections::{BTreeMap, VecDeque},
    iter::Fuse,
    sync::{Arc, Mutex, PoisonError, atomic::Ordering},
};

use blake3::hazmat::ChainingValue;
use saltmill_engine::{
    DigestAlgorithm, Engine, EngineError, Event, JOB_BYTES, Key, SingleWorker, TaskEvent,
};

use super::{
    FileError, HashAlgorithm, Hashed, Source,
    file::{READ_BYTES, Watch, hash_file},
    in_step::hash_in_step,
    md5::LANES,
    on_device::{FILES, device_algorithm, hash_on_device},
    tree::Tree,
};

/// Small files are handed out in groups of at most so many files and bytes, so that handing them
/// out costs little beside hashing them.
const GROUP_FILES: usize = 32;
const GROUP_BYTES: u64 = JOB_BYTES as u64;

/// A file to be hashed.
#[derive(Clone, Debug)]
pub struct Request<T> {
    /// What is read.
    pub source: Source,
    /// What is computed.
    pub algorithms: Arc<[HashAlgorithm]>,
    /// Whatever the caller wants to have with the outcome.
    pub tag: T,
}

impl<T> Request<T> {
    /// Its digest can be computed in step with those of others.
    fn in_step(&self) -> bool {
        *self.algorithms == [HashAlgorithm::Md5]
    }
}

/// What a worker gets.
enum Task<T> {
    Files(Vec<Request<T>>),
    /// The piece of this number.
    Piece(Arc<Large<T>>, u64),
}

/// A file that all workers hash together.
struct Large<T> {
    tag: T,
    tree: Tree,
    values: Mutex<BTreeMap<u64, Result<ChainingValue, FileError>>>,
}

/// Hashes files on the threads of the engine's workers: small ones side by side, a large one with
/// BLAKE3 by all. SHA-256, its HMAC or MD5 of regular files is computed on a worker's device that
/// has it. HMACs have that key; without one they are [`FileError::NoKey`]. The outcomes are told in
/// the order of the requests, and a file that fails does not end it. Progress is in bytes.
///
/// # Errors
/// [`EngineError::Cancelled`], or [`EngineError::NoWorkerLeft`].
pub fn hash_files<T: Send + Sync>(
    engine: &mut Engine,
    key: Option<&Key>,
    requests: &mut dyn Iterator<Item = Request<T>>,
    told: &mut dyn FnMut(TaskEvent<T, Hashed, FileError>),
) -> Result<(), EngineError> {
    let mut order = Order { told, next: 0, early: BTreeMap::new() };
    let mut numbered = requests.enumerate().map(|(number, request)| {
        let Request { source, algorithms, tag } = request;
        Request { source, algorithms, tag: (number, tag) }
    });
    hash_as_they_end(engine, key, &mut numbered, &mut |event| match event {
        TaskEvent::Ended((number, tag), outcome) => order.ended(number, tag, outcome),
        TaskEvent::Waiting => (order.told)(TaskEvent::Waiting),
        TaskEvent::Event(event) => (order.told)(TaskEvent::Event(event)),
    })
}

/// As [`hash_files`], but each outcome is told at once: none waits for that of an earlier file.
///
/// # Errors
/// As [`hash_files`].
pub fn hash_as_they_end<T: Send + Sync>(
    engine: &mut Engine,
    key: Option<&Key>,
    requests: &mut dyn Iterator<Item = Request<T>>,
    told: &mut dyn FnMut(TaskEvent<T, Hashed, FileError>),
) -> Result<(), EngineError> {
    let (cancel, key) = (engine.cancel_token(), key.cloned());
    let watch = Watch { cancel, key, ..Watch::default() };
    let mut tasks = Tasks {
        requests: requests.fuse(),
        ahead: VecDeque::new(),
        workers: engine.workers(),
        on_devices: [DigestAlgorithm::Sha256, DigestAlgorithm::Md5, DigestAlgorithm::HmacSha256]
            .into_iter()
            .filter(|algorithm| engine.has_digests(*algorithm))
            .collect(),
        large: None,
    };
    let act = |worker: &mut SingleWorker<'_>, task: &Task<T>| task.perform(worker, &watch);
    engine.each(usize::MAX, &mut tasks, &act, &mut |event| {
        match event {
            TaskEvent::Ended(Task::Files(files), Ok(outcomes)) => {
                for (request, outcome) in files.into_iter().zip(outcomes) {
                    told(TaskEvent::Ended(request.tag, outcome));
                }
            }
            TaskEvent::Ended(Task::Piece(large, _), Ok(_)) => {
                // Whoever has the last piece has the only reference.
                if let Some(large) = Arc::into_inner(large) {
                    let values = large.values.into_inner().unwrap_or_else(PoisonError::into_inner);
                    let values = values.into_values().collect::<Result<Vec<_>, _>>();
                    let outcome = values.and_then(|values| large.tree.root(&values));
                    told(TaskEvent::Ended(large.tag, outcome));
                }
            }
            // Cancelled, and so is the run.
            TaskEvent::Ended(_, Err(_)) => {}
            TaskEvent::Waiting => told(TaskEvent::Waiting),
            TaskEvent::Event(event) => told(TaskEvent::Event(event)),
        }
        let bytes = watch.done.load(Ordering::Relaxed);
        told(TaskEvent::Event(Event::Progress(bytes)));
    })
}

impl<T> Task<T> {
    /// Does it on this thread or its device; gives the outcomes of whole files.
    fn perform(
        &self,
        worker: &mut SingleWorker<'_>,
        watch: &Watch,
    ) -> Result<Vec<Result<Hashed, FileError>>, EngineError> {
        let mut buffer = vec![0; READ_BYTES];
        let mut outcomes = Vec::new();
        match self {
            Self::Files(files) => {
                let sources = || files.iter().map(|request| &request.source);
                let on_device = on_device(files, watch.key.is_some()).and_then(|algorithm| {
                    let keyed = algorithm == DigestAlgorithm::HmacSha256;
                    let key = watch.key.as_ref().filter(|_| keyed);
                    worker.digests(algorithm, key, |device, patience| {
                        hash_on_device(sources(), device, patience, watch)
                    })
                });
                if let Some(found) = on_device {
                    outcomes = found?;
                } else if files.len() > 1 && files.iter().all(Request::in_step) {
                    outcomes = hash_in_step(sources(), watch);
                } else {
                    for Request { source, algorithms, .. } in files {
                        outcomes.push(hash_file(source, algorithms, &mut buffer, watch));
                    }
                }
            }
            Self::Piece(large, number) => {
                let value = large.tree.piece(*number, &mut buffer, watch);
                let mut values = large.values.lock().unwrap_or_else(PoisonError::into_inner);
                values.insert(*number, value);
            }
        }
        if watch.cancel.is_cancelled() { Err(EngineError::Cancelled) } else { Ok(outcomes) }
    }
}

/// What a device has to have for all of these files: they can be read again, should it fail.
fn on_device<T>(files: &[Request<T>], has_key: bool) -> Option<DigestAlgorithm> {
    let first = files.first()?;
    let regular = |request: &Request<T>| request.source.len().is_some();
    let same = |request: &Request<T>| request.algorithms == first.algorithms;
    let fit = files.iter().all(|request| same(request) && regular(request));
    let algorithm = if fit { device_algorithm(&first.algorithms) } else { None };
    algorithm.filter(|algorithm| has_key || *algorithm != DigestAlgorithm::HmacSha256)
}

/// Makes tasks of requests.
struct Tasks<'a, T> {
    requests: Fuse<&'a mut dyn Iterator<Item = Request<T>>>,
    /// Taken from there already.
    ahead: VecDeque<Request<T>>,
    workers: usize,
    /// What devices have.
    on_devices: Vec<DigestAlgorithm>,
    /// What is in pieces, and the next one.
    large: Option<(Arc<Large<T>>, u64)>,
}

impl<T> Tasks<'_, T> {
    fn piece(&mut self) -> Option<Task<T>> {
        let (large, piece) = self.large.take()?;
        if piece + 1 < large.tree.pieces() {
            self.large = Some((Arc::clone(&large), piece + 1));
        }
        Some(Task::Piece(large, piece))
    }
}

impl<T> Tasks<'_, T> {
    fn request(&mut self) -> Option<Request<T>> {
        self.ahead.pop_front().or_else(|| self.requests.next())
    }

    /// How many files are best side by side: a device wants many, a CPU thread has MD5 in step.
    fn lanes(&self, algorithms: &[HashAlgorithm]) -> usize {
        match device_algorithm(algorithms) {
            Some(algorithm) if self.on_devices.contains(&algorithm) => FILES,
            Some(DigestAlgorithm::Md5) => LANES,
            _ => 1,
        }
    }

    /// How many of these one worker gets if the others are to have as many: one is there, the
    /// others are the next.
    fn share(&mut self, lanes: usize) -> usize {
        let missing = (lanes * self.workers - 1).saturating_sub(self.ahead.len());
        self.ahead.extend(self.requests.by_ref().take(missing));
        (1 + self.ahead.len()).div_ceil(self.workers)
    }

    /// The next file can be side by side with those, and won't let them wait.
    fn goes_along(&self, algorithms: &[HashAlgorithm]) -> bool {
        let alike = |next: &Request<T>| *next.algorithms == *algorithms;
        self.ahead.front().is_some_and(|next| alike(next) && next.source.len().is_some())
    }
}

impl<T> Iterator for Tasks<'_, T> {
    type Item = Task<T>;

    fn next(&mut self) -> Option<Task<T>> {
        if let Some(piece) = self.piece() {
            return Some(piece);
        }
        let (mut files, mut bytes, mut share) = (Vec::new(), 0, 1);
        let mut algorithms: Arc<[HashAlgorithm]> = Arc::default();
        while files.len() < GROUP_FILES
            && (bytes < GROUP_BYTES || (files.len() < share && self.goes_along(&algorithms)))
        {
            let Some(request) = self.request() else { break };
            let len = request.source.len();
            if let Some(tree) =
                len.and_then(|len| Tree::of(&request.source, len, &request.algorithms))
            {
                let (tag, values) = (request.tag, Mutex::default());
                self.large = Some((Arc::new(Large { tag, tree, values }), 0));
                break;
            }
            let lanes = self.lanes(&request.algorithms);
            if !files.is_empty() && lanes == 1 && len.is_none_or(|len| len > GROUP_BYTES) {
                // The small ones need not wait for it to be told.
                self.ahead.push_front(request);
                break;
            }
            if files.is_empty() && lanes > 1 && len.is_some() {
                share = self.share(lanes);
                algorithms = Arc::clone(&request.algorithms);
            }
            bytes += len.unwrap_or(GROUP_BYTES);
            files.push(request);
        }
        if files.is_empty() { self.piece() } else { Some(Task::Files(files)) }
    }
}

/// Tells outcomes in the order of the requests.
struct Order<'a, T> {
    told: &'a mut dyn FnMut(TaskEvent<T, Hashed, FileError>),
    /// The request whose outcome is to be told next.
    next: usize,
    /// What has ended before its turn.
    early: BTreeMap<usize, (T, Result<Hashed, FileError>)>,
}

impl<T> Order<'_, T> {
    fn ended(&mut self, number: usize, tag: T, outcome: Result<Hashed, FileError>) {
        self.early.insert(number, (tag, outcome));
        while let Some((tag, outcome)) = self.early.remove(&self.next) {
            self.next += 1;
            (self.told)(TaskEvent::Ended(tag, outcome));
        }
    }
}
