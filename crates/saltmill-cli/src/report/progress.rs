// SPDX-License-Identifier: Apache-2.0
//! Progress for people: a bar on a terminal, a line a second elsewhere.

use std::{
    io::{self, IsTerminal},
    time::{Duration, Instant},
};

use indicatif::{HumanBytes, ProgressBar, ProgressDrawTarget, ProgressStyle};

use saltmill::engine::Event;

use crate::{args::When, say};

/// How often a line is written where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(1);

/// Shows how far a run is.
pub enum Progress {
    /// Shows nothing.
    Silent,
    /// A bar that moves.
    Bar(ProgressBar),
    /// Lines.
    Lines {
        /// Bytes in all, if known.
        total: Option<u64>,
        /// When the last line was written.
        last: Instant,
    },
}

impl Progress {
    /// What `when` asks for, for so many bytes.
    pub fn new(when: When, total: Option<u64>) -> Self {
        if !Self::is_shown(when) {
            Self::Silent
        } else if io::stderr().is_terminal() {
            Self::Bar(bar(total))
        } else {
            Self::Lines { total, last: Instant::now() }
        }
    }

    /// The same; how many bytes there are is only asked for if it is shown.
    pub fn of(when: When, total: impl FnOnce() -> Option<u64>) -> Self {
        if Self::is_shown(when) { Self::new(when, total()) } else { Self::Silent }
    }

    /// Whether `when` asks for any.
    pub fn is_shown(when: When) -> bool {
        match when {
            When::Never => false,
            When::Auto => io::stderr().is_terminal(),
            When::Always => true,
        }
    }

    /// So many bytes are done.
    pub fn update(&mut self, bytes: u64) {
        match self {
            Self::Silent => {}
            Self::Bar(bar) => bar.set_position(bytes),
            Self::Lines { total, last } => {
                if last.elapsed() >= LINE_EVERY {
                    *last = Instant::now();
                    line(bytes, *total);
                }
            }
        }
    }

    /// Says what has happened.
    pub fn event(&mut self, event: &Event) {
        match event {
            Event::Progress(bytes) => self.update(*bytes),
            Event::WorkerFailed { worker, reason } => {
                let sentence = format!("{worker} was taken out: {reason}");
                self.warn(&sentence, "its jobs go to the other workers");
            }
            other => self.warn(&format!("{other:?}"), "the run goes on"),
        }
    }

    /// Writes a warning without disturbing the bar.
    pub fn warn(&self, sentence: &str, hint: &str) {
        self.suspend(|| say::warn(sentence, hint));
    }

    /// Lets somebody write without disturbing the bar.
    pub fn suspend(&self, write: impl FnOnce()) {
        match self {
            Self::Bar(bar) => bar.suspend(write),
            _ => write(),
        }
    }

    /// The run has ended, well or not.
    pub fn finish(&self, bytes: u64) {
        match self {
            Self::Silent => {}
            Self::Bar(bar) => bar.finish_and_clear(),
            Self::Lines { total, .. } => line(bytes, *total),
        }
    }
}

fn bar(total: Option<u64>) -> ProgressBar {
    let target = ProgressDrawTarget::stderr();
    let (bar, template) = match total {
        Some(total) => (
            ProgressBar::with_draw_target(Some(total), target),
            "{wide_bar} {bytes}/{total_bytes} {binary_bytes_per_sec} {eta}",
        ),
        None => (
            ProgressBar::with_draw_target(None, target),
            "{spinner} {bytes} {binary_bytes_per_sec} {elapsed}",
        ),
    };
    let style = ProgressStyle::with_template(template);
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn line(bytes: u64, total: Option<u64>) {
    match total {
        Some(total) => {
            say::tell(format_args!("progress: {} of {}", HumanBytes(bytes), HumanBytes(total)));
        }
        None => say::tell(format_args!("progress: {}", HumanBytes(bytes))),
    }
}
