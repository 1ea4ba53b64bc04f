//! Which files are about tests, by their paths.

use ftl_analysis::test_code::{is_about_tests, is_test_file};

use crate::cases::rows;

#[test]
fn files_are_about_tests_by_their_names() {
    for [kind, path] in rows("paths.tsv") {
        assert_eq!(is_test_file(&path), kind == "test", "{path}");
        let is_about = matches!(kind.as_str(), "test" | "about tests");
        assert!(kind == "no test" || is_about_tests(&path) == is_about, "{path}");
    }
}
