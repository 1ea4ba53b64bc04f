//! Whatever a test printed, the record of it can be read by everyone.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use ftl_model::{Status, Utilized};
use ftl_text::safe_text;
use ftl_xml::{Element, Seal, read, seal};
use quick_xml::events::Event;

const TASK: &str = "<workspace id='1' status=\"active\">\n  <delivered/>\n</workspace>\n";

/// Seals a record that holds `output` as text and as attribute.
fn record(output: &[u8]) -> Vec<u8> {
    let text = safe_text(output);
    let run =
        Element::new("run").attribute("tool", &text).child(Element::new("output").text(output));
    let ending = Seal {
        status: Status::Blocked,
        at: "2026-01-18T01:30:56".to_owned(),
        delivered: text,
        utilized: vec![Utilized {
            name: Some(String::from_utf8_lossy(output).into_owned()),
            kind: "failure".to_owned(),
        }],
        run,
    };
    seal(&read(TASK.as_bytes()).unwrap(), &ending)
}

/// The text of `output` by roxmltree, and that quick-xml comes to the end as well.
fn read_by_others(record: &[u8]) -> (String, String) {
    let text = std::str::from_utf8(record).unwrap();
    let document = roxmltree::Document::parse(text).unwrap();
    let element = |name: &str| {
        let found = document.descendants().find(|node| node.has_tag_name(name));
        found.unwrap().text().unwrap_or_default().to_owned()
    };
    let mut reader = quick_xml::Reader::from_str(text);
    reader.config_mut().check_comments = true;
    while reader.read_event().unwrap() != Event::Eof {}
    (element("output"), element("delivered"))
}

fn assert_survives(output: &[u8]) {
    let expected = safe_text(output);
    let record = record(output);
    let is_control = |byte: &u8| byte.is_ascii_control() && !matches!(byte, b'\n' | b'\t');
    assert!(!record.iter().any(is_control), "{output:?}");
    let (run, delivered) = read_by_others(&record);
    assert_eq!((run.as_str(), delivered.as_str()), (expected.as_str(), expected.as_str()));
    let document = read(&record).unwrap();
    let workspace = document.workspace().unwrap();
    assert_eq!(workspace.delivered, expected);
    let tool = document.root().child("run").unwrap().attribute("tool");
    assert_eq!(tool.as_deref(), Some(expected.as_str()));
}

#[test]
fn every_byte_value_survives_in_company_and_alone() {
    for byte in 0..=u8::MAX {
        assert_survives(&[b'a', byte, b'b']);
        assert_survives(&[byte]);
        assert_survives(&[0x1B, b'[', byte, b'm']);
    }
    assert_survives(&(0..=u8::MAX).collect::<Vec<_>>());
}

#[test]
fn every_character_survives_or_is_shown_by_something_that_does() {
    let all: Vec<char> = (0..=0x10_FFFF_u32).filter_map(char::from_u32).collect();
    for block in all.chunks(0x8000) {
        assert_survives(block.iter().collect::<String>().as_bytes());
    }
}

#[test]
fn markup_in_an_output_stays_text() {
    for output in [
        "]]>",
        "</output></run></workspace>",
        "<![CDATA[ <!-- -->",
        "&amp; &#27; &x;",
        "\" ' = />",
        "a\r\nb\rc\n\td",
        " \n ",
        "",
    ] {
        assert_survives(output.as_bytes());
    }
}

#[test]
fn a_colourful_output_leaves_words_only() {
    let output = "\u{1b}[31mE   assert 1 == 2\u{1b}[0m\n";
    let record = String::from_utf8(record(output.as_bytes())).unwrap();
    assert!(record.contains("<output>E   assert 1 == 2\n</output>"), "{record}");
}

/// Outputs with every byte value, alone and in company, every character that XML forbids, and all
/// characters of the first plane.
fn awkward_outputs() -> Vec<Vec<u8>> {
    let mut outputs: Vec<Vec<u8>> = Vec::new();
    for byte in 0..=u8::MAX {
        outputs.extend([vec![byte], vec![b'a', byte, b'b'], vec![0x1B, b'[', byte, b'm']]);
    }
    let forbidden = |code: &u32| {
        matches!(code, 0..0x20 | 0x7F..0xA0 | 0xD7F0..0xE000 | 0xFDD0..0xFDF0)
            || code & 0xFFFE == 0xFFFE
    };
    for code in (0..=0x10_FFFF_u32).filter(forbidden) {
        // Half a pair of UTF-16 as bytes, which is not UTF-8.
        let halves = [0xED, 0x80 | (code >> 6 & 0x3F) as u8, 0x80 | (code & 0x3F) as u8];
        outputs.push(char::from_u32(code).map_or(halves.to_vec(), |c| c.to_string().into_bytes()));
    }
    let mut plane = String::new();
    for c in (0..=0xFFFF_u32).filter_map(char::from_u32) {
        write!(plane, "{c}").unwrap();
    }
    outputs.push(plane.into_bytes());
    outputs
}

#[test]
fn expat_reads_the_record_of_every_awkward_output() {
    let outputs = awkward_outputs();
    let records: Vec<Vec<u8>> = outputs.iter().map(|output| record(output)).collect();
    let Some(answers) = crate::oracle::answers(&records, "records") else {
        return;
    };
    for (output, answer) in outputs.iter().zip(answers) {
        assert_eq!(answer["value"]["delivered"], safe_text(output), "{output:?}");
    }
}

#[test]
fn libxml2_reads_the_record_of_every_awkward_output() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("libxml2");
    fs::create_dir_all(&directory).unwrap();
    let paths: Vec<PathBuf> = awkward_outputs()
        .iter()
        .enumerate()
        .map(|(number, output)| {
            let path = directory.join(format!("{number}.xml"));
            fs::write(&path, record(output)).unwrap();
            path
        })
        .collect();
    #[allow(clippy::disallowed_methods, reason = "a test may start its oracle")]
    let output = Command::new("xmllint").args(["--nonet", "--noout"]).args(&paths).output();
    match output {
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success() && said.is_empty(), "{said}");
        }
        Err(_) => println!("skipped: needs xmllint (Debian's libxml2-utils)"),
    }
}

#[test]
fn a_run_is_given_as_json_all_the_way_down() {
    let record = record(b"1 < 2");
    let runs = ftl_xml::runs_json(&read(&record).unwrap());
    assert_eq!(
        runs,
        serde_json::json!([{
            "name": "run", "attributes": {"tool": "1 < 2"}, "text": "\n    ", "children": [
                {"name": "output", "attributes": {}, "text": "1 < 2", "children": []},
            ],
        }])
    );
}
