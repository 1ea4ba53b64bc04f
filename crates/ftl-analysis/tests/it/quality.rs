//! Exports and idioms over small deltas, each a file that holds the texts before and after.

use ftl_analysis::quality::{
    Before, FileText, Rules, check_rules, idiom_warnings, judge_exports, judge_idioms,
};
use ftl_model::{CodeContext, Idiom, Idioms};
use ftl_model::{ExportStatus, IdiomStatus};

use crate::cases::check_folder;

/// A case: directives, then texts of files behind lines such as `-- before a.py --`.
#[derive(Default)]
struct Case {
    directives: Vec<(String, String)>,
    paths: Vec<String>,
    before: Vec<(String, String)>,
    after: Vec<(String, String)>,
    /// Files outside the delta, behind lines such as `-- beside b.py --`.
    beside: Vec<(String, String)>,
}

impl Case {
    fn parse(text: &str) -> Self {
        let mut case = Self::default();
        let mut is_text = false;
        let mut list = &mut case.before;
        for line in text.split_inclusive('\n') {
            let header = line.trim_end().strip_prefix("-- ");
            let header = header.and_then(|line| line.strip_suffix(" --"));
            if let Some((when, path)) = header.and_then(|header| header.split_once(' ')) {
                list = match when {
                    "before" => &mut case.before,
                    "after" => &mut case.after,
                    _ => &mut case.beside,
                };
                list.push((path.to_owned(), String::new()));
                is_text = true;
                if when != "beside" && !case.paths.contains(&path.to_owned()) {
                    case.paths.push(path.to_owned());
                }
            } else if let Some((_, text)) = list.last_mut().filter(|_| is_text) {
                text.push_str(line);
            } else if let Some((word, rest)) = line.trim_end().split_once(' ') {
                case.directives.push((word.to_owned(), rest.to_owned()));
            }
        }
        case
    }

    fn files(&self) -> Vec<FileText<'_>> {
        let text = |list: &'_ [(String, String)], path: &str| {
            list.iter().position(|(known, _)| known == path)
        };
        let file = |path| FileText {
            path,
            before: text(&self.before, path).map(|at| self.before[at].1.as_str()),
            after: text(&self.after, path).map(|at| self.after[at].1.as_str()),
        };
        self.paths.iter().map(|path| file(path.as_str())).collect()
    }

    fn all(&self, directive: &str) -> impl Iterator<Item = &str> {
        let given = self.directives.iter();
        given.filter(move |(word, _)| word == directive).map(|(_, rest)| rest.as_str())
    }
}

#[test]
fn exports_are_kept_moved_lost_or_were_never_there() {
    check_folder("exports", "txt", "verdicts", |text| {
        let case = Case::parse(text);
        let contexts: Vec<CodeContext> = case
            .all("exports")
            .map(|line| {
                let (path, exports) = line.split_once(':').unwrap();
                CodeContext {
                    path: Some(path.to_owned()),
                    exports: exports.to_owned(),
                    ..CodeContext::default()
                }
            })
            .collect();
        let before = match case.all("before").any(|word| word == "unknown") {
            true => Before::Unknown,
            false => Before::Known,
        };
        let allowed: Vec<String> = case.all("allow").map(str::to_owned).collect();
        let others = |path: &str| {
            let beside = case.beside.iter().find(|(known, _)| known == path);
            beside.map(|(_, text)| text.clone())
        };
        let files = case.files();
        let exports = judge_exports(&contexts, &files, before, &allowed, &others, &|_, _| true);
        let mut lines = Vec::new();
        for export in &exports.verdicts {
            let verdict = match export.verdict {
                ExportStatus::Kept => "kept",
                ExportStatus::Moved => "moved",
                ExportStatus::Lost => "lost",
                ExportStatus::NeverThere => "never there",
            };
            lines.push(format!("{} {}: {verdict}\n", export.path, export.name));
        }
        lines.extend(exports.warnings.iter().map(|line| format!("warning: {line}\n")));
        lines.concat()
    });
}

/// `regex PATTERN | TEXT`, `rule NAME | TEXT`, `pattern PATTERN | TEXT`, or text alone.
fn idiom(line: &str) -> Idiom {
    let Some((rule, text)) = line.split_once(" | ") else {
        return Idiom::prose(line);
    };
    let (word, value) = rule.split_once(' ').unwrap();
    let value = Some(value.to_owned());
    let mut idiom = Idiom::prose(text);
    match word {
        "regex" => idiom.regex = value,
        "rule" => idiom.rule = value,
        "pattern" => idiom.pattern = value,
        // `python:print($X)`
        "in" => {
            let (language, pattern) = value.as_deref().unwrap().split_once(':').unwrap();
            idiom.language = Some(language.to_owned());
            idiom.pattern = Some(pattern.to_owned());
        }
        other => panic!("{other}"),
    }
    idiom
}

#[test]
fn idioms_are_satisfied_violated_or_undecidable() {
    check_folder("idioms", "txt", "verdicts", judged);
}

#[cfg(feature = "structural")]
#[test]
fn structural_rules_read_code_and_not_its_text() {
    check_folder("structures", "txt", "verdicts", judged);
}

/// The verdicts of a case on its idioms, a line each.
fn judged(text: &str) -> String {
    let case = Case::parse(text);
    let idioms = Idioms {
        framework: case.all("framework").next().map(str::to_owned),
        required: case.all("required").map(idiom).collect(),
        forbidden: case.all("forbidden").map(idiom).collect(),
    };
    if let Err(why) = check_rules(&idioms, &Rules::default()) {
        return format!("invalid: {why}\n");
    }
    let verdicts = judge_idioms(&idioms, &case.files(), &Rules::default());
    let mut lines = Vec::new();
    for verdict in &verdicts {
        let status = match verdict.verdict {
            IdiomStatus::Satisfied => "satisfied",
            IdiomStatus::Violated => "violated",
            IdiomStatus::NotApplicable => "not applicable",
            IdiomStatus::Undecidable => "undecidable",
        };
        lines.push(format!("{} `{}`: {status}", verdict.kind, verdict.text));
        for place in &verdict.places {
            let age = if place.new { "new" } else { "old" };
            lines.push(format!("  {}:{}:{} {age}", place.path, place.line, place.column));
        }
        lines.extend(verdict.note.iter().map(|note| format!("  note: {note}")));
    }
    let warnings = idiom_warnings(&verdicts);
    lines.extend(warnings.iter().map(|line| format!("warning: {line}")));
    lines.join("\n") + "\n"
}

#[test]
fn a_verdict_has_the_shape_that_is_promised() {
    let idioms = Idioms {
        framework: None,
        required: vec![],
        forbidden: vec![idiom("regex print | no print")],
    };
    let file = FileText { path: "a.py", before: None, after: Some("x = 1\nprint(x)\n") };
    let verdicts = judge_idioms(&idioms, &[file], &Rules::default());
    let expected = serde_json::json!([{
        "kind": "forbidden", "text": "no print", "rule": null, "verdict": "violated",
        "places": [{"path": "a.py", "line": 2, "column": 1, "new": true}], "note": null,
    }]);
    assert_eq!(serde_json::to_value(verdicts).unwrap(), expected);
}

#[test]
fn exports_that_cannot_be_read_are_not_taken_for_kept() {
    let context = CodeContext {
        path: Some("a.py".to_owned()),
        exports: "f()".to_owned(),
        ..CodeContext::default()
    };
    let plain = "def f(): pass\n";
    let deep = format!("{plain}x = {}1\n", "-".repeat(1 << 20));
    for (before, after, expected) in [
        (plain, deep.as_str(), ExportStatus::Lost),
        (deep.as_str(), plain, ExportStatus::Kept),
        (deep.as_str(), "", ExportStatus::Lost),
    ] {
        let file = FileText { path: "a.py", before: Some(before), after: Some(after) };
        let exports = judge_exports(
            std::slice::from_ref(&context),
            &[file],
            Before::Known,
            &[],
            &|_| None,
            &|_, _| true,
        );
        assert_eq!(exports.verdicts[0].verdict, expected);
        assert_eq!(exports.warnings, ["a.py nests too deeply for its exports to be read"]);
    }
}

#[test]
fn a_long_sum_is_read_without_harm() {
    let context = CodeContext {
        path: Some("a.py".to_owned()),
        exports: "x, y".to_owned(),
        ..CodeContext::default()
    };
    let text = format!("x = {}1\ny = 2\n", "1 + ".repeat(2_400));
    let file = FileText { path: "a.py", before: Some(&text), after: Some(&text) };
    let exports = judge_exports(&[context], &[file], Before::Known, &[], &|_| None, &|_, _| true);
    let kept = exports.verdicts.iter().filter(|one| one.verdict == ExportStatus::Kept);
    assert_eq!(kept.count(), 2);
}
