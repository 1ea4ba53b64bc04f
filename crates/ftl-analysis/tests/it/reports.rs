//! Reports that real runners wrote of projects with several faults, in `cases/reports`, and what they give beside the
//! runners' outputs. Names in `labels.tsv` are those by which the runner takes a test.

use std::collections::{BTreeMap, BTreeSet};

use ftl_analysis::failures::{FoundFailure, failures, reported, with_reported};

use crate::cases::{read_case, texts};

/// Each report's tests with their places.
fn labels() -> BTreeMap<String, Vec<(String, Vec<String>)>> {
    let mut labels: BTreeMap<String, Vec<_>> = BTreeMap::new();
    for row in read_case("reports/labels.tsv").lines() {
        let columns: Vec<&str> = row.split('\t').collect();
        let places = columns[2].split('|').filter(|it| *it != "-").map(str::to_owned).collect();
        labels.entry(columns[0].to_owned()).or_default().push((columns[1].to_owned(), places));
    }
    labels
}

/// Which titles are put together by which sign is the reporter's own affair.
fn words(name: &str) -> Vec<String> {
    let words = name.split(|c: char| !c.is_alphanumeric() && !"#:.".contains(c));
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

fn read(name: &str, text: &str) -> Vec<FoundFailure> {
    let labels = labels();
    let places = labels[name].iter().flat_map(|(_, places)| places);
    let files: BTreeSet<&str> = places.filter_map(|it| Some(it.rsplit_once(':')?.0)).collect();
    reported(text, "", |path| files.contains(path))
}

#[test]
fn a_report_gives_the_tests_that_failed_and_where() {
    let labels = labels();
    let all = [texts("reports", "xml"), texts("reports", "json")].concat();
    assert!(all.len() >= 15);
    let mut wrong = Vec::new();
    for (name, text) in all {
        let found = read(&name, &text);
        let names: BTreeSet<Vec<String>> =
            found.iter().map(|it| words(it.failure.test.as_deref().unwrap())).collect();
        let wanted: BTreeSet<Vec<String>> =
            labels[&name].iter().map(|(test, _)| words(test)).collect();
        if names != wanted {
            wrong.push(format!("{name}: {names:?}, not {wanted:?}"));
        }
        for (test, places) in labels[&name].iter().filter(|(_, places)| !places.is_empty()) {
            let of = |it: &&FoundFailure| words(it.failure.test.as_deref().unwrap()) == words(test);
            let Some(failure) = found.iter().find(of).map(|it| &it.failure) else { continue };
            let place = format!(
                "{}:{}",
                failure.path.as_deref().unwrap_or_default(),
                failure.line.unwrap_or_default()
            );
            if !places.iter().any(|it| place.ends_with(it.as_str())) || failure.message.is_empty() {
                wrong.push(format!("{name}: {test} at {place}: {}", failure.message));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_report_adds_nothing_that_the_output_has_and_all_that_it_has_not() {
    for (report, output) in [
        ("gotestsum", "go-json.printed-mixed"),
        ("gtest", "gtest.printed-mixed"),
        ("junit", "junit.printed-mixed"),
        ("bun", "bun.printed-mixed"),
        ("phpunit", "phpunit-testdox.printed-mixed"),
    ] {
        let text = read_case(&format!("failures/corpus/{output}.txt"));
        let (command, output) = text.split_once('\n').unwrap();
        let found = failures(output, command);
        let reported = read(report, &read_case(&format!("reports/{report}.xml")));
        assert_eq!(with_reported(found.clone(), reported.clone()), found, "{report}");
        assert_eq!(with_reported(failures("boom\n", ""), reported.clone()), reported, "{report}");
    }
}

#[test]
fn a_text_that_is_no_report_gives_nothing_and_ends_nothing() {
    let deep = "<testsuite>".repeat(200_000);
    let nameless = "<testcase><failure/></testcase><testsuite/><error/>";
    assert_eq!(reported(&format!("<testsuites/>{nameless}"), "", |_| false).len(), 1);
    for text in ["", "{}", "[1]", "<html><p>", "<a/>", &deep, &"[".repeat(200_000)] {
        assert_eq!(reported(text, "", |_| true), []);
    }
}
