//! The languages: how each is checked, and whether exports and structure are read.

use ftl_analysis::quality::{reads_exports, reads_structure};
use ftl_preflight::Language;

use crate::result::{LanguageEntry, LanguageList};

/// Every language in the table of `ftl-preflight`.
pub fn languages() -> LanguageList {
    LanguageList { languages: Language::all().map(entry).collect() }
}

fn entry(language: Language) -> LanguageEntry {
    let extensions = language.extensions();
    let all = |reads: fn(&str) -> bool| extensions.iter().all(|it| reads(&format!("a.{it}")));
    LanguageEntry {
        name: language.name(),
        extensions,
        files: language.file_names(),
        interpreters: language.interpreters(),
        parser: language.parser(),
        embedded: language.is_built(),
        front_end: language.front_end(),
        exports: all(reads_exports),
        structure: all(reads_structure),
    }
}

#[cfg(test)]
mod tests {
    use ftl_analysis::quality::{reads_exports, reads_structure};

    use super::languages;

    #[test]
    fn exports_and_structure_are_read_of_every_extension_of_a_language_or_of_none() {
        for language in languages().languages {
            for extension in language.extensions {
                let name = format!("a.{extension}");
                assert_eq!(reads_exports(&name), language.exports, "{name}");
                assert_eq!(reads_structure(&name), language.structure, "{name}");
            }
        }
    }
}
