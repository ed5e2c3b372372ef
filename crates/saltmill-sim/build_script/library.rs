// SPDX-License-Identifier: Apache-2.0
//! Static libraries of C++, kept in the target folder under a hash of what goes into them.

use std::{
    env, fs,
    hash::{DefaultHasher, Hash, Hasher},
    path::{Path, PathBuf},
    process,
};

/// Collects what a library depends on, and is then its key.
#[derive(Default)]
pub struct Key(DefaultHasher);

impl Key {
    pub fn text(&mut self, text: &str) {
        text.hash(&mut self.0);
    }

    pub fn files(&mut self, files: &[PathBuf]) -> Result<(), String> {
        for file in files {
            let bytes = fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
            // Not the folder: another checkout of the same sources makes the same library.
            (file.file_name(), bytes).hash(&mut self.0);
        }
        Ok(())
    }
}

/// The file of library `name`; `build` makes it in `OUT_DIR` if it is not kept already.
pub fn provide(
    name: &str,
    key: Key,
    build: impl FnOnce() -> Result<(), String>,
) -> Result<PathBuf, String> {
    let out = out_dir();
    // <target>/<profile>/build/<package>/out
    let target = out.ancestors().nth(4).unwrap_or(&out);
    let kept_as = format!("{name}-{:016x}", key.0.finish());
    let kept = target.join("saltmill-sim").join(&kept_as);
    let file = format!("lib{name}.a");
    if !kept.join(&file).exists() {
        build()?;
        keep(&out.join(&file), &kept, &file).map_err(|error| format!("{file}: {error}"))?;
    }
    Ok(kept.join(file))
}

/// Has cargo link the library in this file.
pub fn link(name: &str, file: &Path) {
    if let Some(folder) = file.parent() {
        println!("cargo:rustc-link-search=native={}", folder.display());
    }
    println!("cargo:rustc-link-lib=static={name}");
}

/// In one step, because another profile's build may do the same.
fn keep(built: &Path, folder: &Path, file: &str) -> std::io::Result<()> {
    fs::create_dir_all(folder)?;
    let partial = folder.join(format!("{file}.{}", process::id()));
    fs::copy(built, &partial)?;
    fs::rename(partial, folder.join(file))
}

pub fn out_dir() -> PathBuf {
    env::var_os("OUT_DIR").map(PathBuf::from).unwrap_or_default()
}

/// How models are optimised: in every profile, as a simulation that is not is useless, but fully
/// only in one that is, as that takes twice as long.
pub fn optimisation() -> u32 {
    if env::var("OPT_LEVEL").is_ok_and(|level| level == "3") { 3 } else { 1 }
}

/// C++ as `CXX` and `CXXFLAGS` say.
pub fn compiler(trace: bool) -> cc::Build {
    let mut build = cc::Build::new();
    build
        .cpp(true)
        .std("c++17")
        .opt_level(optimisation())
        .debug(false)
        .cargo_metadata(false)
        .flag("-fno-plt")
        .flag("-fvisibility=hidden")
        .define("VERILATOR", "1");
    for off in ["COVERAGE", "SC", "TIMING", "TRACE_VCD", "TRACE_SAIF"] {
        build.define(&format!("VM_{off}"), "0");
    }
    for trace_define in ["VM_TRACE", "VM_TRACE_FST"] {
        build.define(trace_define, if trace { "1" } else { "0" });
    }
    if trace {
        build.define("SALTMILL_SIM_TRACE", None);
        for include in ["DEP_Z_INCLUDE", "DEP_LZ4_INCLUDE"] {
            build.includes(env::var_os(include));
        }
    }
    build
}

/// The compiler, its version and the instruction set that it is told, as the macros that it
/// predefines.
pub fn compiler_identity() -> Result<String, String> {
    for variable in ["CXX", "CXXFLAGS"] {
        println!("cargo:rerun-if-env-changed={variable}");
    }
    run_compiler(&["-E", "-dM", "-x", "c++", "/dev/null"])
}

/// Links the runtime of C++: into the program where the compiler has it as archives. To find and
/// load it would be a seventh of what the command takes for a small file (decision 43).
pub fn link_cpp_runtime() -> Result<(), String> {
    let archives = [("stdc++", "libstdc++.a"), ("gcc_eh", "libgcc_eh.a")];
    let mut folders = Vec::new();
    for (_, file) in archives {
        let flag = format!("-print-file-name={file}");
        let said = run_compiler(&[&flag])?;
        // Of a file that it does not have it says only the name.
        let path = Path::new(said.trim());
        folders.extend(path.parent().filter(|_| path.is_file()).map(Path::to_owned));
    }
    if folders.len() < archives.len() {
        println!("cargo:rustc-link-lib=stdc++");
        return Ok(());
    }
    for (folder, (name, _)) in folders.iter().zip(archives) {
        println!("cargo:rustc-link-search=native={}", folder.display());
        println!("cargo:rustc-link-lib=static:-bundle={name}");
    }
    Ok(())
}

fn run_compiler(arguments: &[&str]) -> Result<String, String> {
    let compiler = compiler(false).try_get_compiler().map_err(|error| error.to_string())?;
    let run = compiler.to_command().args(arguments).output();
    let run = run.map_err(|error| format!("the C++ compiler does not run: {error}"))?;
    Ok(String::from_utf8_lossy(&run.stdout).into_owned())
}
