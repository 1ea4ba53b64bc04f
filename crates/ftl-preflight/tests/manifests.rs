//! What the files around a source decide.

use std::fs;

use ftl_preflight::{Checker, CheckerName, Options, Status};
use tempfile::TempDir;

/// Paths and contents.
type Files<'a> = &'a [(&'a str, &'a str)];

fn is_valid(files: Files<'_>, checked: &str) -> bool {
    let directory = TempDir::new().unwrap();
    for (path, text) in files {
        let path = directory.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let checker = Checker::new(Options::default().with_checker(CheckerName::Embedded));
    let report = checker.check_path(&directory.path().join(checked));
    match report.status {
        Status::Valid => true,
        Status::Invalid(_) => false,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_nearest_package_decides_what_a_js_file_is() {
    let module = r#"{"type": "module"}"#;
    let common = r#"{"type": "commonjs"}"#;
    let (import, returns) = ("import 'a';", "return;");
    let cases: &[(Files<'_>, &str, bool)] = &[
        (&[("package.json", module), ("a/b.js", import)], "a/b.js", true),
        (&[("package.json", module), ("a/b.js", returns)], "a/b.js", false),
        (&[("package.json", common), ("a/b.cjs", import)], "a/b.cjs", false),
        (&[("package.json", common), ("a/b.js", returns)], "a/b.js", true),
        (
            &[("package.json", common), ("a/package.json", module), ("a/b.js", import)],
            "a/b.js",
            true,
        ),
        (&[("package.json", common), ("node_modules/a.js", import)], "node_modules/a.js", true),
        (&[("package.json", common), ("a.mjs", import)], "a.mjs", true),
        (&[("package.json", "{"), ("a.js", import)], "a.js", true),
        (&[("package.json", "{}"), ("a.js", returns)], "a.js", true),
    ];
    for (files, checked, valid) in cases {
        assert_eq!(is_valid(files, checked), *valid, "{files:?}");
    }
}

#[test]
fn types_in_javascript_are_flow_below_a_flowconfig() {
    let directory = TempDir::new().unwrap();
    let source = directory.path().join("src/a.js");
    fs::create_dir(directory.path().join("src")).unwrap();
    fs::write(&source, "import type { A } from './a';\n").unwrap();
    let checker = Checker::new(Options::default().with_checker(CheckerName::Embedded));
    assert_eq!(checker.check_path(&source).status.as_str(), "invalid");
    fs::write(directory.path().join(".flowconfig"), "").unwrap();
    assert_eq!(checker.check_path(&source).status.as_str(), "unchecked");
}

#[test]
fn a_compiler_decides_about_javascript_unless_node_runs_the_file() {
    let (jsx, import) = ("module.exports = () => <div>Hi</div>;\n", "import x from './y';\n");
    let common = r#"{"type": "commonjs", "bin": {"one": "./bin/one.js", "two": "two.js"}}"#;
    let single = r#"{"type": "commonjs", "bin": "bin/one.js"}"#;
    let cases: &[(Files<'_>, &str, bool)] = &[
        (&[("package.json", common), ("src/a.js", jsx)], "src/a.js", true),
        (&[("package.json", common), ("src/a.js", import)], "src/a.js", true),
        (&[("package.json", common), ("bin/one.js", import)], "bin/one.js", false),
        (&[("package.json", common), ("two.js", jsx)], "two.js", false),
        (&[("package.json", single), ("bin/one.js", jsx)], "bin/one.js", false),
        (&[("package.json", single), ("a/package.json", "{}"), ("a/b.js", jsx)], "a/b.js", true),
    ];
    for (files, checked, valid) in cases {
        assert_eq!(is_valid(files, checked), *valid, "{files:?}");
    }
}

#[test]
fn the_nearest_manifest_decides_the_edition_of_a_rust_file() {
    let names_async = "fn async() {}\n";
    let package = |edition| format!("[package]\nname = 'a'\nedition = {edition}\n");
    let (old, new) = (package("'2015'"), package("'2021'"));
    let inherits = "[package]\nname = 'a'\nedition.workspace = true\n";
    let workspace = "[workspace]\nmembers = ['a']\n[workspace.package]\nedition = '2015'\n";
    let file = ("a/src/lib.rs", names_async);
    let cases: &[(Files<'_>, bool)] = &[
        (&[file], false),
        (&[file, ("a/Cargo.toml", &old)], true),
        (&[file, ("a/Cargo.toml", &new)], false),
        (&[file, ("a/Cargo.toml", "[package]\nname = 'a'\n")], true),
        (&[file, ("a/Cargo.toml", inherits), ("Cargo.toml", workspace)], true),
        (&[file, ("a/Cargo.toml", "[workspace]\n")], false),
    ];
    for (files, valid) in cases {
        assert_eq!(is_valid(files, "a/src/lib.rs"), *valid, "{files:?}");
    }
    // A prefix is reserved since 2021.
    let prefixed =
        "macro_rules! q { ($($t:tt)*) => {} }\nfn f() { q! { a = kind#value k\"s\" 'a#b } }\n";
    for (edition, valid) in [("'2015'", true), ("'2018'", true), ("'2021'", false)] {
        let manifest = ("a/Cargo.toml", &*package(edition));
        assert_eq!(
            is_valid(&[("a/src/lib.rs", prefixed), manifest], "a/src/lib.rs"),
            valid,
            "{edition}"
        );
    }
}
