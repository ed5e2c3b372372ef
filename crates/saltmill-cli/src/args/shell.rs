// SPDX-License-Identifier: Apache-2.0
//! Arguments of the commands that make the command known to shells and to `man`.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

pub(super) const COMPLETIONS_EXAMPLES: &str = "Examples:
    saltmill completions bash > saltmill.bash && source saltmill.bash
    saltmill completions zsh > _saltmill
    saltmill completions fish > saltmill.fish

Folders where shells look: ~/.local/share/bash-completion/completions/saltmill for bash, one of $fpath for
zsh, ~/.config/fish/completions for fish.";

pub(super) const MAN_EXAMPLES: &str = "Examples:
    saltmill man > saltmill.1
    saltmill man encrypt > saltmill-encrypt.1
    saltmill man --out-dir man1

To read one: saltmill man encrypt | man -l -";

/// Arguments of `saltmill completions`.
#[derive(Args)]
pub struct CompletionsArguments {
    /// Shell
    #[arg(value_enum)]
    pub shell: Shell,
}

/// Arguments of `saltmill man`.
#[derive(Args)]
pub struct ManArguments {
    /// Command whose page is printed; none is that of all
    pub command: Option<String>,

    /// Write all pages into this folder instead; it is made if need be
    #[arg(long, value_name = "FOLDER", conflicts_with = "command")]
    pub out_dir: Option<PathBuf>,
}
