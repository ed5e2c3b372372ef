// SPDX-License-Identifier: Apache-2.0
//! A lock that goes to those who wait in the order in which they came. With the standard one a thread
//! that steps the simulation, slice after slice, would keep the others out.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

#[derive(Default)]
struct Tickets {
    next: u64,
    serving: u64,
}

pub(crate) struct Turns<T> {
    tickets: Mutex<Tickets>,
    turn: Condvar,
    value: Mutex<T>,
}

impl<T> Turns<T> {
    pub(crate) fn new(value: T) -> Self {
        Self { tickets: Mutex::default(), turn: Condvar::new(), value: Mutex::new(value) }
    }

    /// Runs `body` when it is this caller's turn.
    pub(crate) fn with<R>(&self, body: impl FnOnce(&mut T) -> R) -> R {
        let _turn = Turn::take(self);
        body(&mut lock(&self.value))
    }
}

/// A turn that came; dropping it gives the next one, also when the body panics.
struct Turn<'a, T>(&'a Turns<T>);

impl<'a, T> Turn<'a, T> {
    fn take(turns: &'a Turns<T>) -> Self {
        let mut tickets = lock(&turns.tickets);
        let mine = tickets.next;
        tickets.next += 1;
        while tickets.serving != mine {
            tickets = turns.turn.wait(tickets).unwrap_or_else(PoisonError::into_inner);
        }
        Self(turns)
    }
}

impl<T> Drop for Turn<'_, T> {
    fn drop(&mut self) {
        lock(&self.0.tickets).serving += 1;
        self.0.turn.notify_all();
    }
}

/// The value is valid after every step of a body, so a panic elsewhere does not spoil it.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
