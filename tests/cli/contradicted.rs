//! Exit codes that the output contradicts: a block by default, a warning where the configuration says so.

use serde_json::{Value, json};

use crate::support::Project;

const AGENT: &str = "echo work >>notes.txt";

fn build(verify: &str, configuration: &str) -> Value {
    let project = Project::empty();
    project.write("notes.txt", "before\n");
    project.write("ftl.toml", configuration);
    let verify = verify.replace('&', "&amp;").replace('<', "&lt;");
    let task = format!(
        "<workspace status=\"active\"><implementation><delta>notes.txt</delta><verify>{verify}</verify>\
         </implementation><delivered/></workspace>\n"
    );
    project.write(".ftl/workspace/001_a_active.xml", task);
    let words = ["build", "001", "--format", "json", "--agent", AGENT];
    project.ftl(words).json()
}

#[test]
fn what_the_output_contradicts_blocks_by_default() {
    for (verify, finding) in [
        ("printf '1 failed, 2 passed in 0.03s\\n'", "failed_anyway"),
        ("printf 'FAIL\\texample.com/shop\\t0.01s\\n' | cat", "failed_anyway"),
        ("false || echo FAIL", "failed_anyway"),
        ("if ! false; then echo BROKEN; fi", "failed_anyway"),
        ("false; echo \"exit code $?\"", "failed_anyway"),
        ("echo 'no tests ran in 0.01s'", "no_tests"),
        ("printf 'Ran 2 tests in 0.000s\\n\\nOK (skipped=2)\\n'", "no_tests"),
    ] {
        let said = build(verify, "");
        assert_eq!(said["block"]["kind"], "verify_untrusted", "{verify}: {said:#}");
        let findings = said["verify"][0]["findings"].as_array().unwrap();
        assert!(findings.contains(&json!(finding)), "{verify}: {said:#}");
        let trusting = build(verify, "[verify]\nuntrusted = []\n");
        assert_eq!(trusting["outcome"], "complete", "{verify}: {trusting:#}");
    }
}

#[test]
fn words_of_failure_that_a_program_prints_do_not_count() {
    for verify in [
        "echo FAIL; echo '2 failed logins were rejected'; echo 'ERROR: 3 errors'",
        "printf 'FAIL\\n3 passed in 0.03s\\n'",
        "true || echo FAIL",
        "printf 'not ok 1 - later # TODO\\nok 2 - now\\n'",
    ] {
        let said = build(verify, "");
        assert_eq!(said["outcome"], "complete", "{verify}: {said:#}");
        let findings = said["verify"][0]["findings"].as_array().unwrap();
        assert!(!findings.contains(&json!("failed_anyway")), "{said:#}");
    }
}
