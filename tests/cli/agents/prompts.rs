//! What agents are asked, in prose.

use std::fs;

use super::sessions::{IN_STEPS, in_steps};
use super::{build, project_with, prompt};
use crate::support::STATE;

#[test]
fn a_test_that_is_shown_whole_is_not_shown_twice() {
    let project = project_with("pi", "cat >/dev/null; sed -i 's/a - b/a + b/' calc.py");
    project.write(
        "test_calc.py",
        "# a test\nimport calc\n\n\ndef test_add():\n    assert calc.add(2, 3) == 5\n",
    );
    let words = [
        "new",
        "Repair",
        "--delta",
        "calc.py",
        "--delta",
        "test_calc.py",
        "--verify-source",
        "test_calc.py",
    ];
    project.ftl(words.iter().chain(&["--verify", "grep -q 'a + b' calc.py test_calc.py"])).ends(0);
    project.ftl(["build", "2", "--agent", "pi"]).ends(0);
    let text = project.text(".ftl/runs/002_repair/1/requests/1/prompt.md");
    assert_eq!(text.matches("def test_add").count(), 1, "{text}");
    assert!(text.contains("\nKeep its exports: add()\n"), "{text}");
}

/// Where the prompts are kept that agents get, one a phase.
const PROMPTS: &str = "tests/inputs/prompts";

/// The text with `WORKPLACE` for the path of a workplace, which the name of its project is in.
fn of_any_workplace(text: &str) -> String {
    let workplaces = format!("{STATE}/ftl/workplaces/");
    let mut parts = text.split(&workplaces);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |all, part| {
        let (key, rest) = part.split_once("/0/copy/tree").unwrap();
        assert!(key.len() == 16 && key.bytes().all(|byte| byte.is_ascii_hexdigit()), "{key}");
        all + "WORKPLACE" + rest
    })
}

/// The prompts, kept word for word so that a change of one shows here. `FTL_WRITE_PROMPTS=1` writes the files again.
#[test]
fn each_phase_has_its_prompt() {
    let restarted = format!(
        "case \"$*\" in *resume*) cat >/dev/null; echo 'no rollout found for thread'; exit 1;; esac\n{IN_STEPS}"
    );
    for (script, kind) in [(IN_STEPS, "session"), (&restarted, "restarted")] {
        let project = in_steps(script);
        build(&project, &["--agent", "codex", "--checker", "embedded", "--isolate", "copy"])
            .ends(0);
        for (request, phase) in [(1, "implement"), (2, "fix-syntax"), (3, "apply-fix")] {
            let text = of_any_workplace(&prompt(&project, request));
            // The agent works in the copy, and knows of no other place.
            assert!(!text.contains(&*project.path().to_string_lossy()), "{text}");
            let path = ftl_testkit::root().join(PROMPTS).join(format!("{phase}-{kind}.md"));
            if std::env::var_os("FTL_WRITE_PROMPTS").is_some() {
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(&path, &text).unwrap();
            }
            let expected = fs::read_to_string(&path).unwrap();
            assert_eq!(text, expected, "{}", path.display());
        }
    }
}
