//! The tables of languages in written pages, from the table of `ftl-preflight` and what
//! `cargo xtask evaluate syntax LANG --files DIRECTORY` counted.

use std::fmt::Write as _;
use std::fs;

use ftl_engine::languages;
use ftl_engine::result::LanguageEntry;
use ftl_testkit::tree::Tree;
use ftl_testkit::{Result, root};
use serde::Deserialize;

const BEGIN: &str = "<!-- Made by `cargo xtask docs` from the table of languages. -->\n";
const END: &str = "<!-- End of the table. -->\n";

/// How the embedded checker of a language agreed with a front end: `agreement.toml` in its folder of
/// cases.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Agreement {
    front_end: String,
    files: String,
    #[serde(default)]
    note: String,
    date: String,
    tuning: Counts,
    hold_out: Counts,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Counts {
    real: u32,
    false_rejects: u32,
    mutants: u32,
    invalid: u32,
    false_accepts: u32,
    /// That the front end accepts.
    rejected_mutants: u32,
}

/// Adds the written pages, each with the current table.
///
/// # Errors
///
/// A page or a figure could not be read, or a page does not mark the place of its table.
pub(crate) fn add_pages(tree: &mut Tree) -> Result {
    let languages = languages().languages;
    let tables = [
        ("docs/preflight.md", languages_table(&languages)?),
        ("lab/agreement.md", agreements(&languages)?),
        ("crates/ftl-preflight/README.md", parsers(&languages)?),
    ];
    for (path, table) in tables {
        let page = fs::read_to_string(root().join(path))?;
        let (before, rest) =
            page.split_once(BEGIN).ok_or_else(|| format!("{path} marks no table"))?;
        let (_, after) =
            rest.split_once(END).ok_or_else(|| format!("{path} does not end its table"))?;
        tree.add(path, format!("{before}{BEGIN}\n{table}\n{END}{after}"));
    }
    Ok(())
}

/// The languages whose figures are in their folders of cases.
fn agreements(languages: &[LanguageEntry]) -> Result<String> {
    let mut text = String::from(
        "| language | part | real, valid | false rejects: real, mutants | mutants, invalid | false accepts |\n\
         |---|---|---|---|---|---|\n",
    );
    let cases = root().join("crates/ftl-preflight/tests/cases");
    let mut sources = String::new();
    let mut notes = String::new();
    for language in languages {
        let (name, path) = (language.name, cases.join(language.name).join("agreement.toml"));
        if !path.exists() {
            continue;
        }
        let it: Agreement = toml::from_str(&fs::read_to_string(&path)?)?;
        for (part, counts) in [("tuning", &it.tuning), ("hold-out", &it.hold_out)] {
            let Counts { real, false_rejects, mutants, invalid, false_accepts, rejected_mutants } =
                counts;
            writeln!(
                text,
                "| `{name}` | {part} | {real} | {false_rejects}, {rejected_mutants} | {mutants}, {invalid} | {false_accepts} |"
            )?;
        }
        // The file also names some of the sources.
        let sources_count = it.files.split(", among them").next().unwrap_or_default();
        writeln!(sources, "- `{name}`, {}: {}; {sources_count}", it.date, it.front_end)?;
        if !it.note.is_empty() {
            writeln!(notes, "- `{name}`: {}", it.note)?;
        }
    }
    Ok(format!("{text}\nFront ends and files:\n\n{sources}\nNotes:\n\n{notes}"))
}

/// The files and the parser of each language.
fn parsers(languages: &[LanguageEntry]) -> Result<String> {
    let mut text = String::from("| language | files | parser | front end |\n|---|---|---|---|\n");
    for it in languages {
        let (files, front_end) = (files(it), front_end(it));
        writeln!(text, "| `{}` | {files} | {} | {front_end} |", it.name, it.parser)?;
    }
    Ok(text)
}

fn languages_table(languages: &[LanguageEntry]) -> Result<String> {
    let mut text = String::from(
        "| language | files | embedded parser | front end | exports | structure |\n\
         |---|---|---|---|---|---|\n",
    );
    for language in languages {
        let has = |has: bool| if has { "yes" } else { "no" };
        writeln!(
            text,
            "| `{}` | {} | {} | {} | {} | {} |",
            language.name,
            files(language),
            language.parser,
            front_end(language),
            has(language.exports),
            has(language.structure),
        )?;
    }
    Ok(text)
}

fn files(language: &LanguageEntry) -> String {
    let extensions = language.extensions.iter().map(|it| format!("`.{it}`"));
    let names = language.files.iter().map(|it| format!("`{it}`"));
    let interpreters = language.interpreters.iter().map(|it| format!("`#!{it}`"));
    let files: Vec<_> = extensions.chain(names).chain(interpreters).collect();
    files.join(" ")
}

fn front_end(language: &LanguageEntry) -> String {
    language.front_end.map_or("–".to_owned(), |it| format!("`{it}`"))
}
