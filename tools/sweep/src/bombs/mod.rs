//! Input that is made to use up time or memory: each case within the bound beside it.
//!
//! A bomb may end as it likes, as long as it ends by itself, in one of ftl's own exit codes.

mod builds;
mod files;
mod texts;

use std::time::{Duration, Instant};

use ftl_testkit::Result;
use ftl_testkit::build::named_or_release;
use ftl_testkit::peak::{self, End, Peak};
use ftl_testkit::sweep::Size;
use ftl_testkit::sweep::sandbox::Sandbox;

/// A case: what is in the project, what is asked of it, and what that may take.
#[derive(Clone, Debug)]
struct Bomb {
    name: String,
    /// A shell script that runs in the project and lays the bomb.
    make: String,
    /// The words after `ftl`.
    words: Vec<&'static str>,
    limits: Limits,
    /// Whether it is left to `--full`, since it takes long to lay.
    is_large: bool,
}

/// What a case may take at most.
#[derive(Clone, Copy, Debug)]
struct Limits {
    time: Duration,
    /// Peak memory of ftl and each of its children, in MiB.
    memory: u64,
}

impl Limits {
    const fn new(seconds: u64, memory: u64) -> Self {
        Self { time: Duration::from_secs(seconds), memory }
    }
}

/// Most of the bombs: a person would not wait for longer, and a laptop would not notice.
const SMALL: Limits = Limits::new(10, 100);

/// The project before a bomb is laid: one task, for one file, that `true` verifies.
const TASK: &str = r#"<workspace id="001_t" status="active"><implementation><delta>src/a.py</delta><verify>true</verify></implementation><delivered/></workspace>"#;

/// Puts every bomb into a separate project.
pub(super) fn run(size: Size) -> Result {
    let ftl = named_or_release()?;
    let ftl = ftl.to_str().ok_or("the path of ftl is not UTF-8")?;
    let bombs = [files::bombs(), texts::bombs(), builds::bombs()].concat();
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
    let words = [ftl].into_iter().chain(bomb.words.iter().copied());
    let program = peak::program(&sandbox.root(), bomb.limits.time, words);
    let peak = peak::parse(&sandbox.inherit(program).text()?)?;
    sandbox.end_processes()?;
    Ok(peak)
}

/// Whether ftl ended by itself, as it ends, within its memory.
fn is_bounded(bomb: &Bomb, peak: Peak) -> bool {
    matches!(peak.end, End::Code(0..=3)) && peak.kib <= bomb.limits.memory << 10
}

fn described(bomb: &Bomb, peak: Peak, elapsed: Duration) -> String {
    let Limits { time, memory } = bomb.limits;
    let end = match peak.end {
        End::Code(code) => format!("exit {code}"),
        End::Late => "killed".to_owned(),
    };
    format!(
        "{}: {end}, {:.1} of {} s with laying it, {} of {memory} MiB",
        bomb.name,
        elapsed.as_secs_f64(),
        time.as_secs(),
        peak.kib >> 10
    )
}
