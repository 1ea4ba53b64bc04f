//! `ftl preflight --languages`: the known languages, and how their files are checked.

use std::fmt::Write as _;

use ftl_engine::languages;
use ftl_engine::result::LanguageEntry;

use crate::args::FindingFormat;
use crate::failure::Failure;
use crate::{CommandResult, output};

const HEAD: [&str; 5] = ["LANGUAGE", "SYNTAX", "EXPORTS", "STRUCTURE", "FILES"];

/// Lists them.
pub(crate) fn run(format: FindingFormat) -> CommandResult {
    let list = languages();
    match format {
        FindingFormat::Human => output::result(&table(&list.languages))?,
        FindingFormat::Json => output::json(&list)?,
        FindingFormat::Sarif
        | FindingFormat::Github
        | FindingFormat::Junit
        | FindingFormat::Gitlab => {
            let message = "`--languages` lists languages, not findings in files";
            return Err(Failure::usage("usage::arguments", message)
                .help("choose `--format human` or `--format json`"));
        }
    }
    Ok(0)
}

fn table(languages: &[LanguageEntry]) -> String {
    let mut text = String::new();
    line(&mut text, HEAD);
    for language in languages {
        let embedded = language.embedded.then_some("embedded");
        let checkers: Vec<&str> = embedded.into_iter().chain(language.front_end).collect();
        let files: Vec<String> = language.extensions.iter().map(|it| format!(".{it}")).collect();
        let files: Vec<&str> =
            files.iter().map(String::as_str).chain(language.files.iter().copied()).collect();
        let has = |has: bool| if has { "yes" } else { "no" };
        let (checkers, files) = (checkers.join(", "), files.join(" "));
        let (exports, structure) = (has(language.exports), has(language.structure));
        line(&mut text, [language.name, &checkers, exports, structure, &files]);
    }
    text
}

fn line(text: &mut String, [name, syntax, exports, structure, files]: [&str; 5]) {
    writeln!(text, "{name:<10}  {syntax:<19}  {exports:<7}  {structure:<9}  {files}")
        .expect("because a string takes any text");
}
