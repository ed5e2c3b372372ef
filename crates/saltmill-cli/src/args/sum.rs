// SPDX-License-Identifier: Apache-2.0
//! Arguments of `saltmill sum`: named as coreutils names them where it has them.

use std::path::PathBuf;

use clap::{
    Args,
    builder::{PossibleValuesParser, TypedValueParser},
};
use saltmill::sum::HashAlgorithm;

use super::{EngineArguments, When};

const EXAMPLES: &str = "Examples:
  Write a manifest of a file, and check the file against it:
    saltmill sum notes.txt > SHA256SUMS
    saltmill sum --check SHA256SUMS

  Read each file in a folder once, for two digests of it:
    mkdir stick && cp notes.txt stick
    saltmill sum -a sha256,blake3 --recursive stick > stick.sums
    saltmill sum --check --quiet stick.sums

  Keep a manifest up to date: only what is new or has changed is read:
    saltmill sum --update stick.sums --recursive stick
    cp notes.txt stick/copy.txt
    saltmill sum --update stick.sums --recursive stick

  Find files with the same content:
    saltmill sum --duplicates --recursive stick

  Check a manifest that another program has written:
    md5sum notes.txt | saltmill sum --check

  Write a manifest to which nobody without the key can add a content, and check it:
    head -c 32 /dev/urandom > secret.key
    saltmill sum --key-file secret.key notes.txt > keyed.sums
    saltmill sum --key-file secret.key --check keyed.sums

Manifests are those of sha256sum and its relatives. Manifests of b3sum and hashdeep are read, too;
with those of b3sum, name --algorithm blake3. MD5 and SHA-1 find damage, but not attacks.

--update trusts size, time and inode of a file, which it keeps in comments of the manifest. It does
not see damage on the disk, nor a change by a program that sets the time back: --check reads
everything. After an interrupt, run it again: it goes on where it was.";

const EXIT_CODES: &str = "Exit codes:
  0    success
  1    a file could not be read, or is not what the manifest says
  2    the command line can't be used
  130  interrupted (other signals: 128 and the signal's number)";

/// Examples, which the tests run, and exit codes: those of `sha256sum`, but for usage.
pub(super) fn help() -> String {
    format!("{EXAMPLES}\n\n{EXIT_CODES}")
}

/// Arguments of `saltmill sum`.
#[derive(Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command line")]
pub struct SumArguments {
    /// Hash algorithm; can be repeated, and then implies --tag
    ///
    /// The default is sha256; with --duplicates, it is blake3; with --key-file, it is hmac-sha256.
    /// With --check and --update, it is what each line of the manifest says, or what the length of
    /// its digest tells.
    #[arg(short, long = "algorithm", value_name = "NAME", value_delimiter = ',', value_parser = names())]
    pub algorithms: Vec<HashAlgorithm>,

    /// Read the key of hmac-sha256 from this file: raw bytes or hex digits
    ///
    /// The file holds exactly 32 bytes, or 64 hex digits with an optional newline. Without the key
    /// nobody can make a line for a content that never had one. Names are not protected: lines can
    /// be left out, and two files can be exchanged with their lines. With --check, only lines of
    /// hmac-sha256 are taken.
    #[arg(long, value_name = "FILE", conflicts_with = "duplicates")]
    pub key_file: Option<PathBuf>,

    /// Read manifests and check the files in them
    #[arg(short, long)]
    pub check: bool,

    /// Bring this manifest up to date; it is made if it is not there
    ///
    /// Files whose size, time of the last change and inode are as the manifest says are not read:
    /// it is trusted. Others are hashed. Files that are gone from the named folders leave the
    /// manifest; all that is elsewhere stays in it.
    #[arg(long, value_name = "MANIFEST", conflicts_with_all = ["check", "json"], requires = "inputs")]
    pub update: Option<PathBuf>,

    /// Print groups of files with the same content, an empty line between two groups
    ///
    /// Only files are read whose size another file has. Hard links to one file are one file.
    #[arg(long, conflicts_with_all = ["check", "update", "tag"], requires = "inputs")]
    pub duplicates: bool,

    /// Recurse into folders; links in them are skipped
    #[arg(short, long, conflicts_with = "check", requires = "inputs")]
    pub recursive: bool,

    /// Write a BSD manifest, which names the algorithm
    #[arg(long, conflicts_with = "check")]
    pub tag: bool,

    /// End lines with a zero byte, and don't escape names
    #[arg(short, long)]
    pub zero: bool,

    /// Print a line of JSON for each file, or each group
    #[arg(long, conflicts_with_all = ["tag", "zero"])]
    pub json: bool,

    /// With --check: skip files that are not there
    #[arg(long, requires = "check")]
    pub ignore_missing: bool,

    /// With --check: don't print OK for each good file
    #[arg(long, requires = "check", overrides_with_all = ["status", "warn"])]
    pub quiet: bool,

    /// With --check: print nothing about files; the exit code tells
    #[arg(long, requires = "check", overrides_with_all = ["quiet", "warn"])]
    pub status: bool,

    /// With --check: fail also if a line of the manifest is malformed
    #[arg(long, requires = "check")]
    pub strict: bool,

    /// With --check: name each line that is malformed
    ///
    /// Of --warn, --quiet and --status, the last one counts.
    #[arg(short, long, requires = "check", overrides_with_all = ["quiet", "status"])]
    pub warn: bool,

    /// Where to work.
    #[command(flatten)]
    pub engines: EngineArguments,

    /// Show progress
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto)]
    pub progress: When,

    /// Files to hash, or manifests to check [default: -, standard input]
    #[arg(value_name = "FILE")]
    pub inputs: Vec<PathBuf>,
}

fn names() -> impl TypedValueParser<Value = HashAlgorithm> {
    PossibleValuesParser::new(HashAlgorithm::ALL.map(HashAlgorithm::name)).map(|name| {
        let known = HashAlgorithm::ALL.into_iter().find(|algorithm| algorithm.name() == name);
        known.expect("the parser lets only these through")
    })
}
