//! Files that are read differently, each looked at, and why that may stay.

const BUNDLE: &str = "a bundle: what it gives is made in a function";
const AT_RUN_TIME: &str =
    "ftl is right: it is given when the file runs, and the compiler's list lacks it";

/// How a path ends, and the reason.
const KNOWN: &[(&str, &str)] = &[
    ("ajv/dist/ajv.bundle.js", BUNDLE),
    ("qs/dist/qs.js", BUNDLE),
    ("fast-levenshtein/levenshtein.js", "an object in a function"),
    ("ajv-formats/dist/index.js", AT_RUN_TIME),
    ("debug/src/debug.js", AT_RUN_TIME),
    ("webpack/lib/sharing/ProvideSharedDependency.js", "the compiler lists a field of instances"),
];

/// Why a file may differ.
pub(super) fn reason(path: &str) -> Option<&'static str> {
    let known = KNOWN.iter().find(|(ending, _)| path.ends_with(ending));
    known.map(|(_, reason)| *reason)
}
