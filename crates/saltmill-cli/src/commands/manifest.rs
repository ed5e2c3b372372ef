// SPDX-License-Identifier: Apache-2.0
//! The manifest that `encrypt --sum` writes: a line for each input and for each output that has a
//! name.

use std::{os::unix::ffi::OsStrExt, path::Path};

use saltmill::{
    Sums,
    sum::{HashAlgorithm, manifest::Style},
};

use crate::{
    io::{sources::Sources, target::Target},
    report::failure::Failure,
};

/// What is in it: whoever has `sha256sum` can check it.
pub const ALGORITHM: HashAlgorithm = HashAlgorithm::Sha256;

/// A manifest that is to be written.
pub struct Manifest {
    target: Target,
    lines: Vec<u8>,
}

impl Manifest {
    /// Checks where it goes; nothing is made yet.
    pub fn prepare(path: &Path, sources: &Sources, force: bool) -> Result<Self, Failure> {
        let target = Target::check("manifest", path, sources, force)?;
        Ok(Self { target, lines: Vec::new() })
    }

    /// Refuses an output that is the manifest.
    pub fn refuse(&self, output: &Target) -> Result<(), Failure> {
        output.refuse(&self.target, "manifest")
    }

    /// Adds the lines of what was done.
    pub fn add(&mut self, input: Option<&Path>, output: Option<&Path>, sums: Sums) {
        let (read, written) = sums.finish();
        for (name, hashed) in [(input, read), (output, written)] {
            let Some(name) = name.filter(|name| *name != Path::new("-")) else { continue };
            for digest in &hashed.digests {
                let name = name.as_os_str().as_bytes();
                Style::default().line(&mut self.lines, ALGORITHM, digest, name);
            }
        }
    }

    /// Writes it, if something was done.
    pub fn write(self) -> Result<(), Failure> {
        if self.lines.is_empty() { Ok(()) } else { self.target.put(&self.lines, |_| Ok(())) }
    }
}
