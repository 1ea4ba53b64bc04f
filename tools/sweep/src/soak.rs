//! A soak test: very many builds in one process, which must not grow on the way.
//!
//! A process needs memory for all its tasks from the start, and what it allocates settles within the first builds. So
//! its second half may have no more than the first.
//!
//! How fast they are does not matter here.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;

use ftl_testkit::Result;
use ftl_testkit::build::named_or_release;
use ftl_testkit::sweep::Size;
use ftl_testkit::sweep::sandbox::Sandbox;

/// So many looks are taken at a process, evenly over its builds.
const LOOKS: usize = 20;

/// How much more resident memory the second half of the builds may have.
const MAY_GROW_KIB: u64 = 1024;

/// One look at the process.
#[derive(Clone, Copy, Debug)]
struct Look {
    builds: usize,
    resident_kib: u64,
    descriptors: usize,
}

/// Builds 240 tasks in one process, or ten times 1,000, and looks at each process on the way.
pub(super) fn run(size: Size) -> Result {
    let ftl = named_or_release()?;
    let (processes, in_one) = size.pick((1, 240), (10, 1_000));
    println!("| builds | resident KiB of the first half | of the second | descriptors |");
    println!("| --: | --: | --: | --: |");
    for _ in 0..processes {
        let sandbox = Sandbox::new("soak")?;
        let tasks = lay_out(&sandbox, in_one)?;
        judge(&watch(&ftl, &sandbox, &tasks)?)?;
        nothing_left(&sandbox, tasks.len())?;
    }
    Ok(())
}

/// One record a task, and nothing else.
fn nothing_left(sandbox: &Sandbox, count: usize) -> Result {
    let left = [sandbox.temporaries(), sandbox.running()].concat();
    if !left.is_empty() {
        return Err(left.join("\n").into());
    }
    let records = sandbox.names(".ftl/workspace")?;
    let complete = |name: &&String| name.ends_with("_complete.xml");
    let done = records.iter().filter(complete).count();
    if done != count || records.len() != count {
        return Err(format!("{done} of {count} tasks complete, {} files", records.len()).into());
    }
    Ok(())
}

/// Tasks of four kinds in turn: with and without a test to read, with a check, with two files.
fn lay_out(sandbox: &Sandbox, count: usize) -> Result<Vec<String>> {
    let more = [
        "<delta>a.py</delta><verify>true</verify>",
        "<delta>a.py</delta><verify>true</verify><verify_source>test_a.py</verify_source>",
        "<delta>a.py</delta><verify>true</verify><preflight>true</preflight>",
        "<delta>a.py</delta><delta>b.json</delta><verify>echo done</verify>",
    ];
    sandbox.write("a.py", "LIMIT = 10\n")?;
    sandbox.write("b.json", "{\"limit\": 10}\n")?;
    sandbox.write("test_a.py", "import a\n")?;
    (0..count)
        .map(|number| {
            let id = format!("{number:05}");
            let task = format!(
                "<workspace id=\"{id}-t\" status=\"active\"><implementation>{}\
                 <budget>9</budget></implementation><delivered/></workspace>\n",
                more[number % more.len()]
            );
            sandbox.write(format!(".ftl/workspace/{id}_t_active.xml"), task)?;
            Ok(id)
        })
        .collect()
}

/// Each task's end is a line with its number and its outcome; at some of them the process is looked at.
fn watch(ftl: &Path, sandbox: &Sandbox, tasks: &[String]) -> Result<Vec<Look>> {
    let every = (tasks.len() / LOOKS).max(1);
    let mut looks = Vec::new();
    let mut builds = 0;
    let program = sandbox.program(ftl).args(["build", "--tree"]).args(tasks);
    let code = program.follow(|process, output| {
        for line in BufReader::new(output).lines() {
            let line = line?;
            if !line.starts_with('✓') {
                continue;
            }
            builds += 1;
            if builds % every == 0 {
                looks.extend(look(process, builds)?);
            }
        }
        Ok(())
    })?;
    match code {
        0 => Ok(looks),
        code => Err(format!("the builds ended with {code}").into()),
    }
}

/// `None` for a process that has just ended: the last line is read after it was written.
fn look(process: u32, builds: usize) -> Result<Option<Look>> {
    let status = fs::read_to_string(format!("/proc/{process}/status"))?;
    let resident = status.lines().find_map(|line| line.strip_prefix("RssAnon:"));
    let resident = resident.and_then(|rest| rest.split_whitespace().next());
    let Some(resident) = resident else {
        return Ok(None);
    };
    Ok(Some(Look {
        builds,
        resident_kib: resident.parse()?,
        descriptors: fs::read_dir(format!("/proc/{process}/fd"))?.count(),
    }))
}

fn judge(looks: &[Look]) -> Result {
    let (early, late) = looks.split_at(looks.len() / 2);
    // A look may fall into a build, which opens some files: the fewest of several looks count.
    let fewest = |looks: &[Look]| looks.iter().map(|look| look.descriptors).min();
    let resident = |looks: &[Look]| looks.iter().map(|look| look.resident_kib).max();
    let (Some(last), Some(grown), Some(needed)) = (looks.last(), resident(late), resident(early))
    else {
        return Err("too few looks were taken".into());
    };
    println!("| {} | {needed} | {grown} | {} |", last.builds, last.descriptors);
    let growth = grown.saturating_sub(needed);
    if growth > MAY_GROW_KIB {
        return Err(format!("resident memory grew by {growth} KiB").into());
    }
    if fewest(late) > fewest(early) {
        return Err("open descriptors grew".into());
    }
    Ok(())
}
