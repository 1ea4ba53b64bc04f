//! A later request of a run goes on with the agent's session, or starts a new one.

use std::fs;

use super::{TASK, build, project_with, prompt};
use crate::support::Project;

/// An agent that forgets a bracket, multiplies when asked again, and adds in the end.
pub(in crate::cli) const IN_STEPS: &str = r#"cat >"$0.prompt"; echo "$*" >>"$0.args"; echo x >>"$0.count"
n=$(wc -l <"$0.count")
echo '{"type":"thread.started","thread_id":"t-1"}'
case $n in
1) printf 'def add(a, b:\n    return a + b\n' >calc.py ;;
2) printf 'def add(a, b):\n    return a * b\n' >calc.py ;;
3) printf 'def add(a, b):\n    return a + b\n' >calc.py ;;
esac
echo '{"type":"item.completed","item":{"id":"m","type":"agent_message","text":"Step '$n'"}}'
echo '{"type":"turn.completed","usage":{"input_tokens":'$n'00,"cached_input_tokens":0,"output_tokens":'$n'}}'"#;

/// A project whose verify names the known failure.
pub(in crate::cli) fn in_steps(script: &str) -> Project {
    let project = project_with("codex", script);
    let path = format!(".ftl/workspace/{TASK}");
    let task = project.text(&path);
    let verify = "grep -q 'a + b' calc.py || { echo 'Error: no sum here'; exit 1; }";
    let task = task.replace("grep -q 'a + b' calc.py", verify);
    let task = task.replace(
        "<prior_knowledge>",
        "<code_context path=\"calc.py\"><content>what the planner saw</content></code_context><prior_knowledge>",
    );
    project.write(path, task);
    project
}

#[test]
fn a_syntax_fix_and_a_known_fix_go_on_with_the_session_and_count_their_own_share() {
    let project = in_steps(&IN_STEPS.replace("$0.args", "$OUT/args"));
    let built = build(&project, &["--agent", "codex"]).ends(0);
    let args = fs::read_to_string(project.outside("args")).unwrap();
    let calls: Vec<&str> = args.lines().collect();
    assert_eq!(calls.len(), 3, "{calls:?}");
    assert!(!calls[0].contains("resume"), "{calls:?}");
    assert!(
        calls[1..].iter().all(|call| call.starts_with("exec resume ") && call.ends_with(" t-1 -")),
        "{calls:?}"
    );
    // The whole session's tokens are 100, 200 and 300: the task's are those of the last.
    let reported = &built.json()["implementer"];
    assert_eq!(reported["tokens"]["input"], 300, "{reported}");
    assert_eq!(reported["said"], "Step 3");
    let (syntax, known) = (prompt(&project, 2), prompt(&project, 3));
    for text in [&syntax, &known] {
        assert!(!text.contains("planner") && !text.contains("Fix the sum"), "{text}");
        assert!(text.contains("The task is the same"), "{text}");
    }
    assert!(
        syntax.contains("calc.py:1:") && syntax.contains("This request costs nothing"),
        "{syntax}"
    );
    assert!(known.contains("Add, and do not multiply") && known.contains("no sum here"), "{known}");
}

#[test]
fn a_session_that_can_not_go_on_starts_again_with_all_that_it_has_to_know() {
    let script = format!(
        "case \"$*\" in *resume*) cat >/dev/null; echo 'no rollout found for thread'; exit 1;; esac\n{IN_STEPS}"
    );
    let project = in_steps(&script);
    let built = build(&project, &["--agent", "codex"]).ends(0);
    assert!(built.stderr.contains("began a new one"), "{built:#?}");
    let request = prompt(&project, 2);
    for part in
        ["Fix the sum", "as it is now", "def add(a, b:", "What was done so far", "+def add(a, b:"]
    {
        assert!(request.contains(part), "{part}: {request}");
    }
    assert!(!request.contains("planner"), "{request}");
    assert!(project.path().join(".ftl/runs/001_sum/1/requests/2/agent-again.log").exists());
}
