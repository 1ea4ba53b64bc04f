//! The table of languages in docs/preflight.md, from the table of `ftl-preflight`.

use std::fmt::Write as _;
use std::fs;

use ftl_engine::languages;
use ftl_engine::result::LanguageEntry;
use ftl_testkit::{Result, root};

const BEGIN: &str = "<!-- Made by `cargo xtask docs` from the table of languages. -->\n";
const END: &str = "<!-- End of the table. -->\n";

/// The written page with the current table.
///
/// # Errors
///
/// The page could not be read, or does not mark the place of the table.
pub(crate) fn page() -> Result<String> {
    let page = fs::read_to_string(root().join("docs/preflight.md"))?;
    let (before, rest) = page.split_once(BEGIN).ok_or("docs/preflight.md marks no table")?;
    let (_, after) = rest.split_once(END).ok_or("docs/preflight.md does not end its table")?;
    Ok(format!("{before}{BEGIN}\n{}\n{END}{after}", table(&languages().languages)?))
}

fn table(languages: &[LanguageEntry]) -> Result<String> {
    let mut text = String::from(
        "| language | files | embedded parser | front end | exports | structure |\n\
         |---|---|---|---|---|---|\n",
    );
    for language in languages {
        let extensions = language.extensions.iter().map(|it| format!("`.{it}`"));
        let names = language.files.iter().map(|it| format!("`{it}`"));
        let interpreters = language.interpreters.iter().map(|it| format!("`#!{it}`"));
        let files: Vec<_> = extensions.chain(names).chain(interpreters).collect();
        let front_end = language.front_end.map_or("–".to_owned(), |it| format!("`{it}`"));
        let has = |has: bool| if has { "yes" } else { "no" };
        writeln!(
            text,
            "| `{}` | {} | {} | {front_end} | {} | {} |",
            language.name,
            files.join(" "),
            language.parser,
            has(language.exports),
            has(language.structure),
        )?;
    }
    Ok(text)
}
