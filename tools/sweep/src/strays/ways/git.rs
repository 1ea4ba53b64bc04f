//! Git: commits, branches, the index, the stash, hooks, configuration, and its directory itself.
//!
//! What an implementer commits or moves there is put back, and a warning says so.

use super::Expected::{Either, Moved, Strays};
use super::World::{Below, Clean, Dirty, Staged, Unborn, Worktree};
use super::{Way, git, plain, way};

/// Where there is something to go back to.
const BORN: &[super::World] = &[Clean, Dirty, Staged, Below, Worktree];
/// Where git's directory is in the project.
const OWN: &[super::World] = &[Clean, Dirty, Staged, Unborn];

pub(super) const WAYS: &[Way] = &[
    git("commit of the delta", "git commit -qm mine -- src/a.py", Moved).only(BORN),
    git("commit, empty", "git commit -q --allow-empty -m mine --only", Moved).only(BORN),
    git("commit of all", "echo STRAY >> src/b.py; git add -A -- . ':!.ftl'; git commit -qm mine", Strays(&["src/b.py"])),
    git("commit amended", "git commit -q --amend -m mine --only", Moved).only(BORN),
    git("commit undone", "git reset -q --soft HEAD~1", Moved).only(BORN),
    git("detached", "git checkout -q --detach", Moved).only(BORN),
    git("branch made", "git branch mine", Moved).only(BORN),
    git("branch made and entered", "git switch -q -c mine", Moved),
    git("branch deleted", "git branch -q -D other", Moved).only(BORN),
    git("branch moved", "git branch -q -f other HEAD", Moved).only(BORN),
    git("branch renamed", "git branch -m renamed", Moved).only(BORN),
    git("other branch checked out", "git checkout -q -f other", Strays(&["docs/guide.md"])).only(BORN),
    git("tag made", "git tag mine", Moved).only(BORN),
    git("tag deleted", "git tag -d v1 >/dev/null", Moved).only(BORN),
    git("HEAD to nowhere", "git symbolic-ref HEAD refs/heads/nowhere", Moved),
    git("a ref of one's own", "git update-ref refs/mine/x HEAD", Moved).only(BORN),
    git("index: all staged", "git add -A -- src", Moved),
    git("index: reset", "git reset -q", Moved).only(&[Staged]),
    git("index: emptied", "git rm -rqf --cached .", Moved),
    git("index: deleted", "rm \"$(git rev-parse --git-path index)\"", Moved),
    git("index: intent to add", "echo STRAY > i.txt; git add -N i.txt", Strays(&["i.txt"])),
    git("index: flags", "git update-index --assume-unchanged src/b.py run.sh", Moved),
    git("index: a conflict", "printf '0 0000000000000000000000000000000000000000\\trun.sh\\n100644 %s 1\\trun.sh\\n' $(git hash-object -w run.sh) | git update-index --index-info", Moved),
    git("files removed with git", "git rm -qf docs/guide.md", Strays(&["docs/guide.md"])),
    git("files moved with git", "git mv -f run.sh ran.sh", Strays(&["run.sh", "ran.sh"])),
    git("files checked out", "echo x >> src/b.py; git checkout -q -- . ; rm -f notes/n.txt", Strays(&["notes/n.txt"])),
    git("files restored", "git restore -q --staged --worktree . 2>/dev/null; echo STRAY > r.txt", Strays(&["r.txt"])).only(BORN),
    git("stash", "git stash -q; echo STRAY > s.txt", Strays(&["s.txt"])).only(&[Clean, Dirty, Below, Worktree]),
    git("stash with untracked files", "git stash -q -u; echo STRAY > s.txt", Strays(&["s.txt"])).only(&[Clean, Dirty, Below, Worktree]),
    git("stash of the delta alone", "git stash push -q -- src/a.py; echo 'a = 2' > src/a.py", Moved).only(&[Clean, Dirty, Below, Worktree]),
    git("stash dropped", "git stash drop -q", Moved).only(&[Dirty]),
    git("stash popped", "git checkout -q -- src/c.py; git stash pop -q", Strays(&["src/c.py"])).only(&[Dirty]),
    git("clean", "git clean -fdq; echo STRAY > s.txt", Strays(&["s.txt"])),
    git("clean, ignored too", "git clean -fdxq || :; git checkout -q -- .; echo 'a = 2' > src/a.py; echo STRAY > s.txt", Strays(&["s.txt", ".env"])).passing(&[".venv"]),
    git("clean, repositories too", "git clean -ffdxq || :; echo STRAY > s.txt", Strays(&["s.txt", ".env"])).passing(&[".venv"]),
    git(
        "reset and collected",
        "git reset -q --hard; git reflog expire --expire=now --all; git gc -q --prune=now
         echo 'a = 2' > src/a.py; echo STRAY > s.txt",
        Strays(&["s.txt"]),
    )
    .only(BORN),
    git(
        "committed, reset and collected",
        "git add -A -- . ':!.ftl'; git commit -qm mine; git reset -q --hard HEAD~1; git reflog expire --expire=now --all
         git gc -q --prune=now; echo 'a = 2' > src/a.py; echo STRAY > s.txt",
        Strays(&["s.txt"]),
    )
    .only(BORN),
    git("collected", "git reflog expire --expire=now --all; git gc -q --prune=now; echo STRAY > s.txt", Strays(&["s.txt"])),
    git("sparse checkout", "git sparse-checkout set src >/dev/null 2>&1; echo STRAY > s.txt", Strays(&["s.txt"])).only(&[Clean, Dirty]),
    git("worktree added", "git worktree add -q \"$OUT/../tmp/w\" other; rm -rf \"$OUT/../tmp/w\"; git worktree prune; echo STRAY > s.txt", Strays(&["s.txt"])).only(BORN),
    git("merge", "git checkout -q other -- docs/guide.md; git merge -q -s ours other", Strays(&["docs/guide.md"])).only(&[Clean]),
    git("hook made", "mkdir -p \"$G/hooks\"; echo STRAY > \"$G/hooks/pre-commit\"; chmod +x \"$G/hooks/pre-commit\"", Strays(&[".git/hooks/pre-commit"])),
    git("hooks deleted", "rm -r \"$G/hooks\"; echo STRAY > s.txt", Strays(&["s.txt"])),
    git("hooks made a link", "rm -r \"$G/hooks\"; ln -s \"$OUT\" \"$G/hooks\"", Strays(&[".git/hooks"])),
    git("configuration: alias", "git config alias.x '!id'", Strays(&[".git/config"])),
    git("configuration: hooks", "git config core.hooksPath /tmp", Strays(&[".git/config"])),
    git("configuration: watcher", "git config core.fsmonitor 'echo owned >&2; true'; echo STRAY > s.txt", Strays(&[".git/config", "s.txt"])),
    git("configuration: filter", "git config filter.x.clean 'id'; echo '* filter=x' > .gitattributes", Strays(&[".git/config", ".gitattributes"])),
    git("configuration: bare", "git config core.bare true; echo STRAY > s.txt", Strays(&[".git/config", "s.txt"])).only(OWN),
    git("configuration: work tree", "git config core.worktree /tmp; echo STRAY > s.txt", Strays(&[".git/config", "s.txt"])).only(OWN),
    git("configuration: of a worktree", "git config extensions.worktreeConfig true; git config --worktree alias.x y", Strays(&[".git/config", ".git/config.worktree"])),
    git("configuration: broken", "echo '[' >> \"$G/config\"; echo STRAY > s.txt", Strays(&[".git/config", "s.txt"])),
    git("configuration: included", "git config include.path \"$OUT/../tmp/c\"", Strays(&[".git/config"])),
    git("the repository deleted", "rm -rf \"$G\"; echo STRAY > s.txt; rm -f untracked.txt", Strays(&["s.txt"])).without_git(),
    git("the repository moved", "mv \"$G\" \"$G.old\"; echo STRAY > s.txt", Strays(&["s.txt"])).only(OWN).without_git(),
    git("the repository exchanged", "mv \"$G\" \"$OUT/../tmp/g\"; git init -q .; echo STRAY > s.txt; rm -rf .git; mv \"$OUT/../tmp/g\" \"$G\"", Strays(&["s.txt"])).only(OWN),
    git("the repository made a file", "mv .git \"$OUT/../tmp/g\"; echo \"gitdir: $OUT/../tmp/g\" > .git; echo STRAY > s.txt; rm .git; mv \"$OUT/../tmp/g\" .git", Strays(&["s.txt"])).only(OWN),
    git("HEAD broken", "echo garbage > \"$G/HEAD\"; echo STRAY > s.txt", Strays(&["s.txt"])).only(OWN),
    git("refs deleted", "rm -r \"$G/refs\"; echo STRAY > s.txt", Strays(&["s.txt"])).only(OWN),
    git("worktree's pointer led elsewhere", "echo 'gitdir: /nowhere' > .git; echo STRAY > s.txt", Strays(&[".git", "s.txt"])).only(&[Worktree]),
    way("a repository in a directory", "git init -q docs; echo STRAY > s.txt", Strays(&["s.txt"])),
    way("a repository in the delta's directory", "mkdir -p src/.git/hooks; echo STRAY > src/.git/config", Strays(&[])),
    way("a repository in a new directory", "git init -q fresh; echo STRAY > fresh/x", Strays(&["fresh/x"])),
    way("a repository's pointer", "echo 'gitdir: /tmp' > docs/.git", Strays(&["docs/.git"])),
    way("a bare repository", "git init -q --bare docs/bare", Strays(&[])),
    plain("a repository around all", "git init -q .; echo STRAY > s.txt", Strays(&["s.txt"])),
    plain("a repository around all that hides", "git init -q .; echo hidden.py > .git/info/exclude; echo STRAY > hidden.py", Strays(&["hidden.py"])),
    git(
        "submodule added",
        "git init -q \"$OUT/../tmp/m\"; (cd \"$OUT/../tmp/m\"; git commit -q --allow-empty -m m)
         git -c protocol.file.allow=always submodule --quiet add \"$OUT/../tmp/m\" sub; rm -rf \"$OUT/../tmp/m\"",
        Strays(&["sub/.git"]),
    )
    .only(&[Clean]),
    git("hook of a nested repository", "mkdir -p nested/.git/hooks; echo STRAY > nested/.git/hooks/pre-commit", Strays(&[])).only(&[Dirty]),
    git("configuration of a nested repository", "git -C nested config alias.x '!id'", Strays(&[])).only(&[Dirty]),
    git("a nested repository's file", "echo STRAY >> nested/own.txt", Strays(&["nested/own.txt"])).only(&[Dirty]),
    git("commit in a nested repository", "cd nested; git add -A; git commit -qm mine; cd ..; echo STRAY > s.txt", Either).only(&[Dirty]).passing(&["nested/.git"]),
    git("above the root: new file", "echo STRAY > ../new.txt", Strays(&["../new.txt"])).only(&[Below]),
    git("above the root: edit", "echo STRAY >> ../src/b.py", Strays(&["../src/b.py"])).only(&[Below]),
    git("above the root: uncommitted work", "git -C .. checkout -q -- top.txt", Strays(&["../top.txt"])).only(&[Below]),
    git("above the root: deleted", "rm -r ../src", Strays(&["../src/b.py"])).only(&[Below]),
    git("above the root: attributes", "echo '*.py text' >> ../.gitattributes", Strays(&["../.gitattributes"])).only(&[Below]),
];
