use ftl_model::{CodeContext, Failure, Idiom, Lineage, Pattern, Workspace};
use serde_json::{Map, Value, json};

use crate::{Document, ElementRef};

/// A workspace as JSON, the form that other tools read.
///
/// Keys of elements that may be missing are there only when the element is. With `full`, what only
/// ftl knows is added: `depends`, `has_run`, `tags` and `fix_kind` of failures, and `idiom_rules`,
/// the rules written beside the idioms' texts.
pub fn parse_json(workspace: &Workspace, full: bool) -> Value {
    let mut map = Map::new();
    let mut put = |key: &str, value: Value| map.insert(key.to_owned(), value);
    put("id", json!(workspace.id));
    put("status", json!(workspace.status));
    put("created_at", json!(workspace.created_at));
    put("completed_at", json!(workspace.completed_at));
    put("blocked_at", json!(workspace.blocked_at));
    put("objective", json!(workspace.objective));
    put("delta", json!(workspace.delta));
    put("verify", json!(workspace.verify));
    put("verify_source", json!(workspace.verify_source));
    put("budget", json!(workspace.budget));
    put("preflight", json!(workspace.preflight));
    put("delivered", json!(workspace.delivered));
    if let [first, rest @ ..] = workspace.code_contexts.as_slice() {
        put("code_context", context(first));
        if !rest.is_empty() {
            let all = workspace.code_contexts.iter().map(context).collect();
            put("code_contexts", all);
        }
    }
    if let Some(confidence) = workspace.framework_confidence {
        put("framework_confidence", json!(confidence));
    }
    if let Some(idioms) = &workspace.idioms {
        put("framework", json!(idioms.framework));
        put(
            "idioms",
            json!({"required": texts(&idioms.required), "forbidden": texts(&idioms.forbidden)}),
        );
        if full {
            put(
                "idiom_rules",
                json!({"required": idioms.required, "forbidden": idioms.forbidden}),
            );
        }
    }
    if let Some(knowledge) = &workspace.prior_knowledge {
        let failures: Vec<_> = knowledge
            .failures
            .iter()
            .map(|f| failure(f, full))
            .collect();
        let patterns: Vec<_> = knowledge.patterns.iter().map(pattern).collect();
        put(
            "prior_knowledge",
            json!({"failures": failures, "patterns": patterns}),
        );
    }
    if let Some(utilized) = &workspace.utilized {
        put("utilized_memories", json!(utilized));
    }
    if let Some(lineage) = &workspace.lineage {
        put("lineage", lineage_json(lineage));
    }
    if full {
        put("depends", json!(workspace.depends));
        put("has_run", json!(workspace.has_run));
    }
    Value::Object(map)
}

fn context(context: &CodeContext) -> Value {
    json!(context)
}

fn texts(idioms: &[Idiom]) -> Vec<&Option<String>> {
    idioms.iter().map(|idiom| &idiom.text).collect()
}

/// A failure as [`parse_json`] gives it.
pub fn failure(failure: &Failure, full: bool) -> Value {
    let mut value = json!({
        "name": failure.name,
        "cost": failure.cost,
        "trigger": failure.trigger,
        "fix": failure.fix,
        "match": failure.pattern,
        "injected": failure.injected,
    });
    if full {
        value["fix_kind"] = json!(failure.fix_kind);
        value["tags"] = json!(failure.tags);
    }
    value
}

fn pattern(pattern: &Pattern) -> Value {
    json!(pattern)
}

fn lineage_json(lineage: &Lineage) -> Value {
    let first = lineage.parents.first();
    json!({
        "parents": lineage.parents,
        "parent": first.and_then(|parent| parent.workspace.as_ref()),
        "prior_delivery": first.map(|parent| &parent.prior_delivery),
    })
}

/// The `run` elements of a record, each `{name, attributes, text, children}` all the way down.
pub fn runs_json(document: &Document<'_>) -> Value {
    document.root().children_named("run").map(element).collect()
}

fn element(element: ElementRef<'_, '_>) -> Value {
    let attributes: Map<String, Value> = element
        .attributes()
        .map(|(name, value)| (name.to_owned(), json!(value)))
        .collect();
    let children: Vec<Value> = element.children().map(self::element).collect();
    json!({
        "name": element.name(),
        "attributes": attributes,
        "text": element.text(),
        "children": children,
    })
}
