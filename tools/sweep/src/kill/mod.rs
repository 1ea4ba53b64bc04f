//! A fault at every system call of whole builds, and what a user finds after building again.
//!
//! No fault may change anything but the delta in the project.
//!
//! An undisturbed build is traced first. At each of its calls that touch the outside world the program is
//! killed, or the call fails in one of several ways, and then `ftl build` is called again without faults, as a
//! user would. A kill at any other call finds the same state as one at the next of these. Faults strike the
//! program's own main thread, which does all reading and writing of its state; children and the threads that
//! serve them are left alone.

mod fault;
mod order;
mod trial;

use ftl_testkit::Result;
use ftl_testkit::build::named_or_release;
use ftl_testkit::sweep::build::Build;
use ftl_testkit::sweep::isolation::{self, Isolation};
use ftl_testkit::sweep::sandbox::Setting;
use ftl_testkit::sweep::scenario::Scenario;
use ftl_testkit::sweep::tally::Column;
use ftl_testkit::sweep::{self, Size, Sweep, has_tools};

use crate::scenarios::*;
use crate::strace;
use fault::Fault;
use trial::{Baseline, FaultTrial};

use Isolation::{Bind, Copy};

/// A build: what, in a git repository or not, and where the workplace is placed.
const BUILDS: [(&Scenario, bool, Isolation); 27] = [
    (&BY_THE_TREE, false, Copy),
    (&AGENT, false, Copy),
    (&AGENT, false, Bind),
    (&SYNTAX_AND_FIX, false, Copy),
    (&PROSE_FIX, false, Copy),
    (&LEAVING_DAEMONS, false, Copy),
    (&STRAYS, true, Bind),
    (&STRAYS_BLOCK, true, Copy),
    (&STRAYS_NEEDED, false, Bind),
    (&BUDGET, false, Copy),
    (&BROKEN_PATCHES, false, Copy),
    (&PATCH, false, Copy),
    (&UNKNOWN_FAILURE, true, Copy),
    (&USELESS_FIX, false, Copy),
    (&FAILING_FIX, false, Copy),
    (&VERIFY_WRITES, false, Copy),
    (&REOPENED, false, Copy),
    (&LANDS, true, Bind),
    (&BLOCKS, true, Bind),
    (&IS_RETRIED, true, Bind),
    (&LEADS, true, Bind),
    (&FOLLOWS, true, Bind),
    (&COMMITTED, true, Copy),
    (&HOOK_FAILS, true, Copy),
    (&HOOK_SLEEPS, true, Copy),
    (&HOOK_COMMITS, true, Copy),
    (&HOOK_FORMATS, true, Copy),
];

const SWEEP: Sweep = Sweep {
    name: "kill",
    rows: Build::ROW,
    columns: &[
        Column::Sum("kill"),
        Column::Sum("once"),
        Column::Sum("from then on"),
        Column::Sum("all from then on"),
        Column::Sum("not reached"),
        Column::Sum("said in the record"),
        Column::Sum("`--restart`"),
        Column::Most("builds after"),
    ],
    sample: 675,
};

/// Strikes every build at its calls.
pub(super) fn run(size: Size) -> Result {
    if !has_tools(&["strace", "git"]) {
        return Ok(());
    }
    let ftl = named_or_release()?;
    let levels = isolation::available(&ftl)?;
    let builds = BUILDS.into_iter().filter(|(.., isolation)| levels.contains(isolation));
    let builds: Vec<Build> = builds
        .map(|(scenario, git, isolation)| Build {
            ftl: &ftl,
            scenario,
            git,
            setting: Setting::Plain,
            isolation,
        })
        .collect();
    let baselines =
        sweep::each("kill", &builds, |sandbox, build| Baseline::observe(*build, sandbox))?;
    let mut trials = Vec::new();
    for (index, baseline) in baselines.iter().enumerate() {
        // The first calls may be another build's too, which is struck there.
        let others = baselines[..index].iter();
        let shared = others.map(|other| strace::in_common(&baseline.calls, &other.calls));
        for call in &baseline.calls[shared.max().unwrap_or_default()..] {
            let faults = Fault::ALL.into_iter().filter(|fault| fault.fits(call));
            trials.extend(faults.map(|fault| FaultTrial { baseline, call, fault }));
        }
    }
    SWEEP.run(size, trials)
}
