//! What it costs to show what happens: the live view while a build runs, and the report of very many tasks.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use ftl_testkit::Result;
use ftl_testkit::program::Program;

use crate::page::reached;
use crate::sample::Sample;

const ROUNDS: usize = 7;
/// Tasks of the report.
const TASKS: usize = 1_000;
/// Tasks that are built in one project.
const PART: usize = 50;
/// Milliseconds and bytes of the report.
const LONGEST: f64 = 1_000.0;
const LARGEST: u64 = 5_000_000;
/// Seconds that the verify prints for, and lines a second.
const SECONDS: u32 = 20;
const LINES: u32 = 10;
/// Of one processor, in percent.
const MOST: f64 = 1.0;

/// Measures and renders.
pub(crate) fn part(ftl: &Path, scratch: &Path) -> Result<String> {
    let (time, bytes) = report(ftl, &scratch.join("report"))?;
    let mut page =
        String::from("## Showing\n\n| what | target | measured | met |\n|---|---|---|---|\n");
    let median = time.median();
    writeln!(
        page,
        "| `ftl report` over {TASKS} tasks, each with a journal, a diff and an output | ≤ {LONGEST:.0} ms | {median:.0} ms, \
         the fastest {:.0} ms | {} |\n| its page | ≤ 5 MB | {:.1} MB | {} |",
        time.fastest(),
        reached(median <= LONGEST),
        f64::from(u32::try_from(bytes)?) / 1e6,
        reached(bytes <= LARGEST),
    )?;
    let shown = share(ftl, &scratch.join("live"), true)?;
    let quiet = share(ftl, &scratch.join("quiet"), false)?;
    match (shown, quiet) {
        (Some(shown), Some(quiet)) => writeln!(
            page,
            "| the live view, while a verify prints {LINES} lines a second | ≤ {MOST} % of a processor | {:.2} %: {shown:.2} % on a \
             terminal, {quiet:.2} % with `--quiet` | {} |",
            shown - quiet,
            reached(shown - quiet <= MOST),
        )?,
        _ => writeln!(
            page,
            "| the live view | ≤ {MOST} % of a processor | no `script` to make a terminal | not measured |"
        )?,
    }
    Ok(page)
}

/// Timings of the report, and the bytes of its page. Every task has a run.
fn report(ftl: &Path, project: &Path) -> Result<(Sample, u64)> {
    let store = project.join(".ftl");
    for directory in ["workspace", "runs"] {
        fs::create_dir_all(store.join(directory))?;
    }
    // In parts, since a build looks at the whole store: a thousand of them would look at a million runs.
    for first in (1..=TASKS).step_by(PART) {
        let part = project.join(format!("part-{first}"));
        build_part(ftl, &part, first)?;
        for directory in ["workspace", "runs"] {
            for entry in fs::read_dir(part.join(".ftl").join(directory))? {
                let entry = entry?;
                fs::rename(entry.path(), store.join(directory).join(entry.file_name()))?;
            }
        }
        fs::remove_dir_all(part)?;
    }
    // Each depends on the one before it: a chain is the largest drawing. Written now, since a build skips what
    // depends on a block.
    for number in 2..=TASKS {
        let path = store.join(format!("workspace/{number:04}_count_blocked.xml"));
        let depends = format!("<workspace depends=\"{:04}\" ", number - 1);
        let record = fs::read_to_string(&path)?;
        fs::write(path, record.replacen("<workspace ", &depends, 1))?;
    }
    let mut sample = Sample::default();
    for _ in 0..ROUNDS {
        sample.program(Program::new(ftl, project).args(["report", "-o", "report.html"]))?;
    }
    Ok((sample, fs::metadata(project.join("report.html"))?.len()))
}

/// Builds the tasks from this number on, each with its journal, diff and output.
fn build_part(ftl: &Path, project: &Path, first: usize) -> Result {
    let workspaces = project.join(".ftl/workspace");
    fs::create_dir_all(&workspaces)?;
    fs::write(project.join("notes.txt"), "before\n")?;
    for number in first..first + PART {
        let name = format!("{number:04}_count_active.xml");
        let task = task("seq 40; echo 'Error: no'; false");
        fs::write(workspaces.join(name), task)?;
    }
    let built = Program::new(ftl, project)
        .env("XDG_STATE_HOME", project.join("state"))
        .args(["build", "--all", "--quiet", "--isolate", "copy"])
        .args(["--agent", "seq 20 >>notes.txt"]);
    match built.silent().code()? {
        3 => Ok(()),
        code => Err(format!("the tasks of the report ended with {code}").into()),
    }
}

fn task(verify: &str) -> String {
    format!(
        "<workspace status=\"active\"><objective>Count</objective><implementation><delta>notes.txt</delta>\
         <verify>{verify}</verify></implementation><delivered/></workspace>\n"
    )
}

/// The share of a processor that ftl takes while a verify prints, in percent; `None` without a terminal to be
/// had. The verify itself looks at its parent's times.
fn share(ftl: &Path, project: &Path, live: bool) -> Result<Option<f64>> {
    if !Program::new("script", Path::new(".")).args(["--version"]).succeeds() {
        return Ok(None);
    }
    fs::create_dir_all(project.join(".ftl/workspace"))?;
    fs::write(project.join("notes.txt"), "before\n")?;
    let pause = 1.0 / f64::from(LINES);
    fs::write(
        project.join("print.sh"),
        format!(
            "cat /proc/$PPID/stat >begin; n=0\nwhile [ $n -lt {} ]; do n=$((n + 1)); \
             echo \"tests/test_$n.py ..............................\"; sleep {pause}; done\ncat /proc/$PPID/stat >end\n",
            SECONDS * LINES
        ),
    )?;
    let path = project.join(".ftl/workspace/0001_print_active.xml");
    fs::write(path, task(". ./print.sh"))?;
    let quiet = if live { "" } else { " --quiet" };
    let command = format!("{} build{quiet} --agent 'echo after >>notes.txt'", ftl.display());
    Program::new("script", project)
        .env_remove("CI")
        .env_remove("NO_COLOR")
        .env("TERM", "xterm")
        .env("XDG_STATE_HOME", project.join("state"))
        .args(["-qec", &command, "/dev/null"])
        .silent()
        .run()?;
    let ticks = |name: &str| -> Result<f64> { ticks(&fs::read_to_string(project.join(name))?) };
    // A tick is a hundredth of a second, so that a tick a second is one percent.
    Ok(Some((ticks("end")? - ticks("begin")?) / f64::from(SECONDS)))
}

/// User and system time, in ticks, from the text of a `stat`.
fn ticks(stat: &str) -> Result<f64> {
    let behind = stat.rsplit_once(')').ok_or("no stat")?.1;
    let fields: Vec<&str> = behind.split_whitespace().collect();
    let field = |at: usize| -> Result<f64> { Ok(fields.get(at).ok_or("a short stat")?.parse()?) };
    Ok(field(11)? + field(12)?)
}

#[cfg(test)]
mod tests {
    use super::ticks;

    #[test]
    fn times_are_found_behind_a_name_with_blanks_and_brackets() {
        let stat = "7 (a) b (c) S 1 2 3 4 5 6 7 8 9 10 30 12 0 0";
        assert!((ticks(stat).unwrap() - 42.0).abs() < 0.1);
        assert!(ticks("7 (a").is_err());
    }
}
