//! `cargo xtask docs [--check]`: writes the generated pages of docs/, or compares them.

use std::process::ExitCode;

use ftl_testkit::{Result, build};

fn main() -> ExitCode {
    ftl_testkit::main(run)
}

fn run(words: &[&str]) -> Result {
    let is_check = match words {
        [] => false,
        ["--check"] => true,
        _ => return Err("docs takes nothing, or `--check`".into()),
    };
    let pages = ftl_docs::tree(&build::ftl("dev")?)?;
    if is_check { pages.check("cargo xtask docs") } else { pages.write() }
}
