// SPDX-License-Identifier: Apache-2.0
//! The simulated device's libraries: one per variant, the C interface with the table of variants, and
//! Verilator's run-time.

use std::{
    env,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use crate::{
    edges,
    library::{self, Key, compiler, out_dir, provide},
    sources::{Cores, Variant, variants},
    verilator::{Verilator, prefix},
};

struct Context {
    sim: PathBuf,
    headers: Vec<PathBuf>,
    verilator: Verilator,
    compiler: String,
    trace: bool,
}

pub fn build() -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let root = root.canonicalize().map_err(|error| error.to_string())?;
    let table = root.join("lab/variants.toml");
    let variants = variants(&table)?;
    let cores = Cores::read(&root.join("rtl"))?;
    rerun_if_changed(&["build_script".into(), root.join("sim"), table]);

    let sim = root.join("sim");
    let context = Context {
        headers: files_with(&sim, "h")?,
        sim,
        verilator: Verilator::find(&root)?,
        compiler: library::compiler_identity()?,
        trace: env::var_os("CARGO_FEATURE_SIM_TRACE").is_some(),
    };
    interface(&context, &variants)?;
    for variant in &variants {
        let (core_files, sources) = cores.files(&variant.block)?;
        rerun_if_changed(&core_files);
        rerun_if_changed(&sources);
        model(&context, variant, &sources)?;
    }
    run_time(&context)?;
    println!("cargo:rustc-link-lib=stdc++");
    Ok(())
}

/// The C interface of `sim/` and the table of variants.
fn interface(context: &Context, variants: &[Variant]) -> Result<(), String> {
    let mut sources = files_with(&context.sim, "cpp")?;
    let table = variant_table(variants);
    let mut key = context.key();
    key.files(&sources)?;
    key.text(&table);
    provide("saltmill_sim", key, || {
        let file = out_dir().join("variants.cpp");
        write(&file, &table)?;
        sources.push(file);
        compile(context.ours().files(&sources), "saltmill_sim")
    })
}

fn variant_table(variants: &[Variant]) -> String {
    let mut declarations = String::new();
    let mut rows = String::new();
    for variant in variants {
        let class = prefix(variant);
        let _ = writeln!(declarations, "{};", make_function(&class));
        let _ = writeln!(rows, "    {{\"{}\", make_{class}}},", variant.name);
    }
    format!(
        "#include \"system.h\"\n\nnamespace saltmill {{\n{declarations}\
         const Variant kVariants[] = {{\n{rows}    {{nullptr, nullptr}}}};\n}}\n"
    )
}

fn make_function(class: &str) -> String {
    format!(
        "std::unique_ptr<System> make_{class}(unsigned devices, \
         const saltmill_sim_memory_profile &memory, const char *trace)"
    )
}

/// One variant's model and the system made of it.
fn model(context: &Context, variant: &Variant, sources: &[PathBuf]) -> Result<(), String> {
    let class = prefix(variant);
    let arguments = Verilator::arguments(variant, context.trace);
    let system = format!(
        "\nnamespace saltmill {{\n{} {{\n\
         \x20 return std::make_unique<SystemOf<{class}>>(devices, memory, trace);\n}}\n}}\n",
        make_function(&class)
    );
    let mut key = context.key();
    key.text(&arguments.join(" "));
    key.text(&system);
    key.files(sources)?;
    provide(&class, key, || {
        let folder = out_dir().join(&class);
        let files = context.verilator.run(&arguments, sources, &folder)?;
        // Constructors and the like, which Verilator marks as slow, are not worth optimising.
        let is_slow = |file: &&PathBuf| file.to_string_lossy().contains("__Slow");
        let slow = files.iter().filter(is_slow);
        let slow = context.generated(&folder).opt_level(0).files(slow).compile_intermediates();
        let fast = files.iter().filter(|file| !is_slow(file));
        let fast = context.generated(&folder).files(fast).compile_intermediates();
        let file = folder.join("system.cpp");
        let edges = if context.trace { None } else { edges::of_model(&class, &files)? };
        let edges = edges.unwrap_or_default();
        let includes = format!("#include \"{class}.h\"\n#include \"system_of.h\"\n");
        write(&file, &format!("{includes}{edges}{system}"))?;
        let mut ours = context.ours();
        ours.flag(format!("-isystem{}", folder.display()));
        compile(ours.file(file).objects(slow).objects(fast), &class)
    })
}

/// Verilator's run-time library.
fn run_time(context: &Context) -> Result<(), String> {
    let mut names = vec!["verilated.cpp", "verilated_threads.cpp"];
    if context.trace {
        names.push("verilated_fst_c.cpp");
    }
    let include = &context.verilator.include;
    let sources: Vec<_> = names.iter().map(|name| include.join(name)).collect();
    let mut key = context.key();
    key.files(&sources)?;
    provide("saltmill_verilated", key, || {
        compile(context.generated(include).files(&sources), "saltmill_verilated")
    })
}

impl Context {
    /// A key of what all libraries depend on.
    fn key(&self) -> Key {
        let mut key = Key::default();
        key.text(&self.compiler);
        key.text(&self.verilator.version);
        key.text(if self.trace { "trace" } else { "" });
        // The models see the headers of `sim/`; hashing the interface's too keeps it simple.
        let _ = key.files(&self.headers);
        key
    }

    /// For our own sources.
    fn ours(&self) -> cc::Build {
        let mut build = compiler(self.trace);
        build.include(&self.sim).warnings(true).extra_warnings(true).warnings_into_errors(true);
        build.flag(format!("-isystem{}", self.verilator.include.display()));
        build
    }

    /// For what Verilator wrote.
    fn generated(&self, folder: &Path) -> cc::Build {
        let mut build = compiler(self.trace);
        build.warnings(false).flag("-w").include(folder).include(&self.verilator.include);
        build.include(self.verilator.include.join("vltstd"));
        build
    }
}

fn compile(build: &mut cc::Build, name: &str) -> Result<(), String> {
    build.try_compile(name).map_err(|error| error.to_string())
}

fn files_with(folder: &Path, extension: &str) -> Result<Vec<PathBuf>, String> {
    let listed = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let paths = listed.flatten().map(|entry| entry.path());
    let mut files: Vec<_> =
        paths.filter(|path| path.extension().is_some_and(|found| found == extension)).collect();
    files.sort();
    Ok(files)
}

fn rerun_if_changed(paths: &[PathBuf]) {
    for path in paths {
        println!("cargo:rerun-if-changed={}", path.display());
    }
}

fn write(file: &Path, text: &str) -> Result<(), String> {
    fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))
}
