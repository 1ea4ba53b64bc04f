//! What QUALITY lets pass.

use crate::oracle::expected::{BlockKind, Outcome};
use crate::oracle::scenario::{
    Confidence, Context, Idiom, IdiomRule, Mask, Scenario, Trouble, VerifyRun,
};
use crate::oracle::text::Text;

use super::{blocks, end, fails, file, passes, plain};

#[test]
fn files_that_verify_changes_were_never_checked() {
    let run = VerifyRun { edits: vec![(0, Some(Text::plain(9)))], ..passes() };
    let scenario = Scenario { verify: vec![run], ..plain() };
    let path = "READ PLAN IMPLEMENT PREFLIGHT VERIFY QUALITY BLOCK";
    blocks(&scenario, BlockKind::TreeChanged, 3, path);
}

#[test]
fn confidence_spares_idioms_below_six_tenths_but_never_exports() {
    let quality = |element| {
        let rule = IdiomRule::Mark("mark_alpha");
        let confidence = Confidence { attribute: None, element };
        Scenario { idioms: vec![Idiom { required: true, rule }], confidence, ..plain() }
    };
    let outcome = |element| end(&quality(element)).outcome;
    let violation = Outcome::Blocked(BlockKind::IdiomViolation);
    assert_eq!(outcome(None), violation);
    assert_eq!(outcome(Some("0.6")), violation);
    assert_eq!(outcome(Some("7")), violation);
    assert_eq!(outcome(Some("0.59")), Outcome::Complete);
    let mut start = Text::plain(8);
    start.names.insert("load");
    let scenario = Scenario {
        delta: vec![file("four.py", Some(start))],
        contexts: vec![Context { file: Some(0), exports: vec!["load", "store"] }],
        ..quality(Some("0.3"))
    };
    assert_eq!(end(&scenario).outcome, Outcome::Blocked(BlockKind::ExportsLost));
    let allowed = Scenario { allow_removed: Some("load"), ..scenario };
    assert_eq!(end(&allowed).outcome, Outcome::Complete);
}

#[test]
fn an_exit_code_that_the_output_contradicts_is_no_proof() {
    let masked = |mask, untrusted| Scenario {
        verify: vec![fails(&[Trouble::Assertion])],
        mask: Some(mask),
        untrusted,
        ..plain()
    };
    let path = "READ PLAN IMPLEMENT PREFLIGHT VERIFY QUALITY BLOCK";
    blocks(&masked(Mask::Spoken, None), BlockKind::VerifyUntrusted, 3, path);
    let trusting = masked(Mask::Spoken, Some(Vec::new()));
    assert_eq!(end(&trusting).outcome, Outcome::Complete);
    // No failure was printed, but the exit code is not that of the check either.
    blocks(&masked(Mask::Silent, None), BlockKind::VerifyUntrusted, 3, path);
}
