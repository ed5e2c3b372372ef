// SPDX-License-Identifier: Apache-2.0
//! The header is what the crate says, and unsafe code is in one file.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::{env, fs, path::Path};

/// In the order of the header.
const SOURCES: [&str; 11] = [
    "lib", "error", "keys", "raw", "engine", "files", "streams", "pushed", "reader", "hash",
    "cipher",
];
const DEVICES: [&str; 2] = ["device", "job"];

#[test]
fn the_header_is_what_cbindgen_makes() {
    let crate_dir = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(crate_dir.join("cbindgen.toml")).unwrap();
    let mut builder = cbindgen::Builder::new().with_config(config);
    for name in SOURCES.into_iter().chain(DEVICES) {
        builder = builder.with_src(crate_dir.join("src").join(name).with_extension("rs"));
    }
    let mut made = Vec::new();
    builder.generate().unwrap().write(&mut made);
    // A renamed pointer is followed by a space.
    let mut made = String::from_utf8(made).unwrap();
    for pointer in ["char *", "uint8_t *", "void *"] {
        made = made.replace(&format!("{pointer} "), pointer);
    }
    let path = crate_dir.join("include/saltmill.h");
    if env::var("SALTMILL_HEADER").is_ok_and(|what| what == "write") {
        fs::write(&path, &made).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap();
    let differs = kept.lines().zip(made.lines()).position(|(kept, made)| kept != made);
    assert!(
        kept == made,
        "line {:?} differs: make it anew with SALTMILL_HEADER=write",
        differs.map(|line| line + 1)
    );
}

#[test]
fn unsafe_code_is_in_one_file() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for entry in fs::read_dir(sources).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let (code, _) = text.split_once("#[cfg(test)]").unwrap_or((&text, ""));
        for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
            let marks = ["#[unsafe(no_mangle)]", "#![allow(unsafe_code, reason"];
            let marks = marks.iter().any(|mark| line.starts_with(mark));
            let here = line.contains("unsafe") && !marks;
            assert!(!here || path.ends_with("raw.rs"), "{}: {line}", path.display());
        }
    }
}
