//! The kinds of projects that implementers stray in: git's in several conditions, and one without.
//!
//! Work of a user that no commit holds is in every one but the clean one.

use std::path::PathBuf;

use ftl_testkit::Result;
use ftl_testkit::sweep::sandbox::{Sandbox, Setting};

/// The task. What its verify refuses, a fix in prose is known for, so that all phases can stray.
pub(super) const DOCUMENT: &str = "<workspace id=\"001-t\" status=\"active\"><implementation>\
    <delta>src/a.py</delta><delta>pkg/new/mod.py</delta><budget>9</budget>\
    <verify>if grep -q WRONG src/a.py; then echo 'AssertionError: it is wrong'; exit 1; fi</verify>\
    </implementation><prior_knowledge><failure name=\"wrong\" cost=\"1\" injected=\"true\">\
    <trigger>AssertionError: it is wrong</trigger><fix>Write what is right</fix></failure>\
    </prior_knowledge><delivered/></workspace>\n";

/// Another task of the project.
const OTHER: &str = "<workspace status=\"active\"><implementation>\
    <delta>docs/guide.md</delta><verify>false</verify></implementation><delivered/></workspace>\n";

/// A kind of project.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum World {
    /// A repository in which everything is committed.
    Clean,
    /// One with edits, deletions, new files and a stash.
    Dirty,
    /// One with staged work that nothing but the index holds.
    Staged,
    /// One without a commit.
    Unborn,
    /// A directory of a repository that has attributes.
    Below,
    /// A linked worktree.
    Worktree,
    /// No repository.
    Plain,
}

use World::{Below, Clean, Dirty, Plain, Staged, Unborn, Worktree};

/// What every project holds.
const FILES: &str = r#"
mkdir -p src docs/deep notes conf build .venv/lib .ftl/workspace
printf 'a = 1\n' > src/a.py; printf 'b = 1\n' > src/b.py; printf 'c = 1\n' > src/c.py
printf '# a guide\n' > docs/guide.md; printf 'deep\n' > docs/deep/page.md
printf 'one\r\ntwo\r\n' > docs/windows.txt; printf 'n\n' > notes/n.txt
printf '#!/bin/sh\n' > run.sh; chmod 755 run.sh; ln -s docs/guide.md link; ln -s ../outside away
printf 'x = 1\n' > conf/settings.toml; printf '\000\001\002' > image.bin; chmod 600 notes/n.txt
printf '.env\n.venv/\nbuild/\n*.log\nftl.toml\n' > .gitignore
printf 'SECRET=1\n' > .env; printf 'lib\n' > .venv/lib/x.py; printf 'o\n' > build/o
printf '[verify]\n' > ftl.toml; printf '{}\n' > .ftl/exploration.json
umask 077; mkdir -p .ftl/runs/000_old/1; printf 'kept\n' > .ftl/runs/000_old/1/keep.txt; umask 022
python3 -c 'import os; os.setxattr("conf/settings.toml", "user.mine", b"1")' 2>/dev/null || :
"#;

/// What a user did since the last commit.
const WORK: &str = r"
echo '# MY WORK' >> src/b.py; echo 'MY WORK' > untracked.txt; mkdir -p mine/deep
echo 'MY WORK' > mine/deep/x.txt; chmod 700 mine; rm src/c.py; chmod +x conf/settings.toml
";

const INIT: &str =
    "git init -q .; git config core.autocrlf false; git config core.safecrlf false; ";
const COMMIT: &str = "git add -A -- . ':!.ftl'; git commit -qm first; git branch other; git tag v1
echo '# second' >> docs/guide.md; git commit -qam second; ";

impl World {
    pub(super) const ALL: [Self; 7] = [Clean, Dirty, Staged, Unborn, Below, Worktree, Plain];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Clean => "clean",
            Dirty => "dirty",
            Staged => "staged",
            Unborn => "unborn",
            Below => "below",
            Worktree => "worktree",
            Plain => "plain",
        }
    }

    /// Whether it has this name, or is in a group of this name.
    pub(super) fn is_in(self, name: &str) -> bool {
        match name {
            "repositories" => self != Plain,
            "committed" => ![Plain, Unborn].contains(&self),
            name => self.name() == name,
        }
    }

    /// Below the sandbox's directory, where ftl works.
    pub(super) fn root(self, sandbox: &Sandbox) -> PathBuf {
        sandbox.root().join(match self {
            Below => "top/in side",
            Worktree => "tree",
            Clean | Dirty | Staged | Unborn | Plain => "top",
        })
    }

    /// Git's own directory, which linked worktrees share.
    pub(super) fn git_dir(self, sandbox: &Sandbox) -> Option<PathBuf> {
        match self {
            Plain => None,
            Worktree => Some(sandbox.root().join("main/.git")),
            Clean | Dirty | Staged | Unborn | Below => Some(sandbox.root().join("top/.git")),
        }
    }

    /// Makes the project again. `gitignore` is what ftl writes to `.ftl/.gitignore` before anything else.
    pub(super) fn lay_out(self, sandbox: &mut Sandbox, gitignore: &str) -> Result {
        sandbox.clear(Setting::Plain)?;
        let script = match self {
            Clean => format!("mkdir top; cd top; {INIT} {FILES} {COMMIT}"),
            Dirty => format!(
                "mkdir top; cd top; {INIT} {FILES} {COMMIT} echo stashed >> src/c.py; git stash -q; {WORK}
                 git init -q nested; cd nested; echo own > own.txt; git add own.txt; git commit -qm own"
            ),
            Staged => format!(
                "mkdir top; cd top; {INIT} {FILES} {COMMIT} {WORK}
                 echo 'MY WORK' > staged.txt; git add staged.txt src/b.py; git rm -q --cached src/c.py
                 echo '# MORE' >> src/b.py; git add -N untracked.txt"
            ),
            Unborn => format!(
                "mkdir top; cd top; {INIT} {FILES} git add -A -- . ':!.ftl'; {WORK}
                 echo 'MY WORK' > staged.txt; git add staged.txt"
            ),
            Below => format!(
                "mkdir -p 'top/in side' top/src; cd top; {INIT}
                 printf '*.md text\\n*.txt text eol=crlf\\n' > .gitattributes
                 echo 'b = 0' > src/b.py; echo top > top.txt; cd 'in side'; {FILES}
                 {COMMIT} cd ..; git add -A -- . ':!in side/.ftl'; git commit -qm third; cd 'in side'; {WORK}
                 echo 'MY WORK' >> ../top.txt"
            ),
            Worktree => format!(
                "mkdir main; cd main; {INIT} echo 'b = 0' > b.py; git add -A; git commit -qm zero
                 git worktree add -q ../tree; cd ../tree; {FILES} {COMMIT} {WORK}"
            ),
            Plain => format!("mkdir top; cd top; {FILES} {WORK}"),
        };
        sandbox.lay_out(&format!("set -e\n{script}"))?;
        let root = self.root(sandbox);
        for (path, text) in [
            ("workspace/001_t_active.xml", DOCUMENT),
            ("workspace/002_o_active.xml", OTHER),
            ("workspace/000_d_complete.xml", &OTHER.replace("\"active\"", "\"complete\"")),
            (".gitignore", gitignore),
        ] {
            std::fs::write(root.join(".ftl").join(path), text)?;
        }
        Ok(())
    }
}
