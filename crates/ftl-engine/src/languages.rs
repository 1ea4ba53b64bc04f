//! What is known of each language: its syntax, its exports, its structure.

use ftl_analysis::quality::{reads_exports, reads_structure};
use ftl_preflight::Language;

use crate::result::{LanguageEntry, LanguageList};

/// Every language that is known by the names of files.
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
    fn what_can_be_told_of_a_language_can_be_told_of_all_its_files() {
        for language in languages().languages {
            for extension in language.extensions {
                let name = format!("a.{extension}");
                assert_eq!(reads_exports(&name), language.exports, "{name}");
                assert_eq!(reads_structure(&name), language.structure, "{name}");
            }
        }
    }
}
