// SPDX-License-Identifier: Apache-2.0
//! What the commands for the age format read and write: one file or pipe, or many files.

use std::path::{Path, PathBuf};

use clap::Args;

/// Inputs and outputs.
#[derive(Args)]
pub struct FilesArguments {
    /// Output; `-` is standard output
    #[arg(short, long, value_name = "OUT", conflicts_with_all = ["out_dir", "recursive"])]
    pub output: Option<PathBuf>,

    /// Folder for the outputs, which are named after the inputs; it is made if need be
    #[arg(long, value_name = "FOLDER")]
    pub out_dir: Option<PathBuf>,

    /// Of inputs that are folders take all files, and those in folders in them; links are left out
    #[arg(long)]
    pub recursive: bool,

    /// Inputs; `-` or none is standard input, several need a folder for the outputs
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
