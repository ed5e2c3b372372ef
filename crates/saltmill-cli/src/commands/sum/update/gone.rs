// SPDX-License-Identifier: Apache-2.0
//! Files that a manifest lists and that are not there any more.

use std::path::Path;

use super::Update;
use crate::{
    commands::sum::{
        count,
        find::{Files, plain},
    },
    report::{failure::Failure, say::shown},
};

impl Update<'_> {
    /// Drops what is below the folders that were named and was not found. Links and what is in
    /// folders that can't be read may be there.
    pub fn drop_gone(&mut self, found: &Files, manifest: &Path) -> Result<(), Failure> {
        let arguments = self.arguments;
        let inputs = arguments.inputs.iter();
        let folders: Vec<_> =
            inputs.filter(|input| arguments.recursive && input.is_dir()).collect();
        let is_gone = |name: &Path| {
            let mut unknown = found.skipped.iter().chain(&found.unreadable);
            folders.iter().any(|folder| is_below(name, folder))
                && !unknown.any(|unknown| is_below(name, unknown))
        };
        let files = self.listing.files.iter().enumerate();
        let gone: Vec<_> = files
            .filter(|(number, file)| !file.digests.is_empty() && !self.seen.contains(number))
            .filter(|(_, file)| is_gone(&file.name))
            .map(|(number, _)| number)
            .collect();
        if self.seen.is_empty() && !gone.is_empty() {
            let listed = count(gone.len(), "file");
            return Err(Failure::usage(
                format!("no file is left, and {} lists {listed} there", shown(manifest)),
                "mount the disk; or remove the manifest, if they are meant to be gone",
            ));
        }
        self.tally.gone += gone.len();
        for number in gone {
            self.listing.files[number].digests.clear();
        }
        Ok(())
    }
}

/// Whether a name is that of a folder or of something below it.
fn is_below(name: &Path, folder: &Path) -> bool {
    let (name, folder) = (plain(name), plain(folder));
    if folder == Path::new("") {
        return name.is_relative() && !name.starts_with("..");
    }
    name.starts_with(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_below_a_folder() {
        for (name, folder, expected) in [
            ("a/b", "a", true),
            ("a/b", "./a/", true),
            ("./a/b/c", "a/b", true),
            ("a", "a", true),
            ("ab", "a", false),
            ("a", "a/b", false),
            ("a", ".", true),
            ("./a", ".", true),
            ("../a", ".", false),
            ("/a", ".", false),
            ("/a/b", "/a", true),
            ("../a/b", "../a", true),
        ] {
            assert_eq!(is_below(Path::new(name), Path::new(folder)), expected, "{name} {folder}");
        }
    }
}
