//! What it costs to keep secrets out of logs: builds whose verify prints a gigabyte, with everything
//! searched for and with nothing searched for.
//!
//! Whole processes are timed, so what the disk takes for the log is in both. Nothing is redacted in
//! these outputs: finding nothing is what redaction does nearly always.

mod page;
mod texts;

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use ftl_testkit::Result;
use ftl_testkit::peak::{self, End};
use ftl_testkit::program::Program;
use ftl_text::redact::shapes;

use crate::sample::Sample;
use texts::Text;

/// How often each build runs.
const ROUNDS: usize = 5;

/// Bytes that the verify prints, in mebibytes.
const MEBIBYTES: usize = 1024;

/// Variables whose values are searched for too.
const VARIABLES: [(&str, &str); 3] = [
    ("BENCH_API_KEY", "nv4Wq1c9Tz7LkXb2Rf8"),
    ("BENCH_DB_PASSWORD", "lamp-otter-42-violet"),
    ("BENCH_SESSION_TOKEN", "9d1be7f0c2a84f6e8b3a5c7d"),
];

const TASK: &str = "<workspace status=\"active\"><implementation><delta>limits.py</delta>\
    <verify>cat ../output</verify><budget>5</budget></implementation><delivered/></workspace>\n";

/// One kind of output.
#[derive(Debug)]
struct RedactRow {
    what: &'static str,
    /// With nothing searched for.
    off: Sample,
    /// With everything searched for.
    on: Sample,
    /// Peak memory of a build with everything searched for, in KiB; none when python3 is missing.
    resident: Option<u64>,
}

/// Measures and renders.
pub(crate) fn part(ftl: &Path, scratch: &Path) -> Result<String> {
    let rows = texts::TEXTS.iter().map(|text| measure(ftl, scratch, text));
    page::render(&rows.collect::<Result<Vec<_>>>()?)
}

fn measure(ftl: &Path, scratch: &Path, text: &Text) -> Result<RedactRow> {
    print_to(&scratch.join("output"), text)?;
    let (off, on) = (project(scratch, false)?, project(scratch, true)?);
    let mut row = RedactRow {
        what: text.what,
        off: Sample::default(),
        on: Sample::default(),
        resident: None,
    };
    // In turn, so that a busy moment of the machine strikes both alike. The first build of each pays for
    // what the kernel has not read yet.
    for round in 0..=ROUNDS {
        let mut warm = [Sample::default(), Sample::default()];
        let [warm_off, warm_on] = &mut warm;
        let samples = match round {
            0 => [(&off, warm_off), (&on, warm_on)],
            _ => [(&off, &mut row.off), (&on, &mut row.on)],
        };
        for (project, sample) in samples {
            prepare(project)?;
            sample.program(build(ftl, project))?;
        }
    }
    prepare(&on)?;
    let words = [ftl.as_os_str().to_owned()].into_iter();
    let words = words.chain(["build", "001", "--tree"].map(Into::into));
    if let Ok(peak) = peak::of(&on, words) {
        if peak.end != End::Code(0) {
            return Err("the build whose memory was watched failed".into());
        }
        row.resident = Some(peak.kib);
    }
    Ok(row)
}

/// Writes the output that the verify prints.
fn print_to(path: &Path, text: &Text) -> Result {
    let mebibyte = text.mebibyte();
    let mut file = File::create(path)?;
    for _ in 0..MEBIBYTES {
        file.write_all(&mebibyte)?;
    }
    Ok(file.sync_all()?)
}

/// A project whose configuration searches for everything, or nothing.
fn project(scratch: &Path, searches: bool) -> Result<PathBuf> {
    let root = scratch.join(if searches { "on" } else { "off" });
    fs::create_dir_all(&root)?;
    let names = shapes().iter().map(|shape| shape.name);
    let names = names.chain(VARIABLES.map(|(name, _)| name));
    let off: Vec<String> = names.map(|name| format!("{name:?}")).collect();
    if !searches {
        let text = format!("[redact]\noff = [{}]\n", off.join(", "));
        fs::write(root.join("ftl.toml"), text)?;
    }
    Ok(root)
}

/// The project as it was at first.
fn prepare(root: &Path) -> Result {
    let store = root.join(".ftl");
    if store.exists() {
        fs::remove_dir_all(&store)?;
    }
    fs::create_dir_all(store.join("workspace"))?;
    fs::write(store.join("workspace/001_a_active.xml"), TASK)?;
    Ok(fs::write(root.join("limits.py"), "LIMIT = 20\n")?)
}

fn build(ftl: &Path, root: &Path) -> Program {
    let program = Program::new(ftl, root).args(["build", "001", "--tree"]);
    VARIABLES.iter().fold(program, |program, (name, value)| program.env(name, value))
}
