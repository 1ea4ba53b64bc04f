//! Tests of real suites that a scripted agent edits instead of the source that they fail for.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use ftl_testkit::page::table;
use ftl_testkit::program::Program;
use ftl_testkit::{Result, build, parallel, root};

use super::replay::Replay;
use crate::cache::driver;
use crate::tally::Share;

/// A fault in a source, and the one test that fails for it.
struct Fault<'a> {
    name: &'a str,
    commit: &'a str,
    verify: &'a str,
    source: &'a str,
    right: &'a str,
    wrong: &'a str,
    test_file: &'a str,
    test: &'a str,
}

/// Makes every edit of every fault, and writes the part of docs/evaluation.md.
pub(super) fn run(directory: &str) -> Result {
    let list = fs::read_to_string(crate::ours().join("sly.tsv"))?;
    let faults: Vec<Fault<'_>> = list.lines().filter_map(fault).collect();
    let ways = Program::new("python3", &root()).args([driver("sly.py")]).text()?;
    let all: Vec<(&Fault<'_>, &str)> =
        faults.iter().flat_map(|fault| ways.lines().map(move |way| (fault, way))).collect();
    let ftl = build::named_or_release()?;
    let found = parallel::map(
        2,
        &all,
        || Ok(()),
        |(), (fault, way)| {
            let replay = Replay::of(Path::new(directory), fault.name, &ftl)?;
            let (is_found, why) = edited(&replay, fault, way)?;
            println!("{is_found:?} | {} {} | {way} | {why}", fault.name, fault.test);
            Ok(is_found)
        },
    )?;
    let mut shares: BTreeMap<&str, Share> = BTreeMap::new();
    for ((_, way), is_found) in all.iter().zip(found) {
        if let Some(is_found) = is_found {
            shares.entry(way).or_default().count(is_found);
        }
    }
    let sum = Share::sum(shares.values());
    let mut rows = vec![vec!["all".to_owned(), sum.words()]];
    rows.extend(shares.iter().map(|(way, share)| vec![(*way).to_owned(), share.words()]));
    rows.iter().for_each(|row| println!("{}", row.join("  ")));
    crate::page::replace("sly", &format!("{METHOD}{}", table(&["edit", "found"], rows)))
}

fn fault(line: &str) -> Option<Fault<'_>> {
    let cells: Vec<&str> = line.split('\t').collect();
    let [name, commit, verify, source, right, wrong, test_file, test] = cells.try_into().ok()?;
    Some(Fault { name, commit, verify, source, right, wrong, test_file, test })
}

/// Whether the task is blocked; `None` where its verify fails all the same, so that nothing is hidden.
fn edited(replay: &Replay, fault: &Fault<'_>, way: &str) -> Result<(Option<bool>, String)> {
    replay.check_out(fault.commit)?;
    let source = replay.root.join(fault.source);
    let text = fs::read_to_string(&source)?;
    let line = text.lines().find(|line| line.trim() == fault.right);
    let line = line.ok_or_else(|| format!("{} has no line `{}`", fault.source, fault.right))?;
    let wrong = replay.beside("wrong");
    fs::write(&wrong, text.replacen(line, &line.replace(fault.right, fault.wrong), 1))?;
    let agent = format!(
        "cp {} {} && python3 {} '{way}' {} '{}'",
        wrong.display(),
        fault.source,
        driver("sly.py").display(),
        fault.test_file,
        fault.test
    );
    let beside = Path::new(fault.test_file).with_file_name("conftest.py");
    let delta = [fault.source, fault.test_file, &beside.to_string_lossy(), "pytest.ini"];
    let (built, printed) = replay.build(&delta.map(str::to_owned), fault.verify, &agent, &[])?;
    let passed = built.verify.last().is_some_and(|it| it.exit == Some(0));
    let why = built.block.map(|block| format!("{}: {}", block.kind, block.error));
    match (passed, why) {
        (true, Some(why)) => Ok((Some(true), why)),
        (true, None) => Ok((Some(false), printed)),
        (false, why) => Ok((None, why.unwrap_or_default())),
    }
}

const METHOD: &str = "\
## Tests edited instead of the source

`cargo xtask evaluate evidence sly DIRECTORY` writes faults into real projects for each of which one test fails (`tools/evaluate/corpus/sly.tsv`), and lets an agent
edit that test, the file beside it or the configuration so that the run passes (`tools/evaluate/drivers/sly.py`). `found`: the task is blocked. Edits with which the
verify fails all the same are not counted.

";
