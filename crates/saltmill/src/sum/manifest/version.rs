// SPDX-License-Identifier: Apache-2.0
//! Comments that say what a file was like when the lines behind them were written. Other programs
//! skip them.

use std::io::Write;

use crate::sum::Version;

const MARK: &[u8] = b"# saltmill: ";

/// Adds the comment, without an end of the line.
pub(super) fn write(manifest: &mut Vec<u8>, version: &Version) {
    let Version { bytes, modified, inode } = version;
    manifest.extend(MARK);
    // Nothing fails in memory.
    let _ = write!(manifest, "size={bytes} mtime={modified} inode={inode}");
}

/// What such a comment says; `None` of any other line.
pub(super) fn read(line: &[u8]) -> Option<Version> {
    let text = std::str::from_utf8(line.strip_prefix(MARK)?).ok()?;
    let mut parts = text.split(' ');
    let version = Version {
        bytes: parts.next()?.strip_prefix("size=")?.parse().ok()?,
        modified: parts.next()?.strip_prefix("mtime=")?.parse().ok()?,
        inode: parts.next()?.strip_prefix("inode=")?.parse().ok()?,
    };
    parts.next().is_none().then_some(version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for modified in [0, -1, i128::MIN, i128::MAX, 1_700_000_000_123_456_789] {
            let version = Version { bytes: u64::MAX, modified, inode: 7 };
            let mut line = Vec::new();
            write(&mut line, &version);
            assert!(line.starts_with(b"#"));
            assert_eq!(read(&line), Some(version));
            line.push(b'0');
            assert_ne!(read(&line), Some(version));
        }
    }

    #[test]
    fn other_comments() {
        for line in [
            "",
            "#",
            "# saltmill: ",
            "# saltmill: size=1 mtime=2",
            "# saltmill: size=1 mtime=2 inode=",
            "# saltmill: size=-1 mtime=2 inode=3",
            "# saltmill: size=1 mtime=2 inode=3 ",
            "# saltmill: size=1 mtime=2 inode=3 more=4",
            "#saltmill: size=1 mtime=2 inode=3",
        ] {
            assert_eq!(read(line.as_bytes()), None, "{line:?}");
        }
    }
}
