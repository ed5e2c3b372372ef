// SPDX-License-Identifier: Apache-2.0
//! Many tasks side by side, each done by one worker.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Mutex, PoisonError,
        mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    },
    thread,
};

use crate::{CancelToken, Engine, EngineError, Event, SingleWorker, engine::TICK};

/// Tasks that wait for each worker.
const WAITING: usize = 4;

/// What is told of tasks that go on side by side.
pub enum TaskEvent<T, R, E> {
    /// A task has ended, well or not.
    Ended(T, Result<R, E>),
    /// No task has ended for a while: a moment to show progress.
    Waiting,
    /// Something else happened.
    Event(Event),
}

/// What a worker's thread tells.
enum Message<T, R, E> {
    Ended(T, Result<R, E>),
    /// The worker failed, with this name and reason: the task is another's.
    Returned(T, String, String),
}

impl Engine {
    /// Does tasks side by side, each on one worker with `act`; no more than `most` are under way at
    /// a time. The task of a worker that fails is done by another.
    ///
    /// # Errors
    /// [`EngineError::Cancelled`], or [`EngineError::NoWorkerLeft`]; what fails in a task is told
    /// and ends nothing.
    pub fn each<T: Send, R: Send, E: Send + std::fmt::Display>(
        &mut self,
        most: usize,
        tasks: &mut dyn Iterator<Item = T>,
        act: &(dyn Fn(&mut SingleWorker<'_>, &T) -> Result<R, E> + Sync),
        told: &mut dyn FnMut(TaskEvent<T, R, E>),
    ) -> Result<(), EngineError> {
        let (give, take) = channel();
        let (tell, listen) = channel();
        let take = Mutex::new(take);
        let (cancel, deadline) = (self.cancel.clone(), self.job_deadline);
        thread::scope(|scope| {
            let members = self.members.iter_mut().filter(|member| !member.failed);
            let mut left = 0;
            for member in members {
                left += 1;
                let (take, tell, cancel) = (&take, tell.clone(), &cancel);
                scope.spawn(move || {
                    let mut worker = SingleWorker::new(&mut *member.worker, deadline);
                    member.failed = !serve(&mut worker, cancel, take, &tell, act);
                });
            }
            drop(tell);
            let most = most.min((WAITING + 1) * left).max(1);
            Owner { listen, told, under_way: 0, most, left }.feed(give, &cancel, tasks)
        })
    }
}

/// A worker's thread: ends when there is nothing more to take, or with its worker, which is
/// `false`.
fn serve<T, R, E: std::fmt::Display>(
    worker: &mut SingleWorker<'_>,
    cancel: &CancelToken,
    take: &Mutex<Receiver<T>>,
    tell: &Sender<Message<T, R, E>>,
    act: &dyn Fn(&mut SingleWorker<'_>, &T) -> Result<R, E>,
) -> bool {
    loop {
        let task = take.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(task) = task else { return true };
        if cancel.is_cancelled() {
            return true;
        }
        let name = worker.name().to_owned();
        // A panic must not end in silence: the owner would wait for this task for ever.
        let outcome = catch_unwind(AssertUnwindSafe(|| act(worker, &task)));
        let message = match outcome {
            Ok(Err(error)) if worker.has_failed() => {
                Message::Returned(task, name, error.to_string())
            }
            Ok(outcome) => Message::Ended(task, outcome),
            Err(_) => Message::Returned(task, name, "it crashed".to_owned()),
        };
        let failed = matches!(message, Message::Returned(..));
        if tell.send(message).is_err() || failed {
            return !failed;
        }
    }
}

/// The caller's thread.
struct Owner<'a, T, R, E> {
    listen: Receiver<Message<T, R, E>>,
    told: &'a mut dyn FnMut(TaskEvent<T, R, E>),
    /// Tasks that were given and have not ended.
    under_way: usize,
    most: usize,
    /// Workers that have not failed.
    left: usize,
}

impl<T, R, E> Owner<'_, T, R, E> {
    fn feed(
        &mut self,
        give: Sender<T>,
        cancel: &CancelToken,
        tasks: &mut dyn Iterator<Item = T>,
    ) -> Result<(), EngineError> {
        let mut returned = Vec::new();
        let mut more = true;
        loop {
            if cancel.is_cancelled() {
                return Err(EngineError::Cancelled);
            }
            if self.left == 0 {
                return Err(EngineError::NoWorkerLeft);
            }
            while more && self.under_way < self.most {
                let Some(task) = returned.pop().or_else(|| tasks.next()) else {
                    more = false;
                    break;
                };
                self.under_way += 1;
                if give.send(task).is_err() {
                    break;
                }
            }
            if self.under_way == 0 {
                return Ok(());
            }
            match self.listen.recv_timeout(TICK) {
                Ok(message) => {
                    self.under_way -= 1;
                    match message {
                        Message::Ended(task, outcome) => {
                            (self.told)(TaskEvent::Ended(task, outcome));
                        }
                        Message::Returned(task, worker, reason) => {
                            self.left -= 1;
                            (self.told)(TaskEvent::Event(Event::WorkerFailed { worker, reason }));
                            returned.push(task);
                            more = true;
                        }
                    }
                }
                Err(RecvTimeoutError::Timeout) => (self.told)(TaskEvent::Waiting),
                Err(RecvTimeoutError::Disconnected) => self.left = 0,
            }
        }
    }
}
