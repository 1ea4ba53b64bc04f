//! What is known to be judged otherwise than the language's front end does: every file below
//! `limits/LANGUAGE/accepted` is accepted here and refused there, and the reverse below `refused`.
//! `cargo xtask evaluate syntax` asks the front ends; a file that is judged well by now belongs to
//! `cases`.

use std::fs;
use std::path::Path;

use ftl_preflight::{Checker, CheckerName, Language, Options, Source};

#[test]
fn every_limit_is_still_one() {
    let checker = Checker::new(Options::default().with_checker(CheckerName::Embedded));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/limits");
    let (mut judged, mut wrong) = (0, Vec::new());
    for language in Language::all().filter(|language| language.is_built()) {
        for (folder, expected) in [("accepted", "valid"), ("refused", "invalid")] {
            let folder = root.join(language.name()).join(folder);
            let Ok(entries) = fs::read_dir(&folder) else {
                continue;
            };
            for entry in entries {
                let path = entry.unwrap().path();
                let elsewhere = Path::new("/nowhere").join(path.file_name().unwrap());
                let bytes = fs::read(&path).unwrap();
                judged += 1;
                let report = checker.check_source(Source::new(&elsewhere, &bytes));
                if report.status.as_str() != expected {
                    wrong.push(format!("{}: {:?}", path.display(), report.status));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Most languages have no known limit, and no folder: only all of them missing is a mistake.
    assert!(judged > 0, "no limits below {}", root.display());
}
