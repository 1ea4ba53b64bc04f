//! Idioms by structural rules: those of frameworks, patterns, and rules of the project itself.

use ftl_testkit::program::Program;
use ftl_testkit::scratch::Scratch;
use serde_json::Value;

use crate::support::{FTL, Project, has_tool, task};

const HOUSE: &str = r#"
id: house.no-print
kind: forbidden
texts: ["Use a logger, not print"]
languages: [python]
why: "output belongs into the log"
find:
  pattern: print($$$A)
valid:
  - "log.info('a')  # print(1)\n"
invalid:
  - "print(1)\n"
---
id: house.typed
kind: required
severity: warning
languages: [python]
find:
  kind: type
invalid:
  - "def f(a): pass\n"
"#;

/// A project whose agent writes `code` into `app.py`, with these idioms.
fn project(idioms: &str, code: &str) -> Project {
    let project = Project::empty();
    project.write("app.py", "import os\n");
    project.write("new.py", code);
    project.task("001_a", task().delta(&["app.py"]).rest(idioms))
}

fn build(project: &Project) -> Value {
    let words = ["build", "001", "--format", "json", "--agent", "cp new.py app.py"];
    project.ftl(words).json()
}

#[test]
fn a_task_without_a_framework_is_judged_by_what_the_projects_own_forbids() {
    let project = Project::empty();
    project.write("shop/models.py", "from django.db import connection\n");
    project.write("shop/urls.py", "import django\n");
    project.write(
        "shop/views.py",
        "from django.db import connection\n\n\ndef one(request):\n    return 1\n",
    );
    project.commit();
    project.ftl(["new", "search", "--delta", "shop/views.py", "--verify", "true"]).ends(0);
    let raw = "from django.db import connection\n\n\ndef one(request):\n    with connection.cursor() as cursor:\n        \
               cursor.execute(\"SELECT * FROM t WHERE a = '%s'\" % request.GET['a'])\n    return 1\n";
    project.write("shop/views.py", raw);
    let built = project.build(&[]).ends(3);
    let result = built.json();
    assert_eq!(result["block"]["kind"], "idiom_violation", "{result:#}");
    assert_eq!(result["quality"]["detected"], "django", "{result:#}");
    let kinds: Vec<&str> = result["quality"]["idioms"]
        .as_array()
        .unwrap()
        .iter()
        .map(|idiom| idiom["kind"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["forbidden"], "required ones apply where the task names the framework");
    let record = project.text(".ftl/workspace/001_search_blocked.xml");
    assert!(record.contains("<detected framework=\"django\"/>"), "{record}");
}

#[test]
fn the_idioms_of_a_framework_are_judged_by_its_rules() {
    let idioms = "<idioms framework=\"fasthtml\"><required>Use @rt decorator for routes</required>\
                  <forbidden>Raw HTML strings with f-strings</forbidden></idioms>";
    let good = "@rt('/')\ndef get(): return Div(P('a'))  # f'<p>{a}</p>'\n";
    let said = build(&project(idioms, good));
    assert_eq!(said["outcome"], "complete", "{said:#}");
    let judged = said["quality"]["idioms"].as_array().unwrap();
    assert_eq!(judged[0]["rule"], "fasthtml.rt");
    assert_eq!(judged[0]["verdict"], "satisfied");
    assert_eq!(judged[1]["verdict"], "satisfied");
    let bad = "@rt('/')\ndef get(): return f'<p>{name}</p>'\n";
    let said = build(&project(idioms, bad));
    assert_eq!(said["block"]["kind"], "idiom_violation", "{said:#}");
    let place = &said["quality"]["idioms"][1]["places"][0];
    assert_eq!(place["line"], 2, "{said:#}");
    assert_eq!(place["new"], true);
}

#[test]
fn a_pattern_without_a_language_is_reported_before_an_agent_is_paid() {
    let idioms = "<idioms><forbidden pattern=\"print($X)\">no print</forbidden></idioms>";
    let said = build(&project(idioms, "x = 1\n"));
    assert_eq!(said["block"]["kind"], "spec_invalid", "{said:#}");
}

#[test]
fn a_project_has_its_own_rules() {
    let idioms = "<idioms><forbidden>use a logger, not print</forbidden>\
                  <required rule=\"house.typed\">types</required></idioms>";
    let project = project(idioms, "print(1)\n");
    project.write("ftl.toml", "[quality]\nrules = ['rules/house.yml']\n");
    project.write("rules/house.yml", HOUSE);
    let tested = project.ftl(["idioms", "test", "house.no-print"]);
    assert!(tested.stdout.contains("1 rules, 2 examples, 0 judged"), "{}", tested.stdout);
    let said = build(&project);
    assert_eq!(said["block"]["kind"], "idiom_violation", "{said:#}");
    let error = said["block"]["error"].as_str().unwrap();
    assert!(error.contains("use a logger, not print"), "{error}");
    // A warning blocks nothing.
    assert!(!error.contains("types"), "{error}");
    assert_eq!(said["quality"]["idioms"][0]["verdict"], "violated");
    assert_eq!(said["quality"]["idioms"][0]["severity"], "warning");
}

#[test]
fn a_violation_is_reported_with_its_new_places_and_how_to_fix_it() {
    let idioms = "<idioms><forbidden>Use a logger, not print</forbidden>\
                  <forbidden pattern=\"exec($$$A)\" language=\"python\">no exec</forbidden></idioms>";
    let code = "import os\nprint(0)\n# ftl-ignore[house.no-print]: a script\nprint(1)\nif 1:\n    print(2)\n\
                # ftl-ignore[no exec]: for later\n";
    let project = project(idioms, code);
    project.write("app.py", "import os\nprint(0)\n");
    project.write("ftl.toml", "[quality]\nrules = ['house.yml']\n");
    let house =
        HOUSE.replace("find:\n  pattern: print", "repair: call log.info\nfind:\n  pattern: print");
    project.write("house.yml", house);
    let blocked = project.ftl(["build", "001", "--agent", "cp new.py app.py"]).ends(3);
    let shown = "  idiom      violated: Use a logger, not print\n             app.py:6:5\n             \
                allowed at app.py:4: a script; output belongs into the log; call log.info\n";
    assert!(blocked.stdout.contains(shown), "{}", blocked.stdout);
    let unused = "forbidden idiom `no exec`: the comment at app.py:7 allows nothing: remove it";
    assert!(blocked.stderr.contains(unused), "{blocked:#?}");

    // A clone has the record alone.
    std::fs::remove_dir_all(project.path().join(".ftl/runs")).unwrap();
    let shown = project.ftl(["show", "001", "--format", "json"]).json();
    let judged = &shown["run"]["result"]["quality"]["idioms"][0];
    assert_eq!(judged["text"], "Use a logger, not print", "{shown:#}");
    let place = serde_json::json!([{"path": "app.py", "line": 6, "column": 5, "new": true}]);
    assert_eq!(judged["places"], place, "{shown:#}");
    assert!(judged["note"].as_str().unwrap().ends_with("call log.info"));
}

#[test]
fn rules_that_cannot_be_used_are_a_usage_error_of_tasks_with_idioms_alone() {
    let idioms = "<idioms><forbidden>no print</forbidden></idioms>";
    for (idioms, exit) in [(idioms, 2), ("", 0)] {
        let project = project(idioms, "x = 1\n");
        project.write("ftl.toml", "[quality]\nrules = ['house.yml']\n");
        project
            .write("house.yml", "id: a\nkind: forbidden\nlanguages: [cobol]\nfind: {pattern: a}\n");
        let words = ["build", "001", "--format", "json", "--agent", "cp new.py app.py"];
        let ended = project.ftl(words).ends(exit);
        if exit == 2 {
            assert!(ended.stderr.contains("`cobol`"), "{}", ended.stderr);
            assert!(project.path().join(".ftl/workspace/001_a_active.xml").exists());
        }
    }
}

#[test]
fn an_example_that_is_judged_otherwise_fails_the_test_of_rules() {
    let project = Project::empty();
    project.write("ftl.toml", "[quality]\nrules = ['house.yml']\n");
    project.write("house.yml", HOUSE.replace("invalid:\n  - \"print(1)", "invalid:\n  - \"log(1)"));
    let tested = project.ftl(["idioms", "test"]).ends(1);
    let text = tested.stdout;
    assert!(
        text.contains("house.no-print: invalid example 1 is satisfied, not violated"),
        "{text}"
    );
}

#[test]
fn the_framework_is_found_by_imports_and_manifests() {
    let project = Project::empty();
    project.write("app.py", "from flask import Flask\n");
    project.write("requirements.txt", "Flask==3.0\n");
    project.write("README.md", "import django\n");
    let found = project.ftl(["idioms", "detect"]);
    assert_eq!(found.stdout, "flask  app.py, requirements.txt\n");
}

#[test]
fn ignore_files_hide_files_from_the_search_and_a_pipe_is_not_waited_for() {
    let project = Project::empty();
    project.write(".ignore", "old.py\n");
    project.write("old.py", "import django\n");
    project.write("app.py", "from flask import Flask\n");
    Program::new("mkfifo", project.path()).args([".gitignore"]).run().unwrap();
    let found = project.ftl(["idioms", "detect"]);
    assert_eq!(found.stdout, "flask  app.py\n");
}

#[test]
fn a_judge_decides_what_no_rule_does() {
    let idioms = "<idioms framework=\"flask\"><required>Handlers are short</required></idioms>";
    let reply = |verdict: &str| {
        format!(
            "cat > asked.json; echo thinking; echo '{{\"verdict\": \"{verdict}\", \"reason\": \"so\"}}'"
        )
    };
    for (judge, outcome, verdict) in [
        (reply("satisfied"), "complete", "satisfied"),
        (reply("violated"), "blocked", "violated"),
        (reply("perhaps"), "complete", "undecidable"),
        ("exit 3".to_owned(), "complete", "undecidable"),
    ] {
        let project = project(idioms, "x = 1\n");
        let judge = judge.replace('"', "\\\"");
        project.write("ftl.toml", format!("[quality]\nundecided = 'judge'\njudge = \"{judge}\"\n"));
        let said = build(&project);
        assert_eq!(said["outcome"], outcome, "{said:#}");
        let judged = &said["quality"]["idioms"][0];
        assert_eq!(judged["verdict"], verdict, "{said:#}");
        if verdict == "undecidable" {
            assert!(said["warnings"].to_string().contains("the judge gave no verdict"), "{said:#}");
        } else {
            assert_eq!(judged["note"], "by the judge: so");
            let asked: Value = serde_json::from_slice(&project.read("asked.json")).unwrap();
            assert_eq!(asked["text"], "Handlers are short");
            assert_eq!(asked["files"][0]["after"], "x = 1\n");
        }
    }
}

#[test]
fn a_verdict_of_the_judge_outlives_a_crash() {
    if !has_tool("strace", "strace", &["-V"]) {
        return;
    }
    let idioms = "<idioms><required>Handlers are short</required></idioms>";
    let project = project(idioms, "x = 1\n");
    let outside = Scratch::new("judge").unwrap();
    let (asked, trace) = (outside.path().join("asked"), outside.path().join("trace"));
    let reply = r#"{"verdict": "satisfied", "reason": "so"}"#;
    let judge = format!("cat > /dev/null; echo asked >> {}; echo '{reply}'", asked.display());
    let judge = judge.replace('"', "\\\"");
    let quality = format!("[quality]\nundecided = 'judge'\njudge = \"{judge}\"\n");
    project.write("ftl.toml", quality);
    // Ended where it would give the finished record its name.
    let sealed = ["-P", ".ftl/workspace/001_a_complete.xml"];
    let killed = Program::new("strace", project.path()).without_cargo();
    let killed = killed.args(["-f", "-qq"]).args(sealed).args(["-o"]);
    let killed = killed.args([trace]).args(["-e", "trace=renameat2"]);
    let killed = killed.args(["-e", "inject=renameat2:signal=KILL", FTL]);
    let killed = killed.args(["build", "001", "--tree"]).output().unwrap();
    assert!(!killed.status.success(), "{killed:?}");
    let words = ["build", "001", "--tree", "--format", "json"];
    let said = project.ftl(words).json();
    assert_eq!(said["outcome"], "complete", "{said:#}");
    assert_eq!(said["quality"]["idioms"][0]["note"], "by the judge: so");
    let calls = std::fs::read_to_string(asked).unwrap();
    assert_eq!(calls, "asked\n");
}
