// SPDX-License-Identifier: Apache-2.0
//! Arguments of `saltmill rekey`.

use clap::{ArgGroup, Args};

use super::{EngineArguments, FilesArguments, IdentityArguments, RunArguments, When};

pub(super) const EXAMPLES: &str = "Examples:
  Give a file to a new recipient instead of the old ones:
    saltmill keygen -o old.txt
    saltmill keygen -o new.txt
    saltmill encrypt -i old.txt -o notes.age notes.txt
    RECIPIENT=$(saltmill keygen -y new.txt)
    saltmill rekey -i old.txt -r $RECIPIENT -o renewed.age notes.age
    saltmill decrypt -i new.txt renewed.age | cmp - notes.txt

  Replace the file itself, and keep the old recipient beside the new one:
    saltmill rekey -i old.txt -r $RECIPIENT --to-identity old.txt --force -o notes.age notes.age

  Replace all files in a folder:
    mkdir stick && cp notes.age stick
    saltmill rekey -i old.txt -r $RECIPIENT --force --recursive stick --out-dir stick

Only the header is written anew. The encrypted data is copied and not checked; to check it, use
`saltmill decrypt --verify`.

rekey takes nothing back. Whoever could decrypt the old file keeps what they could read. They may
also have kept its file key, and the new file has the same one: if they get the new file, they can
read that, too. To shut them out of what comes later, decrypt the file and encrypt it again.";

/// Arguments of `saltmill rekey`.
#[derive(Args)]
#[command(group = ArgGroup::new("to").required(true).multiple(true)
    .args(["recipients", "recipients_files", "to_identities", "to_plugins", "passphrase"]))]
pub struct RekeyArguments {
    /// Those who decrypt.
    #[command(flatten)]
    pub identities: IdentityArguments,

    /// Give it to this recipient (age1…, ssh-ed25519 …, ssh-rsa … or a plugin's); can be repeated
    #[arg(short, long = "recipient", value_name = "RECIPIENT")]
    pub recipients: Vec<String>,

    /// Give it to the recipients in this file, one per line; can be repeated
    #[arg(short = 'R', long = "recipients-file", value_name = "FILE")]
    pub recipients_files: Vec<String>,

    /// Give it to the recipients of the identities in this file; can be repeated
    #[arg(long = "to-identity", value_name = "FILE")]
    pub to_identities: Vec<String>,

    /// Wrap its key with this plugin, if it needs no recipient; can be repeated
    #[arg(long = "to-plugin", value_name = "PLUGIN")]
    pub to_plugins: Vec<String>,

    /// Give it a new passphrase; you are asked for it
    #[arg(short, long,
        conflicts_with_all = ["recipients", "recipients_files", "to_identities", "to_plugins"])]
    pub passphrase: bool,

    /// Write text (PEM), or binary data with --armor=false [default: as the input]
    #[arg(short, long, value_name = "BOOL", num_args = 0..=1, require_equals = true,
        default_missing_value = "true", hide_possible_values = true)]
    pub armor: Option<bool>,

    /// What is read and written.
    #[command(flatten)]
    pub files: FilesArguments,

    /// Replace existing files, and with `-o` or `--out-dir` also the inputs themselves
    #[arg(long)]
    pub force: bool,

    /// Show progress
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto)]
    pub progress: When,
}

impl RekeyArguments {
    /// The same as for other commands. What is copied needs no engine.
    pub fn run(&self) -> RunArguments {
        let (force, progress) = (self.force, self.progress);
        RunArguments { force, engines: EngineArguments::idle(), progress, stats: None }
    }
}
