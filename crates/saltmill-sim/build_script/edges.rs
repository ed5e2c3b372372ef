// SPDX-License-Identifier: Apache-2.0
//! A short cut around Verilator's `eval()`, for models that are as we know them.
//!
//! `eval()` looks for changed clocks, takes three locks, and wants to be called for the falling
//! edge too. A model with one clock needs less: its input logic once, then its registers. That is a
//! quarter less time per cycle. The names are Verilator's own business, so what the model says
//! about its triggers is compared with what is expected, and anything else takes the ordinary way.

use std::path::PathBuf;

use crate::sources::read;

/// The only trigger must be the rising edge of `aclk`, written like this (without the white space).
const TRIGGER: &str = "vlSelfRef.__VactTriggered[0U]=(QData)((IData)(((IData)(vlSelfRef.aclk)\
                       &(~(IData)(vlSelfRef.__Vtrigprevexpr___TOP__aclk__0)))));";

/// C++ that specialises `Edges` for the model of that class, made of `files`.
pub fn of_model(class: &str, files: &[PathBuf]) -> Result<Option<String>, String> {
    let mut text = String::new();
    for file in files {
        text.push_str(&read(file)?);
    }
    text.retain(|character| !character.is_whitespace());
    let root = format!("{class}___024root");
    let parts = [
        TRIGGER.into(),
        format!("bool{root}___eval_phase__ico({root}*vlSelf){{"),
        format!("void{root}___eval_nba({root}*vlSelf){{"),
        "(IData)((IData)(vlSelfRef.__VicoFirstIteration))".into(),
    ];
    if !parts.iter().all(|part: &String| text.contains(part)) {
        println!("cargo:warning={class}: an unknown shape of model; its simulation is slower");
        return Ok(None);
    }
    Ok(Some(format!(
        "#include \"{root}.h\"\n\n\
         bool {root}___eval_phase__ico({root} *);\n\
         void {root}___eval_nba({root} *);\n\n\
         namespace saltmill {{\n\
         template <>\n\
         struct Edges<{class}> {{\n\
         \x20 static void start({class} &model) {{\n\
         \x20   model.rootp->__VicoFirstIteration = 1;\n\
         \x20   model.rootp->__VnbaTriggered[0] = 1;\n\
         \x20 }}\n\
         \x20 static void settle({class} &model) {{ {root}___eval_phase__ico(model.rootp); }}\n\
         \x20 static void rise({class} &model) {{ {root}___eval_nba(model.rootp); }}\n\
         }};\n}}\n"
    )))
}
