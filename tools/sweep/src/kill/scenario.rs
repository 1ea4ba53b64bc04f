//! The builds that faults are injected into: what is in the tree, who writes, and how each must
//! end.
//!
//! A scenario knows no fault: it must end as it says whatever is injected.

use std::path::Path;

use ftl_testkit::Result;

use crate::sandbox::Sandbox;

/// The task file of every scenario.
pub(super) const TASK: &str = ".ftl/workspace/001_task_active.xml";

/// One build.
#[derive(Debug)]
pub(super) struct Scenario {
    pub(super) name: &'static str,
    /// The elements of the task.
    task: &'static str,
    /// What is known to help where the verify wants another limit.
    fix: Option<&'static str>,
    /// Who writes, and other options of `ftl build`.
    pub(super) options: &'static [&'static str],
    /// The agent's script, if there is one.
    agent: &'static str,
    /// The patches, in their order.
    patches: &'static [&'static str],
    /// Files beside the one that all have.
    files: &'static [(&'static str, &'static str)],
    /// Whether the tree is git's.
    git: bool,
    /// The outcome in the record's name, and the exit code.
    pub(super) end: (&'static str, i32),
    /// What must lie with the run in the end, since it was taken out of the tree.
    pub(super) kept: &'static [&'static str],
    /// Whether the build may be complete as well: where a verify that changes the delta is interrupted, what
    /// it changed counts as edited while nothing ran, and is checked and verified again.
    pub(super) or_complete: bool,
    /// The options of `ftl reopen`, where the task was blocked by a build before.
    reopened: Option<&'static [&'static str]>,
}

const PLAIN: Scenario = Scenario {
    name: "",
    task: "",
    fix: None,
    options: &["--tree"],
    agent: "",
    patches: &[],
    files: &[],
    git: false,
    end: ("complete", 0),
    kept: &[],
    or_complete: false,
    reopened: None,
};

/// In the tree, which is compared and put back.
const AGENT: &[&str] =
    &["--checker", "embedded", "--isolate", "off", "--agent", "sh ../agent.sh \"$@\""];

/// On an overlay, which is taken over.
const ISOLATED: &[&str] =
    &["--checker", "embedded", "--isolate", "overlay", "--agent", "sh ../agent.sh \"$@\""];

/// Each writes where another has written too, so that work done twice would show.
const STRAYING: &str = "echo 'STRAY = 1' >> calc.py; echo stray >> user.txt; chmod 700 mode.txt\n\
     rm -r notes; mkdir -p new/deep; echo made > new/deep/made.txt; ln -s user.txt link\n";

const USERS: &[(&str, &str)] =
    &[("user.txt", "mine\n"), ("mode.txt", "mine\n"), ("notes/keep.txt", "mine too\n")];

const TWENTY: &str = "<delta>calc.py</delta><budget>9</budget>\
    <verify>grep -q 'LIMIT = 20' calc.py || { echo 'AssertionError: limit is not 20'; exit 1; }</verify>";

const BROKEN: &str = "--- a/calc.py\n+++ b/calc.py\n@@ -1 +1 @@\n-LIMIT = 10\n+LIMIT = (\n";
const BROKEN_AGAIN: &str = "--- a/calc.py\n+++ b/calc.py\n@@ -1 +1 @@\n-LIMIT = (\n+LIMIT = [\n";
const BROKEN_STILL: &str = "--- a/calc.py\n+++ b/calc.py\n@@ -1 +1 @@\n-LIMIT = [\n+LIMIT = {\n";
const THIRTY: &str = "--- a/calc.py\n+++ b/calc.py\n@@ -1 +1 @@\n-LIMIT = 10\n+LIMIT = 30\n";

pub(super) const SCENARIOS: &[Scenario] = &[
    Scenario {
        name: "complete",
        task: "<delta>calc.py</delta><budget>9</budget><verify>grep -q LIMIT calc.py</verify>\
               <verify_source>test_calc.py</verify_source>",
        files: &[("test_calc.py", "import calc\n")],
        ..PLAIN
    },
    Scenario {
        name: "complete, an agent",
        task: "<delta>calc.py</delta><delta>more/made.py</delta><budget>9</budget>\
               <verify>true</verify><preflight>true</preflight>",
        options: AGENT,
        agent: "sleep 0.02; echo 'B = 2' >> calc.py; mkdir -p more; echo 'C = 3' >> more/made.py\n\
                printf '{\"summary\": \"both\"}' > \"$FTL_REPLY\"\n",
        ..PLAIN
    },
    Scenario {
        name: "complete, mend and retry",
        task: "<delta>calc.py</delta><budget>9</budget>\
               <verify>grep -q 'LIMIT = 20' calc.py || { echo 'AssertionError: limit is not 20'; exit 1; }</verify>",
        fix: Some(
            "<fix kind=\"command\">sed 's/10/20/' calc.py > ../fixed; cat ../fixed > calc.py; rm ../fixed</fix>",
        ),
        options: AGENT,
        agent: "case $FTL_PHASE in\n\
                implement) echo 'A = (' >> calc.py ;;\n\
                fix-syntax) sed 's/(/1/' calc.py > ../mended; cat ../mended > calc.py; rm ../mended ;;\n\
                esac\n",
        ..PLAIN
    },
    Scenario {
        name: "complete, leaving daemons",
        task: "<delta>calc.py</delta><budget>9</budget>\
               <verify>sleep 1000 &amp; setsid sleep 1000 &amp; true</verify>",
        ..PLAIN
    },
    Scenario {
        name: "delta_insufficient",
        task: "<delta>calc.py</delta><budget>9</budget><verify>true</verify>",
        options: AGENT,
        agent: STRAYING,
        files: USERS,
        end: ("blocked", 3),
        kept: &["mine\nstray\n", "made\n"],
        ..PLAIN
    },
    Scenario {
        name: "delta_insufficient, git",
        task: "<delta>calc.py</delta><budget>9</budget><verify>true</verify>",
        options: AGENT,
        agent: STRAYING,
        files: USERS,
        git: true,
        end: ("blocked", 3),
        kept: &["mine\nstray\n", "made\n"],
        ..PLAIN
    },
    Scenario {
        name: "complete, isolated",
        task: "<delta>calc.py</delta><delta>more/made.py</delta><delta>gone.txt</delta><budget>9</budget>\
               <verify>true</verify>",
        options: ISOLATED,
        agent: "sleep 0.02; echo 'B = 2' >> calc.py; mkdir -p more; echo 'C = 3' >> more/made.py\n\
                rm gone.txt; mkdir -p __pycache__; echo c > __pycache__/c\n",
        files: &[("gone.txt", "mine\n")],
        ..PLAIN
    },
    Scenario {
        name: "delta_insufficient, isolated",
        task: "<delta>calc.py</delta><budget>9</budget><verify>true</verify>",
        options: ISOLATED,
        agent: STRAYING,
        files: USERS,
        git: true,
        end: ("blocked", 3),
        kept: &["mine\nstray\n", "made\n"],
        ..PLAIN
    },
    Scenario {
        name: "budget_exhausted",
        task: "<delta>calc.py</delta><budget>1</budget><verify>true</verify>",
        end: ("blocked", 3),
        ..PLAIN
    },
    Scenario {
        name: "preflight_exhausted",
        task: TWENTY,
        options: &[
            "--checker",
            "embedded",
            "--patch",
            "../1.diff",
            "--patch",
            "../2.diff",
            "--patch",
            "../3.diff",
        ],
        patches: &[BROKEN, BROKEN_AGAIN, BROKEN_STILL],
        end: ("blocked", 3),
        ..PLAIN
    },
    Scenario {
        name: "discovery_needed",
        task: TWENTY,
        options: &["--patch", "../1.diff"],
        patches: &[THIRTY],
        end: ("blocked", 3),
        ..PLAIN
    },
    Scenario {
        name: "retry_limit",
        task: TWENTY,
        fix: Some("<fix kind=\"command\">echo 'D = 4' >> calc.py</fix>"),
        options: AGENT,
        agent: "echo 'B = 2' >> calc.py\n",
        end: ("blocked", 3),
        ..PLAIN
    },
    Scenario {
        name: "fix_failed",
        task: TWENTY,
        fix: Some("<fix kind=\"command\">echo 'D = 4' >> calc.py; exit 1</fix>"),
        options: AGENT,
        agent: "echo 'B = 2' >> calc.py\n",
        end: ("blocked", 3),
        ..PLAIN
    },
    Scenario {
        name: "tree_changed",
        task: "<delta>calc.py</delta><budget>9</budget><verify>echo '# seen' &gt; calc.py</verify>",
        options: AGENT,
        agent: "echo 'B = 2' > calc.py\n",
        end: ("blocked", 3),
        or_complete: true,
        ..PLAIN
    },
    Scenario {
        name: "reopened",
        task: "<delta>calc.py</delta><budget>9</budget><verify>true</verify>",
        options: AGENT,
        agent: "echo 'B = 2' >> calc.py; echo stray >> user.txt; mkdir -p new; echo made >> new/made.txt\n",
        files: USERS,
        kept: &["mine\nstray\n"],
        reopened: Some(&["--take", "user.txt", "new", "--budget", "12"]),
        ..PLAIN
    },
];

/// The path of a blocked task.
const BLOCKED: &str = "001_task_blocked.xml";

impl Scenario {
    /// The command that goes on from there.
    pub(super) fn command(&self, sandbox: &Sandbox) -> Result<Vec<&'static str>> {
        let names = sandbox.names(".ftl/workspace")?;
        let is_blocked = names.iter().any(|name| name == BLOCKED);
        let mut words = match self.reopened {
            Some(changes) if is_blocked => [&["reopen", "001"], changes, &["--build"][..]].concat(),
            Some(_) | None => vec!["build", TASK],
        };
        words.extend(self.options);
        Ok(words)
    }

    /// The runs in its record.
    pub(super) fn runs(&self) -> usize {
        1 + usize::from(self.reopened.is_some())
    }

    /// Whether the task has come to its end.
    pub(super) fn is_over(&self, sandbox: &Sandbox) -> Result<bool> {
        let names = sandbox.names(".ftl/workspace")?;
        let is_open = |name: &String| {
            name.ends_with("_active.xml") || (self.reopened.is_some() && *name == BLOCKED)
        };
        Ok(!names.iter().any(is_open))
    }

    /// Whether every child is a command: no separate syntax checker runs, and no git.
    pub(super) fn starts_only_commands(&self) -> bool {
        self.options.contains(&"embedded") && !self.git && !self.is_isolated()
    }

    /// Whether a view is tried out before the journal knows of a command.
    fn is_isolated(&self) -> bool {
        self.options.contains(&"overlay")
    }

    /// Makes the tree again, and the files beside it.
    pub(super) fn lay_out(&self, ftl: &Path, sandbox: &Sandbox) -> Result {
        sandbox.clear()?;
        sandbox.write(TASK, self.document())?;
        sandbox.write("calc.py", "LIMIT = 10\n")?;
        for (path, content) in self.files {
            sandbox.write(path, content)?;
        }
        sandbox.write("../agent.sh", self.agent)?;
        for (patch, number) in self.patches.iter().zip(1..) {
            sandbox.write(format!("../{number}.diff"), patch)?;
        }
        if self.git {
            sandbox.commit()?;
        }
        if self.reopened.is_some() {
            let first = sandbox.program(ftl).args(["build", TASK]).args(self.options);
            let status = first.output()?.status;
            if status.code() != Some(3) {
                return Err(format!("`{}` began with {status}", self.name).into());
            }
        }
        Ok(())
    }

    fn document(&self) -> String {
        let knowledge = self.fix.map_or_else(String::new, |fix| {
            format!(
                "<prior_knowledge><failure name=\"limit\" cost=\"1\" injected=\"true\">\
                 <trigger>AssertionError: limit is not 20</trigger>{fix}</failure></prior_knowledge>"
            )
        });
        format!(
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<workspace id=\"001-task\" status=\"active\">\n\
             <implementation>{}</implementation>\n{knowledge}\n<delivered></delivered>\n</workspace>\n",
            self.task
        )
    }
}
