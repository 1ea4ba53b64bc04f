//! A soak test: very many builds, a thousand in one process, which must not grow on the way.
//!
//! How fast they are does not matter here.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;

use ftl_testkit::Result;
use ftl_testkit::build::named_or_release;

use crate::Size;
use crate::sandbox::Sandbox;

/// So many tasks are given to one process.
const IN_ONE: usize = 1_000;

/// So many looks are taken at a process, evenly over its builds.
const LOOKS: usize = 20;

/// The first looks fall into the time in which allocators and caches fill.
const SETTLED: usize = 4;

/// How much resident memory may lie between the settled looks.
const MAY_GROW_KIB: u64 = 1024;

/// One look at the process.
#[derive(Clone, Copy, Debug)]
struct Look {
    builds: usize,
    resident_kib: u64,
    descriptors: usize,
}

/// Builds 1,000 tasks, or 10,000, and looks at each process on the way.
pub(super) fn run(size: Size) -> Result {
    let ftl = named_or_release()?;
    let sandbox = Sandbox::new("soak")?;
    let count = size.pick(1_000, 10_000);
    let tasks = lay_out(&sandbox, count)?;
    println!("| builds | resident KiB, settled | at the end | descriptors |");
    println!("| --: | --: | --: | --: |");
    for (process, tasks) in tasks.chunks(IN_ONE).enumerate() {
        let looks = watch(&ftl, &sandbox, tasks)?;
        judge(process * IN_ONE, &looks)?;
    }
    if let Some(left) = sandbox.temporaries()?.or_else(|| sandbox.processes()) {
        return Err(left.into());
    }
    let records = sandbox.names(".ftl/workspace")?;
    let complete = |name: &&String| name.ends_with("_complete.xml");
    let done = records.iter().filter(complete).count();
    if done != count || records.len() != count {
        return Err(format!("{done} of {count} tasks complete, {} files", records.len()).into());
    }
    println!("{count} builds: {done} records, no growth, nothing left over");
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

/// Each task's end is a line that begins with its outcome; at some of them the process is looked at.
fn watch(ftl: &Path, sandbox: &Sandbox, tasks: &[String]) -> Result<Vec<Look>> {
    let every = (tasks.len() / LOOKS).max(1);
    let mut looks = Vec::new();
    let mut builds = 0;
    let program = sandbox.program(ftl).args(["build", "--tree"]).args(tasks);
    let code = program.follow(|process, output| {
        for line in BufReader::new(output).lines() {
            if !line?.starts_with("complete ") {
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
    let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
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

fn judge(before: usize, looks: &[Look]) -> Result {
    let settled = looks.get(SETTLED..).unwrap_or_default();
    let (Some(first), Some(last)) = (settled.first(), settled.last()) else {
        return Err("too few looks were taken".into());
    };
    println!(
        "| {} | {} | {} | {} |",
        before + last.builds,
        first.resident_kib,
        last.resident_kib,
        last.descriptors
    );
    let growth = last.resident_kib.saturating_sub(first.resident_kib);
    if growth > MAY_GROW_KIB {
        return Err(format!("resident memory grew by {growth} KiB").into());
    }
    // A look may fall into a build, which opens some files: the fewest of several looks count.
    let (early, late) = settled.split_at(settled.len() / 2);
    let fewest = |looks: &[Look]| looks.iter().map(|look| look.descriptors).min();
    if fewest(late) > fewest(early) {
        return Err("open descriptors grew".into());
    }
    Ok(())
}
