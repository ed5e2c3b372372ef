// SPDX-License-Identifier: Apache-2.0
//! What the help shows works as shown, and the lists of engines.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use common::{Folder, text};

#[test]
fn the_examples_of_the_help_run() {
    for (command, count) in [
        ("cipher", 15),
        ("encrypt", 12),
        ("decrypt", 5),
        ("rekey", 9),
        ("keygen", 5),
        ("sum", 13),
        ("bench", 2),
        ("completions", 3),
        ("man", 3),
    ] {
        let folder = Folder::new();
        folder.write("notes.txt", &text(100_000));
        let help = String::from_utf8(folder.call(&[command, "--help"]).good()).unwrap();
        let (_, examples) = help.split_once("Examples:").unwrap();
        let lines: Vec<_> = examples.lines().filter(|line| line.starts_with("    ")).collect();
        assert_eq!(lines.len(), count, "{lines:?}");
        let ended = folder.shell(&lines.join("\n"));
        assert_eq!(ended.code, 0, "{command}: {}", ended.stderr);
        for sealed in ["notes.enc", "notes.age"] {
            if folder.path(sealed).exists() {
                assert_ne!(folder.read(sealed), folder.read("notes.txt"));
            }
        }
    }
}

#[test]
fn completions_and_pages_know_every_command() {
    let folder = Folder::new();
    let print = |arguments: &[&str]| String::from_utf8(folder.call(arguments).good()).unwrap();
    folder.call(&["man", "--out-dir", "man1"]).good();
    let commands =
        ["encrypt", "decrypt", "rekey", "keygen", "inspect", "cipher", "sum", "bench", "devices"];
    for command in commands {
        for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
            assert!(print(&["completions", shell]).contains(command), "{command} in {shell}");
        }
        assert!(print(&["man"]).contains(command));
        let page = print(&["man", command]);
        assert!(page.contains(".TH") && page.contains("Exit codes:"), "{page}");
        assert!(folder.path(&format!("man1/saltmill-{command}.1")).exists());
    }
    let fish = print(&["completions", "fish"]);
    let behind_help = "using_subcommand help; and __fish_seen_subcommand_from bench\" -f -a";
    assert_eq!(fish.matches(behind_help).count(), 3, "what `bench` has");
    folder.call(&["man", "fly"]).bad(2, "there is no command \"fly\"");
}

#[test]
fn help_and_documents_list_the_same_exit_codes() {
    let folder = Folder::new();
    let document = include_str!("../../../docs/exit-codes.md");
    let help = String::from_utf8(folder.call(&["--help"]).good()).unwrap();
    let (_, codes) = help.split_once("Exit codes:\n").unwrap();
    let codes: Vec<_> = codes.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(codes, ["0", "1", "2", "3", "4", "130"]);
    for code in codes {
        assert!(document.contains(&format!("| {code} |")), "{code} is not in the document");
    }
}

#[test]
fn the_cpu_passes_its_self_test() {
    let folder = Folder::new();
    let arguments = ["devices", "--engine", "cpu", "--workers", "1", "--self-test", "--json"];
    let found = folder.call(&arguments).good();
    let entries: serde_json::Value = serde_json::from_slice(&found).unwrap();
    assert_eq!(entries[0]["name"], "cpu:0");
    assert_eq!(
        entries[0]["self_test"],
        "passed (19 known answers; 259 messages sealed and opened, 72 forgeries refused)"
    );
}

#[cfg(feature = "sim")]
#[test]
fn every_simulated_device_passes_its_self_test() {
    let folder = Folder::new();
    let found = String::from_utf8(folder.call(&["devices", "--self-test"]).good()).unwrap();
    for variant in ["small", "ring2", "pipe", "ring2-hostadd"] {
        assert!(found.contains(&format!("sim:0 ({variant})")), "{found}");
    }
    for variant in ["aead-small", "aead-balanced", "aead-fast"] {
        let (_, entry) = found.split_once(&format!("sim:0 ({variant})")).unwrap();
        let passed = "12 tags, 502 messages sealed and opened, 120 forgeries refused";
        assert!(entry.lines().take(3).any(|line| line.contains(passed)), "{entry}");
    }
    for (variant, about, passed) in [
        (
            "aes-ring",
            "aes ring, ecb/cbc/ctr/gcm, 128/192/256-bit keys, unroll",
            "9 known answers; 5 messages",
        ),
        ("aes-pipe", "aes pipeline, ctr/gcm, 128-bit keys, unroll", "1 known answer; 3 messages"),
        (
            "sha256-ring",
            "sha256 ring, unroll",
            "11 digests, whole and in parts, 64 tags of HMAC, 108 forgeries refused",
        ),
        ("md5-ring", "md5 ring, unroll", "7 digests, whole and in parts"),
    ] {
        let (_, entry) = found.split_once(&format!("sim:0 ({variant})")).unwrap();
        let entry = entry.lines().take(3).collect::<Vec<_>>();
        assert!(entry[0].contains(about) && entry[2].contains(passed), "{entry:?}");
    }
    assert!(!found.contains("FAILED"), "{found}");
}

#[test]
fn progress_is_written_where_it_is_asked_for() {
    let folder = Folder::new();
    folder.write("text", &text(1_000_000));
    let ended = folder.cipher(&["--progress", "always", "-o", "out", "text"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (0, "progress: 976.56 KiB of 976.56 KiB\n"));
    for when in ["auto", "never"] {
        folder.cipher(&["--progress", when, "--force", "-o", "out", "text"]).good();
    }
}
