// SPDX-License-Identifier: Apache-2.0
//! `saltmill sum --update`: what it trusts, what it reads, and what it must not lose.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use std::{
    ffi::OsStr,
    fs::{self, File},
    os::unix::{ffi::OsStrExt, fs::symlink},
    path::Path,
    process::{Command, Stdio},
    time::{Duration, SystemTime},
};

use common::{Ended, Folder, coreutils::TOOLS};

/// A folder with files in `in` that nobody has written to lately.
fn folder() -> Folder {
    let folder = Folder::new();
    fs::create_dir_all(folder.path("in/sub")).unwrap();
    for name in ["in/a", "in/b", "in/sub/c"] {
        write(&folder, name, name);
    }
    folder
}

fn write(folder: &Folder, name: impl AsRef<Path>, content: &str) {
    let path = folder.path("").join(name);
    fs::write(&path, content).unwrap();
    set_back(&path, 100);
}

fn set_back(path: &Path, seconds: u64) {
    set_time(path, SystemTime::now() - Duration::from_secs(seconds));
}

fn set_time(path: &Path, time: SystemTime) {
    File::options().append(true).open(path).unwrap().set_modified(time).unwrap();
}

fn time(path: &Path) -> SystemTime {
    fs::metadata(path).unwrap().modified().unwrap()
}

const UPDATE: [&str; 5] = ["sum", "--update", "SUMS", "--recursive", "in"];

/// What it says of the files.
#[track_caller]
fn says(ended: &Ended, code: i32, sentence: &str) {
    assert_eq!(
        (ended.code, ended.stderr.as_str()),
        (code, format!("saltmill: SUMS: {sentence}\n").as_str())
    );
    assert!(ended.stdout.is_empty());
}

#[track_caller]
fn updated(folder: &Folder, sentence: &str) {
    says(&folder.call(&UPDATE), 0, sentence);
}

/// The manifest without comments.
fn lines(folder: &Folder) -> Vec<u8> {
    let text = folder.read("SUMS");
    let lines = text.split_inclusive(|byte| *byte == b'\n');
    lines.filter(|line| !line.starts_with(b"#")).flatten().copied().collect()
}

/// Those who wrote them read them, and say nothing about the comments.
#[track_caller]
fn checked(folder: &Folder, tool: &str, count: usize) {
    let ours = folder.call(&["sum", "--check", "--strict", "--warn", "SUMS"]).good();
    assert_eq!(ours.split(|byte| *byte == b'\n').count(), count + 1);
    let mut command = Command::new(tool);
    command.args(["--check", "--strict", "--warn", "SUMS"]).current_dir(folder.path(""));
    let Ok(theirs) = command.env("LC_ALL", "C").stdin(Stdio::null()).output() else { return };
    assert_eq!(Ended::from(theirs).good().len(), ours.len());
}

#[test]
fn what_has_not_changed_is_not_read() {
    let folder = folder();
    updated(&folder, "3 files hashed, 0 trusted by size, time and inode");
    let all = folder.call(&["sum", "--recursive", "in"]).good();
    assert!(lines(&folder) == all);
    checked(&folder, "sha256sum", 3);
    // What nobody can see was changed.
    let (path, manifest) = (folder.path("in/b"), folder.path("SUMS"));
    let (before, made) = (time(&path), time(&manifest));
    fs::write(&path, "IN/B").unwrap();
    set_time(&path, before);
    updated(&folder, "0 files hashed, 3 trusted by size, time and inode");
    assert!(lines(&folder) == all);
    assert_eq!(time(&manifest), made);
    assert_eq!(folder.call(&["sum", "--check", "--quiet", "SUMS"]).stdout, b"in/b: FAILED\n");
    assert_eq!(folder.files(), ["SUMS", "in"]);
}

#[test]
fn what_has_changed_is_read_again() {
    let folder = folder();
    folder.call(&UPDATE);
    let one = "1 file hashed, 2 trusted by size, time and inode";
    // Size, time, inode.
    let path = folder.path("in/a");
    let before = time(&path);
    write(&folder, "in/a", "longer");
    set_time(&path, before);
    updated(&folder, one);
    write(&folder, "in/a", "LONGER");
    set_back(&path, 50);
    updated(&folder, one);
    write(&folder, "new", "lOnGeR");
    set_time(&folder.path("new"), time(&path));
    fs::rename(folder.path("new"), &path).unwrap();
    updated(&folder, one);
    updated(&folder, "0 files hashed, 3 trusted by size, time and inode");
    assert!(lines(&folder) == folder.call(&["sum", "--recursive", "in"]).good());
}

/// The clock of a file system has ticks: a second change within one would not be seen.
#[test]
fn what_was_written_a_moment_ago_is_not_trusted() {
    let folder = folder();
    // Written in the tick in which it is read: as far as its time tells.
    let later = SystemTime::now() + Duration::from_secs(30);
    let path = folder.path("in/new");
    fs::write(&path, "old").unwrap();
    set_time(&path, later);
    updated(&folder, "4 files hashed, 0 trusted by size, time and inode");
    fs::write(&path, "new").unwrap();
    set_time(&path, later);
    for _ in 0..2 {
        updated(&folder, "1 file hashed, 3 trusted by size, time and inode");
        checked(&folder, "sha256sum", 4);
    }
    set_back(&path, 10);
    updated(&folder, "1 file hashed, 3 trusted by size, time and inode");
    updated(&folder, "0 files hashed, 4 trusted by size, time and inode");
}

#[test]
fn what_is_gone_leaves_and_what_is_elsewhere_stays() {
    let folder = folder();
    write(&folder, "other", "elsewhere");
    folder.call(&["sum", "--update", "SUMS", "other", "--recursive", "in"]);
    fs::remove_file(folder.path("in/a")).unwrap();
    fs::remove_file(folder.path("other")).unwrap();
    write(&folder, "in/b2", "new");
    updated(&folder, "1 file hashed, 2 trusted by size, time and inode, 1 gone");
    let text = String::from_utf8(lines(&folder)).unwrap();
    let names: Vec<_> = text.lines().map(|line| &line[66..]).collect();
    assert_eq!(names, ["other", "in/b", "in/b2", "in/sub/c"]);
    // Named, it is gone.
    let ended = folder.call(&["sum", "--update", "SUMS", "other"]);
    says(&ended, 0, "0 files hashed, 0 trusted by size, time and inode, 1 gone");
    // What was never there can't be.
    let ended = folder.call(&["sum", "--update", "SUMS", "other"]);
    assert!(ended.code == 1 && ended.stderr.starts_with("saltmill: other: No such file"));
    // A folder that is not there is an error, and what is listed there stays.
    fs::rename(folder.path("in"), folder.path("away")).unwrap();
    let before = folder.read("SUMS");
    let ended = folder.call(&UPDATE);
    assert!(ended.code == 1 && ended.stderr.starts_with("saltmill: in: No such file"));
    fs::create_dir(folder.path("in")).unwrap();
    folder.call(&UPDATE).bad(2, "no file is left, and SUMS lists 3 files there");
    assert!(folder.read("SUMS") == before);
    // What became a link may still be there.
    fs::remove_dir(folder.path("in")).unwrap();
    fs::rename(folder.path("away"), folder.path("in")).unwrap();
    fs::rename(folder.path("in/b"), folder.path("b")).unwrap();
    symlink("../b", folder.path("in/b")).unwrap();
    let ended = folder.call(&UPDATE);
    assert!(ended.stderr.ends_with("0 files hashed, 2 trusted by size, time and inode\n"));
    assert!(folder.read("SUMS") == before);
}

#[test]
fn every_name_and_style() {
    let folder = folder();
    for name in [&b" a"[..], b"*a", b"a\nb", b"a\\b", b"a\rb", b"a) = b", b"#", b"\xff\xfe"] {
        write(&folder, Path::new("in").join(OsStr::from_bytes(name)), "odd");
    }
    for (algorithm, tool) in TOOLS {
        for style in [&[][..], &["--tag"]] {
            let call = [&UPDATE[..], &["-a", algorithm], style].concat();
            says(&folder.call(&call), 0, "11 files hashed, 0 trusted by size, time and inode");
            checked(&folder, tool, 11);
            says(&folder.call(&UPDATE), 0, "0 files hashed, 11 trusted by size, time and inode");
            let plain = [&["sum", "--recursive", "in", "-a", algorithm], style].concat();
            assert!(lines(&folder) == folder.call(&plain).good());
            fs::remove_file(folder.path("SUMS")).unwrap();
        }
    }
    for style in [&["-a", "md5,sha256"][..], &["-a", "blake3"], &["--zero"]] {
        let call = [&UPDATE[..], style].concat();
        says(&folder.call(&call), 0, "11 files hashed, 0 trusted by size, time and inode");
        let again = if style.len() == 1 { &call[..] } else { &UPDATE };
        says(&folder.call(again), 0, "0 files hashed, 11 trusted by size, time and inode");
        let zero = if style.len() == 1 { style } else { &[] };
        folder.call(&[&["sum", "--check", "--strict", "--quiet", "SUMS"], zero].concat()).good();
        fs::remove_file(folder.path("SUMS")).unwrap();
    }
}

#[test]
fn manifests_of_others_are_taken_over() {
    let folder = folder();
    let plain = String::from_utf8(folder.call(&["sum", "--recursive", "in"]).good()).unwrap();
    let commented = format!("# my files\n\n{}# the end\n", plain.replace("  in", " *./in"));
    folder.write("SUMS", commented.replace('\n', "\r\n").as_bytes());
    updated(&folder, "3 files hashed, 0 trusted by size, time and inode");
    let text = String::from_utf8(folder.read("SUMS")).unwrap();
    assert!(text.starts_with("# my files\n\n# saltmill: size=4 mtime="), "{text}");
    assert!(text.ends_with("  ./in/sub/c\n# the end\n"), "{text}");
    updated(&folder, "0 files hashed, 3 trusted by size, time and inode");
    // Lines that name their algorithms go on to do so, and another algorithm is another digest.
    folder.write("SUMS", &folder.call(&["sum", "--tag", "--recursive", "in"]).good());
    folder.call(&UPDATE);
    assert!(lines(&folder).starts_with(b"SHA256 (in/a) = "));
    let both = [&UPDATE[..], &["-a", "sha256,md5"]].concat();
    says(&folder.call(&both), 0, "3 files hashed, 0 trusted by size, time and inode");
    updated(&folder, "0 files hashed, 3 trusted by size, time and inode");
    let found = folder.call(&["sum", "--check", "--strict", "SUMS"]).good();
    assert_eq!(found.split(|byte| *byte == b'\n').count(), 7);
}

#[test]
fn the_manifest_is_not_in_itself() {
    let folder = folder();
    set_back(&folder.path("key"), 100);
    let call = ["sum", "--update", "in/SUMS", "--recursive", "."];
    for hashed in [4, 0] {
        let ended = folder.call(&call);
        assert!(ended.stderr.contains(&format!(": {hashed} file")), "{}", ended.stderr);
    }
    let text = String::from_utf8(folder.read("in/SUMS")).unwrap();
    assert!(!text.contains("SUMS") && text.contains("  ./in/a\n"), "{text}");
}

#[test]
fn what_is_no_manifest_is_not_touched() {
    let folder = folder();
    let digest = "900150983cd24fb0d6963f7d28e17f72";
    for (text, options, why) in [
        ("some notes\n".to_owned(), &[][..], "line 1 is not one of a manifest"),
        (format!("{digest}  a\n{}\n", &digest[1..]), &[], "line 2 is not one of a manifest"),
        (format!("{digest}  a\n"), &["-a", "sha1"], "line 1 is not one of that --algorithm"),
        (
            format!("{digest}  a\n{}  a\n", digest.replace('9', "8")),
            &[],
            "line 2 has another digest of a than an earlier one",
        ),
        (
            "%%%% HASHDEEP-1.0\n%%%% size,md5,filename\n".to_owned(),
            &[],
            "line 1 is one of hashdeep, which are only read",
        ),
        (format!("{digest}  a\n"), &["--zero"], "its lines don't end with zero bytes"),
    ] {
        folder.write("SUMS", text.as_bytes());
        let ended = folder.call(&[&UPDATE[..], options].concat());
        ended.bad(2, &format!("manifest SUMS can't be updated: {why}"));
        assert!(folder.read("SUMS") == text.as_bytes());
    }
    for manifest in ["-", "/dev/full"] {
        let ended = folder.call(&["sum", "--update", manifest, "in/a"]);
        ended.bad(2, &format!("manifest {manifest} can't be updated: it is not a file"));
    }
    let ended = folder.call(&["sum", "--update", "in", "in/a"]);
    ended.bad(2, "manifest in can't be written: it is a directory");
    let ended = folder.call(&["sum", "--update", "no/SUMS", "in/a"]);
    ended.bad(2, "manifest no/SUMS can't be made: no is not a folder");
    let ended = folder.call(&["sum", "--update", "new", "-"]);
    ended.bad(2, "standard input can't be in a manifest that is updated");
    for option in ["--json", "--check"] {
        let ended = folder.call(&["sum", "--update", "new", option, "in/a"]);
        assert!(ended.code == 2 && ended.stderr.contains("'--update <MANIFEST>' cannot be used"));
    }
    assert_eq!(folder.files(), ["SUMS", "in"]);
}

#[test]
fn an_empty_folder_has_an_empty_manifest() {
    let folder = Folder::new();
    fs::create_dir(folder.path("in")).unwrap();
    updated(&folder, "0 files hashed, 0 trusted by size, time and inode");
    assert!(folder.read("SUMS").is_empty());
    // It is one that can be updated.
    write(&folder, "in/a", "a");
    updated(&folder, "1 file hashed, 0 trusted by size, time and inode");
}

#[test]
fn a_file_that_can_not_be_read_keeps_its_line() {
    let folder = folder();
    folder.call(&UPDATE);
    let before = folder.read("SUMS");
    fs::remove_file(folder.path("in/b")).unwrap();
    fs::create_dir(folder.path("in/b")).unwrap();
    let ended = folder.call(&["sum", "--update", "SUMS", "in/a", "in/b", "in/sub/c"]);
    assert_eq!(
        (ended.code, ended.stderr.as_str()),
        (
            1,
            "saltmill: in/b: Is a directory\n\
             saltmill: SUMS: 0 files hashed, 2 trusted by size, time and inode, 1 not read\n"
        )
    );
    assert!(folder.read("SUMS") == before);
}
