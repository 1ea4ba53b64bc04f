//! Input that is made to use up time or memory: each case within the bound beside it.
//!
//! A bomb may end as it likes, as long as it ends by itself, in one of ftl's own exit codes.

use std::time::{Duration, Instant};

use ftl_testkit::Result;
use ftl_testkit::build::named_or_release;
use ftl_testkit::peak::{self, End, Peak};
use ftl_testkit::sweep::Size;
use ftl_testkit::sweep::sandbox::Sandbox;
use serde::Deserialize;

/// The cases, as data.
const BOMBS: &str = include_str!("bombs.toml");

/// The tables of [`BOMBS`].
#[derive(Deserialize)]
struct Tables {
    build: Vec<BombRow>,
    text: Vec<BombRow>,
    file: Vec<FileBomb>,
}

/// A build, or a text in a file.
#[derive(Deserialize)]
struct BombRow {
    name: String,
    #[serde(default)]
    make: String,
    #[serde(default)]
    file: String,
    #[serde(default)]
    python: String,
    #[serde(flatten)]
    command: BombCommand,
    seconds: Option<u64>,
    mib: Option<u64>,
    #[serde(default)]
    large: bool,
}

#[derive(Deserialize)]
struct FileBomb {
    path: String,
    #[serde(flatten)]
    command: BombCommand,
}

/// The words after `ftl`.
#[derive(Clone, Deserialize)]
struct BombCommand {
    run: BombWords,
    agent: Option<String>,
}

/// Words between blanks, or a list of them.
#[derive(Clone, Deserialize)]
#[serde(untagged)]
enum BombWords {
    Blanks(String),
    List(Vec<String>),
}

impl BombCommand {
    fn words(&self) -> Vec<String> {
        let run = match &self.run {
            BombWords::Blanks(text) => text.split_whitespace().map(str::to_owned).collect(),
            BombWords::List(words) => words.clone(),
        };
        let agent = self.agent.iter().flat_map(|agent| ["--agent".to_owned(), agent.clone()]);
        run.into_iter().chain(agent).collect()
    }
}

impl BombRow {
    fn bomb(&self, name: String, make: String, mib: u64) -> Bomb {
        Bomb {
            name,
            make,
            words: self.command.words(),
            time: Duration::from_secs(self.seconds.unwrap_or(SECONDS)),
            mib: self.mib.unwrap_or(mib),
            is_large: self.large,
        }
    }
}

/// A case: what is in the project, what is asked of it, and what that may take.
#[derive(Clone, Debug)]
struct Bomb {
    name: String,
    /// A shell script that runs in the project and lays the bomb.
    make: String,
    /// The words after `ftl`.
    words: Vec<String>,
    time: Duration,
    /// Peak memory of ftl and each of its children, in MiB.
    mib: u64,
    /// Whether it is left to `--full`, since it takes long to lay.
    is_large: bool,
}

const SECONDS: u64 = 10;
const MIB: u64 = 100;
/// Parsers hold a tree of what they read, many times the size of its text.
const MIB_OF_TEXT: u64 = 300;

/// What can be in a file that ftl looks for, by name, and the shell that puts it there.
const FORMS: [(&str, &str); 3] = [
    ("a link to /dev/zero", "ln -s /dev/zero \"$F\""),
    ("a pipe", "mkfifo \"$F\""),
    (FIVE_GIGABYTES, "truncate -s 5G \"$F\""),
];
const FIVE_GIGABYTES: &str = "5 GB of nothing";

/// Files that commands of bombs need.
const FILES: &str = r#"echo '{"tasks": [{"seq": "007", "slug": "x", "delta": ["src/a.py"], "verify": "true"}]}' >plan.json; echo 'let a' >x.js; echo 'fn f() {}' >x.rs"#;

/// Every bomb.
fn bombs() -> Result<Vec<Bomb>> {
    let tables: Tables = toml::from_str(BOMBS)?;
    let mut bombs = Vec::new();
    let builds = tables.build.iter();
    bombs.extend(builds.map(|row| row.bomb(row.name.clone(), row.make.clone(), MIB)));
    for row in &tables.text {
        let BombRow { name, file, .. } = row;
        let python = ['\\', '"', '$', '`']
            .iter()
            .fold(row.python.clone(), |text, char| text.replace(*char, &format!("\\{char}")));
        let name = format!("{name} in {file}, `ftl {}`", row.command.words().join(" "));
        let make = format!(
            "{FILES}; mkdir bombs; python3 -c \"import sys; sys.stdout.write({python})\" >{file}"
        );
        bombs.push(row.bomb(name, make, MIB_OF_TEXT));
    }
    for (file, (form, shell)) in tables.file.iter().flat_map(|file| FORMS.map(|form| (file, form)))
    {
        let (path, words) = (&file.path, file.command.words());
        // The delta is read to its end, since its digest goes into the record: a debug build takes longer for
        // so much than a change should wait.
        let is_large = path == "src/a.py" && form == FIVE_GIGABYTES;
        bombs.push(Bomb {
            name: format!("{path} is {form}, `ftl {}`", words.join(" ")),
            make: format!(
                "{FILES}; git init -q; F={path}; mkdir -p \"$(dirname \"$F\")\"; rm -f \"$F\"; {shell}"
            ),
            words,
            time: Duration::from_secs(if is_large { 120 } else { SECONDS }),
            mib: MIB,
            is_large,
        });
    }
    Ok(bombs)
}

/// The project before a bomb is laid: one task, for one file, that `true` verifies.
const TASK: &str = r#"<workspace id="001_t" status="active"><implementation><delta>src/a.py</delta><verify>true</verify></implementation><delivered/></workspace>"#;

/// Puts every bomb into a separate project.
pub(super) fn run(size: Size) -> Result {
    let ftl = named_or_release()?;
    let ftl = ftl.to_str().ok_or("the path of ftl is not UTF-8")?;
    let bombs = bombs()?;
    let chosen = |bomb: &&Bomb| size == Size::Full || !bomb.is_large;
    let mut failed = Vec::new();
    let mut count = 0;
    for bomb in bombs.iter().filter(chosen) {
        count += 1;
        let started = Instant::now();
        let peak = lay(bomb, ftl)?;
        let line = described(bomb, peak, started.elapsed());
        if size == Size::Full {
            println!("{line}");
        }
        if !is_bounded(bomb, peak) {
            failed.push(line);
        }
    }
    println!("{count} bombs, {} beyond their bounds", failed.len());
    if failed.is_empty() {
        return Ok(());
    }
    Err(failed.join("\n").into())
}

fn lay(bomb: &Bomb, ftl: &str) -> Result<Peak> {
    let sandbox = Sandbox::new("bomb")?;
    sandbox.write(".ftl/workspace/001_t_active.xml", TASK)?;
    sandbox.write("src/a.py", "a = 1\n")?;
    sandbox
        .program("sh")
        .args(["-e", "-c", &bomb.make])
        .silent()
        .run()
        .map_err(|error| format!("{} cannot be laid: {error}", bomb.name))?;
    let words = [ftl].into_iter().chain(bomb.words.iter().map(String::as_str));
    let program = peak::program(&sandbox.root(), bomb.time, words);
    let peak = peak::parse(&sandbox.inherit(program).text()?)?;
    sandbox.end_processes()?;
    Ok(peak)
}

/// Whether ftl ended by itself, as it ends, within its memory.
fn is_bounded(bomb: &Bomb, peak: Peak) -> bool {
    matches!(peak.end, End::Code(0..=3)) && peak.kib <= bomb.mib << 10
}

fn described(bomb: &Bomb, peak: Peak, elapsed: Duration) -> String {
    let Bomb { time, mib, .. } = bomb;
    let end = match peak.end {
        End::Code(code) => format!("exit {code}"),
        End::Late => "killed".to_owned(),
    };
    format!(
        "{}: {end}, {:.1} of {} s with laying it, {} of {mib} MiB",
        bomb.name,
        elapsed.as_secs_f64(),
        time.as_secs(),
        peak.kib >> 10
    )
}
