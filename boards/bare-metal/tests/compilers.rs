// SPDX-License-Identifier: Apache-2.0
//! The driver compiles without a C library, for 32 and 64 bits, with every compiler that is there,
//! and needs nothing but itself and what a compiler takes for granted.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

const WARNINGS: [&str; 9] = [
    "-std=c11",
    "-ffreestanding",
    "-nostdinc",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-pedantic",
    "-Wshadow",
    "-Wconversion",
];

/// Compiler, options of its target, its `nm`.
const COMPILERS: [(&str, &str, &str); 6] = [
    ("cc", "", "nm"),
    ("cc", "-m32", "nm"),
    ("clang", "", "nm"),
    ("riscv64-unknown-elf-gcc", "-march=rv32im -mabi=ilp32", "riscv64-unknown-elf-nm"),
    (
        "riscv64-unknown-elf-gcc",
        "-march=rv64imac -mabi=lp64 -mcmodel=medany",
        "riscv64-unknown-elf-nm",
    ),
    ("arm-linux-gnueabihf-gcc", "", "arm-linux-gnueabihf-nm"),
];

/// What GCC and clang call by themselves.
const GRANTED: [&str; 4] = ["memcpy", "memmove", "memset", "memcmp"];

fn text(command: &mut Command) -> Option<String> {
    let output = command.output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn sources() -> Vec<PathBuf> {
    let entries = fs::read_dir(env!("CARGO_MANIFEST_DIR")).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let mut sources: Vec<_> =
        paths.filter(|path| path.extension().is_some_and(|e| e == "c")).collect();
    sources.sort();
    sources
}

/// Symbols of an object: those it needs, and those it has.
fn symbols(nm: &str, object: &Path) -> (BTreeSet<String>, BTreeSet<String>) {
    let listed = text(Command::new(nm).arg("-g").arg(object)).unwrap();
    let (mut needed, mut defined) = (BTreeSet::new(), BTreeSet::new());
    for line in listed.lines() {
        let words: Vec<_> = line.split_whitespace().rev().collect();
        let set = if words[1] == "U" { &mut needed } else { &mut defined };
        set.insert(words[0].to_owned());
    }
    (needed, defined)
}

#[test]
fn it_compiles_without_a_library_and_needs_none() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let mut seen = 0;
    for (compiler, target, nm) in COMPILERS {
        let targets: Vec<_> = target.split_whitespace().collect();
        let include = text(Command::new(compiler).args(&targets).arg("-print-file-name=include"));
        let Some(include) = include else {
            eprintln!("{compiler} {target}: not installed");
            continue;
        };
        let (mut needed, mut defined) = (BTreeSet::new(), BTreeSet::new());
        for source in sources() {
            let object = folder.join("driver.o");
            let mut command = Command::new(compiler);
            command.args(&targets).args(WARNINGS).args(["-O2", "-isystem", &include]);
            command.arg("-I").arg(root.join("../../rtl/device/generated"));
            command.arg("-c").arg(&source).arg("-o").arg(&object);
            let output = command.output().unwrap();
            let messages = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{compiler} {target}: {messages}");
            let (more_needed, more_defined) = symbols(nm, &object);
            needed.extend(more_needed);
            defined.extend(more_defined);
        }
        let own = |name: &String| defined.contains(name) || GRANTED.contains(&name.as_str());
        let foreign: Vec<_> = needed.iter().filter(|name| !own(name)).collect();
        // Position-independent code of 32 bits on x86 finds itself by these.
        let foreign: Vec<_> = foreign
            .into_iter()
            .filter(|name| *name != "_GLOBAL_OFFSET_TABLE_" && !name.contains("get_pc_thunk"))
            .collect();
        assert!(foreign.is_empty(), "{compiler} {target} needs {foreign:?}");
        seen += 1;
    }
    assert!(seen > 0);
}

/// The example of the documentation, with what it takes from its surroundings.
#[test]
fn the_example_of_the_page_compiles() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = fs::read_to_string(root.join("docs/boards/bare-metal.md")).unwrap();
    let example = page.split("```c\n").nth(1).unwrap().split("```").next().unwrap();
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("example.c");
    let program = format!(
        "#include \"saltmill_driver.h\"\n\
         #include <string.h>\n\
         void invalidate(void *context, void *memory, size_t bytes);\n\
         uint32_t cycle_counter(void *context);\n\
         saltmill_result example(const uint8_t *key, const uint8_t *nonce) {{\n\
         static uint8_t text[100];\n{example}\nreturn result;\n}}\n"
    );
    fs::write(&file, program).unwrap();
    let output = Command::new("cc")
        .args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I"])
        .args([env!("CARGO_MANIFEST_DIR"), "-I"])
        .args([root.join("rtl/device/generated"), file])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
