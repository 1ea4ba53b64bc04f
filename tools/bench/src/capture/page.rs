//! The page's part on knowing what changed: figures, ratios, and which targets were missed.

use std::fmt::Write as _;

use ftl_testkit::Result;

use super::{BuildKind, CaptureRow, Figures, ROUNDS, SIZES};
use crate::page::reached;
use crate::sample::Sample;

/// For a clean git tree of 10,000 files, compared, in milliseconds.
const REACH_OFF: f64 = 120.0;
/// On an overlay, whatever the size, in milliseconds.
const REACH_OVERLAY: f64 = 30.0;
/// What the watch of a verify adds, by the size of the tree, in milliseconds.
const REACH_WATCH: [f64; 3] = [10.0, 30.0, 150.0];
/// The largest tree on an overlay over the smallest.
const REACH_GROWTH: f64 = 1.5;

/// Renders the part.
pub(super) fn render(figures: &Figures) -> Result<String> {
    let mut page = String::from("## Knowing what changed\n\n");
    writeln!(
        page,
        "`ftl build 001 --agent …` with an agent that appends a line to one file, in trees of small files; with git, everything is\n\
         committed. The builds take turns, {ROUNDS} times each; all figures are milliseconds, the median. A request is what the build\n\
         itself reports, to the millisecond: capturing and comparing, or the overlay, and the agent.\n\n\
         In a whole build, a verify is also watched for what it writes (`tree_written`). A build in a project of one file, not\n\
         isolated, takes {:.2}. With `--tree` no implementer is asked, and with git the whole tree is compared with `HEAD`.\n",
        figures.rest.median()
    )?;
    page.push_str("| files | git | request, off | request, overlay | off / overlay | build, off | build, overlay | build, `--tree` |\n|---:|---|---:|---:|---:|---:|---:|---:|\n");
    for row in &figures.rows {
        let git = if row.git { "yes" } else { "no" };
        let (off, overlay) = (cost(row, BuildKind::Off), cost(row, BuildKind::Overlay));
        let ratio = off.zip(overlay).map(|(off, overlay)| off / overlay);
        writeln!(
            page,
            "| {} | {git} | {} | {} | {} | {} | {} | {} |",
            row.files,
            shown(off),
            shown(overlay),
            shown(ratio),
            shown(build(row, BuildKind::Off)),
            shown(build(row, BuildKind::Overlay)),
            shown(build(row, BuildKind::Tree)),
        )?;
    }
    aims(&mut page, figures)?;
    Ok(page)
}

fn shown(figure: Option<f64>) -> String {
    figure.map_or_else(|| "not possible here".to_owned(), |figure| format!("{figure:.1}"))
}

/// What a request costs.
fn cost(row: &CaptureRow, kind: BuildKind) -> Option<f64> {
    let request = row.requests[kind as usize].median();
    (!request.is_nan()).then_some(request)
}

fn build(row: &CaptureRow, kind: BuildKind) -> Option<f64> {
    row.builds[kind as usize].as_ref().map(Sample::median)
}

/// The rows of the watch of a verify.
fn watch_aims(page: &mut String, figures: &Figures) -> Result {
    let rest = figures.rest_by_tree.median();
    for (files, reach) in SIZES.into_iter().zip(REACH_WATCH) {
        let mut rows = figures.rows.iter().filter(|row| !row.git && row.files == files);
        if let Some(build) = rows.find_map(|row| build(row, BuildKind::Tree)) {
            let added = build - rest;
            let met = reached(added <= reach);
            writeln!(
                page,
                "| the watch of a verify, {files} files: at most {reach} ms | {added:.1} ms | {met} |"
            )?;
        }
    }
    Ok(())
}

/// The table of targets.
fn aims(page: &mut String, figures: &Figures) -> Result {
    page.push_str("\n| target | measured | met |\n|---|---|---|\n");
    watch_aims(page, figures)?;
    let of = |files: usize, kind: BuildKind| {
        let mut rows = figures.rows.iter();
        let row = rows.find(|row| row.git && row.files == files)?;
        cost(row, kind)
    };
    if let Some(off) = of(SIZES[1], BuildKind::Off) {
        writeln!(
            page,
            "| `off`, git, {} files: at most {REACH_OFF} ms | {off:.1} ms | {} |",
            SIZES[1],
            reached(off <= REACH_OFF)
        )?;
    }
    let overlays = SIZES.map(|files| of(files, BuildKind::Overlay));
    let [Some(smallest), _, Some(largest)] = overlays else {
        return Ok(());
    };
    let most = overlays.into_iter().flatten().fold(smallest, f64::max);
    writeln!(
        page,
        "| `overlay`, git, all sizes: at most {REACH_OVERLAY} ms | at most {most:.1} ms | {} |",
        reached(most <= REACH_OVERLAY)
    )?;
    let growth = largest / smallest;
    writeln!(
        page,
        "| `overlay`, git, {} files over {}: at most {REACH_GROWTH} | {growth:.2} | {} |",
        SIZES[2],
        SIZES[0],
        reached(growth <= REACH_GROWTH)
    )?;
    Ok(())
}
