// SPDX-License-Identifier: Apache-2.0
//! The simulated device's libraries: Verilator's run-time, the C interface with the table of
//! variants, and one per variant.

use std::{
    env,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use crate::{
    library::{self, Key, compiler, link, out_dir, provide},
    model::{self, Model},
    sources::{Cores, Variant, variants},
    verilator::{Verilator, prefix},
};

pub struct Context {
    pub sim: PathBuf,
    /// C headers of registers and descriptor.
    pub registers: PathBuf,
    headers: Vec<PathBuf>,
    pub verilator: Verilator,
    compiler: String,
    pub trace: bool,
}

pub fn build() -> Result<(), String> {
    // Links in a checkout, folders in a package.
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (rtl, sim, table) = (root.join("rtl"), root.join("sim"), root.join("variants.toml"));
    let all = variants(&table)?;
    let asked_for = Choice::read("SALTMILL_SIM_VARIANTS", "ring2", &all)?;
    let trained = Choice::read("SALTMILL_SIM_TRAINED", "", &all)?;
    let cores = Cores::read(&rtl)?;
    rerun_if_changed(&["build_script".into(), sim.clone(), table]);

    let context = Context {
        headers: files_with(&sim, "h")?,
        registers: rtl.join("device/generated"),
        sim,
        verilator: Verilator::find(&root.join("../../build/venv/lib"))?,
        compiler: library::compiler_identity()?,
        trace: env::var_os("CARGO_FEATURE_TRACE").is_some(),
    };
    let variants: Vec<_> = all.into_iter().filter(|one| asked_for.has(&one.name)).collect();
    let run_time = run_time(&context)?;
    link("saltmill_verilated", &run_time);
    link("saltmill_sim", &interface(&context, &variants)?);
    let mut models = Vec::new();
    for variant in &variants {
        let (core_files, sources) = cores.files(&variant.block)?;
        rerun_if_changed(&core_files);
        rerun_if_changed(&sources);
        let trained = trained.has(&variant.name);
        models.push(Model { context: &context, variant, sources, run_time: &run_time, trained });
    }
    for (model, file) in models.iter().zip(provide_all(&models)?) {
        link(&prefix(model.variant), &file);
    }
    library::link_cpp_runtime()?;
    Ok(())
}

/// Variants that an environment variable names: `all`, or names with commas between them.
struct Choice(Vec<String>);

impl Choice {
    fn read(variable: &str, default: &str, known: &[Variant]) -> Result<Self, String> {
        println!("cargo:rerun-if-env-changed={variable}");
        let text = env::var(variable).unwrap_or_else(|_| default.to_owned());
        let names: Vec<_> = text.split(',').filter(|name| !name.is_empty()).collect();
        let is_known = |name: &str| name == "all" || known.iter().any(|one| one.name == name);
        if let Some(name) = names.iter().find(|name| !is_known(name)) {
            let known: Vec<_> = known.iter().map(|one| one.name.as_str()).collect();
            return Err(format!(
                "{variable} names {name:?}, which is no variant\nhint: it is `all`, or some of {}",
                known.join(",")
            ));
        }
        Ok(Self(names.into_iter().map(str::to_owned).collect()))
    }

    fn has(&self, name: &str) -> bool {
        self.0.iter().any(|chosen| chosen == name || chosen == "all")
    }
}

/// The models' libraries, in order; as many are made at once as cargo allows jobs. Verilator, the
/// training and the largest file of a model keep no more than one core at work.
fn provide_all(models: &[Model]) -> Result<Vec<PathBuf>, String> {
    let jobs = env::var("NUM_JOBS").ok().and_then(|jobs| jobs.parse().ok()).unwrap_or(1);
    let next = AtomicUsize::new(0);
    let work = || {
        let mut made = Vec::new();
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(model) = models.get(place) else { return Ok(made) };
            made.push((place, model.provide()?));
        }
    };
    let mut made = thread::scope(|scope| {
        let workers: Vec<_> = (0..models.len().min(jobs)).map(|_| scope.spawn(work)).collect();
        let results = workers.into_iter().map(|worker| {
            worker.join().unwrap_or_else(|_| Err("a thread of the build has panicked".into()))
        });
        results.collect::<Result<Vec<_>, String>>()
    })?
    .concat();
    made.sort();
    Ok(made.into_iter().map(|(_, file)| file).collect())
}

/// The C interface of `sim/` and the table of variants.
fn interface(context: &Context, variants: &[Variant]) -> Result<PathBuf, String> {
    let mut sources = files_with(&context.sim, "cpp")?;
    let table = variant_table(&variants.iter().collect::<Vec<_>>());
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

pub fn variant_table(variants: &[&Variant]) -> String {
    let mut declarations = String::new();
    let mut rows = String::new();
    for variant in variants {
        let class = prefix(variant);
        let _ = writeln!(declarations, "{};", model::make_function(&class));
        let _ = writeln!(rows, "    {{\"{}\", make_{class}}},", variant.name);
    }
    format!(
        "#include \"system.h\"\n\nnamespace saltmill {{\n{declarations}\
         const Variant kVariants[] = {{\n{rows}    {{nullptr, nullptr}}}};\n}}\n"
    )
}

/// Verilator's run-time library.
fn run_time(context: &Context) -> Result<PathBuf, String> {
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
    pub fn key(&self) -> Key {
        let mut key = Key::default();
        key.text(&self.compiler);
        key.text(&self.verilator.version);
        key.text(&library::optimisation().to_string());
        key.text(if self.trace { "trace" } else { "" });
        // The models see the headers of `sim/`; hashing the interface's too keeps it simple.
        let _ = key.files(&self.headers);
        key
    }

    /// For our own sources.
    pub fn ours(&self) -> cc::Build {
        let mut build = compiler(self.trace);
        build.include(&self.sim).warnings(true).extra_warnings(true).warnings_into_errors(true);
        build.flag(format!("-isystem{}", self.verilator.include.display()));
        build
    }

    /// For what Verilator wrote.
    pub fn generated(&self, folder: &Path) -> cc::Build {
        let mut build = compiler(self.trace);
        build.warnings(false).flag("-w").include(folder).include(&self.verilator.include);
        build.include(self.verilator.include.join("vltstd"));
        build
    }
}

pub fn compile(build: &mut cc::Build, name: &str) -> Result<(), String> {
    build.try_compile(name).map_err(|error| error.to_string())
}

pub fn files_with(folder: &Path, extension: &str) -> Result<Vec<PathBuf>, String> {
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

pub fn write(file: &Path, text: &str) -> Result<(), String> {
    fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))
}
