// SPDX-License-Identifier: Apache-2.0
//! Lines of manifests, written.

use std::io::Write;

use super::{escaped, version};
use crate::sum::{Digest, HashAlgorithm, Version};

/// How lines are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// As BSD does it, with the algorithm's name.
    pub tag: bool,
    /// Lines end with a zero byte, and names are not escaped.
    pub zero: bool,
}

impl Style {
    /// Adds the line of a file to a manifest.
    ///
    /// ```
    /// use saltmill::sum::{HashAlgorithm, Hasher, manifest::Style};
    ///
    /// let digest = Hasher::new(HashAlgorithm::Md5, None)?.finish();
    /// let mut text = Vec::new();
    /// Style::default().line(&mut text, HashAlgorithm::Md5, &digest, b"a\nb");
    /// assert_eq!(text, b"\\d41d8cd98f00b204e9800998ecf8427e  a\\nb\n");
    /// # Ok::<(), saltmill::sum::NoKey>(())
    /// ```
    pub fn line(
        self,
        manifest: &mut Vec<u8>,
        algorithm: HashAlgorithm,
        digest: &Digest,
        name: &[u8],
    ) {
        let escaped = if self.zero { None } else { escaped(name) };
        if escaped.is_some() {
            manifest.push(b'\\');
        }
        let name = escaped.as_deref().unwrap_or(name);
        if self.tag {
            manifest.extend(algorithm.tag().bytes().chain(*b" ("));
            manifest.extend(name);
            manifest.extend(b") = ");
        }
        // Nothing fails in memory.
        let _ = write!(manifest, "{digest}");
        if !self.tag {
            manifest.extend(b"  ");
            manifest.extend(name);
        }
        manifest.push(self.end());
    }

    /// Adds a comment that says what the file in the lines that follow was like.
    ///
    /// ```
    /// use saltmill::sum::{Version, manifest::Style};
    ///
    /// let mut text = Vec::new();
    /// let version = Version { bytes: 3, modified: 1_700_000_000_000_000_000, inode: 12 };
    /// Style::default().version(&mut text, &version);
    /// assert_eq!(text, b"# saltmill: size=3 mtime=1700000000000000000 inode=12\n");
    /// ```
    pub fn version(self, manifest: &mut Vec<u8>, version: &Version) {
        version::write(manifest, version);
        manifest.push(self.end());
    }

    /// What lines end with.
    pub fn end(self) -> u8 {
        if self.zero { 0 } else { b'\n' }
    }
}
