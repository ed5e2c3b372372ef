// SPDX-License-Identifier: Apache-2.0
//! What to simulate: rows of the lab's table of variants, and the file lists of the `.core` files.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use toml::{Table, Value};
use yaml_rust2::{Yaml, YamlLoader};

/// One device to simulate.
pub struct Variant {
    /// The row's name without its block, for example `ring2`.
    pub name: String,
    pub block: String,
    pub top: String,
    pub parameters: BTreeMap<String, i64>,
}

/// The rows with `sim = true`, in the order of the file's names.
pub fn variants(file: &Path) -> Result<Vec<Variant>, String> {
    let wrong = |row: &str, what: &str| format!("{}: [{row}] {what}", file.display());
    let text = read(file)?;
    let rows: Table = text.parse().map_err(|error| format!("{}: {error}", file.display()))?;
    let mut variants = Vec::new();
    for (row, value) in &rows {
        if value.get("sim").and_then(Value::as_bool) != Some(true) {
            continue;
        }
        let word = |key: &str| {
            let found = value.get(key).and_then(Value::as_str);
            found.ok_or_else(|| wrong(row, &format!("has no {key}")))
        };
        let block = word("block")?;
        variants.push(Variant {
            name: row.trim_start_matches(block).trim_start_matches('-').into(),
            block: block.into(),
            top: word("top")?.into(),
            parameters: parameters(value),
        });
    }
    Ok(variants)
}

fn parameters(row: &Value) -> BTreeMap<String, i64> {
    let parameters = row.get("parameters").and_then(Value::as_table).into_iter().flatten();
    parameters.filter_map(|(name, value)| Some((name.clone(), value.as_integer()?))).collect()
}

/// The FuseSoC cores below a folder.
pub struct Cores {
    by_name: BTreeMap<String, (PathBuf, Yaml)>,
}

impl Cores {
    /// Reads `<rtl>/<block>/<block>.core` for every block.
    pub fn read(rtl: &Path) -> Result<Self, String> {
        let mut by_name = BTreeMap::new();
        let folder = fs::read_dir(rtl).map_err(|error| format!("{}: {error}", rtl.display()))?;
        for block in folder.flatten() {
            let file = block.path().join(block.file_name()).with_extension("core");
            if !file.exists() {
                continue;
            }
            let documents = YamlLoader::load_from_str(&read(&file)?)
                .map_err(|error| format!("{}: {error}", file.display()))?;
            let document = documents.into_iter().next().unwrap_or(Yaml::Null);
            let name =
                document["name"].as_str().ok_or_else(|| format!("{}: no name", file.display()))?;
            by_name.insert(without_version(name), (file, document.clone()));
        }
        Ok(Self { by_name })
    }

    /// The `.core` files and the sources that a block needs, dependencies first.
    pub fn files(&self, block: &str) -> Result<(Vec<PathBuf>, Vec<PathBuf>), String> {
        let (mut cores, mut sources) = (Vec::new(), Vec::new());
        self.visit(&format!("saltmill:rtl:{block}"), &mut cores, &mut sources)?;
        Ok((cores, sources))
    }

    fn visit(
        &self,
        name: &str,
        cores: &mut Vec<PathBuf>,
        sources: &mut Vec<PathBuf>,
    ) -> Result<(), String> {
        let (file, document) = self
            .by_name
            .get(&without_version(name))
            .ok_or_else(|| format!("no .core file is named {name}"))?;
        if cores.contains(file) {
            return Ok(());
        }
        cores.push(file.clone());
        let files = &document["filesets"]["rtl"];
        for depend in files["depend"].as_vec().into_iter().flatten() {
            self.visit(depend.as_str().unwrap_or_default(), cores, sources)?;
        }
        for source in files["files"].as_vec().into_iter().flatten() {
            let path = source
                .as_str()
                .ok_or_else(|| format!("{}: a file that is not a plain path", file.display()))?;
            sources.push(file.with_file_name(path));
        }
        Ok(())
    }
}

/// `a:b:c:1.0` is `a:b:c`.
fn without_version(name: &str) -> String {
    name.split(':').take(3).collect::<Vec<_>>().join(":")
}

pub fn read(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))
}
