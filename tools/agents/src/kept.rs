//! What runs came to, kept below `target/agents`, so that some can be run again without the others.

use std::fs;
use std::path::PathBuf;

use ftl_testkit::Result;
use serde_json::{Value, json};

use crate::Cells;
use crate::case::{WAYS, Way};
use crate::installed::{Build, Installed, directory};
use crate::judge::Cell;

fn file(agent: &str, way: &str, case: &str) -> PathBuf {
    directory().join(format!("cells/{agent}-{way}-{case}.json"))
}

/// Keeps a cell.
///
/// # Errors
///
/// It could not be written.
pub(crate) fn keep(build: &Build, agent: &Installed, way: &str, case: &str, cell: &Cell) -> Result {
    fs::create_dir_all(directory().join("cells"))?;
    let value = json!({
        "build": build.digest, "version": agent.version, "date": jiff::Zoned::now().date().to_string(), "words": cell.words,
        "misses": cell.misses, "seconds": cell.seconds, "temporary": cell.temporary, "record": cell.record,
    });
    Ok(fs::write(file(&agent.name, way, case), value.to_string())?)
}

/// The cells of these agents in these versions that are known of this build of ftl, and the days of the first and the
/// last.
pub(crate) fn all(build: &Build, agents: &[Installed]) -> (Cells, String, String) {
    let mut cells = Cells::new();
    let mut dates = Vec::new();
    for agent in agents {
        let of_way = |way: &'static Way| way.cases().map(move |case| (way, case));
        for (way, case) in WAYS.iter().flat_map(of_way) {
            let text = fs::read_to_string(file(&agent.name, way.name(), case.name));
            let value: Value = serde_json::from_str(&text.unwrap_or_default()).unwrap_or_default();
            let is_of_these = value["version"] == agent.version && value["build"] == build.digest;
            let known = cell(&value).filter(|_| is_of_these);
            if let Some((cell, date)) = known.zip(value["date"].as_str()) {
                dates.push(date.to_owned());
                cells.insert((way.name(), case.name, agent.name.clone()), cell);
            }
        }
    }
    dates.sort();
    let first = dates.first().cloned().unwrap_or_default();
    (cells, first, dates.pop().unwrap_or_default())
}

fn cell(value: &Value) -> Option<Cell> {
    let texts = |value: &Value| {
        let texts = value.as_array()?.iter().map(|text| text.as_str().map(str::to_owned));
        texts.collect::<Option<Vec<_>>>()
    };
    Some(Cell {
        words: value["words"].as_str()?.to_owned(),
        misses: texts(&value["misses"])?,
        seconds: value["seconds"].as_f64(),
        temporary: texts(&value["temporary"])?,
        record: value["record"].as_str().map(str::to_owned),
    })
}
