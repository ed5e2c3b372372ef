// SPDX-License-Identifier: Apache-2.0
//! What the command's tests share: a folder with a key and files, and a way to call the command.
#![allow(dead_code, reason = "each test uses some of it")]
#![allow(clippy::unwrap_used, reason = "tests")]

pub mod coreutils;

use std::{
    env, fs,
    io::Write,
    os::unix::{fs::PermissionsExt, process::ExitStatusExt},
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

use tempfile::TempDir;

pub const SALTMILL: &str = env!("CARGO_BIN_EXE_saltmill");
pub const NONCE: &str = "000000000000004a00000000";

/// A folder of its own with a key.
pub struct Folder(TempDir);

/// How a call ended.
#[derive(Debug)]
pub struct Ended {
    pub code: i32,
    pub stdout: Vec<u8>,
    pub stderr: String,
}

impl From<Output> for Ended {
    fn from(output: Output) -> Self {
        let status = output.status;
        Self {
            code: status.code().unwrap_or_else(|| -status.signal().unwrap()),
            stdout: output.stdout,
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Ended {
    /// Ended well, silently.
    #[track_caller]
    pub fn good(self) -> Vec<u8> {
        assert_eq!((self.code, self.stderr.as_str()), (0, ""));
        self.stdout
    }

    /// Ended with this code, this sentence and a hint.
    #[track_caller]
    pub fn bad(self, code: i32, sentence: &str) {
        let lines: Vec<_> = self.stderr.lines().collect();
        assert_eq!(
            (self.code, lines[0]),
            (code, format!("error: {sentence}").as_str()),
            "{lines:?}"
        );
        assert_eq!(lines.len(), 2, "{lines:?}");
        assert!(lines[1].starts_with("hint: ") && lines[1].len() > 10, "{lines:?}");
    }
}

impl Folder {
    pub fn new() -> Self {
        let folder = Self(TempDir::new().unwrap());
        folder.write("key", &[0x5A; 32]);
        folder
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.path(name), bytes).unwrap();
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// Names of all files, sorted, without the key.
    pub fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<_> = names.filter(|name| name != "key").collect();
        names.sort();
        names
    }

    /// Waits until a call has begun its output: has open what has no name yet, or a temporary one.
    pub fn wait_for_output(&self, child: &Child) {
        let folder = self.0.path().canonicalize().unwrap();
        let open = format!("/proc/{}/fd", child.id());
        let has_begun = || {
            let files = fs::read_dir(&open).unwrap().filter_map(Result::ok);
            let mut names = files.filter_map(|file| fs::read_link(file.path()).ok());
            names.any(|name| {
                let last = name.file_name().unwrap_or_default().to_string_lossy();
                let unnamed = last.starts_with('#') && last.ends_with(" (deleted)");
                name.starts_with(&folder) && (unnamed || last.starts_with(".saltmill-"))
            })
        };
        let patience = Instant::now() + Duration::from_secs(30);
        while !has_begun() {
            assert!(Instant::now() < patience, "no output: {:?}", self.files());
            thread::sleep(Duration::from_millis(1));
        }
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(SALTMILL);
        command.current_dir(self.0.path()).args(arguments);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// The same, and the signals that interrupt it are not ignored: whoever runs the tests may
    /// ignore them.
    pub fn interruptible(&self, arguments: &[&str]) -> Command {
        let plain = self.command(&[]);
        let mut command = Command::new("env");
        command.arg("--default-signal=INT,TERM,HUP").arg(plain.get_program()).args(arguments);
        command.current_dir(self.0.path());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// The same, and `secret` is the answer when a passphrase is asked for.
    pub fn command_with_secret(&self, arguments: &[&str], secret: &str) -> Command {
        let program = self.path("pinentry");
        if !program.exists() {
            self.write(
                "pinentry",
                b"#!/bin/sh\necho OK\nwhile read -r command rest; do\n  case $command in\n    \
                  GETPIN) echo \"D $SECRET\" ;;\n    SETREPEAT) echo 'S PIN_REPEATED' ;;\n    \
                  BYE) exit ;;\n  esac\n  echo OK\ndone\n",
            );
            fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        }
        let mut command = self.command(arguments);
        command.env("PINENTRY_PROGRAM", &program).env("SECRET", secret);
        command
    }

    /// The same with the plugin of the tests in front of PATH.
    pub fn command_with_plugin(&self, arguments: &[&str]) -> Command {
        let plugins = Path::new(SALTMILL).parent().unwrap().join("examples");
        let path = format!("{}:{}", plugins.display(), env::var("PATH").unwrap());
        let mut command = self.command(arguments);
        command.env("PATH", path);
        command
    }

    /// The same, and a program that asks for passphrases gives one of these for what it is asked,
    /// one a line. What it is asked is in the file `asked`, one a line.
    pub fn command_with_secrets(&self, arguments: &[&str], secrets: &[(&str, &str)]) -> Command {
        let case = |(about, secret): &(&str, &str)| format!("*'{about}'*) echo 'D {secret}' ;;");
        let cases: Vec<_> = secrets.iter().map(case).collect();
        let program = format!(
            "#!/bin/sh\necho OK\nwhile read -r command rest; do\n  case $command in\n    \
             SETDESC) about=$rest ;;\n    \
             GETPIN) echo \"$about\" >> asked\n case $about in\n {}\n \
             *) echo 'ERR 83886179 cancelled'; continue ;; esac ;;\n    \
             SETREPEAT) echo 'S PIN_REPEATED' ;;\n    BYE) exit ;;\n  esac\n  echo OK\ndone\n",
            cases.join("\n")
        );
        self.write("asks", program.as_bytes());
        fs::set_permissions(self.path("asks"), fs::Permissions::from_mode(0o755)).unwrap();
        let mut command = self.command(arguments);
        command.env("PINENTRY_PROGRAM", self.path("asks"));
        command
    }

    /// What was asked since the last time.
    pub fn asked(&self) -> Vec<String> {
        let asked = fs::read_to_string(self.path("asked")).unwrap_or_default();
        let _ = fs::remove_file(self.path("asked"));
        asked.lines().map(str::to_owned).collect()
    }

    /// A script of `bash` in the folder that knows the command. It ends at the first failure.
    pub fn shell(&self, script: &str) -> Ended {
        let bin = Path::new(SALTMILL).parent().unwrap();
        let path = format!("{}:{}", bin.display(), env::var("PATH").unwrap());
        let mut shell = Command::new("bash");
        shell.args(["-e", "-u", "-o", "pipefail", "-c", script]).stdin(Stdio::null());
        shell.current_dir(self.0.path()).env("PATH", path).output().unwrap().into()
    }

    pub fn call(&self, arguments: &[&str]) -> Ended {
        self.command(arguments).output().unwrap().into()
    }

    /// `saltmill cipher` with the folder's key and the nonce, and these arguments.
    pub fn cipher(&self, arguments: &[&str]) -> Ended {
        self.call(&cipher_arguments(arguments))
    }

    /// The same with something on standard input.
    pub fn cipher_with_input(&self, arguments: &[&str], input: Vec<u8>) -> Ended {
        self.call_with_input(&cipher_arguments(arguments), input)
    }

    /// A call with something on standard input.
    pub fn call_with_input(&self, arguments: &[&str], input: Vec<u8>) -> Ended {
        let mut command = self.command(arguments);
        let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
        let mut pipe = child.stdin.take().unwrap();
        // The command may end before it has read all.
        let writer = thread::spawn(move || drop(pipe.write_all(&input)));
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        output.into()
    }

    /// What `openssl enc` makes of a file in such a mode of AES, with the key in a file.
    pub fn openssl_aes(&self, mode: &str, key: &str, iv: &str, name: &str) -> Vec<u8> {
        let key = hex(&self.read(key));
        let mut command = Command::new("openssl");
        command.args(["enc", &format!("-{mode}"), "-K", &key, "-iv", iv, "-in"]);
        Ended::from(command.arg(self.path(name)).output().unwrap()).good()
    }

    /// What `openssl enc -chacha20` makes of a file, with the folder's key and the nonce.
    pub fn openssl(&self, counter: u32, name: &str) -> Vec<u8> {
        let key = hex(&self.read("key"));
        let iv = hex(&counter.to_le_bytes()) + NONCE;
        let mut command = Command::new("openssl");
        command.args(["enc", "-chacha20", "-K", &key, "-iv", &iv, "-in"]).arg(self.path(name));
        Ended::from(command.output().unwrap()).good()
    }
}

pub fn cipher_arguments<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    let mut all = vec!["cipher", "--algorithm", "chacha20", "--key-file", "key", "--nonce", NONCE];
    all.extend(arguments);
    all
}

/// Its hex digits.
pub fn hex(bytes: &[u8]) -> String {
    let digit = |nibble: u8| char::from_digit(nibble.into(), 16).unwrap();
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// Text in which swapped blocks can't hide.
pub fn text(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i % 251) as u8).collect()
}
