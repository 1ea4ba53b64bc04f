//! `ftl knowledge test`.

use std::fmt::Write as _;

use ftl_engine::knowledge::{ComparedOutput, compare_output};
use ftl_engine::result::{KnowledgeTest, TestedFailure};
use ftl_text::one_line;

use super::{Project, read_named};
use crate::args::{Format, TestArgs};
use crate::config::knowledge::Shared;
use crate::exit::FAILED;
use crate::failure::Failure;
use crate::{CommandResult, output};

/// Compares the shared failures, or those that are named, with an output.
pub(crate) fn run(args: &TestArgs) -> CommandResult {
    let project = Project::load()?;
    let shared = project.config.shared(project.root())?;
    let chosen = chosen(&shared, &args.names)?;
    let text = read_named(&args.output)?;
    let passing = args.passing.as_deref().map(read_named).transpose()?;
    let failures: Vec<_> = chosen.iter().map(|shared| shared.failure.clone()).collect();
    let compared = compare_output(&text, &failures, passing.as_deref());
    let tested = tested(&chosen, compared);
    match args.format {
        Format::Json => output::json(&tested)?,
        Format::Human => {
            output::result(&page(&tested))?;
            let warnings = tested.failures.iter().flat_map(|failure| &failure.warnings);
            warnings.for_each(|warning| output::warn(warning));
        }
    }
    Ok(if tested.applied.is_some() { 0 } else { FAILED })
}

fn chosen<'s>(shared: &'s [Shared], names: &[String]) -> Result<Vec<&'s Shared>, Failure> {
    if names.is_empty() {
        return Ok(shared.iter().collect());
    }
    let named = |name: &String| {
        let found = shared.iter().find(|it| it.failure.name.as_ref() == Some(name));
        found.ok_or_else(|| {
            let message = format!("no shared failure is called `{name}`");
            Failure::usage("knowledge::unknown", message)
                .help("`ftl knowledge list` names them all")
        })
    };
    names.iter().map(named).collect()
}

fn tested(chosen: &[&Shared], compared: ComparedOutput) -> KnowledgeTest {
    let failures = chosen.iter().zip(compared.failures);
    let failures = failures.map(|(shared, it)| TestedFailure {
        name: shared.failure.name.clone().unwrap_or_default(),
        file: shared.file.clone(),
        line: shared.line,
        matches: it.matches,
        rationale: it.rationale,
        score: (it.score * 100.0).round() / 100.0,
        warnings: it.warnings,
    });
    KnowledgeTest {
        error: compared.error,
        error_lines: compared.error_lines,
        applied: compared.applied,
        failures: failures.collect(),
    }
}

fn page(tested: &KnowledgeTest) -> String {
    let mut text = String::new();
    let error = tested.error.as_deref().map(one_line);
    let _ = writeln!(text, "error     {}", error.as_deref().unwrap_or("none is found"));
    for failure in &tested.failures {
        let word = if failure.matches { "match" } else { "no match" };
        let (name, why) = (one_line(&failure.name), one_line(&failure.rationale));
        let _ = writeln!(text, "{word:8}  {name}: {why}");
    }
    if let Some(applied) = &tested.applied {
        let _ = writeln!(text, "applied   {}", one_line(applied));
    }
    text
}
