//! The reader and the splicer of task files over generated documents, beside other readers. The
//! cases are made by ftl-xml's own tests, which are told here how many.

use ftl_testkit::Result;
use ftl_testkit::program::Program;

use crate::Size;

/// What we accept, roxmltree accepts, with the same content.
pub(super) fn second_reader(size: Size) -> Result {
    let test = "sweeps::second_reader::what_we_read_roxmltree_reads_with_the_same_content";
    run(test, size.pick(200_000, 10_000_000))
}

/// Outside a splice every byte stays.
pub(super) fn round_trip(size: Size) -> Result {
    let test = "sweeps::round_trip::outside_a_splice_every_byte_stays";
    run(test, size.pick(50_000, 1_000_000))
}

/// Documents and plans, beside readers and makers in Python.
pub(super) fn python(size: Size) -> Result {
    for test in [
        "oracle::generated_documents_have_the_values_that_elementtree_gives",
        "oracle::damaged_documents_are_refused_when_expat_refuses_them",
    ] {
        run(test, size.pick(6_000, 100_000))?;
    }
    let test = "sweeps::plans::plans_become_the_files_that_a_second_maker_expects";
    run(test, size.pick(500, 10_000))
}

fn run(test: &str, cases: usize) -> Result {
    Program::cargo()
        .args(["test", "--quiet", "--release", "--package", "ftl-xml"])
        .args(["--test", "main", "--", "--nocapture", "--exact", test])
        .env("FTL_SWEEP", cases.to_string())
        .run()
}
