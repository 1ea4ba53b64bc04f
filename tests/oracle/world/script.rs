//! The shell scripts of everybody who acts in a scenario: agent, checks, fixes, verify. How a build
//! must end with them is not known here.

use std::path::Path;

use crate::oracle::scenario::{
    Check, Edit, Ending, Exit, FixCommand, Implementer, Needs, Outside, PREAMBLE, Scenario,
    Scratch, Transform, Turn, Utilized, VerifyRun, failure_name,
};
use crate::oracle::text::Language;

use super::{HOOK, OUTSIDE, STRAY, write};

/// A command line that runs the named script.
pub(super) fn command(scratch: &Path, name: &str) -> String {
    format!("sh '{}/{name}'", scratch.display())
}

pub(super) fn write_all(scenario: &Scenario, scratch: &Path) {
    write(&scratch.join("verify.sh"), verify(scenario, scratch));
    if let Implementer::Agent(turns) = &scenario.implementer {
        write(&scratch.join("agent.sh"), agent(scenario, turns, scratch));
    }
    for (place, check) in scenario.checks.iter().enumerate() {
        let script = check_script(scenario, check, scratch, place);
        write(&scratch.join(format!("check{place}.sh")), script);
    }
}

pub(super) fn write_fix(scenario: &Scenario, fix: &FixCommand, scratch: &Path, place: usize) {
    let mut script = edits(scenario, &fix.edits);
    if let Some(outside) = fix.outside {
        script.push_str(&stray(outside));
    }
    script.push_str(&format!("exit {}\n", fix.exit));
    write(&scratch.join(format!("fix{place}.sh")), script);
}

/// Counts its runs in a file, and acts by their number.
fn counted(scratch: &Path, name: &str, runs: &[String], otherwise: &str) -> String {
    let counter = format!("'{}/{name}.count'", scratch.display());
    let mut script = format!(
        "n=0\n[ ! -f {counter} ] || read n < {counter}\nn=$((n + 1))\necho $n > {counter}\ncase $n in\n"
    );
    for (place, run) in runs.iter().enumerate() {
        script.push_str(&format!("{})\n{run};;\n", place + 1));
    }
    script.push_str(&format!("*)\n{otherwise};;\nesac\n"));
    script
}

fn agent(scenario: &Scenario, turns: &[Turn], scratch: &Path) -> String {
    let turns: Vec<_> = turns.iter().map(|turn| agent_turn(scenario, turn)).collect();
    let log = format!("echo \"$FTL_PHASE $*\" >> '{}/agent.calls'\n", scratch.display());
    log + &counted(scratch, "agent", &turns, ":\n")
}

fn agent_turn(scenario: &Scenario, turn: &Turn) -> String {
    let mut script = edits(scenario, &turn.edits);
    if let Some((file, kind)) = turn.transform {
        script.push_str(&transform(scenario.delta[file].path, kind));
    }
    if let Some(outside) = turn.outside {
        script.push_str(&stray(outside));
    }
    if let Some(kind) = turn.scratch {
        script.push_str(scratch_write(kind));
    }
    script.push_str(&reply(scenario, turn));
    script.push_str(match turn.exit {
        Exit::Success => "exit 0\n",
        Exit::Code(1) => "exit 1\n",
        Exit::Code(126) => "exit 126\n",
        Exit::Code(_) => "exit 127\n",
        Exit::Signal => "kill -KILL $$\n",
        Exit::Hang => "exec sleep 60\n",
    });
    script
}

fn reply(scenario: &Scenario, turn: &Turn) -> String {
    let needs = turn.needs.map(|needs| match needs {
        Needs::InsideDelta => scenario.delta[0].path,
        Needs::OutsideDelta => "other/needed.txt",
    });
    let mut keys = Vec::new();
    if turn.no_change {
        keys.push("\"no_change\": true".to_owned());
    }
    if let Some(path) = needs {
        keys.push(format!("\"needs\": [\"{path}\"]"));
    }
    if !turn.utilized.is_empty() {
        let names: Vec<_> = turn.utilized.iter().map(|it| utilized(*it)).collect();
        keys.push(format!("\"utilized\": [{}]", names.join(", ")));
    }
    if keys.is_empty() {
        return String::new();
    }
    format!("printf '%s' '{{{}}}' > \"$FTL_REPLY\"\n", keys.join(", "))
}

fn utilized(which: Utilized) -> String {
    let name = match which {
        Utilized::FirstFailure => failure_name(0),
        Utilized::Invented => "never-existed".to_owned(),
    };
    format!("{{\"name\": \"{name}\", \"type\": \"failure\"}}")
}

fn verify(scenario: &Scenario, scratch: &Path) -> String {
    let runs: Vec<_> = scenario.verify.iter().map(|run| verify_run(scenario, run)).collect();
    let last = runs.last().expect("because verify runs at least once").clone();
    // Variables for agents never reach verify.
    let leak = format!("[ -z \"$FTL_PHASE$FTL_REPLY\" ] || : > '{}/leak'\n", scratch.display());
    leak + &counted(scratch, "verify", &runs, &last)
}

fn verify_run(scenario: &Scenario, run: &VerifyRun) -> String {
    let mut script = edits(scenario, &run.edits);
    if run.litters {
        script.push_str("echo run >> litter.log\n");
    }
    let redirect = if run.to_stderr { " >&2" } else { "" };
    let preamble = (!run.troubles.is_empty() || run.ending == Ending::Hang).then_some(PREAMBLE);
    for line in preamble.into_iter().chain(run.troubles.iter().map(|trouble| trouble.line())) {
        script.push_str(&format!("echo {}{redirect}\n", quoted(line)));
    }
    script.push_str(match run.ending {
        Ending::Pass => "exit 0\n",
        Ending::Fail => "exit 1\n",
        Ending::Signal => "kill -KILL $$\n",
        Ending::Hang => "exec sleep 60\n",
    });
    script
}

fn check_script(scenario: &Scenario, check: &Check, scratch: &Path, place: usize) -> String {
    let name = format!("check{place}");
    let mut runs = vec!["exit 1\n".to_owned(); check.failing_runs.unwrap_or(1)];
    let otherwise = if check.failing_runs.is_some() { "exit 0\n" } else { "exit 1\n" };
    if let Some((file, text)) = &check.overwrites {
        if runs.is_empty() {
            runs.push(otherwise.to_owned());
        }
        runs[0].insert_str(0, &edits(scenario, &[(*file, Some(text.clone()))]));
    }
    counted(scratch, &name, &runs, otherwise)
}

fn edits(scenario: &Scenario, edits: &[Edit]) -> String {
    let mut script = String::new();
    for (file, text) in edits {
        let path = scenario.delta[*file].path;
        match text {
            None => script.push_str(&format!("rm -f '{path}'\n")),
            Some(text) => {
                if let Some((folder, _)) = path.rsplit_once('/') {
                    script.push_str(&format!("[ -d '{folder}' ] || mkdir -p '{folder}'\n"));
                }
                let text = quoted(&text.render(Language::of(path)));
                script.push_str(&format!("printf '%s' {text} > '{path}'\n"));
            }
        }
    }
    script
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

fn transform(path: &str, kind: Transform) -> String {
    match kind {
        Transform::Executable => format!("chmod +x '{path}'\n"),
        Transform::Directory => format!("rm -f '{path}'\nmkdir '{path}'\n"),
        Transform::Link => format!("rm -f '{path}'\nln -s {OUTSIDE} '{path}'\n"),
    }
}

fn stray(kind: Outside) -> String {
    match kind {
        Outside::Create => format!("echo new > {STRAY}\n"),
        Outside::Change => format!("echo more >> {OUTSIDE}\n"),
        Outside::Delete => format!("rm {OUTSIDE}\n"),
        Outside::Mode => format!("chmod +x {OUTSIDE}\n"),
        Outside::Hook => format!("mkdir -p .git/hooks\necho : > {HOOK}\n"),
    }
}

fn scratch_write(kind: Scratch) -> &'static str {
    match kind {
        Scratch::PythonCache => "mkdir -p __pycache__\necho x > __pycache__/m.pyc\n",
        Scratch::NodeModules => "mkdir -p node_modules/m\necho x > node_modules/m/index.js\n",
        Scratch::Ignored => "echo x > ignored.log\n",
        Scratch::GitNoise => "echo x > .git/description\n",
    }
}
