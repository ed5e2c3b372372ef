// SPDX-License-Identifier: Apache-2.0
//! Arguments of the commands for the age format: named as age names them where it has them.

use std::path::PathBuf;

use clap::{ArgGroup, Args};

use super::{FilesArguments, RunArguments, TextRange};

pub(super) const ENCRYPT_EXAMPLES: &str = "Examples:
  An identity, and a file encrypted to its recipient and decrypted with it:
    saltmill keygen -o key.txt
    RECIPIENT=$(saltmill keygen -y key.txt)
    saltmill encrypt -r $RECIPIENT -o notes.age notes.txt
    saltmill decrypt -i key.txt -o notes.dec notes.age
    cmp notes.txt notes.dec

  To several recipients, as text that can be mailed:
    saltmill encrypt -a -i key.txt -r $RECIPIENT notes.txt > notes.asc

  All files of a folder, into another one, and back:
    mkdir stick && cp notes.txt stick
    saltmill encrypt -i key.txt --recursive stick --out-dir sealed
    saltmill decrypt -i key.txt --recursive sealed --out-dir opened
    diff -r stick opened

Whoever knows one of the recipients can encrypt; only who has one of their identities can decrypt.
Files are those of age and rage: either decrypts what the other has encrypted.";

pub(super) const DECRYPT_EXAMPLES: &str = "Examples:
  What was encrypted to an identity or to an SSH key:
    saltmill keygen -o key.txt
    saltmill encrypt -i key.txt -o notes.age notes.txt
    saltmill decrypt -i key.txt -o notes.dec notes.age

  Whether files are whole, without writing anything:
    saltmill decrypt -i key.txt --verify notes.age

  The last 1000 bytes of 100000, without the work for the others:
    saltmill decrypt -i key.txt --range 99000: notes.age | cmp - <(tail -c 1000 notes.txt)

No byte is written before its chunk of 64 KiB is known to be what was encrypted. A file that was changed or
cut off leaves no output; a pipe has got nothing but what was good, in front of the change.";

pub(super) const KEYGEN_EXAMPLES: &str = "Examples:
    saltmill keygen -o key.txt
    saltmill keygen -y key.txt

  For what must stay secret for decades; its recipient has 2,000 characters, so keep it in a file:
    saltmill keygen --pq -o pq.txt
    saltmill keygen -y pq.txt -o pq.pub
    saltmill encrypt -R pq.pub -o notes.age notes.txt

Who has the file can decrypt all that was encrypted to its recipient: keep it, and keep it secret.";

/// Arguments of `saltmill encrypt`.
#[derive(Args)]
#[command(group = ArgGroup::new("to").required(true).multiple(true)
    .args(["recipients", "recipients_files", "identities", "plugins", "passphrase"]))]
pub struct EncryptArguments {
    /// Recipient: age1…, ssh-ed25519 …, ssh-rsa … or a plugin's; may be given several times
    #[arg(short, long = "recipient", value_name = "RECIPIENT")]
    pub recipients: Vec<String>,

    /// File with recipients, one a line; may be given several times
    #[arg(short = 'R', long = "recipients-file", value_name = "FILE")]
    pub recipients_files: Vec<String>,

    /// File with identities, to whose recipients is encrypted; may be given several times
    #[arg(short, long = "identity", value_name = "FILE")]
    pub identities: Vec<String>,

    /// Plugin that needs no recipient; may be given several times
    #[arg(short = 'j', value_name = "PLUGIN")]
    pub plugins: Vec<String>,

    /// Encrypt with a passphrase, which is asked for
    #[arg(short, long, conflicts_with_all = ["recipients", "recipients_files", "identities", "plugins"])]
    pub passphrase: bool,

    /// Write text instead of bytes (PEM)
    #[arg(short, long)]
    pub armor: bool,

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
    /// File with identities, or an SSH key; may be given several times
    #[arg(short, long = "identity", value_name = "FILE")]
    pub identities: Vec<String>,

    /// Plugin that needs no identity; may be given several times
    #[arg(short = 'j', value_name = "PLUGIN")]
    pub plugins: Vec<String>,

    /// Check everything and write nothing
    #[arg(long, conflicts_with_all = ["output", "out_dir"])]
    pub verify: bool,

    /// Only these bytes of the text; of the file, only the chunks that they are in are read
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
    /// Print the recipients of the identities in this file instead; `-` is standard input
    #[arg(short = 'y', value_name = "IDENTITIES")]
    pub recipients_of: Option<PathBuf>,

    /// Make a post-quantum identity: no quantum computer will open what is encrypted to it
    #[arg(long = "pq", conflicts_with = "recipients_of")]
    pub post_quantum: bool,

    /// Output; `-` or none is standard output
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,

    /// Replace an output that exists
    #[arg(long)]
    pub force: bool,
}

/// Arguments of `saltmill inspect`.
#[derive(Args)]
pub struct InspectArguments {
    /// Print JSON
    #[arg(long)]
    pub json: bool,

    /// Encrypted file; `-` or none is standard input
    #[arg(value_name = "IN")]
    pub input: Option<PathBuf>,
}
