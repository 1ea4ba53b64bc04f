//! The judge of idioms: a command that is asked about an idiom that no rule decides.
//!
//! Its verdict takes the place of `undecidable` in the event. A judge that fails leaves the idiom undecided;
//! a warning says why.

use ftl_analysis::quality::FileText;
use ftl_machine::Undecided;
use ftl_model::{IdiomStatus, IdiomVerdict};

use super::judge::{answer, ask};
use crate::protocol::{IdiomFile, IdiomReply, IdiomRequest};
use crate::run::Fault;
use crate::run::commands::output::left_behind;
use crate::run::journal::recorder::Recorder;
use crate::run::settings::Judge;
use crate::run::world::World;
use crate::text::{brief, one_line};

/// Bytes of one text that a judge is shown.
const LARGEST: usize = 256 << 10;

/// Asks about every undecided idiom, where policy says so, and gives back what should be known besides.
pub(in crate::run) fn decide(
    world: &World<'_>,
    files: &[FileText<'_>],
    idioms: &mut [IdiomVerdict],
    recorder: &mut Recorder<'_>,
) -> Result<Vec<String>, Fault> {
    let settings = world.site.settings;
    let Some(judge) = &settings.quality.judge else {
        return Ok(Vec::new());
    };
    let mut warnings = Vec::new();
    let undecided = idioms.iter_mut().filter(|idiom| idiom.verdict == IdiomStatus::Undecidable);
    if settings.quality.undecided != Undecided::Judge {
        return Ok(warnings);
    }
    for idiom in undecided {
        warnings.extend(one(world, judge, files, idiom, recorder)?);
    }
    warnings.extend(world.site.secrets.warning());
    Ok(warnings)
}

fn one(
    world: &World<'_>,
    judge: &Judge,
    files: &[FileText<'_>],
    idiom: &mut IdiomVerdict,
    recorder: &mut Recorder<'_>,
) -> Result<Vec<String>, Fault> {
    let request = IdiomRequest {
        v: 1,
        kind: idiom.kind,
        text: &idiom.text,
        framework: world.brief().workspace.framework(),
        note: idiom.note.as_deref(),
        files: files.iter().map(shown).collect(),
    };
    let ended = ask(world, judge, &request, recorder)?;
    let mut warnings: Vec<String> = left_behind("the judge", &ended).into_iter().collect();
    match answer::<IdiomReply>(judge, &ended) {
        Ok(reply) => {
            idiom.verdict = reply.verdict;
            let reason = reply.reason.map(|reason| brief(&one_line(&reason)));
            let reason = reason.filter(|reason| !reason.is_empty());
            idiom.note = Some(match reason {
                Some(reason) => format!("by the judge: {reason}"),
                None => "by the judge".to_owned(),
            });
        }
        Err(why) => {
            let text = brief(&one_line(&idiom.text));
            let why = one_line(&why);
            warnings.push(format!("the judge gave no verdict on `{text}`: {why}"));
        }
    }
    Ok(warnings)
}

fn shown<'a>(file: &FileText<'a>) -> IdiomFile<'a> {
    let cut = |text: &'a str| &text[..text.floor_char_boundary(text.len().min(LARGEST))];
    IdiomFile { path: file.path, before: file.before.map(cut), after: file.after.map(cut) }
}
