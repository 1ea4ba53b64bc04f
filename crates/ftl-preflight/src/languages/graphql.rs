//! GraphQL, by apollo-parser, whose grammar is the specification's of September 2025.
//!
//! Documents with operations and documents with a schema are one language: what a server would execute is
//! not asked here. The parser is made for editors and lets a name stand alone where more must follow.

use apollo_parser::cst::CstNode;
use apollo_parser::{Parser, SyntaxKind, SyntaxNode};

use crate::Reason;
use crate::finding::{Finding, Outcome, Setting};
use crate::nesting::plain::Plain;

const MEASURE: Plain = Plain { comments: &["#"], openers: &[], by_line: true };

/// Children of which a node of the first kind must have one, and how it is said that it is missing.
const REQUIRED: &[(SyntaxKind, &[SyntaxKind], &str)] = &[
    (SyntaxKind::ARGUMENT, &[SyntaxKind::COLON], "expected `:` and a value"),
    (SyntaxKind::FIELD, &[SyntaxKind::NAME], "expected the name of a field"),
    (
        SyntaxKind::SELECTION_SET,
        &[SyntaxKind::FIELD, SyntaxKind::FRAGMENT_SPREAD, SyntaxKind::INLINE_FRAGMENT],
        "expected a selection",
    ),
    (SyntaxKind::SCHEMA_DEFINITION, &[SyntaxKind::ROOT_OPERATION_TYPE_DEFINITION], "expected `{`"),
    (SyntaxKind::ROOT_OPERATION_TYPE_DEFINITION, &[SyntaxKind::NAMED_TYPE], "expected a type"),
];

/// A document.
pub(crate) fn check(text: &str, setting: &Setting<'_>) -> Outcome {
    if MEASURE.exceeds(text, setting.options.nesting) {
        return Outcome::Unchecked(Reason::TooDeep);
    }
    let parser = Parser::new(text).recursion_limit(usize::MAX).token_limit(usize::MAX);
    let tree = parser.parse();
    let mut findings: Vec<_> = tree
        .errors()
        .map(|error| {
            let at = text.floor_char_boundary(error.index().min(text.len()));
            Finding::at(text, at, error.message())
        })
        .collect();
    if findings.is_empty() {
        findings = incomplete(text, tree.document().syntax());
    }
    Outcome::of(findings)
}

/// Where a document that parses lacks something, each placed at the token that is there instead.
fn incomplete(text: &str, document: &SyntaxNode) -> Vec<Finding> {
    let lacks = |node: &SyntaxNode| {
        let (_, children, message) = REQUIRED.iter().find(|(kind, ..)| node.kind() == *kind)?;
        if node.children_with_tokens().any(|it| children.contains(&it.kind())) {
            return None;
        }
        let node = &text[..usize::from(node.text_range().end())];
        let at = node.strip_suffix('}').unwrap_or(node).len();
        let next = text[at..].trim_start_matches(|it: char| it.is_whitespace() || it == ',');
        Some(Finding::at(text, text.len() - next.len(), *message))
    };
    document.descendants().filter_map(|node| lacks(&node)).collect()
}
