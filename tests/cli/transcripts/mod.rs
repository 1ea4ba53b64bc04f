//! Whole builds as transcripts: what is in the project, what is run, and everything that it prints.
//!
//! A file holds many cases. One begins with `%%` and its name, its parts with `%:`: `git` commits the project,
//! `file PATH` and `setup` make it, `run` is the script, in which `$FTL` is the program; the other parts are what
//! it printed. `calc.py` and a task for it are there unless a case replaces them. A transcript that is not as it
//! was is written again, and the test fails: look at the difference.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use ftl_testkit::parallel;
use ftl_testkit::program::Program;
use ftl_testkit::scratch::Scratch;
use regex::Regex;

use crate::cli::isolation::possible;
use crate::support::FTL;

const TASK: &str = "<workspace id=\"001-task\" status=\"active\">\n<objective>a limit</objective>\n\
    <implementation><delta>calc.py</delta><verify>grep -q LIMIT calc.py</verify><budget>9</budget></implementation>\n\
    \n<delivered/>\n</workspace>\n";

/// All that a script finds on its `PATH`: no language's front end, so that verdicts are the same everywhere.
const PROGRAMS: &str = "basename cat chmod cp cut date dd dirname env find git grep head id ln ls mkdir mkfifo mv \
    printf ps readlink rm sed seq setsid sh sleep sort stat tail tee test timeout touch tr true umount uniq unshare wc xargs";

/// Two for each of two cores, since a build waits a lot.
const AT_ONCE: usize = 4;

/// One case: its name, and its parts with their heads.
struct Transcript<'t> {
    name: &'t str,
    parts: Vec<(&'t str, &'t str)>,
}

impl<'t> Transcript<'t> {
    fn parse(text: &'t str) -> Self {
        let mut parts = text.split("%: ");
        let name = parts.next().unwrap().trim();
        let parts = parts.map(|part| part.split_once('\n').unwrap()).collect();
        Self { name, parts }
    }

    /// The case again, with what it prints now.
    fn again(&self, place: &Path, path: &str) -> String {
        let root = place.join("root");
        for dir in ["root/.ftl/workspace", "home", "tmp"] {
            fs::create_dir_all(place.join(dir)).unwrap();
        }
        fs::write(root.join("calc.py"), "LIMIT = 10\n").unwrap();
        fs::write(root.join(".ftl/workspace/001_task_active.xml"), TASK).unwrap();
        let mut text = format!("%% {}\n", self.name);
        for (head, part) in self.parts.iter().take_while(|(head, _)| !head.starts_with("exit ")) {
            text += &format!("%: {head}\n{part}");
            let (kind, argument) = head.split_once(' ').unwrap_or((head, ""));
            match kind {
                "file" => {
                    let file = root.join(argument);
                    fs::create_dir_all(file.parent().unwrap()).unwrap();
                    fs::write(file, part).unwrap();
                }
                "git" => assert_eq!(shell(place, path, COMMIT).code, Some(0)),
                "setup" => assert_eq!(shell(place, path, part).code, Some(0), "{part}"),
                _ => {
                    let ran = shell(place, path, part);
                    let code = ran.code.map_or("a signal".to_owned(), |code| code.to_string());
                    text += &format!("%: exit {code}\n{}", masked(&ran.stdout, place));
                    let said: String = masked(&ran.stderr, place)
                        .split_inclusive('\n')
                        // Only a slow machine shows what takes longer than a second.
                        .filter(|line| !line.ends_with(" …\n"))
                        .collect();
                    if !said.is_empty() {
                        text += &format!("%: standard error\n{said}");
                    }
                }
            }
        }
        text
    }
}

const COMMIT: &str = "git init -q -b main && git add -- . ':!.ftl' && git commit -q -m before";

/// A script that ended.
struct Ran {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

fn shell(place: &Path, path: &str, script: &str) -> Ran {
    let below = |name: &str| place.join(name).display().to_string();
    let date = "2001-02-03T04:05:06Z";
    let mut program = Program::new("env", &place.join("root")).args(["-i"]);
    for (name, value) in [
        ("FTL", FTL),
        ("PATH", path),
        ("HOME", &below("home")),
        ("TMPDIR", &below("tmp")),
        ("XDG_STATE_HOME", &below("home/state")),
        ("LC_ALL", "C"),
        ("TZ", "UTC"),
        ("NO_COLOR", "1"),
        ("GIT_CONFIG_GLOBAL", "/dev/null"),
        ("GIT_CONFIG_NOSYSTEM", "1"),
        ("GIT_AUTHOR_NAME", "author"),
        ("GIT_AUTHOR_EMAIL", "author@localhost"),
        ("GIT_AUTHOR_DATE", date),
        ("GIT_COMMITTER_NAME", "author"),
        ("GIT_COMMITTER_EMAIL", "author@localhost"),
        ("GIT_COMMITTER_DATE", date),
    ] {
        program = program.args([format!("{name}={value}")]);
    }
    let script = format!("umask 022\n{script}");
    let output = program.args(["timeout", "60", "sh", "-c", &script]).output().unwrap();
    Ran {
        code: output.status.code(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// What differs from run to run, and what is put in its place.
static MASKS: LazyLock<[(Regex, &str); 5]> = LazyLock::new(|| {
    [
        (r"20[2-9]\d-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?", "<time>"),
        (r", \d+(\.\d+)? s\)", ", <duration> s)"),
        (r"(duration_ms[=:] ?)\d+", "${1}<duration>"),
        (r"process \d+", "process <pid>"),
        (r"(left running: [^(\n]* \()\d+\)", "${1}<pid>)"),
    ]
    .map(|(pattern, mask)| (Regex::new(pattern).unwrap(), mask))
});

fn masked(text: &str, place: &Path) -> String {
    let text = text.replace(&place.display().to_string(), "<place>");
    let mut text = MASKS.iter().fold(text, |text, (pattern, mask)| {
        pattern.replace_all(&text, *mask).into_owned()
    });
    if !text.is_empty() && !text.ends_with('\n') {
        text += "\n";
    }
    text
}

/// Runs the cases of a file, and writes it again where one prints something else.
fn transcripts(name: &str) {
    if !possible() {
        return;
    }
    let file = ftl_testkit::root().join("tests/cli/transcripts").join(name);
    let text = fs::read_to_string(&file).unwrap();
    let (head, cases) = text.split_once("%% ").unwrap();
    let cases: Vec<Transcript> = cases.split("\n%% ").map(Transcript::parse).collect();
    let programs = Scratch::new("programs").unwrap();
    for program in PROGRAMS.split_whitespace() {
        let found = which(program).unwrap_or_else(|| panic!("`{program}` is needed"));
        std::os::unix::fs::symlink(found, programs.path().join(program)).unwrap();
    }
    let path = programs.path().display().to_string();
    let again = parallel::map(AT_ONCE, &cases, || Ok(()), |(), case| {
        let place = Scratch::in_memory("transcript")?;
        Ok(case.again(place.path(), &path))
    });
    let again = head.to_owned() + &again.unwrap().join("\n");
    if again != text {
        fs::write(&file, again).unwrap();
        panic!("{name} was not as it was and is written again: look at the difference");
    }
}

fn which(name: &str) -> Option<std::path::PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|path| path.is_file())
}

#[test]
fn builds_that_complete_print_what_they_did() {
    transcripts("complete.txt");
}
