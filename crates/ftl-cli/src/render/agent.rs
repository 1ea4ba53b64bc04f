//! What an agent says of its part, in a line.

use ftl_engine::result::ImplementerResult;
use ftl_model::Tokens;

/// Its name, its worker, version, model, calls, tokens and cost, as far as it reports them; empty where it reports nothing.
pub(super) fn summary(who: &ImplementerResult) -> String {
    let calls = who.calls.map(|calls| counted(calls, "call of its tools", "calls of its tools"));
    let own = [who.model.clone(), calls].into_iter().flatten();
    let parts: Vec<String> = own.chain(cost(who.tokens, who.cost_usd)).collect();
    if parts.is_empty() && who.version.is_none() && who.worker.is_none() {
        return String::new();
    }
    let name = who.name.as_deref().unwrap_or("agent");
    let version = who.version.iter().map(|version| format!(" {version}"));
    let worker = who.worker.iter().map(|worker| format!(" at the worker {worker}"));
    let name = format!("{name}{}", version.chain(worker).collect::<String>());
    std::iter::once(name).chain(parts).collect::<Vec<_>>().join(", ")
}

/// Tokens and money, each where it is known.
pub(super) fn cost(tokens: Option<Tokens>, cost_usd: Option<f64>) -> impl Iterator<Item = String> {
    let tokens = tokens.unwrap_or_default();
    let parts = [
        tokens.input.map(|read| counted(read, "token read", "tokens read")),
        tokens.output.map(|written| format!("{written} written")),
        cost_usd.map(|cost| format!("${cost:.4}")),
    ];
    parts.into_iter().flatten()
}

/// `$0.12`; less than a cent with two more digits.
pub(super) fn dollars(cost: f64) -> String {
    if cost > 0.0 && cost < 0.01 { format!("${cost:.4}") } else { format!("${cost:.2}") }
}

fn counted(count: u64, one: &str, more: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { more })
}
