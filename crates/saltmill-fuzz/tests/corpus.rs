// SPDX-License-Identifier: Apache-2.0
//! Every input of the corpus, which is one archive, goes through its parser.

use std::{collections::BTreeMap, fs::File, io::Read, path::Path};

use flate2::read::GzDecoder;
use tar::Archive;

#[test]
fn every_input_of_the_corpus_holds() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus.tar.gz");
    let mut archive = Archive::new(GzDecoder::new(File::open(path).expect("a corpus")));
    let mut counts = BTreeMap::new();
    for entry in archive.entries().expect("an archive") {
        let mut entry = entry.expect("an entry");
        if !entry.header().entry_type().is_file() {
            continue;
        }
        let path = entry.path().expect("a path").into_owned();
        let name = path.iter().nth(1).and_then(|name| name.to_str()).expect("corpus/TARGET/INPUT");
        let (name, target) =
            saltmill_fuzz::TARGETS.into_iter().find(|(known, _)| *known == name).expect("a target");
        let mut input = Vec::new();
        entry.read_to_end(&mut input).expect("an input that can be read");
        target(&input);
        *counts.entry(name).or_insert(0) += 1;
    }
    for (name, _) in saltmill_fuzz::TARGETS {
        let count = counts.get(name).copied().unwrap_or(0);
        assert!(count > 10, "{name} has a corpus of {count}");
    }
}
