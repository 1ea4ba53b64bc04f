//! From a document to a [`Workspace`]: which element means what, and nothing judged.
//!
//! The rules are lenient where the format is: unknown elements are skipped, and if a single-valued
//! element is repeated, the first is used. What is doubtful about a file is for `validate/` to say;
//! what cannot be read as the number that it should be is an error here, since a guess would be
//! used as a fact.
//!
//! Every error is collected, with a default in the value's place, so that a user sees all of them
//! at once.

use std::str::FromStr;

use ftl_model::{
    CodeContext, DEFAULT_BUDGET, Failure, Finding, Idiom, Idioms, Lineage, Parent, Pattern,
    PriorKnowledge, Seq, Utilized, Workspace,
};

use crate::{Document, ElementRef, Fault, ReadError};
use ftl_text::quote;

/// The attribute of `implementation` that says whether the task may change its tests.
pub(crate) const TESTS: &str = "tests";
/// Its value where the task may.
pub(crate) const TESTS_CHANGE: &str = "change";
/// Findings that the task takes for what they are.
pub(crate) const ACCEPT: &str = "accept";
/// The attribute of `implementation` with the exports that the task may remove.
pub(crate) const ALLOW_REMOVED: &str = "allow_removed";

impl Document<'_> {
    /// What the document says as a workspace.
    ///
    /// Names of elements and attributes are compared with their namespace, of which a workspace has
    /// none. `implementation` may stand at any depth; everything else is read from children of the
    /// root alone. If a single-valued element is repeated, the first is used.
    ///
    /// # Errors
    ///
    /// Every number that cannot be read, with its place.
    pub fn workspace(&self) -> Result<Workspace, Vec<ReadError>> {
        let mut lowering = Lowering { errors: Vec::new() };
        let workspace = lowering.workspace(self.root());
        if lowering.errors.is_empty() { Ok(workspace) } else { Err(lowering.errors) }
    }
}

impl Document<'_> {
    /// The budget alone. What [`Document::workspace`] refuses is refused here as well.
    ///
    /// # Errors
    ///
    /// Every number that cannot be read, with its place.
    pub fn budget(&self) -> Result<i64, Vec<ReadError>> {
        self.workspace().map(|workspace| workspace.budget)
    }
}

struct Lowering {
    errors: Vec<ReadError>,
}

impl Lowering {
    fn workspace(&mut self, root: ElementRef<'_, '_>) -> Workspace {
        let implementations: Vec<_> = root
            // Several count together, as if their children stood in one.
            .descendants()
            .filter(|element| element.is("implementation"))
            .collect();
        let each = |name: &str| {
            implementations
                .iter()
                .flat_map(|element| element.children_named(name))
                .map(text)
                .collect()
        };
        let first = |name: &str| implementations.iter().find_map(|element| element.child(name));
        Workspace {
            id: root.string("id"),
            status: root.string("status"),
            created_at: root.string("created_at"),
            completed_at: root.string("completed_at"),
            blocked_at: root.string("blocked_at"),
            depends: words(root, "depends").into_iter().map(Seq::new).collect(),
            objective: root.child_text("objective").unwrap_or_default(),
            delta: each("delta"),
            verify: first("verify").and_then(text).unwrap_or_default(),
            verify_source: first("verify_source").and_then(text).unwrap_or_default(),
            budget: first("budget").map_or(DEFAULT_BUDGET, |element| self.budget(element)),
            preflight: each("preflight"),
            allow: implementations
                .iter()
                .flat_map(|element| element.children_named("allow"))
                .filter_map(text)
                .map(|glob| glob.trim().to_owned())
                .filter(|glob| !glob.is_empty())
                .collect(),
            tests_change: implementations
                .iter()
                .any(|element| element.attribute(TESTS).as_deref() == Some(TESTS_CHANGE)),
            accept: implementations
                .iter()
                .flat_map(|element| words(*element, ACCEPT))
                .filter_map(|word| Finding::named(&word))
                .collect(),
            allow_removed: implementations
                .iter()
                .flat_map(|element| words(*element, ALLOW_REMOVED))
                .collect(),
            delivered: root.child_text("delivered").unwrap_or_default(),
            code_contexts: root.children_named("code_context").map(context).collect(),
            framework_confidence: self.confidence(root),
            idioms: root.child("idioms").map(idioms),
            prior_knowledge: root.child("prior_knowledge").map(|k| self.knowledge(k)),
            utilized: root
                .child("memory_utilization")
                .map(|element| element.children_named("utilized").map(utilized).collect()),
            lineage: root.child("lineage").map(lineage),
            has_run: root.child("run").is_some(),
        }
    }

    fn budget(&mut self, element: ElementRef<'_, '_>) -> i64 {
        let text = element.text().unwrap_or_default();
        integer(&text).unwrap_or_else(|| {
            self.errors.push(ReadError {
                fault: Fault::Integer { name: "budget", text: quote(&text) },
                place: element.text_place(),
            });
            DEFAULT_BUDGET
        })
    }

    /// The confidence that the idioms carry, else the one of the separate element; both are read.
    fn confidence(&mut self, root: ElementRef<'_, '_>) -> Option<f64> {
        let element = root.child("framework_confidence");
        let own = element.and_then(|element| {
            let text = element.text()?;
            number(&text).or_else(|| {
                self.errors.push(ReadError {
                    fault: Fault::Number { name: "framework_confidence", text: quote(&text) },
                    place: element.text_place(),
                });
                None
            })
        });
        let idioms = root.child("idioms");
        let carried = idioms.and_then(|element| {
            let text = element.attribute("confidence").filter(|t| !t.is_empty())?;
            number(&text).or_else(|| {
                self.errors.push(ReadError {
                    fault: Fault::Number { name: "confidence", text: quote(&text) },
                    place: attribute_place(element, "confidence"),
                });
                None
            })
        });
        // Both were read by now, so that an unreadable one is reported even if the other is used.
        carried.or(own)
    }

    fn knowledge(&mut self, element: ElementRef<'_, '_>) -> PriorKnowledge {
        PriorKnowledge {
            failures: element
                .children_named("failure")
                .map(|failure| Failure {
                    name: failure.string("name"),
                    cost: self.tokens(failure, "cost"),
                    trigger: failure.child_text("trigger").unwrap_or_default(),
                    fix: failure.child_text("fix").unwrap_or_default(),
                    fix_kind: failure.child("fix").and_then(|fix| fix.string("kind")),
                    pattern: failure
                        .child("match")
                        .map(|pattern| text(pattern).unwrap_or_default()),
                    injected: is_injected(failure),
                    tags: words(failure, "tags"),
                })
                .collect(),
            patterns: element
                .children_named("pattern")
                .map(|pattern| Pattern {
                    name: pattern.string("name"),
                    saved: self.tokens(pattern, "saved"),
                    trigger: pattern.child_text("trigger").unwrap_or_default(),
                    insight: pattern.child_text("insight").unwrap_or_default(),
                    injected: is_injected(pattern),
                })
                .collect(),
        }
    }

    /// An integer attribute, 0 when absent.
    fn tokens(&mut self, element: ElementRef<'_, '_>, name: &'static str) -> i64 {
        let Some(text) = element.attribute(name) else {
            return 0;
        };
        integer(&text).unwrap_or_else(|| {
            self.errors.push(ReadError {
                fault: Fault::Integer { name, text: quote(&text) },
                place: attribute_place(element, name),
            });
            0
        })
    }
}

fn attribute_place(element: ElementRef<'_, '_>, name: &str) -> ftl_model::SourcePosition {
    element.attribute_place(name).unwrap_or_else(|| element.tag_place())
}

fn context(element: ElementRef<'_, '_>) -> CodeContext {
    CodeContext {
        path: element.string("path"),
        lines: element.string("lines"),
        content: element.child_text("content").unwrap_or_default(),
        exports: element.child_text("exports").unwrap_or_default(),
        imports: element.child_text("imports").unwrap_or_default(),
    }
}

fn idioms(element: ElementRef<'_, '_>) -> Idioms {
    Idioms {
        framework: element.string("framework"),
        required: element.children_named("required").map(idiom).collect(),
        forbidden: element.children_named("forbidden").map(idiom).collect(),
    }
}

fn idiom(element: ElementRef<'_, '_>) -> Idiom {
    Idiom {
        text: text(element),
        rule: element.string("rule"),
        regex: element.string("regex"),
        pattern: element.string("pattern"),
        language: element.string("language"),
    }
}

fn utilized(element: ElementRef<'_, '_>) -> Utilized {
    Utilized {
        name: element.string("name"),
        // Older records have no type; all they recorded were failures.
        kind: element.string("type").unwrap_or_else(|| "failure".to_owned()),
    }
}

/// Parents with sequence numbers, when the first has one; else the one of the older form, which is
/// given by the texts of `parent` and `prior_delivery`. The first alone decides: the forms are
/// never mixed.
fn lineage(element: ElementRef<'_, '_>) -> Lineage {
    let is_numbered = element
        .child("parent")
        .and_then(|parent| parent.attribute("seq"))
        .is_some_and(|seq| !seq.is_empty());
    let parents = if is_numbered {
        element
            .children_named("parent")
            .map(|parent| Parent {
                seq: parent.string("seq"),
                workspace: parent.string("workspace"),
                prior_delivery: parent.child_text("prior_delivery").unwrap_or_default(),
            })
            .collect()
    } else {
        vec![Parent {
            seq: None,
            workspace: Some(element.child_text("parent").unwrap_or_default()),
            prior_delivery: element.child_text("prior_delivery").unwrap_or_default(),
        }]
    };
    Lineage { parents }
}

fn text(element: ElementRef<'_, '_>) -> Option<String> {
    element.text().map(Into::into)
}

fn words(element: ElementRef<'_, '_>, name: &str) -> Vec<String> {
    element.attribute(name).unwrap_or_default().split_whitespace().map(str::to_owned).collect()
}

fn is_injected(element: ElementRef<'_, '_>) -> bool {
    element.attribute("injected").as_deref() == Some("true")
}

/// An integer with an optional sign in ASCII digits, white space around it allowed.
pub(crate) fn integer(text: &str) -> Option<i64> {
    // Rust takes a sign and ASCII digits. Python's `int` takes `1_000` and the digits of other
    // scripts as well; they are refused, since readers in other languages would not agree on them.
    i64::from_str(text.trim()).ok()
}

/// A finite decimal number, white space around it allowed.
pub(crate) fn number(text: &str) -> Option<f64> {
    // JSON, in which a workspace is printed, has no infinity and no NaN.
    f64::from_str(text.trim()).ok().filter(|n| n.is_finite())
}
