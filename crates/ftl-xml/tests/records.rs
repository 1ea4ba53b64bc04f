//! Whatever a test printed, the record of it can be read by everyone.

use std::fmt::Write;

use ftl_model::{Status, Utilized};
use ftl_xml::{Element, Seal, read, safe_text, seal};
use quick_xml::events::Event;

const TASK: &str = "<workspace id='1' status=\"active\">\n  <delivered/>\n</workspace>\n";

/// Seals a record that holds `output` as text and as attribute.
fn record(output: &[u8]) -> Vec<u8> {
    let text = safe_text(output);
    let run = Element::new("run")
        .attribute("tool", &text)
        .child(Element::new("output").text(output));
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
    assert_eq!(
        (run.as_str(), delivered.as_str()),
        (expected.as_str(), expected.as_str())
    );
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
    assert!(
        record.contains("<output>E   assert 1 == 2\n</output>"),
        "{record}"
    );
}

#[test]
fn expat_reads_a_record_of_every_character() {
    let mut output = String::new();
    for c in (0..=0xFFFF_u32).filter_map(char::from_u32) {
        write!(output, "{c}").unwrap();
    }
    let document = record(output.as_bytes());
    let Some(answers) = crate::oracle::answers(&[document], "record") else {
        return;
    };
    let expected = safe_text(output.as_bytes());
    assert_eq!(answers[0]["value"]["delivered"], expected);
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
