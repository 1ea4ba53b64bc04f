//! The line above each part: day, machine, load (of the last 1, 5, 15 minutes) and versions, without which no
//! figure means much.

use std::fs;
use std::path::Path;
use std::thread::available_parallelism;

use ftl_testkit::Result;
use ftl_testkit::program::Program;

/// A line that describes the day, the machine and the versions.
pub(crate) fn describe(ftl: &Path, scratch: &Path) -> Result<String> {
    let say = |program: &str, arguments: &[&str]| {
        let said = Program::new(program, scratch).args(arguments).text();
        said.map_or_else(|_| format!("no {program}"), |text| text.trim().to_owned())
    };
    let parts = [
        say("date", &["-u", "+%Y-%m-%d"]),
        processor()?,
        format!("{} cores", available_parallelism()?),
        format!("load {}", load()?),
        say("uname", &["-sr"]),
        say("stat", &["-f", "-c", "%T", "."]),
        Program::new(ftl, scratch).args(["--version"]).text()?.trim().to_owned(),
        say("rustc", &["--version"]),
        say("python3", &["--version"]),
    ];
    Ok(parts.join(" · "))
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
