// SPDX-License-Identifier: Apache-2.0
//! Lines that begin with the digest: those of coreutils and b3sum, and `md5 -r` of BSD.

use super::{Entry, bsd::is_blank, escape};
use crate::sum::{Digest, HashAlgorithm};

/// How the lines of a manifest are laid out; the first one decides.
///
/// Between digest and name there are two characters, a blank and a space or `*`, or with `md5 -r`
/// one. Both in one manifest would let a name with a leading space be taken for another file's.
#[derive(Debug, Default)]
pub(super) struct Layout {
    is_single: Option<bool>,
}

impl Layout {
    pub fn entry(
        &mut self,
        line: &[u8],
        wanted: Option<HashAlgorithm>,
        is_escaped: bool,
    ) -> Option<Entry> {
        let end = line.iter().position(|byte| is_blank(*byte))?;
        let digest = Digest::from_hex(&line[..end])?;
        let fits = |algorithm: &HashAlgorithm| algorithm.digest_bytes() == digest.bytes().len();
        let algorithm = match wanted {
            Some(wanted) => Some(wanted).filter(fits),
            None => HashAlgorithm::ALL.into_iter().find(fits),
        }?;
        let name = escape::name(self.name(&line[end + 1..])?, is_escaped)?;
        Some(Entry::new(name, algorithm, digest))
    }

    /// The name in what is behind the digest and a blank.
    fn name<'a>(&mut self, rest: &'a [u8]) -> Option<&'a [u8]> {
        let behind = rest.strip_prefix(b" ").or_else(|| rest.strip_prefix(b"*"));
        let behind = behind.filter(|name| !name.is_empty());
        match (behind, self.is_single) {
            _ if rest.is_empty() => None,
            (Some(name), None | Some(false)) => {
                self.is_single = Some(false);
                Some(name)
            }
            (None, Some(false)) => None,
            _ => {
                self.is_single = Some(true);
                Some(rest)
            }
        }
    }
}
