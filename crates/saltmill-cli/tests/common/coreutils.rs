// SPDX-License-Identifier: Apache-2.0
//! What coreutils says about the same files, where it is installed.

use std::process::{Command, Stdio};

use super::{Ended, Folder};

/// What coreutils call each algorithm.
pub const TOOLS: [(&str, &str); 6] = [
    ("md5", "md5sum"),
    ("sha1", "sha1sum"),
    ("sha224", "sha224sum"),
    ("sha256", "sha256sum"),
    ("sha384", "sha384sum"),
    ("sha512", "sha512sum"),
];

pub const ZEROS: &str = "0000000000000000000000000000000000000000000000000000000000000000";
/// SHA-256 of "abc": FIPS 180-4.
pub const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

/// What another program says, if it is installed.
fn other(folder: &Folder, tool: &str, arguments: &[&str]) -> Option<Ended> {
    let mut command = Command::new(tool);
    command.args(arguments).current_dir(folder.path("")).env("LC_ALL", "C");
    command.stdin(Stdio::null()).output().ok().map(Ended::from)
}

/// Both say the same about the same arguments, but for their names.
#[track_caller]
pub fn both_say(folder: &Folder, algorithm: &str, tool: &str, arguments: &[&str]) {
    let ours = folder.call(&[&["sum", "-a", algorithm], arguments].concat());
    let Some(theirs) = other(folder, tool, arguments) else { return };
    assert_eq!(
        (ours.code, String::from_utf8_lossy(&ours.stdout)),
        (theirs.code, String::from_utf8_lossy(&theirs.stdout)),
        "{tool} {arguments:?}"
    );
    // Names with spaces or newlines are quoted for a shell there. Manifests are read ahead here,
    // so that what is told of a line may come before what is told of an earlier file.
    let theirs = theirs.stderr.replace(tool, "saltmill").replace(['\'', '$'], "");
    let sorted = |text: &str| {
        let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&ours.stderr), sorted(&theirs), "{tool} {arguments:?}");
}

/// A folder with a file `abc`.
pub fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("abc", b"abc");
    folder
}
