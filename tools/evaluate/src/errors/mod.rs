//! `cargo xtask evaluate errors`: the line that ftl quotes of an output, the family of the error and the known failure
//! that it is taken for, judged on labelled outputs.

pub(crate) mod corpus;
mod quote;
mod score;

use std::path::Path;

use ftl_testkit::Result;

use crate::page::verbatim;
use crate::tally::Share;
use corpus::Corpus;
use ftl_testkit::page::table;
use score::{Score, score};

/// Judges our corpus, or another one, and prints what came out.
///
/// # Errors
///
/// The corpus could not be read.
pub(crate) fn run(words: &[&str]) -> Result {
    let (directory, with_misses) = match words {
        [] => (crate::ours(), true),
        ["--corpus", directory] => (Path::new(directory).to_owned(), false),
        ["--corpus", directory, "--misses"] => (Path::new(directory).to_owned(), true),
        _ => return Err(crate::HELP.into()),
    };
    print(&score(&Corpus::read(&directory)?), with_misses);
    Ok(())
}

fn print(score: &Score, with_misses: bool) {
    for miss in score.misses.iter().filter(|_| with_misses) {
        println!("{miss}");
    }
    for (name, share) in shares(score) {
        println!("{name:16} {}", share.words());
    }
    for (style, (matches, near)) in &score.matches {
        println!("{style:16} {}, near {near}", matches.words());
    }
}

/// Every share with its name: those of runners, and of all together.
fn shares(score: &Score) -> Vec<(String, Share)> {
    let held_out =
        score.held_out.iter().map(|(name, share)| (format!("{name} (held out)"), *share));
    let lines = score.lines.iter().map(|(name, share)| (name.clone(), *share));
    let all = overall(score).map(|(name, share)| (name.to_owned(), share));
    lines.chain(held_out).chain(all).collect()
}

fn overall(score: &Score) -> [(&'static str, Share); 5] {
    [
        ("line, runners with rules", Share::sum(score.lines.values())),
        ("line, runners held out", Share::sum(score.held_out.values())),
        ("line, chains `passing && failing`", score.chains),
        ("transient errors known as such", score.transient),
        ("deterministic errors not taken for transient", score.deterministic),
    ]
}

/// The beginning of the page.
pub(crate) fn section(corpus: &Corpus) -> String {
    let score = score(corpus);
    let overall = overall(&score).map(|(what, share)| vec![what.to_owned(), share.words()]);
    let matches = score.matches.iter().map(|(style, (matches, near))| {
        let (precision, recall) = (matches.precision(), matches.recall());
        let near = format!("{near} of {}", matches.missed);
        vec![style.clone(), format!("{precision:.3}"), format!("{recall:.3}"), near]
    });
    let held_out =
        score.held_out.iter().map(|(runner, share)| (format!("{runner} (held out)"), *share));
    let runners =
        score.lines.iter().map(|(runner, share)| (runner.clone(), *share)).chain(held_out);
    let (right, missed): (Vec<_>, Vec<_>) =
        runners.partition(|(_, share)| share.right == share.all);
    let right: Vec<String> =
        right.iter().map(|(runner, share)| format!("{runner} {}", share.all)).collect();
    let missed: Vec<_> =
        missed.into_iter().map(|(runner, share)| vec![runner, share.words()]).collect();
    format!(
        "{METHOD}## Results\n\n{} outputs, {} triggers, {} pairs.\n\n{}\n{}\n### Lines by runner\n\n\
         Every line right: {}.\n\n{}\n`cargo xtask evaluate errors` prints every miss.\n{}",
        corpus.outputs.len(),
        corpus.triggers.len(),
        corpus.pairs.len(),
        table(&["what", "right"], overall),
        table(
            &["triggers", "precision", "recall", "near, of the missed"],
            matches.collect::<Vec<_>>()
        ),
        right.join(", "),
        table(&["runner", "right"], missed),
        not_made(&corpus.skipped)
    )
}

fn cut(text: &str, length: usize) -> String {
    text.chars().take(length).collect::<String>().trim_end().to_owned()
}

/// What could not be run when the outputs were made.
pub(crate) fn not_made(skipped: &[String]) -> String {
    let mut lines: Vec<String> = skipped.iter().map(|line| cut(line, 200)).collect();
    lines.dedup();
    if lines.is_empty() { String::new() } else { format!("\nNot made:\n\n{}", verbatim(lines)) }
}

const METHOD: &str = "\
# Evaluation of error lines, matches, findings and idioms

<!-- Written by `cargo xtask evaluate`. -->

When a verify fails, `ftl` quotes one line of its output as the error, says whether the error may vanish by itself, and looks for it
among the known failures. This page says how often it is right.

## Method

`cargo xtask evaluate make` writes small projects with one seeded fault each, runs every installed runner on them, and labels the lines of the output that
a reader would quote. A line of `ftl` is right if it equals a label, apart from marks, places and blanks, or if one is part of the other with 70 % of its
length. An output and a trigger are the same error if both come from the same fault.

Labels and held-out runners were committed before any output was judged. Limits: small projects, one reader, English messages, Linux; one fault shows alike
in several runners, so outputs are not independent.

";
