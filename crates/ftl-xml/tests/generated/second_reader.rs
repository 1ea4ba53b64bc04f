//! ftl-xml against roxmltree: what we accept it accepts as well, with the same content.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use ftl_testkit::random::{Draw as _, Rng, cases};
use ftl_xml::{ElementRef, read};
use roxmltree::Node;

use super::on_all_cores;
use crate::conformance;
use crate::generator::{damage, document, mutant};

#[derive(Debug, Default)]
struct Counts {
    runs: u64,
    both_accept: u64,
    both_refuse: u64,
    /// Not UTF-8: the other reader takes text only, so that it has no say.
    no_text: u64,
    /// Refused by ftl alone, by the code of the fault: what is refused on purpose (`xml::doctype`,
    /// `xml::encoding`, `xml::version`, bounds), and what the other reader does not look at (the form
    /// of the declaration, prefixes of namespaces and targets).
    only_ours_refuses: BTreeMap<&'static str, u64>,
    /// Texts in which the other reader keeps a CR before a reference, where XML has a
    /// line end.
    carriage_returns: u64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.runs += other.runs;
        self.both_accept += other.both_accept;
        self.both_refuse += other.both_refuse;
        self.no_text += other.no_text;
        for (code, count) in other.only_ours_refuses {
            *self.only_ours_refuses.entry(code).or_default() += count;
        }
        self.carriage_returns += other.carriage_returns;
    }
}

#[test]
fn accepted_documents_have_the_content_that_roxmltree_reads() {
    let runs = cases(4_000);
    let corpus = conformance::documents();
    let counts = on_all_cores(runs, |seeds| {
        let mut counts = Counts::default();
        seeds.for_each(|seed| compare(seed, &corpus, &mut counts));
        counts
    });
    println!("{counts:#?}");
    assert_eq!(counts.runs, runs);
    assert!(
        counts.both_accept * 5 >= runs,
        "a reader that refuses everything would pass otherwise"
    );
    assert!(counts.both_refuse * 5 >= runs, "as would one that accepts everything");
}

/// Of seven documents two are sound, one is damaged from the conformance suite where that is at
/// hand, the others are damaged.
fn compare(seed: u64, corpus: &[Vec<u8>], counts: &mut Counts) {
    let random = &mut Rng::with_seed(seed);
    let bytes = match seed % 7 {
        0 | 1 => document(random).into_bytes(),
        2 if !corpus.is_empty() => {
            let mut bytes = corpus[random.below(corpus.len())].clone();
            damage(random, &mut bytes);
            bytes
        }
        _ => mutant(random),
    };
    counts.runs += 1;
    let ours = read(&bytes);
    let Ok(text) = std::str::from_utf8(&bytes) else {
        assert!(ours.is_err(), "seed {seed}: only we read {bytes:?}");
        counts.no_text += 1;
        return;
    };
    match (ours, roxmltree::Document::parse(text)) {
        (Ok(ours), Ok(theirs)) => {
            counts.both_accept += 1;
            let (ours, theirs) = (ours.root(), theirs.root_element());
            counts.carriage_returns += same(ours, theirs).unwrap_or_else(|what| {
                panic!("seed {seed}: {what}\n{text}");
            });
        }
        (Err(_), Err(_)) => counts.both_refuse += 1,
        (Ok(_), Err(error)) => panic!("seed {seed}: only we read it, {error}\n{text}"),
        (Err(error), Ok(_)) => {
            *counts.only_ours_refuses.entry(error.code()).or_default() += 1;
        }
    }
}

/// Compares names, attributes and first texts of all elements, in the order of the document; gives
/// the number of texts with the one difference that is known.
fn same(ours: ElementRef<'_, '_>, theirs: Node<'_, '_>) -> Result<u64, String> {
    let mut known = 0;
    let elements: Vec<_> = std::iter::once(ours).chain(ours.descendants()).collect();
    let others: Vec<_> = theirs.descendants().filter(Node::is_element).collect();
    agree(&elements.len(), &others.len())?;
    for (element, other) in elements.into_iter().zip(others) {
        let name = other.tag_name();
        agree(&element.name().rsplit(':').next(), &Some(name.name()))?;
        let namespace = name.namespace().filter(|uri| !uri.is_empty());
        agree(&element.is_plain(), &namespace.is_none())?;
        let plain = other.attributes().filter(|one| one.namespace().is_none());
        let attributes: Vec<_> = plain.map(|one| (one.name(), one.value().into())).collect();
        agree(&element.attributes().collect(), &attributes)?;
        let (text, other) = (element.text().unwrap_or_default(), first_text(other));
        if text != other {
            let unix = |text: &str| text.replace('\r', "\n");
            agree(&unix(&text), &unix(&other))?;
            known += 1;
        }
    }
    Ok(known)
}

fn agree<T: PartialEq + std::fmt::Debug>(ours: &T, theirs: &T) -> Result<(), String> {
    match ours == theirs {
        true => Ok(()),
        false => Err(format!("we read {ours:?}, roxmltree {theirs:?}")),
    }
}

/// The character data before the first child element.
fn first_text(node: Node<'_, '_>) -> String {
    node.children()
        .take_while(|child| !child.is_element())
        .filter(Node::is_text)
        .filter_map(|child| child.text())
        .collect()
}
