// SPDX-License-Identifier: Apache-2.0
//! Arguments of the commands for the age format: named as age names them where it has them.

use std::path::PathBuf;

use clap::{ArgGroup, Args};

use super::{FilesArguments, IdentityArguments, RunArguments, TextRange, WorkArguments};

pub(super) const ENCRYPT_EXAMPLES: &str = "Examples:
  Make an identity, encrypt a file to its recipient, and decrypt it again:
    saltmill keygen -o key.txt
    RECIPIENT=$(saltmill keygen -y key.txt)
    saltmill encrypt -r $RECIPIENT -o notes.age notes.txt
    saltmill decrypt -i key.txt -o notes.dec notes.age
    cmp notes.txt notes.dec

  Encrypt to several recipients, as text that can be sent by mail:
    saltmill encrypt -a -i key.txt -r $RECIPIENT notes.txt > notes.asc

  Encrypt all files in a folder into another folder, and decrypt them again:
    mkdir stick && cp notes.txt stick
    saltmill encrypt -i key.txt --recursive stick --out-dir sealed
    saltmill decrypt -i key.txt --recursive sealed --out-dir opened
    diff -r stick opened

  Encrypt a file, and write digests of both files to a manifest:
    saltmill encrypt -i key.txt --sum both.sums -o again.age notes.txt
    saltmill sum --check both.sums

Anyone who knows a recipient can encrypt to it. Only the matching identity can decrypt.
The files are in the age format: age and rage read them, and saltmill reads theirs.";

pub(super) const DECRYPT_EXAMPLES: &str = "Examples:
  Decrypt a file with an identity:
    saltmill keygen -o key.txt
    saltmill encrypt -i key.txt -o notes.age notes.txt
    saltmill decrypt -i key.txt -o notes.dec notes.age

  Check that a file is unchanged and complete, without writing anything:
    saltmill decrypt -i key.txt --verify notes.age

  Decrypt only the last 1000 of 100000 bytes:
    saltmill decrypt -i key.txt --range 99000: notes.age | cmp - <(tail -c 1000 notes.txt)

Data is written only after its chunk of 64 KiB was checked. If the encrypted file was changed or
cut off, no output file is left. A pipe may have received the good chunks before the first bad one:
check the exit code.

Identities are tried in the order of -i and -j. In scripts, a passphrase can come from
age-plugin-batchpass: AGE_PASSPHRASE_FD=3 saltmill decrypt -j batchpass … 3< passphrase";

pub(super) const KEYGEN_EXAMPLES: &str = "Examples:
  Make an identity, and print its recipient:
    saltmill keygen -o key.txt
    saltmill keygen -y key.txt

  Make a post-quantum identity. Its recipient has about 2,000 characters, so keep it in a file:
    saltmill keygen --pq -o pq.txt
    saltmill keygen -y pq.txt -o pq.pub
    saltmill encrypt -R pq.pub -o notes.age notes.txt

Whoever has the file can decrypt everything that was encrypted to its recipient. Keep it secret,
and do not lose it.";

/// Arguments of `saltmill encrypt`.
#[derive(Args)]
#[command(group = ArgGroup::new("to").required(true).multiple(true)
    .args(["recipients", "recipients_files", "identities", "plugins", "passphrase"]))]
pub struct EncryptArguments {
    /// Encrypt to this recipient (age1…, ssh-ed25519 …, ssh-rsa … or a plugin's); can be repeated
    #[arg(short, long = "recipient", value_name = "RECIPIENT")]
    pub recipients: Vec<String>,

    /// Encrypt to the recipients in this file, one per line; can be repeated
    #[arg(short = 'R', long = "recipients-file", value_name = "FILE")]
    pub recipients_files: Vec<String>,

    /// Encrypt to the recipients of the identities in this file; can be repeated
    #[arg(short, long = "identity", value_name = "FILE")]
    pub identities: Vec<String>,

    /// Encrypt with this plugin, if it needs no recipient; can be repeated
    #[arg(short = 'j', value_name = "PLUGIN")]
    pub plugins: Vec<String>,

    /// Encrypt with a passphrase; you are asked for it
    #[arg(short, long, conflicts_with_all = ["recipients", "recipients_files", "identities", "plugins"])]
    pub passphrase: bool,

    /// Write text (PEM) instead of binary data
    #[arg(short, long)]
    pub armor: bool,

    /// Write SHA-256 digests of inputs and outputs to this manifest; no file is read twice
    ///
    /// `sha256sum --check` and `saltmill sum --check` read it. Whoever knows the digest of an input
    /// can tell whether it is a file that they have: keep it as secret as the input.
    #[arg(long, value_name = "MANIFEST")]
    pub sum: Option<PathBuf>,

    /// For identities in a file with a passphrase.
    #[command(flatten)]
    pub work: WorkArguments,

    /// What is read and written.
    #[command(flatten)]
    pub files: FilesArguments,

    /// Engines and what is shown.
    #[command(flatten)]
    pub run: RunArguments,
}

/// Arguments of `saltmill decrypt`.
#[derive(Args)]
pub struct DecryptArguments {
    /// Those who decrypt.
    #[command(flatten)]
    pub identities: IdentityArguments,

    /// Check the whole input, but write nothing
    #[arg(long, conflicts_with_all = ["output", "out_dir"])]
    pub verify: bool,

    /// Decrypt only these bytes; only the chunks that contain them are read
    #[arg(long, value_name = "OFFSET:LENGTH", conflicts_with_all = ["out_dir", "recursive"])]
    pub range: Option<TextRange>,

    /// What is read and written.
    #[command(flatten)]
    pub files: FilesArguments,

    /// Engines and what is shown.
    #[command(flatten)]
    pub run: RunArguments,
}

/// Arguments of `saltmill keygen`.
#[derive(Args)]
pub struct KeygenArguments {
    /// Print the recipients of the identities in this file (`-`: standard input)
    #[arg(short = 'y', value_name = "IDENTITIES")]
    pub recipients_of: Option<PathBuf>,

    /// Make a post-quantum identity (ML-KEM-768 and X25519)
    #[arg(long = "pq", conflicts_with = "recipients_of")]
    pub post_quantum: bool,

    /// For identities in a file with a passphrase.
    #[command(flatten)]
    pub work: WorkArguments,

    /// Write to this file [default: -, standard output]
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,

    /// Replace existing files
    #[arg(long)]
    pub force: bool,
}

/// Arguments of `saltmill inspect`.
#[derive(Args)]
pub struct InspectArguments {
    /// Print JSON instead of text
    #[arg(long)]
    pub json: bool,

    /// Encrypted file [default: -, standard input]
    #[arg(value_name = "IN")]
    pub input: Option<PathBuf>,
}
