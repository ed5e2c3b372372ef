// SPDX-License-Identifier: Apache-2.0
//! A payload that goes from input to output as it is.

use std::{
    io::{self, Read, Write},
    time::Instant,
};

use saltmill_engine::{CancelToken, EngineError, Event, JOB_BYTES, Report};

/// Copies all of the input, which has so many bytes if that is known.
pub(crate) fn copy(
    mut input: impl Read,
    mut output: impl Write,
    len: Option<u64>,
    cancel: &CancelToken,
    events: &mut dyn FnMut(Event),
) -> Result<Report, EngineError> {
    let started = Instant::now();
    let mut report = Report::default();
    let mut buffer = vec![0; JOB_BYTES];
    loop {
        if cancel.is_cancelled() {
            return Err(EngineError::Cancelled);
        }
        let offset = report.bytes;
        let read = match input.read(&mut buffer) {
            Ok(0) if len.is_some_and(|len| offset < len) => {
                let source = io::ErrorKind::UnexpectedEof.into();
                return Err(EngineError::Read { offset, source });
            }
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(source) => return Err(EngineError::Read { offset, source }),
        };
        let written = output.write_all(&buffer[..read]);
        written.map_err(|source| EngineError::Write { offset, source })?;
        report.bytes += read as u64;
        events(Event::Progress(report.bytes));
    }
    report.elapsed = started.elapsed();
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(len: Option<u64>, cancel: &CancelToken) -> Result<(Report, Vec<u8>), EngineError> {
        let (input, mut output) = (vec![7; JOB_BYTES + 1], Vec::new());
        let report = copy(&input[..], &mut output, len, cancel, &mut |_| {})?;
        assert_eq!(output, input);
        Ok((report, output))
    }

    #[test]
    fn all_of_it_is_copied() {
        let all = JOB_BYTES as u64 + 1;
        for len in [None, Some(all)] {
            let (report, output) = run(len, &CancelToken::default()).expect("copied");
            assert_eq!((report.bytes, output.len() as u64), (all, all));
        }
    }

    #[test]
    fn an_input_that_became_shorter_is_told() {
        let error = run(Some(JOB_BYTES as u64 + 2), &CancelToken::default()).expect_err("short");
        let EngineError::Read { offset, source } = error else { panic!("{error}") };
        assert_eq!((offset, source.kind()), (JOB_BYTES as u64 + 1, io::ErrorKind::UnexpectedEof));
    }

    #[test]
    fn it_stops_when_it_is_asked_to() {
        let cancel = CancelToken::default();
        cancel.cancel();
        assert!(matches!(run(None, &cancel), Err(EngineError::Cancelled)));
    }
}
