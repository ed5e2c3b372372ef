// SPDX-License-Identifier: Apache-2.0
//! The examples of all documents run, or say why not.
//!
//! Those for the shell run here, each page from top to bottom. What stands behind ```` ```sh ````:
//! - `sim`: it is run if the command has simulated devices;
//! - `repository`: it is run where links lead to all of the repository, and apart from the others;
//!   with `needs PROGRAM` only where this program is;
//! - `skip: REASON`: it is not run.
//!
//! Examples in other languages are run by the tests of `ELSEWHERE`.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use std::{
    collections::BTreeSet,
    env, fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use common::{Folder, text};

/// Whose examples must run or say why not. Rust in a crate's README is run by rustdoc.
const LANGUAGES: [&str; 4] = ["sh", "python", "c", "rust"];

/// Page, language, and the test that runs what the page has of it; the test names the page.
const ELSEWHERE: [(&str, &str, &str); 15] = [
    ("boards/pynq/README.md", "python", "boards/pynq/tests/driver_cases.py"),
    ("crates/saltmill-c/README.md", "sh", "crates/saltmill-c/tests/programs.rs"),
    ("crates/saltmill-device/README.md", "rust", "crates/saltmill-device/src/lib.rs"),
    ("crates/saltmill-engine/README.md", "rust", "crates/saltmill-engine/src/lib.rs"),
    ("crates/saltmill-format/README.md", "rust", "crates/saltmill-format/src/lib.rs"),
    ("crates/saltmill-sim/README.md", "rust", "crates/saltmill-sim/src/lib.rs"),
    ("crates/saltmill-vfio-user/README.md", "rust", "crates/saltmill-vfio-user/src/lib.rs"),
    ("crates/saltmill/README.md", "rust", "crates/saltmill/src/lib.rs"),
    ("docs/boards/bare-metal.md", "c", "boards/bare-metal/tests/compilers.rs"),
    ("docs/boards/cyclone-v.md", "sh", "boards/test_designs.py"),
    ("docs/c.md", "c", "crates/saltmill-c/tests/programs.rs"),
    ("docs/c.md", "sh", "crates/saltmill-c/tests/programs.rs"),
    ("docs/fusesoc.md", "sh", "lab/tests/test_fusesoc.py"),
    ("docs/guides/many-machines.md", "python", "crates/saltmill-python/tests/test_docs.py"),
    ("docs/python.md", "python", "crates/saltmill-python/tests/test_docs.py"),
];

struct Example {
    language: String,
    marks: String,
    lines: String,
}

impl Example {
    /// A mark without a reason is none.
    fn is_skipped(&self) -> bool {
        self.marks.strip_prefix("skip: ").is_some_and(|reason| !reason.trim().is_empty())
    }
}

fn examples(page: &str) -> Vec<Example> {
    let mut found: Vec<Example> = Vec::new();
    let mut inside = false;
    for line in page.lines() {
        match line.trim_start().strip_prefix("```") {
            Some(_) if inside => inside = false,
            Some(told) => {
                inside = true;
                let (language, marks) = told.split_once([' ', ',']).unwrap_or((told, ""));
                let (language, marks) = (language.to_owned(), marks.trim().to_owned());
                found.push(Example { language, marks, lines: String::new() });
            }
            None if inside => {
                let lines = &mut found.last_mut().unwrap().lines;
                lines.push_str(line);
                lines.push('\n');
            }
            None => {}
        }
    }
    found
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All Markdown of the repository, by its path there.
fn pages() -> BTreeSet<String> {
    let (root, mut found, mut open) = (root(), BTreeSet::new(), vec![String::new()]);
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(root.join(&folder)).unwrap().map(Result::unwrap) {
            let name = entry.file_name().into_string().unwrap();
            let path = format!("{folder}{name}");
            let kind = entry.file_type().unwrap();
            if kind.is_dir() && !name.starts_with('.') && name != "build" && name != "target" {
                open.push(format!("{path}/"));
            } else if kind.is_file() && Path::new(&name).extension().is_some_and(|e| e == "md") {
                found.insert(path);
            }
        }
    }
    found
}

fn elsewhere(page: &str, language: &str) -> bool {
    ELSEWHERE.iter().any(|known| (known.0, known.1) == (page, language))
}

/// The examples for the shell that this test runs or skips.
fn for_the_shell(page: &str) -> Vec<Example> {
    let mut all = examples(&fs::read_to_string(root().join(page)).unwrap());
    all.retain(|example| example.language == "sh" && !elsewhere(page, "sh"));
    all
}

fn is_there(program: &str) -> bool {
    if program.contains('/') {
        return root().join(program).exists();
    }
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).any(|folder| folder.join(program).exists())
}

fn is_run(example: &Example) -> bool {
    let words: Vec<_> = example.marks.split_whitespace().collect();
    match words[..] {
        [] | ["repository"] => true,
        ["sim"] => cfg!(feature = "sim"),
        ["repository", "needs", program] => is_there(program),
        _ if example.is_skipped() => false,
        _ => panic!("what does {:?} mean?", example.marks),
    }
}

/// Runs examples in one shell.
fn run(page: &str, folder: &Folder, all: &[&Example]) {
    let script: String = all.iter().map(|example| example.lines.as_str()).collect();
    let ended = folder.shell(&script);
    assert_eq!(ended.code, 0, "{page}: {}", ended.stderr);
}

/// What the examples of users take for granted.
fn of_a_user() -> Folder {
    let folder = Folder::new();
    folder.write("notes.txt", &text(100_000));
    fs::create_dir(folder.path("folder")).unwrap();
    folder.write("folder/first.txt", &text(300));
    folder
}

/// Nothing that an example writes is left in the repository.
fn of_the_repository() -> Folder {
    let folder = Folder::new();
    for entry in fs::read_dir(root().canonicalize().unwrap()).unwrap().map(Result::unwrap) {
        symlink(entry.path(), folder.path(entry.file_name().to_str().unwrap())).unwrap();
    }
    folder
}

#[test]
fn the_examples_of_the_documents_run() {
    let mut count = 0;
    for page in pages() {
        let mut all = for_the_shell(&page);
        all.retain(is_run);
        let (repository, user): (Vec<_>, Vec<_>) =
            all.iter().partition(|example| example.marks.starts_with("repository"));
        if !user.is_empty() {
            run(&page, &of_a_user(), &user);
        }
        if !repository.is_empty() {
            run(&page, &of_the_repository(), &repository);
        }
        count += all.len();
    }
    assert!(count >= 20, "only {count} examples were found");
}

#[test]
fn every_example_is_run_or_says_why_not() {
    let (mut unused, mut wrong) = (BTreeSet::from(ELSEWHERE), Vec::new());
    for page in pages() {
        for example in examples(&fs::read_to_string(root().join(&page)).unwrap()) {
            let language = example.language.as_str();
            if example.is_skipped() || !LANGUAGES.contains(&language) {
                continue;
            }
            unused.retain(|known| (known.0, known.1) != (&page, language));
            if example.marks.starts_with("skip") || language != "sh" && !elsewhere(&page, language)
            {
                wrong.push(format!("{page}: ```{language} {}\n{}", example.marks, example.lines));
            }
        }
    }
    assert!(wrong.is_empty(), "neither run nor marked `skip: REASON`:\n{}", wrong.join("\n"));
    assert!(unused.is_empty(), "there are no such examples: {unused:?}");
    for (page, _, test) in ELSEWHERE {
        let name = Path::new(page).file_name().unwrap().to_str().unwrap();
        let source = fs::read_to_string(root().join(test)).unwrap();
        assert!(source.contains(name), "{test} does not run {page}");
    }
}

#[test]
fn an_example_that_fails_is_noticed() {
    let folder = Folder::new();
    let page = "```sh\ntrue\n```\n\n   ```sh skip: why\nexit 5\n   ```\n```rust,no_run\nx\n```\n\
                ```sh skip\n```\n```sh\nfalse | true\n```\n";
    let all = examples(page);
    let marks: Vec<_> = all.iter().map(|example| example.marks.as_str()).collect();
    assert_eq!(marks, ["", "skip: why", "no_run", "skip", ""]);
    let skipped: Vec<_> = all.iter().map(Example::is_skipped).collect();
    assert_eq!(skipped, [false, true, false, false, false]);
    assert_eq!(folder.shell(&all[0].lines).code, 0);
    assert_eq!(folder.shell(&all[4].lines).code, 1);
}
