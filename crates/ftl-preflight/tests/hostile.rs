//! Input made to break parsers: a verdict or a reason, never an abort.

use ftl_preflight::{Checker, CheckerName, Language, Options, PythonVersion, Source, Status};

const MEGABYTE: usize = 1 << 20;

fn check(name: &str, bytes: &[u8]) -> Status {
    Checker::new(Options::default().with_checker(CheckerName::Embedded))
        .check_source(Source::new(name, bytes))
        .status
}

#[test]
fn nesting_just_below_the_limit_fits_the_stack() {
    let cases = [
        ("a.js", "x = ", "(", ")"),
        ("a.js", "x = ", "[", "]"),
        ("a.js", "", "{", "}"),
        ("a.js", "x = ", "!", ""),
        ("a.js", "x = ", "a=>", ""),
        ("a.js", "", "if(a)", ""),
        ("a.js", "", "if(a){}else ", ""),
        ("a.ts", "type A = ", "B<", ">"),
        ("a.ts", "type A = ", "(", ")"),
        ("a.ts", "type A = ", "a extends b?c:", ""),
        ("a.tsx", "x = ", "<a>", "</a>"),
        ("a.go", "package a\nvar x = ", "(", ")"),
        ("a.go", "package a\nfunc f() {", "if a {} else ", ""),
        ("a.go", "package a\nvar x = ", "!", ""),
        ("a.go", "package a\ntype T ", "[]", ""),
        ("a.rs", "fn f() { ", "(", ")"),
        ("a.rs", "fn f() { ", "if a {} else ", ""),
        ("a.rs", "fn f() { ", "!", ""),
        ("a.rs", "type A = ", "&", ""),
        ("a.rs", "type A = ", "B<", ">"),
        ("a.py", "x = ", "not ", ""),
        ("a.py", "x = ", "1+", ""),
        ("a.py", "x = ", "-", ""),
        ("a.py", "x = ", "lambda: ", ""),
        ("a.toml", "x = ", "[", "]"),
        ("a.toml", "x = ", "{a=", "}"),
        ("a.jsonc", "", "[", "]"),
    ];
    for (name, start, open, close) in cases {
        let tokens = open.split_inclusive([' ', '(', ')', '{', '}', '<', '[', ']', '>', '?', ':']);
        let depth = 19_000 / tokens.count();
        let text = format!("{start}{}x{}", open.repeat(depth), close.repeat(depth));
        // Whatever the verdict, the process is still there to give it.
        assert!(!check(name, text.as_bytes()).as_str().is_empty());
    }
}

#[test]
fn bytes_that_are_no_text_are_said_to_be_none() {
    for name in ["a.py", "a.rs", "a.go", "a.json", "a.toml"] {
        let Status::Invalid(found) = check(name, &[b'#', 0xC3, 0x28, b'\n']) else {
            panic!("{name} was not refused");
        };
        assert_eq!(
            (found[0].start, found[0].code.as_deref()),
            (1, Some("encoding")),
            "{name}"
        );
    }
    for language in Language::all() {
        let name = format!("a.{}", language.extensions()[0]);
        let noise: Vec<u8> = (0..MEGABYTE).map(|at| (at * at / 7 % 251) as u8).collect();
        assert_ne!(check(&name, &noise), Status::Valid, "{name}");
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
