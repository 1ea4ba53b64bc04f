//! The outcome of a build, for people.

use std::fmt::Write as _;
use std::io;

use ftl_xml::terminal_text;
use serde_json::Value;

use crate::output;

/// Columns of the labels.
const LABEL: usize = 10;

/// The result as text that needs no colour to be read.
pub(crate) fn text(result: &Value) -> String {
    let mut page = Page::new(output::colour(&io::stdout()));
    page.headline(result);
    match result["outcome"].as_str() {
        Some("failed") => page.line("error", &result["error"]["message"]),
        Some("skipped") => page.line("cause", &result["cause"]),
        Some(_) | None => page.body(result),
    }
    page.text
}

struct Page {
    text: String,
    colour: bool,
}

impl Page {
    fn new(colour: bool) -> Self {
        Self {
            text: String::new(),
            colour,
        }
    }

    /// `blocked   001_models   budget 4/5`
    fn headline(&mut self, result: &Value) {
        let outcome = result["outcome"].as_str().unwrap_or_default();
        let shown = if self.colour {
            let code = match outcome {
                "complete" | "planned" => "32",
                "blocked" => "33",
                _ => "31",
            };
            format!("\u{1b}[1;{code}m{outcome}\u{1b}[0m")
        } else {
            outcome.to_owned()
        };
        let id = plain(&result["id"]);
        let _ = write!(self.text, "{shown}  {id}");
        let budget = &result["budget"];
        if let (Some(used), Some(total)) = (budget["used"].as_i64(), budget["total"].as_i64()) {
            let _ = write!(self.text, "  budget {used}/{total}");
        }
        self.text.push('\n');
    }

    fn body(&mut self, result: &Value) {
        let states: Vec<String> = list(&result["states"]).map(plain).collect();
        self.put("states", &states.join(" → "));
        self.block(&result["block"]);
        for file in list(&result["files"]) {
            let line = format!("{} {}", plain(&file["change"]), plain(&file["path"]));
            self.put("file", &line);
        }
        for path in list(&result["strays"]) {
            self.line("stray", path);
        }
        for check in list(&result["preflight"]).filter(|check| check["status"] != "valid") {
            self.check(check);
        }
        for verify in list(&result["verify"]) {
            self.verify(verify);
        }
        self.line("retry", &result["retry"]["rationale"]);
        self.quality(&result["quality"]);
        for warning in list(&result["warnings"]) {
            self.line("warning", warning);
        }
        if result["outcome"] == "complete" {
            self.line("delivered", &result["delivered"]);
        }
        self.line("record", &result["workspace"]);
    }

    fn block(&mut self, block: &Value) {
        self.line("kind", &block["kind"]);
        self.line("error", &block["error"]);
        for tried in list(&block["tried"]) {
            self.line("tried", tried);
        }
        self.line("unknown", &block["unknown"]);
        self.line("next", &block["discovery"]);
        self.line("reproduce", &block["reproduce"]);
    }

    fn check(&mut self, check: &Value) {
        let path = plain(&check["path"]);
        let line = format!("{} {path}", plain(&check["status"]));
        match check["reason"].as_str() {
            Some(reason) => self.put("preflight", &format!("{line}: {reason}")),
            None => self.put("preflight", &line),
        }
        for found in list(&check["diagnostics"]) {
            let at = format!("{path}:{}:{}", found["line"], found["column"]);
            self.put("", &format!("{at}: {}", plain(&found["message"])));
        }
    }

    fn verify(&mut self, verify: &Value) {
        let end = match (&verify["timed_out"], &verify["exit"], &verify["signal"]) {
            (Value::Bool(true), ..) => "ran out of time".to_owned(),
            (_, Value::Number(exit), _) => format!("exit {exit}"),
            (_, _, signal) => format!("signal {signal}"),
        };
        let seconds = verify["duration_ms"].as_f64().unwrap_or_default() / 1000.0;
        let command = plain(&verify["command"]);
        self.put("verify", &format!("{command} ({end}, {seconds:.1} s)"));
        for finding in list(&verify["findings"]) {
            self.line("finding", finding);
        }
        if verify["exit"] != 0 {
            self.line("log", &verify["log"]);
        }
    }

    fn quality(&mut self, quality: &Value) {
        for idiom in list(&quality["idioms"]).filter(|idiom| idiom["verdict"] == "violated") {
            self.put("idiom", &format!("violated: {}", plain(&idiom["text"])));
            for place in list(&idiom["places"]) {
                let at = format!(
                    "{}:{}:{}",
                    plain(&place["path"]),
                    place["line"],
                    place["column"]
                );
                self.put("", &at);
            }
        }
        for export in list(&quality["exports"]).filter(|export| export["verdict"] == "lost") {
            let line = format!(
                "lost: {} of {}",
                plain(&export["name"]),
                plain(&export["path"])
            );
            self.put("export", &line);
        }
    }

    /// A line of a value, unless it is null or empty.
    fn line(&mut self, label: &str, value: &Value) {
        let text = plain(value);
        if !text.is_empty() {
            self.put(label, &text);
        }
    }

    /// A label and a text, whose further lines stand below its first.
    fn put(&mut self, label: &str, text: &str) {
        let text = terminal_text(text.as_bytes());
        for (number, line) in text.trim_end().lines().enumerate() {
            let label = if number == 0 { label } else { "" };
            let _ = writeln!(self.text, "  {label:LABEL$} {line}");
        }
    }
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// A string without its quotes; nothing for null.
fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => terminal_text(text.as_bytes()),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::text;

    #[test]
    fn a_block_tells_its_hand_off() {
        let result = json!({
            "outcome": "blocked", "id": "001_a", "workspace": ".ftl/workspace/001_a_blocked.xml",
            "states": ["READ", "PLAN"], "budget": {"total": 5, "used": 1},
            "block": {"kind": "spec_invalid", "error": "bad\u{1b}[31m path", "tried": [],
                      "unknown": "two\nlines", "discovery": "", "reproduce": null},
        });
        let expected = "\
blocked  001_a  budget 1/5
  states     READ → PLAN
  kind       spec_invalid
  error      bad path
  unknown    two
             lines
  record     .ftl/workspace/001_a_blocked.xml
";
        assert_eq!(text(&result), expected);
    }

    #[test]
    fn what_was_not_built_says_why() {
        let skipped = json!({"outcome": "skipped", "id": "002_b", "cause": "waits for `001_a`"});
        assert_eq!(
            text(&skipped),
            "skipped  002_b\n  cause      waits for `001_a`\n"
        );
    }
}
