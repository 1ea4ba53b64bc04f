//! What a person does in a project, as data: a name and a script.
//!
//! What they write holds `PERSON`; what they had before the build began holds `BEFORE`.

/// Something that a person does.
#[derive(Debug)]
pub(super) struct Action {
    pub(super) name: &'static str,
    pub(super) script: &'static str,
    pub(super) git: bool,
}

const fn act(name: &'static str, script: &'static str) -> Action {
    Action { name, script, git: false }
}

const fn git(name: &'static str, script: &'static str) -> Action {
    Action { name, script, git: true }
}

/// An edit of every class of file.
pub(super) static EDIT_ALL: Action = act("edit everything", EDITS);

const EDITS: &str =
    "for f in *.txt conf.ini .env; do echo PERSON >> $f; done; echo '# PERSON' >> calc.py";

pub(super) static ACTIONS: &[Action] = &[
    act("nothing", ":"),
    act("edit", "echo PERSON >> user.txt"),
    act("edit, same size", "printf PERSON | dd conv=notrunc of=notes/keep.txt 2>/dev/null"),
    act("add", "echo PERSON > person.txt"),
    act(
        "add directories",
        "mkdir -p person/deep; echo PERSON > person/deep/x.txt; chmod 700 person",
    ),
    act("delete", "rm notes/keep.txt"),
    act("rename", "mv notes/keep.txt notes/moved.txt; echo PERSON >> notes/moved.txt"),
    act("change a mode", "chmod 755 notes/keep.txt"),
    act("edit the delta", "echo '# PERSON' >> calc.py"),
    act(
        "replace the delta",
        "printf 'LIMIT = 10\\n# PERSON\\n' > person.tmp; mv person.tmp calc.py",
    ),
    act("delete the delta", "rm -f calc.py"),
    act("edit an allowed file", "echo PERSON >> conf.ini"),
    act("make the implementer's file", "echo PERSON > fresh.txt; echo PERSON > build/fresh"),
    act("edit an ignored file", "echo PERSON >> .env; echo PERSON > build/person"),
    act("edit everything", EDITS),
    git("stage", "echo PERSON > new.txt; echo PERSON >> user.txt; git add new.txt user.txt"),
    git("unstage", "git reset -q -- staged.txt; echo PERSON >> staged.txt"),
    git("commit", "echo PERSON >> user.txt; git commit -qm person -- user.txt"),
    git("commit all", "echo PERSON >> user.txt; git add -A -- . ':!.ftl'; git commit -qm person"),
    git("stash", "echo PERSON >> user.txt; git stash -q"),
    git("make a branch", "git switch -q -c person; echo PERSON > person.txt"),
    git("switch branch", "git stash -q; git checkout -q other; echo PERSON >> user.txt"),
    git("amend", "git commit -q --amend --only -m person"),
    git("discard", "git checkout -q -- . ; git clean -fdq -e .ftl; echo PERSON > person.txt"),
    git("tag and delete a branch", "git tag person; git branch -q -D spare"),
];
