// SPDX-License-Identifier: Apache-2.0
//! The shell examples of the README and of the guides run, each page from top to bottom.
//!
//! A block that begins with ```` ```sh skip ```` is not run: it needs a board, a network, a
//! terminal or minutes. One with `sim` is run if the command has simulated devices.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use std::{fs, path::Path};

use common::{Folder, text};

/// Pages whose examples are tested elsewhere: by `test_fusesoc.py` of the lab, and by the packages.
const ELSEWHERE: [&str; 3] = ["c.md", "fusesoc.md", "python.md"];

/// The examples of a page: how each is marked, and its lines.
fn examples(page: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut inside = false;
    for line in page.lines() {
        match line.trim_start().strip_prefix("```") {
            Some(_) if inside => inside = false,
            Some(marks) if marks == "sh" || marks.starts_with("sh ") => {
                inside = true;
                found.push((marks[2..].trim().to_owned(), String::new()));
            }
            _ if inside => {
                let lines = &mut found.last_mut().unwrap().1;
                lines.push_str(line);
                lines.push('\n');
            }
            _ => {}
        }
    }
    found
}

fn is_run(marks: &str) -> bool {
    match marks {
        "" => true,
        "sim" => cfg!(feature = "sim"),
        "skip" => false,
        _ => panic!("what does {marks:?} mean?"),
    }
}

/// Runs a page's examples in one shell. The number of those that ran.
fn run(page: &Path) -> usize {
    let all = examples(&fs::read_to_string(page).unwrap());
    let run: Vec<_> = all.iter().filter(|(marks, _)| is_run(marks)).collect();
    let script: String = run.iter().map(|(_, lines)| lines.as_str()).collect();
    let folder = Folder::new();
    folder.write("notes.txt", &text(100_000));
    fs::create_dir(folder.path("folder")).unwrap();
    folder.write("folder/first.txt", &text(300));
    let ended = folder.shell(&script);
    assert_eq!(ended.code, 0, "{}: {}", page.display(), ended.stderr);
    run.len()
}

#[test]
fn the_examples_of_the_documents_run() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut pages = vec![root.join("README.md"), root.join("CONTRIBUTING.md")];
    for folder in ["docs", "docs/guides"] {
        for entry in fs::read_dir(root.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            if path.extension().is_some_and(|end| end == "md") && !ELSEWHERE.contains(&name) {
                pages.push(path);
            }
        }
    }
    let run: usize = pages.iter().map(|page| run(page)).sum();
    assert!(run >= 20, "only {run} examples were found");
}

#[test]
fn an_example_that_fails_is_noticed() {
    let folder = Folder::new();
    let page = "```sh\ntrue\n```\n\n   ```sh skip\nexit 5\n   ```\n```python\nx\n```\n```sh\nfalse | true\n```\n";
    let all = examples(page);
    let marks: Vec<_> = all.iter().map(|(marks, _)| marks.as_str()).collect();
    assert_eq!(marks, ["", "skip", ""]);
    assert_eq!(folder.shell(&all[0].1).code, 0);
    assert_eq!(folder.shell(&all[2].1).code, 1);
}
