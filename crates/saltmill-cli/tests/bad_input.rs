// SPDX-License-Identifier: Apache-2.0
//! Everything that can't work: one sentence, a hint, an exit code, no partial output, nothing
//! overwritten.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use std::{
    fs::{self, File, OpenOptions},
    os::unix::{
        fs::{PermissionsExt, symlink},
        net::UnixListener,
    },
    process::Stdio,
};

use common::{Folder, NONCE, cipher_arguments, text};

/// A folder with a text of so many bytes.
fn folder(len: usize) -> Folder {
    let folder = Folder::new();
    folder.write("text", &text(len));
    folder
}

#[test]
fn keys() {
    let folder = folder(10);
    let cases: [(&[u8], &str); 5] = [
        (b"", "it is empty"),
        (&[1; 31], "it has 31 bytes"),
        (&[1; 33], "it has 33 bytes"),
        (&[b'a'; 62], "it has 62 hex digits, not 64"),
        (&[b'S'; 1000], "it has more than 66 bytes"),
    ];
    for (key, found) in cases {
        folder.write("key", key);
        let sentence = format!("key file key holds no key: {found}");
        folder.cipher(&["-o", "out", "text"]).bad(2, &sentence);
    }
    fs::remove_file(folder.path("key")).unwrap();
    folder
        .cipher(&["-o", "out", "text"])
        .bad(2, "key file key can't be read: there is no such file");
    fs::create_dir(folder.path("key")).unwrap();
    folder.cipher(&["-o", "out", "text"]).bad(2, "key file key can't be read: it is a directory");
    assert_eq!(folder.files(), ["text"]);
}

#[test]
fn a_bad_key_is_never_shown() {
    let folder = folder(10);
    folder.write("key", b"correct horse battery staple, all of it secret");
    let ended = folder.cipher(&["-o", "out", "text"]);
    assert!(!ended.stderr.contains("horse") && ended.code == 2, "{}", ended.stderr);
}

#[test]
fn nonces_counters_and_other_values() {
    let folder = folder(10);
    let call = |option: &str, value: &str| {
        let mut all = vec!["cipher", "--key-file", "key", "-o", "out", "text", option, value];
        if option != "--nonce" {
            all.extend(["--nonce", NONCE]);
        }
        folder.call(&all)
    };
    let nonce = "the nonce can't be used: it has";
    call("--nonce", "").bad(2, &format!("{nonce} 0 hex digits, not 24"));
    call("--nonce", &NONCE[1..]).bad(2, &format!("{nonce} 23 hex digits, not 24"));
    call("--nonce", &format!("{NONCE}00")).bad(2, &format!("{nonce} 26 hex digits, not 24"));
    call("--nonce", "00000000000000x000000000")
        .bad(2, "the nonce can't be used: its character 15 is not a hex digit");
    for counter in ["-1", "4294967296", "0x10", "many"] {
        let ended = call("--counter", counter);
        assert_eq!(ended.code, 2, "{ended:?}");
        assert!(ended.stderr.contains("--counter") && ended.stderr.contains("hint: "), "{ended:?}");
    }
    call("--engine", "gpu").bad(2, "there is no engine \"gpu\"");
    call("--engine", "stub").bad(2, "there is no engine \"stub\"");
    call("--engine", "sim:9").bad(2, "\"9\" is not a number of simulated devices");
    call("--deadline", "0").bad(2, "\"0\" is not a deadline");
    assert_eq!(call("--workers", "0").code, 2);
    assert_eq!(call("--algorithm", "rot13").code, 2);
    assert_eq!(call("--progress", "sometimes").code, 2);
    assert_eq!(folder.files(), ["text"]);
}

#[test]
fn missing_arguments() {
    let folder = folder(10);
    assert_eq!(folder.call(&["cipher", "text"]).code, 2);
    folder.call(&[]).bad(2, "there is nothing to do");
    assert_eq!(folder.call(&["encipher"]).code, 2);
}

#[test]
fn inputs() {
    let folder = folder(10);
    folder.cipher(&["-o", "out", "none"]).bad(2, "input none can't be read: there is no such file");
    fs::create_dir(folder.path("dir")).unwrap();
    folder.cipher(&["-o", "out", "dir"]).bad(2, "input dir can't be read: it is a directory");
    let _listener = UnixListener::bind(folder.path("socket")).unwrap();
    let socket = "socket can't be read: it is a socket, or a device that is not there";
    folder.cipher(&["-o", "out", "socket"]).bad(2, &format!("input {socket}"));
    assert_eq!(folder.files(), ["dir", "socket", "text"]);
}

#[test]
fn input_and_output_the_same_file() {
    let folder = folder(1000);
    symlink("text", folder.path("symbolic")).unwrap();
    symlink("symbolic", folder.path("twice")).unwrap();
    fs::hard_link(folder.path("text"), folder.path("hard")).unwrap();
    let before = folder.files();
    for (input, output) in [
        ("text", "text"),
        ("text", "./text"),
        ("text", "symbolic"),
        ("text", "twice"),
        ("text", "hard"),
        ("symbolic", "text"),
        ("hard", "twice"),
    ] {
        for force in [&[][..], &["--force"]] {
            let sentence = format!("input and output are the same file: {output}");
            folder.cipher(&[force, &["-o", output, input]].concat()).bad(2, &sentence);
        }
    }
    let mut command = folder.command(&cipher_arguments(&["--force", "-o", "hard"]));
    let ended = command.stdin(File::open(folder.path("text")).unwrap()).output().unwrap();
    assert_eq!(ended.status.code(), Some(2), "standard input is the output");
    assert_eq!((folder.files(), folder.read("text")), (before, text(1000)));
}

#[test]
fn outputs() {
    let folder = folder(1000);
    folder.write("old", b"precious");
    folder.cipher(&["-o", "old", "text"]).bad(2, "output old exists");
    assert_eq!(folder.read("old"), b"precious");
    fs::create_dir(folder.path("dir")).unwrap();
    let is_dir = "output dir can't be written: it is a directory";
    folder.cipher(&["--force", "-o", "dir", "text"]).bad(2, is_dir);
    folder
        .cipher(&["-o", "no/where", "text"])
        .bad(2, "output no/where can't be made: no is not a folder");
    folder
        .cipher(&["-o", "text/out", "text"])
        .bad(2, "output text/out can't be written: not a directory");
    let listener = UnixListener::bind(folder.path("socket")).unwrap();
    let is_socket = "output socket can't be written: it is a socket, or a device that is not there";
    folder.cipher(&["--force", "-o", "socket", "text"]).bad(2, is_socket);
    drop(listener);
    fs::remove_file(folder.path("socket")).unwrap();
    symlink("nothing", folder.path("link")).unwrap();
    folder.cipher(&["-o", "link", "text"]).bad(2, "output link is a link to nothing");
    let both = "statistics and output can't both go to standard output";
    folder.cipher(&["--stats", "-", "text"]).bad(2, both);
    assert_eq!(folder.files(), ["dir", "link", "old", "text"]);
}

#[test]
fn hints_about_folders_say_what_takes_them() {
    let folder = folder(1000);
    fs::create_dir(folder.path("dir")).unwrap();
    for (call, hint) in [
        (["-o", "out", "dir"], "take a folder with --recursive"),
        (["-o", "dir", "text"], "put files into a folder with --out-dir"),
    ] {
        let ended = folder.cipher(&call);
        assert!(ended.code == 2 && ended.stderr.contains(hint), "{call:?}: {}", ended.stderr);
    }
}

#[test]
fn a_folder_without_permission() {
    let folder = folder(1000);
    fs::create_dir(folder.path("shut")).unwrap();
    fs::set_permissions(folder.path("shut"), fs::Permissions::from_mode(0o555)).unwrap();
    if File::create(folder.path("shut/probe")).is_ok() {
        // Nothing is shut for root.
        return;
    }
    let sentence = "output shut/out can't be written: permission denied";
    folder.cipher(&["-o", "shut/out", "text"]).bad(2, sentence);
}

#[test]
fn a_counter_that_would_pass_its_end() {
    let folder = folder(385);
    let sentence = "text is too long: from counter 4294967290 on, one nonce is good for 384 bytes";
    folder.cipher(&["--counter", "4294967290", "-o", "out", "text"]).bad(2, sentence);
    folder.cipher(&["--counter", "4294967290", "text"]).bad(2, sentence);
    let ended = folder.cipher_with_input(&["--counter", "4294967290", "-o", "out"], text(385));
    ended.bad(2, &sentence.replace("text", "standard input"));
    let sparse = OpenOptions::new().write(true).open(folder.path("text")).unwrap();
    sparse.set_len((1 << 38) + 1).unwrap();
    folder
        .cipher(&["-o", "out", "text"])
        .bad(2, "text is too long: from counter 0 on, one nonce is good for 274877906944 bytes");
    assert_eq!(folder.files(), ["text"]);
}

#[test]
fn a_full_disk() {
    let folder = folder(1_000_000);
    let sentence = "writing /dev/full failed at byte 0: the disk is full";
    folder.cipher(&["-o", "/dev/full", "text"]).bad(1, sentence);
    let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = folder.command(&cipher_arguments(&["text"])).stdout(full).output().unwrap();
    let sentence = "writing standard output failed at byte 0: the disk is full";
    common::Ended::from(output).bad(1, sentence);
}

/// A file size limit is as good as a disk that is full in the middle.
#[test]
fn a_disk_that_is_full_in_the_middle() {
    let folder = folder(4_000_000);
    let script = format!(
        "trap '' XFSZ; ulimit -f 1000; exec {} {}",
        common::SALTMILL,
        cipher_arguments(&["-o", "out", "text"]).join(" ")
    );
    let mut shell = std::process::Command::new("bash");
    let output = shell.args(["-c", &script]).current_dir(folder.path("")).output().unwrap();
    let ended = common::Ended::from(output);
    assert_eq!(ended.code, 1, "{ended:?}");
    assert!(ended.stderr.starts_with("error: writing out failed at byte "), "{ended:?}");
    assert_eq!(folder.files(), ["text"]);
}

#[test]
fn a_broken_pipe() {
    let folder = folder(4_000_000);
    let mut child = folder.command(&cipher_arguments(&["text"])).spawn().unwrap();
    drop(child.stdout.take());
    let ended = common::Ended::from(child.wait_with_output().unwrap());
    assert_eq!(ended.code, 1, "{ended:?}");
    assert!(
        ended.stderr.starts_with("error: writing standard output failed at byte "),
        "{ended:?}"
    );
    assert!(ended.stderr.contains("its reader has gone away\nhint: "), "{ended:?}");
}

#[test]
fn special_files_are_written_directly() {
    let folder = folder(1_000_000);
    folder.cipher(&["-o", "/dev/null", "text"]).good();
    let mut command = folder.command(&cipher_arguments(&["-o", "/dev/stdout", "text"]));
    let output = command.stdout(Stdio::piped()).output().unwrap();
    assert_eq!(output.stdout, folder.openssl(0, "text"));
}

#[cfg(feature = "sim")]
#[test]
fn unknown_simulations() {
    let folder = folder(10);
    let call =
        |option, value| folder.cipher(&["--engine", "sim", option, value, "-o", "out", "text"]);
    call("--sim-variant", "huge").bad(2, "there is no simulated device \"huge\"");
    call("--sim-memory", "slow").bad(2, "there is no memory profile \"slow\"");
    folder
        .cipher(&["--engine", "sim:4", "--engine", "sim", "-o", "out", "text"])
        .bad(2, "5 simulated devices are too many");
    assert_eq!(folder.files(), ["text"]);
}

#[test]
fn keys_and_vectors_of_aes() {
    let folder = folder(10);
    folder.write("short", &[1; 15]);
    folder.write("good", &[b'5'; 32]);
    let call = |mode: &str, rest: &[&str]| {
        let mut all = vec!["cipher", "--algorithm", mode, "-o", "out", "text", "--key-file"];
        all.extend(rest);
        folder.call(&all)
    };
    let iv = ["--iv", "00112233445566778899aabbccddeeff"];
    call("aes-128-ctr", &["short", iv[0], iv[1]])
        .bad(2, "key file short holds no key: it has 15 bytes");
    call("aes-192-ctr", &["good", iv[0], iv[1]])
        .bad(2, "key file good holds no key: it has 32 hex digits, not 48");
    call("aes-128-ctr", &["good"]).bad(2, "AES in CTR mode needs an initial counter block");
    call("aes-128-ctr", &["good", "--iv", "00"])
        .bad(2, "the IV can't be used: it has 2 hex digits, not 32");
    call("aes-256-ctr", &["good", iv[0], iv[1], "--nonce", NONCE])
        .bad(2, "AES takes no --nonce and no --counter");
    call("aes-256-ctr", &["good", iv[0], iv[1], "--counter", "1"])
        .bad(2, "AES takes no --nonce and no --counter");
    call("chacha20", &["good", iv[0], iv[1]]).bad(2, "chacha20 takes no --iv");
    call("chacha20", &["good"]).bad(2, "chacha20 needs a nonce");
    assert!(!folder.files().contains(&"out".to_owned()));
}

#[cfg(feature = "sim")]
#[test]
fn simulated_devices_without_the_algorithm() {
    let folder = folder(10);
    folder.write("aes128", &[1; 16]);
    folder.write("aes192", &[1; 24]);
    let call = |mode: &str, key: &str, variant: &str| {
        let mut all = vec!["cipher", "--algorithm", mode, "--key-file", key, "-o", "out", "text"];
        all.extend(["--engine", "cpu", "--engine", "sim", "--sim-variant", variant, "--iv"]);
        all.push("00112233445566778899aabbccddeeff");
        folder.call(&all)
    };
    call("aes-128-ctr", "aes128", "ring2").bad(2, "sim:0 (ring2) can't do aes-128-ctr");
    call("aes-128-ctr", "aes128", "aead-fast").bad(2, "sim:0 (aead-fast) can't do aes-128-ctr");
    call("aes-192-ctr", "aes192", "aes-pipe").bad(2, "sim:0 (aes-pipe) can't do aes-192-ctr");
    folder
        .cipher(&["--engine", "sim", "--sim-variant", "aes-ring", "-o", "out", "text"])
        .bad(2, "sim:0 (aes-ring) can't do chacha20");
    assert_eq!(folder.files(), ["aes128", "aes192", "text"]);
}

#[test]
fn mistyped_words_are_answered_with_what_was_meant() {
    let folder = folder(10);
    for (call, meant) in [
        (&["encrpyt", "text"][..], "encrypt"),
        (&["encrypt", "--recipent", "age1x", "text"], "--recipient"),
        (&["decrypt", "--progress", "alway", "text"], "always"),
    ] {
        let ended = folder.call(call);
        assert_eq!(ended.code, 2);
        assert!(ended.stderr.ends_with(&format!("\nhint: did you mean `{meant}`?\n")), "{ended:?}");
    }
}
