//! The lines above each part: machine, load, versions and day, without which no figure means much.
//!
//! Python and rustc may be missing; the page says so then.

use std::fs;
use std::path::Path;
use std::thread::available_parallelism;

use ftl_testkit::Result;
use ftl_testkit::program::Program;

/// Lines that describe the machine, the versions and the day.
pub(crate) fn describe(ftl: &Path, scratch: &Path) -> Result<Vec<(&'static str, String)>> {
    let say = |program: &str, arguments: &[&str]| {
        Program::new(program, scratch)
            .args(arguments)
            .text()
            .map_or_else(|_| "not there".to_owned(), |text| text.trim().to_owned())
    };
    Ok(vec![
        ("date", say("date", &["-u", "+%Y-%m-%d"])),
        ("processor", processor()?),
        ("cores", available_parallelism()?.to_string()),
        ("load of the last 1, 5, 15 minutes", load()?),
        ("system", say("uname", &["-sr"])),
        ("file system", say("stat", &["-f", "-c", "%T", "."])),
        ("ftl", Program::new(ftl, scratch).args(["--version"]).text()?.trim().to_owned()),
        ("rustc", say("rustc", &["--version"])),
        ("python3", say("python3", &["--version"])),
    ])
}

/// What else kept the machine busy: figures from a loaded one say little.
fn load() -> Result<String> {
    let text = fs::read_to_string("/proc/loadavg")?;
    let averages: Vec<_> = text.split_whitespace().take(3).collect();
    Ok(averages.join(", "))
}

fn processor() -> Result<String> {
    let cpus = fs::read_to_string("/proc/cpuinfo")?;
    let model = cpus.lines().find_map(|line| line.strip_prefix("model name"));
    Ok(model.map_or_else(
        || std::env::consts::ARCH.to_owned(),
        |rest| rest.trim_start_matches(['\t', ' ', ':']).to_owned(),
    ))
}
