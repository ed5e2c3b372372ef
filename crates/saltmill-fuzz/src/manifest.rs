// SPDX-License-Identifier: Apache-2.0
//! Manifests of digests.

use saltmill::sum::{
    HashAlgorithm,
    manifest::{Entry, Line, Reader, Style},
};

/// Lines of a manifest, which may be written by anybody; what is read can be written and read
/// again.
///
/// # Panics
/// If something does not hold.
pub fn manifest(bytes: &[u8]) {
    for wanted in [None, Some(HashAlgorithm::Md5), Some(HashAlgorithm::Blake3)] {
        let mut reader = Reader::new(wanted);
        for line in bytes.split(|byte| *byte == b'\n') {
            match reader.line(line) {
                Line::Entry(entry) => examine(entry, wanted),
                Line::Version(version) => {
                    let mut line = Vec::new();
                    Style::default().version(&mut line, &version);
                    line.pop();
                    assert_eq!(Reader::new(wanted).line(&line), Line::Version(version));
                }
                Line::Skipped | Line::Malformed => {}
            }
        }
    }
}

fn examine(entry: Entry, wanted: Option<HashAlgorithm>) {
    let Entry { name, digests, .. } = entry;
    assert!(!name.contains(&0), "no file has such a name");
    assert!(!digests.is_empty(), "there is something to compare with");
    for (algorithm, digest) in digests {
        assert!(wanted.is_none_or(|wanted| wanted == algorithm), "no other algorithm was wanted");
        assert_eq!(digest.bytes().len(), algorithm.digest_bytes());
        for tag in [false, true] {
            // Without a name, coreutils takes the space in front of it for one.
            if name.is_empty() && !tag {
                continue;
            }
            let mut line = Vec::new();
            Style { tag, zero: false }.line(&mut line, algorithm, &digest, &name);
            let line = line.strip_suffix(b"\n").expect("the end of a line");
            assert!(!line.contains(&b'\n'), "a name can't make a line of its own");
            let again = Reader::new(Some(algorithm)).line(line);
            let (name, digests) = (name.clone(), vec![(algorithm, digest.clone())]);
            assert_eq!(again, Line::Entry(Entry { name, bytes: None, digests, is_tagged: tag }));
        }
    }
}
