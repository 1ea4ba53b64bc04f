//! The names of Python's unittest, and of runners built on it.

use regex::Captures;

/// The name of a heading `FAIL: test_x (module.Class.test_x)`.
pub(super) fn name(parts: &Captures<'_>) -> Option<String> {
    Some(dotted(&parts["name"], parts.name("within").map(|it| it.as_str())))
}

/// The dotted name: newer Pythons have it in parentheses, older ones only its class; of a class or a module that failed
/// as a whole its own.
fn dotted(method: &str, within: Option<&str>) -> String {
    let Some(within) = within else { return method.to_owned() };
    if within.starts_with("unittest.loader.") || within.starts_with("django.test.runner.") {
        return method.to_owned();
    }
    // nose2 has separate classes for what it could not load.
    if let Some(failed) = within.strip_prefix("nose2.loader.ModuleImportFailure.") {
        let half = failed.len() / 2;
        return failed.split_at(half).0.to_owned();
    }
    match within.rsplit('.').next() {
        Some(last)
            if last == method || method.starts_with("setUp") || method.starts_with("tearDown") =>
        {
            within.to_owned()
        }
        _ => format!("{within}.{method}"),
    }
}

#[cfg(test)]
mod tests {
    use super::dotted;

    #[test]
    fn a_name_is_dotted_in_every_version() {
        for (method, within, expected) in [
            ("test_x", Some("tests.test_a.A.test_x"), "tests.test_a.A.test_x"),
            ("test_x", Some("tests.test_a.A"), "tests.test_a.A.test_x"),
            ("setUpClass", Some("tests.test_a.A"), "tests.test_a.A"),
            ("tests.test_a", Some("unittest.loader._FailedTest.tests.test_a"), "tests.test_a"),
        ] {
            assert_eq!(dotted(method, within), expected);
        }
    }
}
