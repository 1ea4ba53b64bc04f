//! docs/evaluation.md: how it was judged, and what came out, misses included.

use std::collections::BTreeMap;
use std::fs;

use ftl_testkit::{Result, root};

use crate::corpus::Corpus;
use crate::score::{Score, Share};

const METHOD: &str = "\
# Evaluation of error lines, families, matches, findings and idioms

<!-- Written by `cargo xtask evaluate`. -->

When a verify fails, `ftl` quotes one line of its output as the error, says whether the error may vanish by itself, and looks for it
among the known failures. This page says how often it is right, on outputs of real tools.

## Method

`tools/evaluate/drivers/make.py` writes small projects with one seeded fault each and runs every runner that is installed on them
(`cargo xtask evaluate make`). A table in it names, for each fault, the text that a reader would quote. The labels of an output are the
lines that hold this text, but for lines of the sources. A line of `ftl` is right if it equals a label but for marks, places and blanks,
or if one is part of the other with 70 % of its length.

The table and the list of held-out runners were committed before any of these outputs was judged. The rules were written before that,
on another labelled collection of outputs. After the first run, the driver was corrected where a tool could not start or a label was a
line of the sources, and three rules where runners with rules had been misread (AVA's and node's files that fail as a whole, ESLint's
limit on warnings). For a held-out runner no rule was written before or after. Pairs of an output and a trigger are the same error when both
come from the same fault; they count as different when the output does not hold the trigger's text, even if the same repair might help.

Limits: small projects, one reader, English messages, Linux. A fault shows alike in several runners, so that outputs are not
independent. Triggers are messages of the same tools.

";

/// The page.
pub(crate) fn render(corpus: &Corpus, score: &Score) -> String {
    let mut page = METHOD.to_owned();
    page.push_str(&format!(
        "## Results\n\n{} outputs, {} triggers, {} pairs.\n\n",
        corpus.outputs.len(),
        corpus.triggers.len(),
        corpus.pairs.len()
    ));
    page.push_str("| what | right |\n| --- | --- |\n");
    for (what, share) in [
        ("line, runners with rules", Share::sum(score.lines.values())),
        ("line, runners held out", Share::sum(score.held_out.values())),
        ("line, chains `passing && failing`", score.chains),
        ("transient errors known as such", score.transient),
        ("deterministic errors not taken for transient", score.deterministic),
    ] {
        page.push_str(&format!("| {what} | {} |\n", share.words()));
    }
    page.push_str(
        "\n| triggers | precision | recall | near, of the missed |\n| --- | --- | --- | --- |\n",
    );
    for (style, matches) in &score.matches {
        page.push_str(&format!(
            "| {style} | {:.3} | {:.3} | {} of {} |\n",
            matches.precision(),
            matches.recall(),
            matches.near,
            matches.missed
        ));
    }
    page.push_str("\n### Lines by runner\n\n| runner | right |\n| --- | --- |\n");
    page.push_str(&rows(&score.lines, ""));
    page.push_str(&rows(&score.held_out, " (held out)"));
    page.push_str("\n### Misses\n\nWhat, output, runner or style, what `ftl` said, what was wanted:\n\n```text\n");
    for miss in &score.misses {
        let short: String = miss.replace('\t', " | ").chars().take(240).collect();
        page.push_str(short.trim_end());
        page.push('\n');
    }
    page.push_str("```\n\n### Not made\n\n```text\n");
    for line in &corpus.skipped {
        page.push_str(&line.chars().take(200).collect::<String>());
        page.push('\n');
    }
    page.push_str("```\n");
    page
}

fn rows(shares: &BTreeMap<String, Share>, note: &str) -> String {
    shares
        .iter()
        .map(|(runner, share)| format!("| {runner}{note} | {} |\n", share.words()))
        .collect()
}

/// What follows are parts that are measured by themselves.
const PARTS: &str = "\n<!-- part ";

/// Writes the page with a new beginning; the parts that are measured by themselves stay.
///
/// # Errors
///
/// The page cannot be read or written.
pub(crate) fn write(beginning: &str) -> Result {
    let path = root().join("docs/evaluation.md");
    let page = fs::read_to_string(&path)?;
    let parts = page.find(PARTS).map_or("", |at| &page[at..]);
    Ok(fs::write(path, format!("{beginning}{parts}"))?)
}

/// Writes a part that is measured by itself, in its place or at the end.
///
/// # Errors
///
/// The page cannot be read or written.
pub(crate) fn replace(name: &str, body: &str) -> Result {
    let path = root().join("docs/evaluation.md");
    let page = fs::read_to_string(&path)?;
    let (opening, closing) = (format!("{PARTS}{name} -->\n"), format!("<!-- end {name} -->\n"));
    let part = format!("{opening}\n{}\n\n{closing}", body.trim());
    let found = page
        .split_once(&opening)
        .and_then(|(before, rest)| Some((before, rest.split_once(&closing)?.1)));
    let page = match found {
        Some((before, after)) => format!("{before}{part}{after}"),
        None => format!("{page}{part}"),
    };
    Ok(fs::write(path, page)?)
}
