//! What a build shows while it runs: live on a terminal, in lines elsewhere, as events for programs.

use std::fs::File;
use std::io::Read;
use std::os::fd::OwnedFd;
use std::process::Child;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use ftl_testkit::program::Program;
use rustix::fs::{Mode, OFlags};
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use serde_json::Value;
use vt100::Parser;

use super::drawing::svg;
use super::task;
use crate::support::{FTL, Finished, Project};

const STATE: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/state");
const PATIENCE: Duration = Duration::from_secs(60);

/// A program on a pseudo terminal, and the screen that it makes there.
struct Terminal {
    child: Child,
    master: OwnedFd,
    screen: Arc<Mutex<Parser>>,
    reader: Option<thread::JoinHandle<Vec<u8>>>,
}

impl Terminal {
    fn start(project: &Project, words: &[&str], width: u16, variables: &[(&str, &str)]) -> Self {
        let rows = 24;
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY;
        let master = openpt(flags).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        resize(&master, width, rows);
        let name = ptsname(&master, Vec::new()).unwrap();
        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
        let slave = rustix::fs::open(name.as_c_str(), flags, Mode::empty()).unwrap();
        let mut program = Program::new(FTL, project.path())
            .without_cargo()
            .env_remove("NO_COLOR")
            .env_remove("CI")
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("XDG_STATE_HOME", STATE)
            .env("TERM", "xterm")
            .env("LC_ALL", "C.UTF-8")
            .args(words);
        for (name, value) in variables {
            program = program.env(name, value);
        }
        let child = program.start_on(&File::from(slave)).unwrap();
        let screen = Arc::new(Mutex::new(Parser::new(rows, width, 0)));
        let shown = Arc::clone(&screen);
        let mut file = File::from(rustix::io::dup(&master).unwrap());
        let reader = thread::spawn(move || {
            let (mut all, mut buffer) = (Vec::new(), [0; 4096]);
            // The end of a terminal is an error, EIO.
            while let Ok(count @ 1..) = file.read(&mut buffer) {
                shown.lock().unwrap().process(&buffer[..count]);
                all.extend_from_slice(&buffer[..count]);
            }
            all
        });
        Self {
            child,
            master,
            screen,
            reader: Some(reader),
        }
    }

    fn resize(&self, width: u16) {
        self.screen.lock().unwrap().screen_mut().set_size(24, width);
        resize(&self.master, width, 24);
    }

    fn text(&self) -> String {
        self.screen.lock().unwrap().screen().contents()
    }

    /// The screen once it is as it should be.
    fn when(&self, is_there: impl Fn(&str) -> bool) -> String {
        let until = Instant::now() + PATIENCE;
        loop {
            let text = self.text();
            if is_there(&text) {
                return text;
            }
            assert!(Instant::now() < until, "{text}");
            thread::sleep(Duration::from_millis(20));
        }
    }

    fn interrupt(&self) {
        let pid = Pid::from_raw(i32::try_from(self.child.id()).unwrap()).unwrap();
        kill_process(pid, Signal::INT).unwrap();
    }

    /// Waits for the end: the exit code, the last screen, and every byte.
    fn end(mut self) -> (Option<i32>, String, Vec<u8>) {
        let code = self.child.wait().unwrap().code();
        let all = self.reader.take().unwrap().join().unwrap();
        (code, self.text(), all)
    }
}

fn resize(master: &OwnedFd, width: u16, rows: u16) {
    let size = Winsize {
        ws_row: rows,
        ws_col: width,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    tcsetwinsize(master, size).unwrap();
}

/// A project whose verify prints lines, then waits for the pipe `go`.
fn waiting(names: &[&str]) -> Project {
    let project = Project::empty();
    project.write("notes.txt", "before\n");
    let verify = "printf 'collecting\\n10 %%\\r50 %%\\n\\033]0;owned\\007\\033[31m日本 tests/test_types.py ........ and \
                  a line that is much longer than the narrowest of all terminals that are tried here\\033[0m\\n'; read go &lt; go";
    for name in names {
        let path = format!(".ftl/workspace/{name}_active.xml");
        project.write(path, task("", verify));
    }
    let pipe = Program::new("mkfifo", project.path());
    pipe.args(["go"]).run().unwrap();
    project
}

fn go(project: &Project) {
    std::fs::write(project.path().join("go"), "go\n").unwrap();
}

const AGENT: &str = "echo after >>notes.txt; sleep 1.2";

/// The same screen for every run: times and the turning mark are told by their forms.
fn timeless(screen: &str) -> String {
    let mut text = String::new();
    for line in screen.trim_end().lines() {
        let mut words = line.split_whitespace();
        let line = match (words.next(), words.next()) {
            (Some("✓"), Some(state)) => format!("✓ {state:<10}     1.2 s"),
            (Some("⠋" | "⠙" | "⠸" | "⠴" | "⠦" | "⠇"), Some(state)) => {
                let rest: String = line.chars().skip(22).collect();
                format!("⠋ {state:<10}      0:07{rest}")
            }
            _ => line.trim_end().to_owned(),
        };
        text.push_str(&line);
        text.push('\n');
    }
    text
}

#[test]
fn a_terminal_shows_states_with_times_and_the_last_lines_at_any_width() {
    for width in [60, 84, 160] {
        let project = waiting(&["001_a"]);
        let words = ["build", "001", "--agent", AGENT];
        let terminal = Terminal::start(&project, &words, width, &[]);
        let is_there = |text: &str| text.contains("VERIFY") && text.contains("日本 tests");
        let text = terminal.when(is_there);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "001_a  budget 3/5", "{text}");
        for (line, state) in lines[1..]
            .iter()
            .zip(["READ", "PLAN", "IMPLEMENT", "PREFLIGHT"])
        {
            assert!(
                line.starts_with(&format!("✓ {state} ")) && line.ends_with('s'),
                "{text}"
            );
        }
        assert!(
            lines[5].contains("VERIFY ") && lines[5].contains("  verify: printf"),
            "{text}"
        );
        assert_eq!(lines[6..8], ["  │ collecting", "  │ 50 %"], "{text}");
        assert_eq!(lines.len(), 9, "{text}");
        assert_eq!(lines[8].ends_with('…'), width < 160, "{text}");
        go(&project);
        let (code, screen, all) = terminal.end();
        assert_eq!(code, Some(0), "{screen}");
        assert!(screen.contains("complete  001_a"), "{screen}");
        assert!(!screen.contains('✓') && !screen.contains('│'), "{screen}");
        let all = String::from_utf8_lossy(&all);
        assert!(
            !all.contains("\u{1b}]") && !all.contains("Budget:"),
            "{all}"
        );
    }
}

#[test]
fn an_interrupt_leaves_nothing_but_what_to_do_next() {
    let project = waiting(&["001_a"]);
    let terminal = Terminal::start(&project, &["build", "--agent", AGENT], 84, &[]);
    terminal.when(|text| text.contains("collecting"));
    terminal.interrupt();
    let (code, screen, _) = terminal.end();
    assert_eq!(code, Some(130), "{screen}");
    assert!(
        !screen.contains('✓') && !screen.contains('│') && !screen.contains("READ"),
        "{screen}"
    );
    assert!(
        screen.contains("build::interrupted") && screen.contains("to go on"),
        "{screen}"
    );
}

#[test]
fn a_window_that_is_resized_and_another_locale_get_lines_that_fit() {
    let project = waiting(&["001_a"]);
    let words = ["build", "--agent", AGENT];
    let terminal = Terminal::start(&project, &words, 160, &[("LC_ALL", "C")]);
    terminal.when(|text| text.contains("50 %"));
    terminal.resize(60);
    let text = terminal.when(|text| {
        text.lines().all(|line| line.chars().count() < 60)
            && text.contains("50 %")
            && text.contains('~')
    });
    assert!(
        text.contains("\n* READ") && text.contains("  | ?? tests"),
        "{text}"
    );
    assert!(text.is_ascii(), "{text}");
    terminal.resize(120);
    terminal.when(|text| text.lines().any(|line| line.len() > 80));
    go(&project);
    assert_eq!(terminal.end().0, Some(0));
}

#[test]
fn of_several_tasks_every_line_names_its_own_and_the_tally_is_told() {
    let project = waiting(&["001_a", "002_b"]);
    let agent = "echo $FTL_WORKSPACE >>notes.txt; sleep 1.2";
    let words = ["build", "--all", "--agent", agent];
    let terminal = Terminal::start(&project, &words, 100, &[]);
    terminal.when(|text| text.contains("001 001_a  [1/2]") && text.contains("collecting"));
    go(&project);
    let text = terminal.when(|text| {
        text.contains("002 002_b  [2/2] 1 complete  budget") && text.contains("002   │ collecting")
    });
    let region = text.lines().skip_while(|line| !line.contains("[2/2]"));
    assert!(
        region.clone().all(|line| line.starts_with("002 ")),
        "{text}"
    );
    assert!(
        region
            .clone()
            .any(|line| line.contains(" last time  verify: ")),
        "{text}"
    );
    go(&project);
    let (code, screen, _) = terminal.end();
    assert_eq!(code, Some(0), "{screen}");
    assert!(
        screen.contains("2 complete, 0 blocked, 0 skipped, 0 failed"),
        "{screen}"
    );
}

#[test]
fn plain_lines_are_shown_where_no_region_is_wanted() {
    for variable in [("CI", "true"), ("TERM", "dumb"), ("NO_COLOR", "1")] {
        let project = waiting(&["001_a"]);
        let terminal = Terminal::start(&project, &["build", "--agent", AGENT], 84, &[variable]);
        terminal.when(|text| text.contains("verify: printf"));
        go(&project);
        let (code, _, all) = terminal.end();
        assert_eq!(code, Some(0));
        let all = String::from_utf8_lossy(&all);
        assert!(
            all.contains("Budget: 1/5, Delta: notes.txt"),
            "{variable:?}: {all}"
        );
        assert!(
            !all.contains("\u{1b}[J") && !all.contains("A\u{1b}"),
            "{variable:?}: {all}"
        );
    }
}

#[test]
fn the_live_view_costs_less_than_a_hundredth_of_a_processor() {
    let project = waiting(&["001_a"]);
    let terminal = Terminal::start(&project, &["build", "--agent", AGENT], 100, &[]);
    terminal.when(|text| text.contains("collecting"));
    let ticks = || {
        let path = format!("/proc/{}/stat", terminal.child.id());
        let stat = std::fs::read_to_string(path).unwrap();
        let fields: Vec<&str> = stat
            .rsplit_once(')')
            .unwrap()
            .1
            .split_whitespace()
            .collect();
        fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
    };
    let (before, seconds) = (ticks(), 4);
    thread::sleep(Duration::from_secs(seconds));
    // A tick is a hundredth of a second: 1 % is one tick a second. Debug builds are slower.
    let spent = ticks() - before;
    go(&project);
    assert_eq!(terminal.end().0, Some(0));
    assert!(spent <= 3 * seconds, "{spent} ticks in {seconds} s");
}

#[test]
fn quiet_and_verbose_builds_say_less_and_more() {
    let run = |option: &str| {
        let project = super::project(&["001_a_active.xml"]);
        let finished = project.ftl([
            "build",
            option,
            "--agent",
            "echo after >>notes.txt; echo said",
        ]);
        assert_eq!(finished.code, Some(0), "{finished:#?}");
        finished
    };
    assert_eq!(run("-q").stderr, "");
    let verbose = run("-v").stderr;
    for line in [
        "state: IMPLEMENT\n",
        "agent: echo after",
        "  | said\n",
        "Budget: 2/5",
    ] {
        assert!(verbose.contains(line), "{verbose}");
    }
    let coloured = run("--color=always");
    assert!(
        coloured.stdout.starts_with("\u{1b}[1;32mcomplete"),
        "{coloured:#?}"
    );
    assert!(!run("--color=never").stdout.contains('\u{1b}'));
}

fn events(finished: &Finished) -> Vec<Value> {
    let lines = finished.stdout.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn programs_are_told_what_begins_what_it_prints_and_what_is_spent() {
    let project = Project::empty();
    project.write("notes.txt", "before\n");
    let text = task("", "echo first; echo last")
        .replace("</verify>", "</verify><preflight>true</preflight>");
    project.write(".ftl/workspace/001_a_active.xml", text);
    let agent = "echo after >>notes.txt; for i in 1 2 3 4 5 6; do echo step $i; sleep 0.3; done";
    let finished = project.ftl(["build", "--events", "-", "--agent", agent]);
    assert_eq!(finished.code, Some(0), "{finished:#?}");
    let told = events(&finished);
    let of = |kind: &'static str| told.iter().filter(move |event| event["type"] == kind);
    for (number, event) in told.iter().enumerate() {
        super::schemas::assert_fits("event", event);
        assert_eq!(event["seq"], number);
    }
    let started: Vec<(&str, &str)> = of("started")
        .map(|event| {
            (
                event["what"].as_str().unwrap(),
                event["command"].as_str().unwrap(),
            )
        })
        .collect();
    let expected = [
        ("agent", agent),
        ("preflight", "true"),
        ("verify", "echo first; echo last"),
    ];
    assert_eq!(started, expected);
    let lines: Vec<&str> = of("output")
        .map(|event| event["line"].as_str().unwrap())
        .collect();
    assert!(
        lines.contains(&"step 6") && lines.last() == Some(&"last"),
        "{lines:?}"
    );
    assert!(lines.len() <= 7, "twice a second at most: {lines:?}");
    assert_eq!(told[0].get("budget"), None);
    let spent: Vec<&Value> = told[1..]
        .iter()
        .map(|event| &event["budget"]["used"])
        .collect();
    assert!(spent.iter().all(|used| used.is_u64()), "{told:#?}");
    assert_eq!(of("workspace_read").next().unwrap()["budget"]["used"], 1);
    assert_eq!(of("outcome").next().unwrap()["budget"]["used"], 3);
}

/// Screens of the documentation, as a test sees them.
#[test]
fn the_screens_in_the_docs_are_those_of_the_program() {
    let mut page = String::new();
    let mut stale = Vec::new();
    for width in [60, 84, 160] {
        let project = Project::empty();
        project.write("notes.txt", "before\n");
        let lines = "tests/test_basic.py ....................................... [ 31%]\n\
                     tests/test_types.py ............................................................ [ 58%]";
        let script = format!("echo '{lines}'; read go < go");
        project.write("test.sh", script);
        let text = task(
            "",
            "sh test.sh --quiet --color no -- tests/test_basic.py tests/test_types.py",
        );
        project.write(".ftl/workspace/002_show-what-runs_active.xml", text);
        Program::new("mkfifo", project.path())
            .args(["go"])
            .run()
            .unwrap();
        let terminal = Terminal::start(&project, &["build", "--agent", AGENT], width, &[]);
        let text =
            terminal.when(|text| text.contains("VERIFY") && text.contains("test_types.py ."));
        page.push_str(&format!(
            "At {width} columns:\n\n```text\n{}```\n\n",
            timeless(&text)
        ));
        let drawn = loop {
            let parser = terminal.screen.lock().unwrap();
            // Not in the middle of a redraw.
            if timeless(&parser.screen().contents()) == timeless(&text) {
                break svg(parser.screen(), &timeless(&text), width);
            }
            drop(parser);
            thread::sleep(Duration::from_millis(5));
        };
        let path = ftl_testkit::root().join(format!("docs/screens/live-{width}.svg"));
        if std::fs::read_to_string(&path).unwrap_or_default() != drawn {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, drawn).unwrap();
            stale.push(path);
        }
        go(&project);
        assert_eq!(terminal.end().0, Some(0));
    }
    let path = ftl_testkit::root().join("docs/progress.md");
    let docs = std::fs::read_to_string(path).unwrap_or_default();
    assert!(docs.contains(&page), "docs/progress.md lacks:\n{page}");
    assert!(stale.is_empty(), "drawn anew, look at them: {stale:?}");
}
