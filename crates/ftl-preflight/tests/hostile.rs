//! Input made to break parsers: a verdict or a reason, never an abort.

use std::fs;
use std::path::Path;

use ftl_preflight::{
    Checker, CheckerName, Language, Options, PythonVersion, Reason, Source, Status,
};

const MEGABYTE: usize = 1 << 20;
/// How much of a kind: an unoptimised build gets less of it, to be done in time.
const MUCH: usize = if cfg!(debug_assertions) { MEGABYTE / 8 } else { MEGABYTE };

fn embedded(nesting: usize) -> Checker {
    let options = Options::default().with_nesting(nesting);
    Checker::new(options.with_checker(CheckerName::Embedded))
}

fn check(name: &str, bytes: &[u8]) -> Status {
    embedded(20_000).check_source(Source::new(name, bytes)).status
}

/// What precedes the hostile part of a file.
fn opening(language: Language) -> String {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    fs::read_to_string(cases.join(language.name()).join("opening")).unwrap_or("x = ".to_owned())
}

fn repeated(unit: &str, size: usize) -> String {
    unit.repeat(size / unit.len() + 1)
}

/// What a parser may recurse on, recover from or look ahead over.
const UNITS: &[&str] = &[
    "(",
    "[",
    "{",
    "else if (a) {} ",
    "} else if a {\n",
    "1+1+",
    "!",
    "- ",
    "a.b",
    "<a>",
    "a ? b : ",
    "`${",
    "(\")\"",
    "/*",
    "\\",
    "\n",
    "\r",
    "type T [func() { ",
];

#[test]
fn much_of_one_construct_is_refused_or_too_deep_in_every_language() {
    let checker = embedded(20_000);
    for language in Language::all().filter(|language| language.is_built()) {
        let name = format!("a.{}", language.extensions()[0]);
        let start = opening(language);
        for unit in UNITS {
            let text = format!("{start}{}\u{1}", repeated(unit, MUCH));
            let status = checker.check_source(Source::new(&name, &text)).status;
            // To YAML most of it is a text without quotes.
            let may_be_text = language == Language::Yaml;
            assert!(may_be_text || status != Status::Valid, "{name} {start:?} {unit:?}");
            if let Status::Unchecked { reason } = status {
                assert_eq!(reason, Reason::TooDeep, "{name} {start:?} {unit:?}");
            }
        }
    }
}

#[test]
fn a_long_file_that_is_not_deep_is_checked() {
    let json = "[".repeat(100_000) + &"]".repeat(100_000);
    assert_eq!(check("a.json", json.as_bytes()), Status::Valid);
    let comments = "\n# a\n".repeat(30_000);
    assert_eq!(check("a.py", comments.as_bytes()), Status::Valid);
    let strings = format!("x = [\n{}]\n", "    '((((((((((',\n".repeat(3_000));
    assert_eq!(check("a.py", strings.as_bytes()), Status::Valid);
    let generics: String = (0..300).map(|n| format!("type T{n}[P any] []P\n")).collect();
    let alone = format!("package a\n{generics}");
    assert_eq!(check("a.go", alone.as_bytes()), Status::Valid);
    let grouped = format!("package a\ntype (\n{})\n", generics.replace("type ", ""));
    assert_eq!(check("a.go", grouped.as_bytes()), Status::Valid);
    let items = "#[test]\nfn a() { b(\"((((\"); }\n".repeat(5_000);
    assert_eq!(check("a.rs", items.as_bytes()), Status::Valid);
}

#[test]
fn nesting_just_below_the_limit_fits_the_stack() {
    // Name, beginning, what opens a level, what closes it, and the tokens that a level is measured
    // as: those of `open` that are not closed again, and four for an element of JSX.
    let cases = [
        ("a.js", "x = ", "(", ")", 1),
        ("a.js", "x = ", "[", "]", 1),
        ("a.js", "", "{", "}", 1),
        ("a.js", "x = ", "!", "", 1),
        ("a.js", "x = ", "a=>", "", 3),
        ("a.js", "", "if(a)", "", 2),
        ("a.js", "", "if(a){}else ", "", 4),
        ("a.ts", "type A = ", "B<", ">", 2),
        ("a.ts", "type A = ", "(", ")", 1),
        ("a.ts", "type A = ", "a extends b?c:", "", 6),
        ("a.tsx", "x = ", "<a>", "</a>", 4),
        ("a.go", "package a\nvar x = ", "(", ")", 1),
        ("a.go", "package a\nfunc f() {", "if a {} else ", "", 1),
        ("a.go", "package a\nvar x = ", "!", "", 1),
        ("a.go", "package a\ntype T ", "[]", "", 1),
        ("a.rs", "fn f() { ", "(", ")", 1),
        ("a.rs", "fn f() { ", "if a {} else ", "", 4),
        ("a.rs", "fn f() { ", "!", "", 1),
        ("a.rs", "type A = ", "&", "", 1),
        ("a.rs", "type A = ", "B<", ">", 2),
        ("a.py", "x = ", "not ", "", 1),
        ("a.py", "x = ", "1+", "", 2),
        ("a.py", "x = ", "-", "", 1),
        ("a.py", "x = ", "lambda: ", "", 2),
    ];
    for (name, start, open, close, tokens) in cases {
        let levels = 19_000 / tokens;
        let text = format!("{start}{}x{}", open.repeat(levels), close.repeat(levels));
        // An overflow would end this process. A text that is measured as too deep would prove
        // nothing, since no parser gets to see it.
        let reason = Reason::TooDeep;
        let status = check(name, text.as_bytes());
        let case = (name, start, open);
        assert_ne!(status, Status::Unchecked { reason }, "{case:?}");
    }
}

#[test]
fn a_parser_with_a_separate_bound_stops_there() {
    let cases = [("a.toml", "x = ", "["), ("a.toml", "x = ", "{a="), ("a.jsonc", "", "[")];
    for (name, start, open) in cases {
        let text = format!("{start}{}", open.repeat(19_000));
        let reason = Reason::TooDeep;
        let status = check(name, text.as_bytes());
        assert_eq!(status, Status::Unchecked { reason }, "{name} {open:?}");
    }
}

#[test]
fn a_construct_that_nests_without_brackets_is_measured_as_deep() {
    let checker = embedded(500);
    let cases = [
        ("a.ts", "type A = ", "B<C, "),
        ("a.ts", "x = ", "<A, B>(c) => "),
        ("a.js", "", "if (a) b; else "),
        ("a.js", "", "while (a)\n"),
        ("a.jsx", "x = ", "<a>b;"),
        ("a.rs", "type A = ", "B<C, "),
        ("a.rs", "type A = ", "B<{0} "),
        ("a.rs", "fn f() { ", "|a, b| "),
        ("a.rs", "fn f() { ", "for ;"),
        ("a.py", "x = ", "lambda a, b: "),
        ("a.go", "package a\nvar x = ", "[]A{B: "),
        ("a.yaml", "", "["),
    ];
    for (name, start, unit) in cases {
        let text = format!("{start}{}", unit.repeat(2_000));
        let status = checker.check_source(Source::new(name, &text)).status;
        let reason = Reason::TooDeep;
        assert_eq!(status, Status::Unchecked { reason }, "{name} {unit:?}");
    }
}

#[test]
fn bytes_that_are_not_text_are_an_encoding_error() {
    for name in ["a.py", "a.rs", "a.go", "a.json", "a.toml"] {
        let Status::Invalid(found) = check(name, &[b'#', 0xC3, 0x28, b'\n']) else {
            panic!("{name} was not refused");
        };
        assert_eq!((found[0].start, found[0].code.as_deref()), (1, Some("encoding")), "{name}");
    }
    for language in Language::all() {
        let name = format!("a.{}", language.extensions()[0]);
        let mut bytes = opening(language).into_bytes();
        bytes.extend((9..MEGABYTE).map(|at| (at * at / 7 % 251) as u8));
        assert_ne!(check(&name, &bytes), Status::Valid, "{name}");
    }
}

#[test]
fn an_older_python_refuses_newer_syntax() {
    let options = Options::default()
        .with_checker(CheckerName::Embedded)
        .with_python(PythonVersion { major: 3, minor: 9 });
    let report =
        Checker::new(options).check_source(Source::new("a.py", "match x:\n    case 1: pass\n"));
    assert_eq!(report.status.as_str(), "invalid");
}
