// SPDX-License-Identifier: Apache-2.0
//! One variant's library: its Verilated model and the system made of it.
//!
//! With GCC a model can be trained: it is compiled twice, runs a little work (`sim/train`) in
//! between, and is then laid out by what was run, which makes it a third faster. Most of a device's
//! code handles what is rare. For a short run that takes longer than it saves.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    edges,
    library::{out_dir, provide},
    sim::{Context, compile, files_with, variant_table, write},
    sources::Variant,
    verilator::{Verilator, prefix},
};

pub struct Model<'a> {
    pub context: &'a Context,
    pub variant: &'a Variant,
    pub sources: Vec<PathBuf>,
    /// Verilator's run-time library.
    pub run_time: &'a Path,
    /// Whether the compiler learns from a run.
    pub trained: bool,
}

/// The function that makes a system of a class, as C++ declares it.
pub fn make_function(class: &str) -> String {
    format!(
        "std::unique_ptr<System> make_{class}(unsigned devices, \
         const saltmill_sim_memory_profile &memory, const char *trace)"
    )
}

impl Model<'_> {
    /// The file of its library.
    pub fn provide(&self) -> Result<PathBuf, String> {
        let class = prefix(self.variant);
        let arguments = Verilator::arguments(self.variant, self.context.trace);
        let mut key = self.context.key();
        key.text(&arguments.join(" "));
        key.text(if self.trained { "trained" } else { "" });
        key.files(&self.sources)?;
        key.files(&files_with(&self.context.sim.join("train"), "cpp")?)?;
        provide(&class, key, || self.build(&class, &arguments))
    }

    fn build(&self, class: &str, arguments: &[String]) -> Result<(), String> {
        let folder = out_dir().join(class);
        let files = self.context.verilator.run(arguments, &self.sources, &folder)?;
        // Constructors and the like, which Verilator marks as slow, are not worth optimising.
        let (slow, fast): (Vec<_>, Vec<_>) =
            files.into_iter().partition(|file| file.to_string_lossy().contains("__Slow"));
        let system = folder.join("system.cpp");
        write(&system, &self.system(class, &fast)?)?;
        let slow = as_one(&folder.join("slow.cpp"), &slow)?;
        let fast = as_one(&folder.join("fast.cpp"), &fast)?;
        let slow = self.context.generated(&folder).opt_level(0).file(slow).compile_intermediates();

        let objects = |flags: &[&str]| {
            let mut generated = self.context.generated(&folder);
            let mut ours = self.context.ours();
            ours.flag(format!("-isystem{}", folder.display()));
            for build in [&mut generated, &mut ours] {
                build.out_dir(folder.join("objects"));
                for flag in flags {
                    build.flag(flag);
                }
            }
            let mut objects = generated.file(&fast).compile_intermediates();
            objects.extend(ours.file(&system).compile_intermediates());
            objects
        };
        let fast = if self.trained && self.is_gcc() && !self.context.trace {
            let instrumented = objects(&["-fprofile-generate", "-fprofile-update=single"]);
            self.train(&folder, &slow, &instrumented)?;
            objects(&["-fprofile-use", "-Wno-missing-profile"])
        } else {
            objects(&[])
        };
        compile(self.context.ours().objects(slow).objects(fast), class)
    }

    /// The C++ that makes systems of the model.
    fn system(&self, class: &str, files: &[PathBuf]) -> Result<String, String> {
        let edges = if self.context.trace { None } else { edges::of_model(class, files)? };
        Ok(format!(
            "#include \"{class}.h\"\n#include \"system_of.h\"\n{}\nnamespace saltmill {{\n{} {{\n\
             \x20 return std::make_unique<SystemOf<{class}>>(devices, memory, trace);\n}}\n}}\n",
            edges.unwrap_or_default(),
            make_function(class)
        ))
    }

    fn is_gcc(&self) -> bool {
        self.context.ours().try_get_compiler().is_ok_and(|tool| tool.is_like_gnu())
    }

    /// Runs `sim/train` on instrumented objects, which write their counts beside themselves.
    fn train(
        &self,
        folder: &Path,
        slow: &[PathBuf],
        instrumented: &[PathBuf],
    ) -> Result<(), String> {
        let table = folder.join("only_variant.cpp");
        write(&table, &variant_table(&[self.variant]))?;
        for old in files_with(&folder.join("objects"), "gcda")? {
            fs::remove_file(&old).map_err(|error| format!("{}: {error}", old.display()))?;
        }
        let mut sources = files_with(&self.context.sim, "cpp")?;
        sources.extend(files_with(&self.context.sim.join("train"), "cpp")?);
        let mut ours = self.context.ours();
        ours.include(&self.context.registers).file(table).files(sources);
        let objects = ours.out_dir(folder.join("train")).compile_intermediates();

        let program = folder.join("train/train");
        let tool = ours.try_get_compiler().map_err(|error| error.to_string())?;
        let mut link = tool.to_command();
        link.arg("-fprofile-generate").args(objects).args(instrumented).args(slow);
        link.arg(self.run_time).args(["-lpthread", "-o"]).arg(&program);
        succeed(&mut link)?;
        succeed(&mut Command::new(program))
    }
}

/// A file of all of them: Verilator's headers take as long to compile as many of a model's files.
fn as_one(file: &Path, files: &[PathBuf]) -> Result<PathBuf, String> {
    let lines = files.iter().map(|file| format!("#include \"{}\"\n", file.display()));
    write(file, &lines.collect::<String>())?;
    Ok(file.to_owned())
}

fn succeed(command: &mut Command) -> Result<(), String> {
    let run = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if run.status.success() {
        return Ok(());
    }
    Err(format!("{command:?}: {}\n{}", run.status, String::from_utf8_lossy(&run.stderr)))
}
