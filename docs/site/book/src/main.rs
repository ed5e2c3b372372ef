// SPDX-License-Identifier: Apache-2.0
//! Makes HTML of a book: `saltmill-book FOLDER`, in which `book.toml` is.

use std::{env, process::ExitCode};

use mdbook_driver::MDBook;

fn main() -> ExitCode {
    let Some(folder) = env::args().nth(1) else {
        eprintln!("error: name the folder of book.toml");
        return ExitCode::from(2);
    };
    match MDBook::load(folder).and_then(|book| book.build()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
