// SPDX-License-Identifier: Apache-2.0
//! What the commands for the age format read and write: one file or pipe, or many files.

use std::path::{Path, PathBuf};

use clap::Args;

/// Inputs and outputs.
#[derive(Args)]
pub struct FilesArguments {
    /// Write to this file [default: -, standard output]
    #[arg(short, long, value_name = "OUT", conflicts_with_all = ["out_dir", "recursive"])]
    pub output: Option<PathBuf>,

    /// Write the outputs to this folder, named after the inputs; it is created if missing
    #[arg(long, value_name = "FOLDER")]
    pub out_dir: Option<PathBuf>,

    /// Recurse into folders; links in them are skipped
    #[arg(long)]
    pub recursive: bool,

    /// Input files; several need --out-dir [default: -, standard input]
    #[arg(value_name = "IN")]
    pub inputs: Vec<PathBuf>,
}

impl FilesArguments {
    /// The only input, if it is one file or pipe.
    pub fn single(&self) -> Option<&Path> {
        match &self.inputs[..] {
            _ if self.out_dir.is_some() || self.recursive => None,
            [] => Some(Path::new("-")),
            [input] => Some(input),
            _ => None,
        }
    }

    /// Standard input is read as data.
    pub fn take_stdin(&self) -> bool {
        self.inputs.is_empty() || self.inputs.iter().any(|input| input == Path::new("-"))
    }
}
