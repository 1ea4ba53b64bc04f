//! Results, written into a record and read back.

use ftl_model::{Digest, Status};
use ftl_store::Layout;
use ftl_xml::{Seal, read, seal};
use serde_json::{Value, json};

use super::{RecordedRun, account, element};
use crate::project::WorkspaceFile;
use crate::result::{BuildResult, RunAccount};

const PATH: &str = ".ftl/workspace/001_a-b_blocked.xml";

/// A verify that failed.
fn verify() -> Value {
    json!({
        "command": "pytest -q", "exit": 1, "signal": null, "timed_out": true,
        "duration_ms": 1234, "output": "F\nassert 1 == 2\n", "log": ".ftl/runs/verify-1.log",
        "failures": [
            {
                "test": "tests/test_a.py::test_b[<1>]", "path": "tests/test_a.py", "line": 2,
                "message": "assert 1 == 2\n  +  where 1 = f()\n\t& more",
                "detail": "    assert f() == 2",
            },
            {"test": null, "path": null, "line": null, "message": "no test", "detail": null},
        ],
        "more_failures": 4, "findings": ["tests_changed"],
    })
}

/// The tests as they were, one of which failed.
fn evidence() -> Value {
    json!({
        "before": "failed", "old_tests": "failed", "broken": null,
        "failures": [{
            "test": "T::test_<b>", "path": "tests/test_a.py", "line": 12,
            "message": "assert x == 1\n  & more", "detail": null,
        }],
        "error": "assert x == 1", "log": ".ftl/runs/old-tests-1.log",
    })
}

/// A result with something in every field that a record holds.
fn full() -> BuildResult {
    let digest = String::from(Digest::of(b"x"));
    let at = |line: u64| json!({"path": "src/a.py", "line": line, "column": 3, "new": true});
    let result = json!({
        "v": 1, "run": "001_a-b/3", "id": "001_a-b", "workspace": PATH, "outcome": "blocked",
        "states": ["READ", "PLAN", "IMPLEMENT", "PREFLIGHT", "VERIFY", "BLOCK"],
        "budget": {"total": 12, "used": 9}, "attempt": 2,
        "duration_ms": 4000, "usage": {"tokens": 4, "cost": 0.25},
        "delivered": "BLOCKED: <b> & \"c\"\nTried: a fix\nUnknown: why",
        "block": {
            "kind": "discovery_needed", "error": "E  assert 1 == 2", "tried": ["a fix"],
            "unknown": "why", "discovery": "the cause", "reproduce": "pytest -q \"a b\"",
            "near": [], "failure": null, "last_lines": [], "log": null,
        },
        "files": [
            {"path": "src/a.py", "change": "modified", "sha256": digest},
            {"path": "src/b.py", "change": "deleted", "sha256": null},
        ],
        "strays": ["notes.txt", "a b"], "quarantine": ".ftl/quarantine/001_a-b/3",
        "allowed": ["docs/c.md"], "isolation": "bind",
        "implementer": {
            "kind": "agent", "name": "claude", "command": "claude -p <x>", "worker": "w1",
            "version": "2.0", "model": "m", "cost_usd": 0.25, "calls": 7,
            "tokens": {"input": 1, "cached": 2, "output": 3}, "said": "done\nall of it",
        },
        "base": {"commit": "0123456789", "branch": "main"}, "scratch": [],
        "preflight": [
            {
                "path": "src/a.py", "checker": "python", "status": "invalid", "attempts": 2,
                "diagnostics": [{
                    "severity": "error", "message": "expected `:`\n  here", "line": 4, "column": 7,
                    "end_line": 4, "end_column": 7, "start": 0, "end": 0, "code": null,
                    "checker": "python",
                }],
            },
            {
                "path": "b.kt", "checker": "none", "status": "unchecked", "attempts": 0,
                "diagnostics": [], "reason": "no checker for `.kt`",
            },
            {
                "path": "ruff check .", "checker": "command", "status": "invalid", "attempts": 1,
                "diagnostics": [], "reason": "a.py:1: F401",
            },
        ],
        "verify": [verify()],
        "evidence": evidence(),
        "retry": {"count": 1, "max": 2, "failure": "stale-cache", "rationale": "the same line"},
        "quality": {
            "enforced": true, "detected": "flask",
            "idioms": [{
                "kind": "forbidden", "text": "no print", "rule": "python/print",
                "verdict": "violated", "places": [at(3), at(9)], "note": "use logging",
                "severity": "warning",
            }, {
                "kind": "required", "text": "be kind", "rule": null,
                "verdict": "undecidable", "places": [], "note": null,
            }],
            "exports": [{"path": "src/a.py", "name": "f()", "verdict": "lost"}],
        },
        "utilized": [], "warnings": ["one", "two\nlines"], "next": [],
    });
    let mut result: BuildResult = serde_json::from_value(result).unwrap();
    result.verify[0].log_sha256 = Some(Digest::of(b"log"));
    result
}

/// The run as it is read back from the record of a task.
fn read_back(result: &BuildResult) -> RunAccount {
    let run = RecordedRun {
        result,
        began_at: "2026-01-18T01:30:56Z".into(),
        ended_at: "2026-01-18T01:31:00Z",
        workspace: Digest::of(b"task"),
        base: None,
        sealed_at: None,
        is_checked: false,
        tried: result.block.iter().flat_map(|block| &block.tried).cloned().collect(),
        diff: None,
        take_in: String::new(),
    };
    let ending = Seal {
        status: Status::Blocked,
        at: "2026".into(),
        delivered: String::new(),
        utilized: Vec::new(),
        run: element(&run),
    };
    let record = seal(&read(b"<workspace status='active'/>").unwrap(), &ending);
    let document = read(&record).unwrap();
    let task = WorkspaceFile {
        path: PATH.into(),
        name: "001_a-b_blocked.xml".parse().unwrap(),
        layout: Layout::new("."),
    };
    account(document.root().child("run").unwrap(), &task)
}

#[test]
fn a_result_is_read_back_from_its_record() {
    let written = full();
    let read = read_back(&written);
    assert_eq!(read.result, written);
    assert_eq!(read.number, Some(3));
    assert_eq!(read.version, env!("CARGO_PKG_VERSION"));
    assert_eq!(read.began_at.as_deref(), Some("2026-01-18T01:30:56Z"));
    assert_eq!(read.ended_at.as_deref(), Some("2026-01-18T01:31:00Z"));
    let states: Vec<_> = read.timeline.iter().map(|step| step.state).collect();
    assert_eq!(states, written.states);
}

/// The full result with some of its JSON replaced, read back from its record.
fn changed(changes: &[(&str, Value)]) -> BuildResult {
    let mut value = serde_json::to_value(full()).unwrap();
    for (path, change) in changes {
        *value.pointer_mut(&format!("/{path}")).unwrap() = change.clone();
    }
    read_back(&serde_json::from_value(value).unwrap()).result
}

#[test]
fn failures_beyond_what_a_record_holds_are_counted() {
    let failure =
        json!({"test": "t", "path": null, "line": 1, "message": "x".repeat(2_000), "detail": null});
    let read = changed(&[
        ("verify/0/failures", vec![failure; 100].into()),
        ("verify/0/more_failures", 7.into()),
    ]);
    let verify = &read.verify[0];
    assert!((11..40).contains(&verify.failures.len()), "{}", verify.failures.len());
    assert_eq!(verify.failures.len() + verify.more_failures, 107);
}

#[test]
fn a_verify_that_passed_is_kept_as_its_summary() {
    let mut result = full();
    let verify = &mut result.verify[0];
    (verify.passed, verify.exit, verify.timed_out) = (true, Some(0), false);
    verify.output = "...\n3 passed in 0.1s\n".repeat(100);
    verify.summary = Some("3 passed in 0.1s".into());
    let read = read_back(&result);
    assert_eq!(read.result.verify[0].output, "3 passed in 0.1s");
    assert!(read.result.verify[0].passed);
}

#[test]
fn exports_that_are_kept_and_old_places_of_idioms_are_left_out() {
    let kept = json!({"path": "src/a.py", "name": "g", "verdict": "kept"});
    let old = json!({"path": "src/a.py", "line": 1, "column": 1, "new": false});
    let read = changed(&[
        ("quality/exports", vec![kept; 3].into()),
        ("quality/idioms/0/places", vec![old].into()),
    ]);
    assert!(read.quality.exports.is_empty());
    assert!(read.quality.idioms[0].places.is_empty());
}

#[test]
fn paths_beyond_what_a_record_holds_are_left_out() {
    let strays: Vec<String> = (0..2_000).map(|n| format!("{n:0>200}")).collect();
    let read = changed(&[("strays", strays.clone().into())]);
    assert!((1_000..1_500).contains(&read.strays.len()), "{}", read.strays.len());
    assert_eq!(read.strays, strays[..read.strays.len()]);
}
