//! Commands that hide failures, and commands of real projects that do not.

use ftl_analysis::findings::{masked_exit, may_hide_failure};

#[test]
fn every_way_to_hide_a_failure_is_tried_and_the_plain_ones_are_named() {
    let hiding: Vec<&str> = include_str!("../cases/masked/hiding.txt").lines().collect();
    assert!(hiding.len() >= 60, "{}", hiding.len());
    let missed: Vec<&&str> = hiding.iter().filter(|command| !may_hide_failure(command)).collect();
    assert!(missed.is_empty(), "{missed:#?}");
    let named = hiding.iter().filter_map(|command| masked_exit(command));
    assert!(named.count() > 50);
}

#[test]
fn an_honest_command_is_left_alone() {
    for command in [
        "pytest -q",
        "true",
        "echo ok",
        "cd app && pytest && echo ok",
        "cd app; pytest",
        "pytest # || true",
        "pytest -k 'a || true'",
        "pytest -k \"; true\"",
        "pytest || exit 1",
        "pytest || (cat log; exit 1)",
        "pytest || { cat log; exit 1; }",
        "set -e; pytest; echo done",
        "set -euo pipefail\npytest | tee log\necho done",
        "set -o pipefail; pytest | tee log",
        "bash -o pipefail -c 'pytest | tee log'",
        "bash -eo pipefail -c 'pytest | tee log; echo done'",
        "./check.sh | grep -q OK",
        "./tool < in | diff - expected",
        "./tool | cmp - expected",
        "pytest -q | diff - expected",
        "tape test/*.js | tap-spec",
        "go test -json ./... | tparse -all",
        "pytest; exit $?",
        "pytest; rc=$?; cat log; exit $rc",
        "pytest; code=$?; test $code -eq 0",
        "pytest | tee log; exit ${PIPESTATUS[0]}",
        "pytest || FAILED=1; exit $FAILED",
        "pytest & wait $!",
        "pytest 2>&1",
        "pytest > log 2>&1",
        "pytest > /dev/null 2>&1",
        "server & pytest",
        "trap 'kill $PID' EXIT; server & PID=$!; pytest",
        "test \"$(cat x || true)\" = 1",
        "test \"$(./tool)\" = 1",
        "for f in *; do echo $f || true; done",
        "for f in *; do bash -n $f || exit 1; done",
        "for i in 1 2 3; do pytest && break; sleep 1; done; pytest",
        "if ! pytest; then echo bad; exit 1; fi",
        "if [ -f x ]; then pytest; fi",
        "[ -n \"$CI\" ] || pytest",
        "until curl -s localhost; do sleep 1; done; pytest",
        "mkdir -p build && cd build && cmake .. && make && ctest",
        "which jest || npm install; jest",
        "rm -rf build || true; pytest",
        "python - <<'X'\nprint(1)\nX",
        "out=$(./tool) && test \"$out\" = x",
        "find . -name '*.sh' | xargs shellcheck",
        "find . -name '*.sh' -exec shellcheck {} +",
        "bash -n run.sh",
        "! grep -rn TODO src",
        "pytest 'open",
        "",
        " ; ",
        &"(".repeat(1 << 20),
    ] {
        assert_eq!(masked_exit(command), None, "{command}");
    }
}

/// The commands are from CI workflows and `scripts` of package.json, with the project before them. Scripts of several
/// lines have the `set -e` with which their runner starts them.
#[test]
fn no_command_of_a_real_project_is_taken_for_one_that_hides_failures() {
    let rows = include_str!("../cases/masked/honest.tsv").lines();
    let commands: Vec<String> =
        rows.map(|row| unescaped(row.split_once('\t').unwrap().1)).collect();
    assert!(commands.len() >= 300, "{}", commands.len());
    let wrong: Vec<String> = commands
        .iter()
        .filter_map(|command| Some(format!("{command}\n  => {:?}", masked_exit(command)?)))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Line ends are written `\n`, backslashes twice.
fn unescaped(text: &str) -> String {
    let mut characters = text.chars();
    let mut found = String::new();
    while let Some(character) = characters.next() {
        match character {
            '\\' => found.extend(characters.next().map(|it| if it == 'n' { '\n' } else { it })),
            other => found.push(other),
        }
    }
    found
}
