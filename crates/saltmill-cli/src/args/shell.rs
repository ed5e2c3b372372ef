// SPDX-License-Identifier: Apache-2.0
//! Arguments of the commands that make the command known to shells and to `man`.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

pub(super) const COMPLETIONS_EXAMPLES: &str = "Examples:
    saltmill completions bash > saltmill.bash && source saltmill.bash
    saltmill completions zsh > _saltmill
    saltmill completions fish > saltmill.fish

To load completions in every shell, save the script as
  bash:  ~/.local/share/bash-completion/completions/saltmill
  zsh:   _saltmill, in a folder of $fpath
  fish:  ~/.config/fish/completions/saltmill.fish";

pub(super) const MAN_EXAMPLES: &str = "Examples:
    saltmill man > saltmill.1
    saltmill man encrypt > saltmill-encrypt.1
    saltmill man --out-dir man1

To read a page directly: saltmill man encrypt | man -l -";

/// Arguments of `saltmill completions`.
#[derive(Args)]
pub struct CompletionsArguments {
    /// Shell to complete in
    #[arg(value_enum)]
    pub shell: Shell,
}

/// Arguments of `saltmill man`.
#[derive(Args)]
pub struct ManArguments {
    /// Print the page of this command [default: the page of saltmill itself]
    pub command: Option<String>,

    /// Write all pages to this folder; it is created if missing
    #[arg(long, value_name = "FOLDER", conflicts_with = "command")]
    pub out_dir: Option<PathBuf>,
}
