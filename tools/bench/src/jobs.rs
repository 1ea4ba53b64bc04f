//! Tasks side by side: how much sooner forty are done, and what ftl itself uses of the processor for each.
//!
//! The agent sleeps, and so does the verify: what is measured is ftl, not a model. The ceiling is given by the verify
//! commands, of which one runs at a time.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::Instant;

use ftl_testkit::Result;
use ftl_testkit::program::Program;

use crate::page::reached;

const FILES: usize = 5_000;
/// Files of a directory.
const DIRECTORY: usize = 50;
const TASKS: usize = 40;
/// Seconds.
const AGENT: f64 = 3.0;
const VERIFY: f64 = 0.2;
const JOBS: [usize; 5] = [1, 2, 4, 8, 16];
/// The number of jobs whose speed-up is a target, and the target.
const MEANT: (usize, f64) = (8, 6.0);
/// Milliseconds of processor time for a task.
const MOST: f64 = 60.0;

/// What a command took: seconds on the clock, and of the processor with all its children.
#[derive(Clone, Copy)]
struct Took {
    clock: f64,
    processor: f64,
}

/// Measures and renders.
pub(crate) fn part(ftl: &Path, scratch: &Path) -> Result<String> {
    let project = scratch.join("project");
    lay_out(&project)?;
    let alone = processor_of_commands(&project)?;
    let ceiling = (AGENT + VERIFY) / VERIFY;
    let mut page = format!(
        "## Tasks side by side\n\n\
         {TASKS} tasks with disjoint deltas in a committed tree of {FILES} files; agents of {AGENT:.0} s, verify commands of {VERIFY} s,\n\
         `--check never`. Verify commands run one at a time, so at most (work + verify) / verify = {ceiling:.0} times as fast as one. The\n\
         processor time of `ftl` for a task is that of the first command, which makes the workplaces, and of the next one, which finds them.\n\n\
         | jobs | seconds | times as fast | target | met | first command, ms | next command, ms | target | met |\n\
         |---:|---:|---:|---:|---|---:|---:|---:|---|\n",
    );
    let mut one = None;
    for jobs in JOBS {
        // Kept until the end: ext4 makes files several times slower for seconds after many were removed.
        let state = scratch.join(format!("state-{jobs}"));
        let batch = Batch { tasks: TASKS, jobs, agent: &agent(), verify: &verify };
        let first = batch.build(ftl, &project, &state)?;
        // One at a time it takes minutes.
        let next = if jobs == 1 { first } else { batch.build(ftl, &project, &state)? };
        let own = |took: &Took| (took.processor - alone).max(0.0) * 1e3 / TASKS as f64;
        let times = *one.get_or_insert(next.clock) / next.clock;
        let (speed, is_fast) = match MEANT {
            (meant, least) if meant == jobs => (format!("≥ {least:.0}"), reached(times >= least)),
            _ => (String::new(), ""),
        };
        writeln!(
            page,
            "| {jobs} | {:.1} | {times:.1} | {speed} | {is_fast} | {:.0} | {:.0} | ≤ {MOST:.0} | {} |",
            next.clock,
            own(&first),
            own(&next),
            reached(own(&next) <= MOST),
        )?;
    }
    Ok(page)
}

/// Tasks that are verified together, and how long their agents and verify commands take, in seconds.
const TOGETHER: usize = 8;
const SLOW: f64 = 20.0;
/// How many times as long as one task they may take.
const TIMES: f64 = 3.0;

/// Measures tasks with one verify command and tasks with a command each, and renders.
pub(crate) fn together(ftl: &Path, scratch: &Path) -> Result<String> {
    let project = scratch.join("project");
    lay_out(&project)?;
    let mut page = format!(
        "## Tasks with one verify command\n\n\
         {TOGETHER} tasks with disjoint deltas in a committed tree of {FILES} files, `--jobs {TOGETHER} --check never`; agents of {SLOW:.0} s, verify\n\
         commands of {SLOW:.0} s. Landings that wait with the same command are verified by one run. One after another they take\n\
         {TOGETHER} × {SLOW:.0} s after the agents, which is the bound where each task has a separate command.\n\n\
         | tasks | verify commands | seconds | times one task | runs of a command | target | met |\n\
         |---:|---|---:|---:|---:|---:|---|\n",
    );
    let agent = format!("sleep {SLOW}; echo agent >>\"$1\"");
    let runs = scratch.join("runs");
    let mut one = None;
    for (tasks, name, most) in [
        (1, "one", None),
        (TOGETHER, "one", Some(TIMES)),
        (TOGETHER, "different", Some((TOGETHER + 1) as f64 / 2.0 * 1.05)),
    ] {
        let verify = |task: usize| {
            let looked_at = if name == "one" { 0 } else { task };
            let (runs, file) = (runs.display(), file(looked_at));
            format!("echo run &gt;&gt;{runs} &amp;&amp; sleep {SLOW} &amp;&amp; ls {file}")
        };
        fs::write(&runs, "")?;
        let batch = Batch { tasks, jobs: TOGETHER, agent: &agent, verify: &verify };
        let took = batch.build(ftl, &project, &scratch.join("state"))?.clock;
        let times = took / *one.get_or_insert(took);
        let count = fs::read_to_string(&runs)?.lines().count();
        let (target, met) = match most {
            Some(most) => (format!("≤ {most:.1}"), reached(times <= most)),
            None => (String::new(), ""),
        };
        writeln!(
            page,
            "| {tasks} | {name} | {took:.1} | {times:.1} | {count} | {target} | {met} |"
        )?;
    }
    Ok(page)
}

fn file(task: usize) -> String {
    format!("src/{}/0.txt", task)
}

fn verify(task: usize) -> String {
    format!("sleep {VERIFY}; grep -q agent {}", file(task))
}

fn agent() -> String {
    format!("sleep {AGENT}; echo agent >>\"$1\"")
}

fn lay_out(project: &Path) -> Result {
    for number in 0..FILES {
        let (dir, file) = (number / DIRECTORY, number % DIRECTORY);
        let dir = project.join(format!("src/{dir}"));
        if file == 0 {
            fs::create_dir_all(&dir)?;
        }
        fs::write(dir.join(format!("{file}.txt")), format!("file {number}\n").repeat(100))?;
    }
    fs::create_dir_all(project.join(".ftl"))?;
    fs::write(project.join(".ftl/.gitignore"), "*\n")?;
    Program::git(project).args(["init", "--quiet"]).run()?;
    Program::git(project).args(["add", "."]).run()?;
    Program::git(project).args(["commit", "--quiet", "-m", "before"]).run()
}

/// Tasks that are built by one command.
struct Batch<'b> {
    tasks: usize,
    jobs: usize,
    agent: &'b str,
    /// As XML has it.
    verify: &'b dyn Fn(usize) -> String,
}

impl Batch<'_> {
    /// Makes the tree and the tasks again, and builds them.
    fn build(&self, ftl: &Path, project: &Path, state: &Path) -> Result<Took> {
        Program::git(project).args(["checkout", "--quiet", "."]).run()?;
        let store = project.join(".ftl");
        fs::remove_dir_all(&store)?;
        fs::create_dir_all(store.join("workspace"))?;
        fs::create_dir_all(state)?;
        for task in 0..self.tasks {
            let text = format!(
                "<workspace status=\"active\"><objective>Write it</objective><implementation><delta>{}</delta>\
                 <verify>{}</verify><budget>5</budget></implementation><delivered/></workspace>\n",
                file(task),
                (self.verify)(task),
            );
            fs::write(store.join(format!("workspace/{task:03}_write_active.xml")), text)?;
        }
        let jobs = self.jobs.to_string();
        let command =
            "\"$0\" build --all --quiet --check never --isolate bind --jobs \"$1\" --agent \"$2\"";
        timed(
            Program::new("sh", project).env("XDG_STATE_HOME", state),
            command,
            &[&ftl.display().to_string(), &jobs, self.agent],
        )
    }
}

/// What the agents and verify commands use of the processor without ftl, in seconds.
fn processor_of_commands(project: &Path) -> Result<f64> {
    let command = format!(
        "i=0; while [ $i -lt {TASKS} ]; do sh -c \"$0\" agent \"$1\" & sh -c \"$2\" & i=$((i + 1)); done; wait"
    );
    let took = timed(Program::new("sh", project), &command, &[&agent(), &file(0), &verify(0)])?;
    Ok(took.processor)
}

/// Runs a shell command, and the shell's own account of its children.
fn timed(shell: Program, command: &str, words: &[&str]) -> Result<Took> {
    let begin = Instant::now();
    let script = format!("{{ {command}; }} >/dev/null 2>&1 || exit; times");
    let printed = shell.args(["-c", &script]).args(words).text()?;
    let clock = begin.elapsed().as_secs_f64();
    let children = printed.lines().nth(1).ok_or("no times of the children")?;
    let processor = children.split_whitespace().map(seconds).sum::<Result<f64>>()?;
    Ok(Took { clock, processor })
}

/// Of `1m2.50s`.
fn seconds(text: &str) -> Result<f64> {
    let (minutes, seconds) = text.split_once('m').ok_or("no minutes")?;
    Ok(minutes.parse::<f64>()? * 60.0 + seconds.trim_end_matches('s').parse::<f64>()?)
}

#[cfg(test)]
mod tests {
    use super::seconds;

    #[test]
    fn times_of_a_shell_are_read_in_seconds() {
        assert!((seconds("1m2.50s").unwrap() - 62.5).abs() < 0.001);
        assert!(seconds("2.5").is_err());
    }
}
