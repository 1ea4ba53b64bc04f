//! The project that a case takes place in.

use std::fs;
use std::path::{Path, PathBuf};

use ftl_testkit::Result;
use ftl_testkit::program::Program;

use crate::case::{AFTER, BEFORE, Case, CaseKind, NEXT, OTHER, Way};
use crate::setup;

/// One time for all commits: records name the commit, and are compared.
const WHEN: &str = "2026-01-01T00:00:00Z";

const CHECK: &str = "grep -q 'return a + b' calc.py && exit 0
grep -q 'a \\* b' calc.py && echo 'error: no sum here' >&2 && exit 1
echo 'error: add(2, 3) is not 5' >&2
exit 1
";

const TEST: &str = "from calc import add


def test_add():
    assert add(2, 3) == 5
";

/// Makes the project of a newcomer, who has written no task yet.
///
/// # Errors
///
/// Something could not be written, or git failed.
pub(crate) fn make_new(at: &Path) -> Result {
    fs::write(at.join("calc.py"), BEFORE)?;
    fs::write(at.join("test_calc.py"), TEST)?;
    commit(at)
}

/// Makes the project.
///
/// # Errors
///
/// Something could not be written, or git failed.
pub(crate) fn make(at: &Path, case: &Case) -> Result {
    let write = |path: &str, text: &str| -> Result {
        let path = at.join(path);
        fs::create_dir_all(path.parent().ok_or("a file is in a directory")?)?;
        Ok(fs::write(path, text)?)
    };
    let is_right = case.kind == CaseKind::NoChange;
    write("other.py", OTHER)?;
    write("check.sh", CHECK)?;
    for (number, sum) in (1..).zip(case.sums()) {
        write(sum, if is_right { AFTER } else { BEFORE })?;
        if case.kind == CaseKind::Together {
            let task = format!(
                "<workspace status=\"active\"><objective>Mend the sum</objective><implementation><delta>{sum}</delta>\
                 <verify>grep -q 'a + b' {sum}</verify></implementation><delivered/></workspace>\n"
            );
            write(&format!(".ftl/workspace/{number:03}_sum_active.xml"), &task)?;
        }
    }
    if case.kind == CaseKind::Together {
        return commit(at);
    }
    let (more, budget) = match case.kind {
        CaseKind::Budget => ("<delta>a.txt</delta><delta>b.txt</delta>", 3),
        _ => ("", 7),
    };
    let task = format!(
        "<workspace status=\"active\"><objective>Mend the sum</objective><implementation><delta>calc.py</delta>{more}\
         <verify>sh check.sh</verify><budget>{budget}</budget></implementation><prior_knowledge>\
         <failure name=\"sign\"><trigger>no sum here</trigger><fix>Add, and do not multiply</fix></failure>\
         </prior_knowledge><delivered/></workspace>\n"
    );
    write(".ftl/workspace/001_sum_active.xml", &task)?;
    write(".ftl/workspace/002_next_active.xml", NEXT)?;
    commit(at)
}

/// The configuration of a case, for a file beside the project: the projects of all ways are alike, and so are their
/// commits.
pub(crate) fn config(agent: &str, way: Way, case: &Case) -> String {
    let mut config = String::new();
    if way == Way::Open {
        config += "[scope]\nallow = [\"notes/*.md\"]\n";
    }
    let is_about_shell = matches!(case.kind, CaseKind::Process | CaseKind::Key);
    if let Some(command) = setup::with_shell(agent).filter(|_| way == Way::Open && is_about_shell) {
        config += &format!("[agent.{agent}]\ncommand = '''{command}'''\n");
    }
    config
}

fn commit(at: &Path) -> Result {
    for words in [
        &["init", "--quiet"] as &[&str],
        &["add", "--all"],
        &["commit", "--quiet", "--message", "before"],
    ] {
        let git = Program::git(at).args(words);
        git.env("GIT_AUTHOR_DATE", WHEN).env("GIT_COMMITTER_DATE", WHEN).run()?;
    }
    Ok(())
}

/// Every regular file below, `.git` left out.
pub(crate) fn files(at: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![at.to_owned()];
    while let Some(dir) = open.pop() {
        let Ok(entries) = fs::read_dir(&dir) else {
            continue;
        };
        for entry in entries.flatten() {
            let path = entry.path();
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && entry.file_name() != ".git" => open.push(path),
                Ok(kind) if kind.is_file() => found.push(path),
                Ok(_) | Err(_) => {}
            }
        }
    }
    found.sort();
    found
}
