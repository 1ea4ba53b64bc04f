//! Completion of the command line, asked by real shells.

use ftl_testkit::program::Program;

use super::project;
use crate::support::{FTL, Finished, Project, has_tool};

/// Three tasks, and a configured agent.
fn tasks() -> Project {
    let project = project(&["001_a_active.xml", "002_b_blocked.xml", "010_c_active.xml"]);
    project.write("ftl.toml", "[agent.mine]\ncommand = \"true\"\n");
    project
}

/// What a shell prints that knows the program as `ftl`.
fn completions(project: &Project, shell: &str, words: &[&str], script: &str) -> String {
    let bin = project.path().join("bin");
    std::fs::create_dir_all(&bin).unwrap();
    let link = bin.join("ftl");
    if !link.exists() {
        std::os::unix::fs::symlink(FTL, &link).unwrap();
    }
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let program = Program::new(shell, project.path()).without_cargo();
    let program = program.args(words).args([script]).env("PATH", &path);
    let finished = Finished::of(program.env("HOME", project.path())).ends(0);
    assert_eq!(finished.stderr, "", "{finished:#?}");
    finished.stdout
}

/// Each command line with what may follow: the start of it, in order.
const CASES: &[(&[&str], &[&str])] = &[
    (&["ftl", "build", ""], &["001_a", "010_c"]),
    (&["ftl", "build", "1"], &["001_a", "010_c"]),
    (&["ftl", "build", "010"], &["010_c"]),
    (&["ftl", "reopen", ""], &["002_b"]),
    (&["ftl", "show", "002"], &["002_b"]),
    (&["ftl", "new", "x", "--depends", "0"], &["001_a", "002_b", "010_c"]),
    (&["ftl", "build", "--agent", "m"], &["mine"]),
    (&["ftl", "build", "--agent", "cl"], &["claude", "cline"]),
    (&["ftl", "build", "--isolate", "b"], &["bind"]),
    (&["ftl", "build", "--isol"], &["--isolate"]),
    (&["ftl", "rep"], &["report"]),
    (&["ftl", "workspace", "v"], &["validate"]),
    (&["ftl", "preflight", "not"], &["notes.txt"]),
    (&["ftl", "nothing", "x"], &[]),
];

fn quoted(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    words.join(" ")
}

#[test]
fn bash_completes_commands_options_tasks_and_agents() {
    if !has_tool("bash", "bash", &["--version"]) {
        return;
    }
    let project = tasks();
    for (words, expected) in CASES {
        let script = format!(
            "eval \"$(ftl completions bash)\"; COMP_WORDS=({}); COMP_CWORD={}; _ftl ftl; \
             (( ${{#COMPREPLY[@]}} )) && printf '%s\\n' \"${{COMPREPLY[@]}}\"; true",
            quoted(words),
            words.len() - 1
        );
        let printed = completions(&project, "bash", &["--norc", "-c"], &script);
        let printed: Vec<&str> = printed.lines().collect();
        assert_eq!(&printed, expected, "{words:?}");
    }
    // A value after `=`, which bash takes for a separate word.
    let script = "eval \"$(ftl completions bash)\"; complete -p ftl; COMP_WORDS=(ftl build --format = j); \
        COMP_CWORD=4; _ftl ftl; echo \"${COMPREPLY[@]}\"";
    let printed = completions(&project, "bash", &["--norc", "-c"], script);
    assert_eq!(printed, "complete -o filenames -F _ftl ftl\njson\n");
}

#[test]
fn fish_completes_them_too() {
    if !has_tool("fish", "fish", &["--version"]) {
        return;
    }
    let project = tasks();
    for (words, expected) in CASES {
        let line = words.join(" ");
        let script = format!("ftl completions fish | source; complete --do-complete '{line}'");
        let printed = completions(&project, "fish", &["--no-config", "-c"], &script);
        let values = printed.lines().map(|line| line.split('\t').next().unwrap());
        assert_eq!(&values.collect::<Vec<_>>(), expected, "{words:?}");
    }
    let script = "ftl completions fish | source; complete --do-complete 'ftl show 0'";
    let printed = completions(&project, "fish", &["--no-config", "-c"], script);
    assert_eq!(printed, "001_a\tactive\n002_b\tblocked\n010_c\tactive\n");
}

#[test]
fn zsh_completes_them_too() {
    if !has_tool("zsh", "zsh", &["--version"]) {
        return;
    }
    let project = tasks();
    for (words, expected) in CASES {
        // Outside of its line editor, zsh has no list to show candidates in.
        let script = format!(
            "compdef() {{ }}; _describe() {{ local -a all; all=(\"${{(@P)3}}\"); print -l -- ${{all%%:*}} }}; \
             compadd() {{ }}; source <(ftl completions zsh); words=({}); CURRENT={}; _ftl",
            quoted(words),
            words.len()
        );
        let printed = completions(&project, "zsh", &["-f", "-c"], &script);
        let printed: Vec<&str> = printed.lines().filter(|line| !line.is_empty()).collect();
        assert_eq!(&printed, expected, "{words:?}");
    }
}

#[test]
fn a_file_name_that_a_terminal_would_obey_is_not_offered() {
    let project = tasks();
    project.write("x\u{1b}[31m", "");
    project.write("xy", "");
    let words = ["candidates", "--shell", "bash", "--index", "2", "--", "ftl", "preflight", "x"];
    assert_eq!(project.ftl(words).stdout, "xy\n");
}
