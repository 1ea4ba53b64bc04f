//! ftl-xml against Python's ElementTree: equal values, and refusals of the same documents.

use ftl_testkit::random::{Rng, cases};
use ftl_xml::{Fault, ReadError, parse_json, read};
use serde_json::Value;

use crate::generator::{document, mutant};
use crate::python::output_of;

/// What ElementTree makes of each document; `None` without Python.
pub(crate) fn answers(documents: &[Vec<u8>], name: &str) -> Option<Vec<Value>> {
    let framed = documents.iter().flat_map(|document| {
        let length = u32::try_from(document.len()).unwrap().to_be_bytes();
        length.into_iter().chain(document.iter().copied())
    });
    let lines = output_of("oracle.py", name, &framed.collect::<Vec<u8>>())?;
    let answers: Vec<Value> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), documents.len());
    Some(answers)
}

/// Our answer, the number that is no integer as text.
fn ours(document: &[u8]) -> Result<Value, Vec<ReadError>> {
    let workspace = read(document).map_err(|error| vec![error])?.workspace()?;
    let mut value = parse_json(&workspace, false);
    if let Some(number) = value.get_mut("framework_confidence") {
        *number = Value::String(format!("{:?}", number.as_f64().unwrap()));
    }
    Ok(value)
}

/// ElementTree's answer with its number in the same spelling.
fn respelled(mut value: Value) -> Value {
    if let Some(number) = value.get_mut("framework_confidence") {
        let read: f64 = number.as_str().unwrap().parse().unwrap();
        *number = Value::String(format!("{read:?}"));
    }
    value
}

/// Whether ftl refuses on purpose what expat reads.
fn is_deliberate(error: &ReadError) -> bool {
    match &error.fault {
        Fault::Doctype | Fault::Encoding(_) | Fault::Version(_) => true,
        Fault::Integer { text, .. } => {
            let digits = text.trim().trim_start_matches(['+', '-']);
            !digits.is_ascii() || digits.contains('_') || digits.len() > 18
        }
        Fault::Number { text, .. } => {
            let is_finite = text.trim().parse::<f64>().is_ok_and(f64::is_finite);
            !is_finite || !text.trim().is_ascii() || text.contains('_')
        }
        _ => false,
    }
}

pub(crate) fn compare(documents: &[Vec<u8>], name: &str) -> Option<(usize, usize)> {
    let answers = answers(documents, name)?;
    let (mut read, mut refused) = (0, 0);
    for (document, answer) in documents.iter().zip(answers) {
        let shown = String::from_utf8_lossy(document);
        match (ours(document), answer.get("value")) {
            (Ok(value), Some(theirs)) => {
                read += 1;
                assert_eq!(value, respelled(theirs.clone()), "{shown}");
            }
            (Err(_), None) => refused += 1,
            (Ok(_), None) => panic!("only we read it: {answer}\n{shown}"),
            (Err(errors), Some(_)) => {
                refused += 1;
                let deliberate = errors.iter().any(is_deliberate);
                assert!(deliberate, "only we refuse it: {errors:?}\n{shown}");
            }
        }
    }
    Some((read, refused))
}

#[test]
fn generated_documents_have_the_values_that_elementtree_gives() {
    let documents: Vec<Vec<u8>> =
        (0..cases(6_000)).map(|seed| document(&mut Rng::with_seed(seed)).into_bytes()).collect();
    let Some((read, refused)) = compare(&documents, "documents") else {
        return;
    };
    println!("{read} read alike, {refused} refused alike or on purpose");
    assert!(read > refused, "most of them are readable");
}

#[test]
fn damaged_documents_are_refused_when_expat_refuses_them() {
    let documents: Vec<Vec<u8>> =
        (0..cases(6_000)).map(|seed| mutant(&mut Rng::with_seed(seed))).collect();
    let Some((read, refused)) = compare(&documents, "mutants") else {
        return;
    };
    println!("{read} read alike, {refused} refused alike or on purpose");
    assert!(refused > 0);
}
