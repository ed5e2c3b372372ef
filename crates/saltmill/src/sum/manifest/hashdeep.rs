// SPDX-License-Identifier: Apache-2.0
//! Manifests of hashdeep 1.0: a header names the columns, which commas separate.

use super::{Entry, escape};
use crate::sum::{Digest, HashAlgorithm};

#[derive(Debug)]
enum Column {
    Size,
    Digest(HashAlgorithm),
    /// An algorithm that is not known or not wanted.
    Other,
}

/// The columns in front of the name.
#[derive(Debug)]
pub(super) struct Columns(Vec<Column>);

impl Columns {
    /// From a header; `None` if it is none, or there are no digests to compare with.
    pub fn read(header: &[u8], wanted: Option<HashAlgorithm>) -> Option<Self> {
        let columns = header.strip_suffix(b",filename")?.split(|byte| *byte == b',').map(|name| {
            let is_name = |algorithm: &HashAlgorithm| algorithm.name().as_bytes() == name;
            let is_wanted = |known: &HashAlgorithm| wanted.is_none_or(|wanted| wanted == *known);
            match HashAlgorithm::ALL.into_iter().find(is_name).filter(is_wanted) {
                Some(algorithm) => Column::Digest(algorithm),
                None if name == b"size" => Column::Size,
                None => Column::Other,
            }
        });
        let columns: Vec<_> = columns.collect();
        let has_digests = columns.iter().any(|column| matches!(column, Column::Digest(_)));
        has_digests.then_some(Self(columns))
    }

    /// A line; names may have commas, too.
    pub fn line(&self, line: &[u8]) -> Option<Entry> {
        let Self(columns) = self;
        let mut fields = line.splitn(columns.len() + 1, |byte| *byte == b',');
        let (mut bytes, mut digests) = (None, Vec::new());
        for column in columns {
            let field = fields.next()?;
            match column {
                Column::Size => bytes = Some(str::from_utf8(field).ok()?.parse().ok()?),
                Column::Digest(algorithm) => {
                    let digest = Digest::from_hex(field)?;
                    if digest.bytes().len() != algorithm.digest_bytes() {
                        return None;
                    }
                    digests.push((*algorithm, digest));
                }
                Column::Other => {}
            }
        }
        let name = escape::name(fields.next()?, false)?;
        Some(Entry { name, bytes, digests, is_tagged: false })
    }
}
