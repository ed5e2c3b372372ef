// SPDX-License-Identifier: Apache-2.0
//! Every input of the corpus goes through its parser.

use std::{fs, path::Path};

#[test]
fn every_input_of_the_corpus_holds() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    for (name, target) in saltmill_fuzz::TARGETS {
        let folder = corpus.join(name);
        let files = fs::read_dir(&folder).expect("a corpus").map(|entry| entry.expect("a file"));
        let mut count = 0;
        for file in files {
            target(&fs::read(file.path()).expect("a file that can be read"));
            count += 1;
        }
        assert!(count > 10, "{name} has a corpus of {count}");
    }
}
