// SPDX-License-Identifier: Apache-2.0
//! Ctrl-C, and devices that stop answering.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use std::{
    io::Write,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use common::{Ended, Folder, SALTMILL, cipher_arguments, text};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

/// Starts `saltmill cipher` with a pipe as its input, and waits until it has begun its output.
fn started(folder: &Folder, arguments: &[&str]) -> Child {
    started_with(folder, arguments, 300_000)
}

/// The same with so many bytes.
fn started_with(folder: &Folder, arguments: &[&str], bytes: usize) -> Child {
    let mut command = folder.interruptible(&cipher_arguments(arguments));
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.as_mut().unwrap().write_all(&text(bytes)).unwrap();
    folder.wait_for_output(&child);
    child
}

fn signal(child: &Child, signal: i32) {
    let status = Command::new("kill").args([format!("-{signal}"), child.id().to_string()]).status();
    assert!(status.unwrap().success());
}

#[test]
fn an_interrupted_run_leaves_nothing() {
    // In the first job, and behind it.
    for bytes in [0, 1000, 300_000] {
        for (number, code) in [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] {
            let folder = Folder::new();
            let mut child = started_with(&folder, &["-o", "out"], bytes);
            let input = child.stdin.take();
            let since = Instant::now();
            signal(&child, number);
            Ended::from(child.wait_with_output().unwrap()).bad(code, "interrupted");
            assert!(since.elapsed() < Duration::from_secs(2), "the input was waited for");
            assert_eq!(folder.files(), [""; 0]);
            drop(input);
        }
    }
}

#[test]
fn what_the_caller_ignores_is_ignored() {
    for (name, number) in [("INT", SIGINT), ("HUP", SIGHUP)] {
        let folder = Folder::new();
        let mut command = Command::new("env");
        command.arg(format!("--ignore-signal={name}")).arg(SALTMILL);
        command.args(cipher_arguments(&["-o", "out"])).current_dir(folder.path(""));
        let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        input.write_all(&text(300_000)).unwrap();
        folder.wait_for_output(&child);
        signal(&child, number);
        input.write_all(b"and more").unwrap();
        drop(input);
        assert_eq!(child.wait().unwrap().code(), Some(0), "{name}");
        assert_eq!(folder.read("out").len(), 300_008);
    }
}

#[cfg(feature = "sim")]
mod hung_devices {
    use std::thread;

    use super::*;

    // In the first job, whatever else the machine does: a job of 256 KiB takes 41,000 cycles.
    const HANG: [&str; 6] = ["--engine", "sim", "--sim-hang-at", "20000", "--deadline", "1"];

    #[test]
    fn the_only_engine() {
        let folder = Folder::new();
        folder.write("text", &text(3_000_000));
        let ended = folder.cipher(&[&HANG[..], &["-o", "out", "text"]].concat());
        assert_eq!(ended.code, 3, "{ended:?}");
        let lines: Vec<_> = ended.stderr.lines().collect();
        assert!(lines[0].starts_with("warning: sim:0 (ring2) was taken out: "), "{lines:?}");
        assert!(lines[0].contains("did not answer in time"), "{lines:?}");
        assert_eq!(lines[2], "error: no engine is left to do the work", "{lines:?}");
        assert_eq!(folder.files(), ["text"]);
    }

    #[test]
    fn with_a_cpu_that_takes_over() {
        let folder = Folder::new();
        let text = text(20_000_000);
        folder.write("text", &text);
        let cpu = ["--engine", "cpu", "--workers", "1", "--stats", "stats", "-o", "out"];
        let mut child = started(&folder, &[&HANG[..], &cpu].concat());
        // A pipe that comes late, so that the device waits for its share when the jobs come.
        thread::sleep(Duration::from_millis(300));
        child.stdin.take().unwrap().write_all(&text[300_000..]).unwrap();
        let ended = Ended::from(child.wait_with_output().unwrap());
        assert_eq!(ended.code, 0, "{ended:?}");
        let warning = "warning: sim:0 (ring2) was taken out: ";
        assert!(ended.stderr.starts_with(warning), "{ended:?}");
        assert!(folder.read("out") == folder.openssl(0, "text"));
        let stats: serde_json::Value = serde_json::from_slice(&folder.read("stats")).unwrap();
        assert!(stats["workers"][1]["failure"].as_str().unwrap().contains("did not answer"));
    }

    #[test]
    fn ctrl_c_does_not_wait_for_its_deadline() {
        let folder = Folder::new();
        let hang = ["--engine", "sim", "--sim-hang-at", "60000", "--deadline", "600", "-o", "out"];
        let mut child = started(&folder, &hang);
        let input = child.stdin.take();
        thread::sleep(Duration::from_millis(300));
        let since = Instant::now();
        signal(&child, SIGINT);
        let ended = Ended::from(child.wait_with_output().unwrap());
        assert_eq!(ended.code, 130, "{ended:?}");
        assert!(since.elapsed() < Duration::from_secs(10), "its deadline was waited for");
        assert_eq!(folder.files(), [""; 0]);
        drop(input);
    }
}
