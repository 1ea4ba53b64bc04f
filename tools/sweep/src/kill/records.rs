//! Every record once more, by a parser that shares no line with ours: Python's expat.
//!
//! Only well-formedness, the status and the parts that every record has are looked at.

use std::fs;

use ftl_testkit::Result;

use crate::sandbox::Sandbox;

/// Says the names of the files that are no record: not well-formed, or without its `run`s.
const READER: &str = "
import sys, os
from xml.etree import ElementTree
for name in sorted(os.listdir(sys.argv[1])):
    try:
        root = ElementTree.parse(os.path.join(sys.argv[1], name)).getroot()
        sound = (root.tag == 'workspace' and root.get('status') in ('complete', 'blocked')
                 and len(root.findall('run')) == int(sys.argv[2]) and len(root.findall('delivered')) == 1)
    except ElementTree.ParseError:
        sound = False
    if not sound:
        print(name)
";

/// Reads all records, each of which has so many `runs`, and returns the descriptions of those that are refused.
pub(super) fn refused<'r>(
    sandbox: &Sandbox,
    records: &'r [(String, Vec<u8>)],
    runs: usize,
) -> Result<Vec<&'r str>> {
    let directory = sandbox.beside("records");
    fs::create_dir(&directory)?;
    for (number, (_, record)) in records.iter().enumerate() {
        fs::write(directory.join(number.to_string()), record)?;
    }
    let python = sandbox.program("python3").args(["-c", READER]);
    let python = python.args([directory]).args([runs.to_string()]);
    let mut described = Vec::new();
    for line in python.text()?.lines() {
        described.push(records[line.parse::<usize>()?].0.as_str());
    }
    Ok(described)
}
