// SPDX-License-Identifier: Apache-2.0
//! `saltmill sum --check` beside coreutils, where they are installed.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use std::fs;

use common::coreutils::{ABC, ZEROS, both_say, folder};

#[test]
fn manifests_are_checked_as_coreutils_check_them() {
    let folder = folder();
    for name in ["d\\e", " abc", "*abc", "a\nb", "a\rb", "a) = b"] {
        folder.write(name, b"abc");
    }
    fs::create_dir(folder.path("d")).unwrap();
    let upper = ABC.to_uppercase();
    let lines = [
        format!("{ABC}  abc"),
        format!("{ABC} *abc"),
        format!("{ABC}\t abc"),
        format!(" \t {ABC}  abc"),
        format!("{ABC}   abc"),
        format!("{ABC} **abc"),
        format!("{upper}  abc"),
        format!("{ABC}  abc\r"),
        format!("{ABC}  missing"),
        format!("{ABC}  d"),
        format!("{ABC} abc"),
        format!("{ABC}abc"),
        ABC.to_owned(),
        format!("{ABC} "),
        format!("{ABC}  "),
        format!("{ABC} x"),
        format!("{ZEROS}  abc"),
        format!("{}  abc", &ABC[1..]),
        format!("{ABC}0  abc"),
        format!("{}g  abc", &ABC[1..]),
        format!("\\{ABC}  d\\\\e"),
        format!("{ABC}  d\\e"),
        format!("\\{ABC}  d\\e"),
        format!("\\{ABC}  d\\"),
        format!("\\{ABC}  a\\nb"),
        format!("\\{ABC}  a\\rb"),
        format!("\\\\{ABC}  abc"),
        format!("SHA256 (abc) = {ABC}"),
        format!("SHA256(abc)= {ABC}"),
        format!("SHA256  (abc) = {ABC}"),
        format!("SHA256 (abc)   =   {upper}"),
        format!("SHA256 (abc) = {ABC} "),
        format!("SHA256 (abc) {ABC}"),
        format!("SHA256 (abc = {ABC}"),
        format!("SHA256 (a) = b) = {ABC}"),
        format!("\\SHA256 (a\\nb) = {ABC}"),
        format!("SHA512 (abc) = {ABC}"),
        format!("sha256 (abc) = {ABC}"),
        format!("SHA256 (abc) = {ZEROS}"),
        "SHA256 () = ".to_owned(),
        "SHA256 ".to_owned(),
        "# a comment".to_owned(),
        String::new(),
        "\r".to_owned(),
        " ".to_owned(),
        "\\".to_owned(),
        "nonsense".to_owned(),
    ];
    for (number, line) in lines.iter().enumerate() {
        folder.write("alone", format!("{line}\n").as_bytes());
        folder.write("between", format!("{ABC}  abc\n{line}\n{ABC}  abc").as_bytes());
        folder.write("single", format!("{ABC} abc\n{line}\n{ABC} abc\n").as_bytes());
        for options in [&["--warn"][..], &["--strict", "--quiet"], &["--ignore-missing"]] {
            for manifest in ["alone", "between", "single"] {
                let arguments = [&["--check", manifest], options].concat();
                println!("line {number}: {line:?}");
                both_say(&folder, "sha256", "sha256sum", &arguments);
            }
        }
    }
    folder.write("all", lines.join("\n").as_bytes());
    let all = ["--warn", "--quiet", "--status", "--strict", "--ignore-missing"];
    for choice in 0..1_u32 << all.len() {
        let chosen = all.iter().enumerate().filter(|(bit, _)| choice >> bit & 1 == 1);
        let mut arguments: Vec<_> = chosen.map(|(_, option)| *option).collect();
        arguments.extend(["--check", "all", "missing", "all"]);
        both_say(&folder, "sha256", "sha256sum", &arguments);
    }
}

#[test]
fn a_manifest_on_standard_input_does_not_list_itself() {
    let folder = folder();
    let manifest = format!("{ABC}  -\n{ABC}  abc\n").into_bytes();
    let ended = folder.call_with_input(&["sum", "--check", "--warn"], manifest);
    assert_eq!((ended.code, &ended.stdout[..]), (0, &b"abc: OK\n"[..]));
    assert_eq!(
        ended.stderr,
        "saltmill: standard input: 1: improperly formatted checksum line\n\
         saltmill: WARNING: 1 line is improperly formatted\n"
    );
}

#[test]
fn a_manifest_of_a_million_lines() {
    let folder = folder();
    folder.write("empty", b"");
    // Most files are not there: they cost the least.
    let mut manifest = format!("{ABC}  missing\n").repeat(999_990);
    manifest.push_str(&format!("{ABC}  abc\n{ZEROS}  abc\nnonsense\n").repeat(3));
    manifest.push_str(ABC);
    manifest.push_str("  empty\n");
    folder.write("manifest", manifest.as_bytes());
    let arguments = ["--check", "--ignore-missing", "manifest"];
    both_say(&folder, "sha256", "sha256sum", &arguments);
    let ended = folder.call(&[&["sum"], &arguments[..]].concat());
    let good_and_bad = "abc: OK\nabc: FAILED\n".repeat(3);
    assert_eq!(String::from_utf8(ended.stdout).unwrap(), good_and_bad + "empty: FAILED\n");
    assert_eq!(ended.code, 1);
    assert_eq!(
        ended.stderr,
        "saltmill: WARNING: 3 lines are improperly formatted\n\
         saltmill: WARNING: 4 computed checksums did NOT match\n"
    );
}

#[test]
fn manifests_of_other_programs() {
    let folder = folder();
    let blake3 = "6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85";
    let md5 = "900150983cd24fb0d6963f7d28e17f72";
    folder.write("b3sum", format!("{blake3}  abc\n").as_bytes());
    folder.write("b3sum.tag", format!("BLAKE3 (abc) = {blake3}\n").as_bytes());
    folder.write("openssl", format!("SHA2-256(abc)= {ABC}\nMD5(abc)= {md5}\n").as_bytes());
    folder.write("bsd", format!("{md5} abc\n").as_bytes());
    let header = "%%%% HASHDEEP-1.0\n%%%% size,md5,sha256,filename\n## Invoked from: /\n## \n";
    folder.write("hashdeep", format!("{header}3,{md5},{ABC},abc\n").as_bytes());
    folder.call(&["sum", "-a", "blake3", "--check", "--quiet", "b3sum"]).good();
    let manifests = ["b3sum.tag", "openssl", "bsd", "hashdeep"];
    let found = folder.call(&[&["sum", "--check"], &manifests[..]].concat()).good();
    assert_eq!(String::from_utf8(found).unwrap(), "abc: OK\n".repeat(5));
    folder.write("hashdeep", format!("{header}4,{md5},{ABC},abc\n").as_bytes());
    let ended = folder.call(&["sum", "--check", "hashdeep"]);
    assert_eq!((ended.code, &ended.stdout[..]), (1, &b"abc: FAILED\n"[..]), "another size");
}
