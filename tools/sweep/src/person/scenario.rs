//! The builds that are interrupted: what is in the project, who writes, and how each ends undisturbed.
//!
//! Agents append, so that work done twice or undone would show. `step NAME` is where an agent can be
//! made to wait.

use ftl_testkit::Result;

use crate::sandbox::Sandbox;

/// One build.
#[derive(Debug)]
pub(super) struct Scenario {
    pub(super) name: &'static str,
    /// The elements of the task's implementation.
    task: &'static str,
    /// What is known to help.
    fix: Option<&'static str>,
    /// Who writes, and other options of `ftl build`.
    pub(super) options: &'static [&'static str],
    /// The agent's script, if there is one.
    agent: &'static str,
    /// Where the agent can be made to wait.
    pub(super) places: &'static [&'static str],
    /// The patches, in their order.
    patches: &'static [&'static str],
    pub(super) git: bool,
    /// `ftl.toml`.
    configuration: &'static str,
    /// The files that implementers may write, and directories on the way to them.
    pub(super) own: &'static [&'static str],
    /// The outcome in the record's name, and the exit code.
    pub(super) end: (&'static str, i32),
}

const PLAIN: Scenario = Scenario {
    name: "",
    task: "",
    fix: None,
    options: AGENT,
    agent: "",
    places: &["before", "amid", "after"],
    patches: &[],
    git: true,
    configuration: "",
    own: DELTA,
    end: ("complete", 0),
};

const DELTA: &[&str] = &["calc.py", "more", "more/made.py"];

const AGENT: &[&str] = &["--checker", "embedded", "--agent", "sh ../agent.sh \"$@\""];

/// The task file of every scenario.
pub(super) const TASK: &str = ".ftl/workspace/001_task_active.xml";

const WORKING: &str = "step before; echo 'B = 2' >> calc.py; step amid; mkdir -p more\n\
    echo 'C = 3' >> more/made.py; step after\n";

const STRAYING: &str = "step before; echo 'B = 2' >> calc.py; echo stray >> user.txt; step amid\n\
    rm -r notes; mkdir -p new/deep; echo made > new/deep/made.txt; ln -s user.txt link; step after\n";

/// Wrong twenty, and a repair for it.
const TWENTY: &str = "<delta>calc.py</delta><budget>9</budget>\
    <verify>grep -q 'LIMIT = 20' calc.py || { echo 'AssertionError: limit is not 20'; exit 1; }</verify>";

const THIRTY: &str = "--- a/calc.py\n+++ b/calc.py\n@@ -1 +1 @@\n-LIMIT = 10\n+LIMIT = 30\n";

pub(super) const SCENARIOS: &[Scenario] = &[
    Scenario {
        name: "complete",
        task: "<delta>calc.py</delta><delta>more/made.py</delta><budget>9</budget><verify>true</verify>\
               <preflight>true</preflight>",
        agent: WORKING,
        ..PLAIN
    },
    Scenario {
        name: "complete, no git",
        task: "<delta>calc.py</delta><delta>more/made.py</delta><budget>9</budget><verify>true</verify>",
        agent: WORKING,
        git: false,
        ..PLAIN
    },
    Scenario {
        name: "complete, allowed files",
        task: "<delta>calc.py</delta><budget>9</budget><verify>true</verify>",
        agent: "step before; echo 'B = 2' >> calc.py; echo agent >> conf.ini; step amid\n\
                echo agent >> fresh.txt; echo more >> conf.ini; step after\n",
        configuration: "[scope]\nallow = ['conf.ini', 'fresh.txt']\n",
        own: &["calc.py", "conf.ini", "fresh.txt"],
        ..PLAIN
    },
    Scenario {
        name: "delta_insufficient, strays reported",
        task: "<delta>calc.py</delta><budget>9</budget><verify>true</verify>",
        agent: "step before; echo 'B = 2' >> calc.py; echo agent >> user.txt; step amid\n\
                echo agent >> fresh.txt; echo more >> user.txt; step after\n",
        configuration: "[scope]\nstrays = 'report'\n",
        own: &["calc.py", "user.txt", "fresh.txt"],
        end: ("blocked", 3),
        ..PLAIN
    },
    Scenario {
        name: "delta_insufficient, ignored files",
        task: "<delta>calc.py</delta><budget>9</budget><verify>true</verify>",
        agent: "step before; echo 'B = 2' >> calc.py; echo agent >> .env; step amid\n\
                echo agent >> build/fresh; rm build/o; step after\n",
        own: &["calc.py", "build/fresh"],
        end: ("blocked", 3),
        ..PLAIN
    },
    Scenario {
        name: "complete, mend and fix",
        task: TWENTY,
        fix: Some(
            "<fix kind=\"command\">sed 's/10/20/' calc.py &gt; ../fixed; cat ../fixed &gt; calc.py; rm ../fixed</fix>",
        ),
        agent: "case $FTL_PHASE in\n\
                implement) echo 'A = (' >> calc.py ;;\n\
                fix-syntax) step before; sed 's/(/1/' calc.py > ../mended; cat ../mended > calc.py; step amid\n\
                rm ../mended; step after ;;\n\
                esac\n",
        ..PLAIN
    },
    Scenario {
        name: "complete, prose fix",
        task: TWENTY,
        fix: Some("<fix>Make it 20</fix>"),
        agent: "case $FTL_PHASE in\n\
                implement) echo 'A = 1' >> calc.py ;;\n\
                *) step before; sed 's/10/20/' calc.py > ../fixed; cat ../fixed > calc.py; step amid\n\
                rm ../fixed; step after ;;\n\
                esac\n",
        ..PLAIN
    },
    Scenario {
        name: "complete, a patch",
        task: "<delta>calc.py</delta><budget>9</budget><verify>true</verify>",
        options: &["--checker", "embedded", "--patch", "../1.diff"],
        patches: &[THIRTY],
        places: &[],
        ..PLAIN
    },
    Scenario {
        name: "delta_insufficient",
        task: "<delta>calc.py</delta><budget>9</budget><verify>true</verify>",
        agent: STRAYING,
        end: ("blocked", 3),
        ..PLAIN
    },
    Scenario {
        name: "delta_insufficient, no git",
        task: "<delta>calc.py</delta><budget>9</budget><verify>true</verify>",
        agent: STRAYING,
        git: false,
        end: ("blocked", 3),
        ..PLAIN
    },
    Scenario {
        name: "implement_failed",
        task: "<delta>calc.py</delta><budget>9</budget><verify>true</verify>",
        agent: "step before; echo 'B = 2' >> calc.py; step amid; echo stray >> user.txt; step after; exit 1\n",
        end: ("blocked", 3),
        ..PLAIN
    },
    Scenario {
        name: "discovery_needed",
        task: TWENTY,
        agent: WORKING_ALONE,
        end: ("blocked", 3),
        ..PLAIN
    },
    Scenario {
        name: "retry_limit",
        task: TWENTY,
        fix: Some("<fix kind=\"command\">echo 'D = 4' &gt;&gt; calc.py</fix>"),
        agent: WORKING_ALONE,
        end: ("blocked", 3),
        ..PLAIN
    },
    Scenario {
        name: "preflight_exhausted",
        task: TWENTY,
        agent: "step before; echo 'A = (' >> calc.py; step amid; echo 'B = (' >> calc.py; step after\n",
        end: ("blocked", 3),
        ..PLAIN
    },
];

const WORKING_ALONE: &str =
    "step before; echo 'B = 2' >> calc.py; step amid; echo 'C = 3' >> calc.py; step after\n";

/// Waits at the place that `$STEP` names, once, until it is ended or gets the word to go on.
const STEP: &str = "step() { [ \"$STEP\" = \"$1\" ] && mkdir ../met 2>/dev/null || return 0\n\
    echo met > ../at; read go < ../go; }\n";

/// What the person has there already, not committed.
const BEFORE: &str = "echo BEFORE >> user.txt; echo BEFORE > loose.txt; echo BEFORE > staged.txt";

impl Scenario {
    /// Makes the project again, and the files beside it.
    pub(super) fn lay_out(&self, sandbox: &Sandbox) -> Result {
        sandbox.clear()?;
        for (path, content) in [
            ("calc.py", "LIMIT = 10\n"),
            ("user.txt", "mine\n"),
            ("notes/keep.txt", "mine too\n"),
            ("conf.ini", "conf\n"),
            ("ftl.toml", self.configuration),
            (".gitignore", ".env\nbuild/\n"),
            (".env", "BEFORE\n"),
            ("build/o", "o\n"),
        ] {
            sandbox.write(path, content)?;
        }
        sandbox.write("../agent.sh", format!("{STEP}{}", self.agent))?;
        for (patch, number) in self.patches.iter().zip(1..) {
            sandbox.write(format!("../{number}.diff"), patch)?;
        }
        let git =
            "git init -q .; git add -A; git commit -qm first; git branch spare; git branch other
            echo first >> user.txt; git commit -qam second
            git checkout -q other; echo other >> user.txt; git commit -qam other; git checkout -q -
            echo BEFORE >> notes/keep.txt; git stash -q";
        let git = if self.git { git } else { ":" };
        let staged = if self.git { "git add staged.txt" } else { ":" };
        let pipes = "rm -rf ../met ../at ../go; mkfifo ../at ../go";
        let script = format!("set -e\n{git}\n{BEFORE}\n{staged}\n{pipes}\n");
        sandbox
            .program("sh")
            .env("GIT_AUTHOR_NAME", "person")
            .env("GIT_AUTHOR_EMAIL", "person@localhost")
            .env("GIT_COMMITTER_NAME", "person")
            .env("GIT_COMMITTER_EMAIL", "person@localhost")
            .args(["-c", &script])
            .text()?;
        sandbox.write(TASK, self.document())
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
