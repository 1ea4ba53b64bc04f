//! A run of the verify command in a record: written, and read back.

use ftl_machine::event::Verification;
use ftl_model::{Finding, RunFailure};
use ftl_xml::{Element, ElementRef};

use crate::result::VerifyResult;

/// Bytes of the failures of one verify that a record holds.
const ROOM: usize = 64 << 10;

/// The element of a record. What a verify printed that passed is there as its summary line and digest.
pub(super) fn element(verify: &Verification) -> Element {
    let element = Element::new("verified")
        .attribute("passed", verify.passed)
        .attribute("timed_out", verify.timed_out)
        .attribute("duration_ms", verify.duration_ms)
        .optional("exit", verify.exit)
        .optional("signal", verify.signal)
        .optional("log", verify.log.as_ref())
        .optional("log_sha256", verify.log_sha256);
    let mut room = ROOM;
    let fits = |failure: &&RunFailure| {
        let length = failure.message.len() + failure.detail.as_ref().map_or(0, String::len);
        room = room.saturating_sub(length + 200);
        room > 0
    };
    let failures: Vec<&RunFailure> = verify.failures.iter().take_while(fits).collect();
    let more = verify.failures.len() - failures.len() + verify.more_failures;
    let printed = match (verify.passed, &verify.summary) {
        (true, Some(summary)) => Some(Element::new("summary").text(summary)),
        (true, None) => None,
        (false, _) => Some(Element::new("output").text(&verify.output)),
    };
    let findings = verify.findings.iter();
    element
        .optional("more_failures", (more > 0).then_some(more))
        .child(Element::new("command").text(&verify.command))
        .children(failures.into_iter().map(failed))
        .children(printed)
        .children(findings.map(|finding| Element::new("finding").text(finding.as_str())))
}

fn failed(failure: &RunFailure) -> Element {
    let detail = failure.detail.iter().map(|detail| Element::new("detail").text(detail));
    Element::new("failed")
        .optional("test", failure.test.as_ref())
        .optional("path", failure.path.as_ref())
        .optional("line", failure.line)
        .child(Element::new("message").text(&failure.message))
        .children(detail)
}

/// What the element of a record says. Whatever it lacks is empty: an older ftl may have written it.
pub(crate) fn result(element: ElementRef<'_, '_>) -> VerifyResult {
    let number = |name: &str| element.parsed(name);
    let findings = element.children_named("finding").filter_map(text);
    VerifyResult {
        command: element.child_text("command").unwrap_or_default(),
        exit: number("exit"),
        signal: number("signal"),
        timed_out: element.string("timed_out").as_deref() == Some("true"),
        duration_ms: element.parsed("duration_ms").unwrap_or(0),
        output: element
            .child_text("output")
            .or_else(|| element.child_text("summary"))
            .unwrap_or_default(),
        log: element.string("log"),
        failures: element.children_named("failed").map(failure).collect(),
        more_failures: element.parsed("more_failures").unwrap_or(0),
        excerpt: String::new(),
        findings: findings.filter_map(|word| Finding::named(&word)).collect(),
    }
}

fn failure(element: ElementRef<'_, '_>) -> RunFailure {
    RunFailure {
        test: element.string("test"),
        path: element.string("path"),
        line: element.parsed("line"),
        message: element.child_text("message").unwrap_or_default(),
        detail: element.child_text("detail"),
    }
}

fn text(element: ElementRef<'_, '_>) -> Option<String> {
    Some(element.text()?.into_owned())
}

#[cfg(test)]
mod tests {
    use ftl_machine::event::Verification;
    use ftl_model::{Finding, RunFailure};
    use ftl_xml::{Seal, read, seal};

    use super::{element, result};

    /// The verify as it is read back from a record.
    fn read_back(verify: &Verification) -> crate::result::VerifyResult {
        let run = ftl_xml::Element::new("run").child(element(verify));
        let ending = Seal {
            status: ftl_model::Status::Blocked,
            at: "2026".into(),
            delivered: String::new(),
            utilized: Vec::new(),
            run,
        };
        let record = seal(&read(b"<workspace status='active'/>").unwrap(), &ending);
        let document = read(&record).unwrap();
        let run = document.root().child("run").unwrap();
        result(run.child("verified").unwrap())
    }

    fn failures(count: u32) -> Vec<RunFailure> {
        let failure = |line| RunFailure {
            test: Some(format!("tests/test_a.py::test_b[<{line}>]")),
            path: Some("tests/test_a.py".into()),
            line: Some(line),
            message: "assert 1 == 2\n  +  where 1 = f()\n\t& more".into(),
            detail: (line % 2 == 0).then(|| "    assert f() == 2".to_owned()),
        };
        (0..count).map(failure).collect()
    }

    #[test]
    fn a_failed_verify_is_read_back_with_its_failures() {
        let mut failures = failures(3);
        failures.push(RunFailure { message: "no test at all".into(), ..RunFailure::default() });
        let verify = Verification {
            command: "pytest -q".into(),
            exit: Some(1),
            output: "F\nassert 1 == 2\n".into(),
            failures,
            more_failures: 4,
            findings: vec![Finding::TestsChanged],
            ..Verification::default()
        };
        let read = read_back(&verify);
        assert_eq!(read.failures, verify.failures);
        assert_eq!((read.more_failures, read.exit), (4, Some(1)));
        assert_eq!((read.output, read.findings), (verify.output, verify.findings));
    }

    #[test]
    fn failures_beyond_what_a_record_holds_are_counted() {
        let mut failures = failures(100);
        for failure in &mut failures {
            failure.message = "x".repeat(2_000);
        }
        let read =
            read_back(&Verification { failures, more_failures: 7, ..Verification::default() });
        assert!(read.failures.len() > 10 && read.failures.len() < 40, "{}", read.failures.len());
        assert_eq!(read.failures.len() + read.more_failures, 107);
    }

    #[test]
    fn of_a_verify_that_passed_the_summary_alone_is_kept() {
        let passed = Verification {
            passed: true,
            exit: Some(0),
            output: "...\n3 passed in 0.1s\n".repeat(100),
            summary: Some("3 passed in 0.1s".into()),
            log_sha256: Some(ftl_model::Digest::of(b"x")),
            ..Verification::default()
        };
        assert_eq!(read_back(&passed).output, "3 passed in 0.1s");
    }
}
