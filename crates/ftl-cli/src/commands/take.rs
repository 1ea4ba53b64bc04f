//! `ftl take`: the work of a blocked run, or its strays, into the project.

use ftl_engine::author::take::take;
use ftl_engine::project::{WorkspaceFile, display_path};
use ftl_engine::run::NullReporter;
use ftl_model::Status;

use super::{may_change, settings_of};
use crate::args::TakeArgs;
use crate::config::Config;
use crate::exit::FAILED;
use crate::{CommandResult, globals, output};

/// Lays the files in, merged with what changed since, and names those that could not be.
pub(crate) fn run(args: &TakeArgs) -> CommandResult {
    // Strays of a complete task can be taken too; its work is in the project already.
    let wanted = match args.paths.is_empty() {
        true => &[Status::Blocked, Status::Active, Status::Dropped][..],
        false => &Status::ALL,
    };
    let workspace = WorkspaceFile::find_of(&args.workspace, globals::root(), wanted)?;
    may_change(&workspace)?;
    let root = workspace.layout.root().to_owned();
    let config = Config::load(globals::config(), &root)?;
    let mut settings = settings_of(&root, config);
    settings.start.wait = args.wait;
    let taken = take(&workspace, &args.paths, &settings, &mut NullReporter)?;
    let shown = |path: &String| output::path(&display_path(&root.join(path)));
    for path in &taken.merged {
        output::note(&format!("merged with your version: {}", shown(path)));
    }
    for path in &taken.taken {
        output::did("Took", shown(path))?;
    }
    let apart = taken.apart.map(|dir| output::path(&display_path(&dir))).unwrap_or_default();
    for path in &taken.conflicts {
        output::warn(&format!(
            "left as it is, since it changed at the same places: {}; the other version is in {apart}",
            shown(path)
        ));
    }
    Ok(if taken.conflicts.is_empty() { 0 } else { FAILED })
}
