//! Arrows between the crates point down only, and no shipped crate uses a tool.
//!
//! What the crates do inside is not looked at here, only what their manifests say.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use ftl_testkit::program::Program;
use ftl_testkit::root;
use serde_json::{Value, json};

/// Every crate of ours, and those of ours that it may use.
const ALLOWED: &[(&str, &[&str])] = &[
    ("ftl-model", &[]),
    ("ftl-process", &[]),
    ("ftl-text", &[]),
    ("ftl-xml", &["ftl-model", "ftl-text"]),
    ("ftl-preflight", &[]),
    ("ftl-machine", &["ftl-model"]),
    ("ftl-schedule", &[]),
    ("ftl-store", &["ftl-model"]),
    ("ftl-tree", &["ftl-model", "ftl-process", "ftl-store", "ftl-text"]),
    ("ftl-agents", &["ftl-model"]),
    ("ftl-analysis", &["ftl-model"]),
    (
        "ftl-engine",
        &[
            "ftl-agents",
            "ftl-analysis",
            "ftl-machine",
            "ftl-model",
            "ftl-preflight",
            "ftl-process",
            "ftl-schedule",
            "ftl-store",
            "ftl-text",
            "ftl-tree",
            "ftl-xml",
        ],
    ),
    (
        "ftl-workers",
        &[
            "ftl-agents",
            "ftl-engine",
            "ftl-machine",
            "ftl-model",
            "ftl-process",
            "ftl-text",
            "ftl-tree",
        ],
    ),
    (
        "ftl-task",
        &[
            "ftl-agents",
            "ftl-engine",
            "ftl-machine",
            "ftl-model",
            "ftl-preflight",
            "ftl-process",
            "ftl-text",
            "ftl-workers",
            "ftl-xml",
        ],
    ),
    ("ftl-testkit", &[]),
    ("ftl-fixtures", &["ftl-testkit"]),
    ("ftl-docs", &["ftl-engine", "ftl-machine", "ftl-testkit", "ftl-workers"]),
    ("ftl-dist", &["ftl-testkit"]),
    (
        "ftl-bench",
        &["ftl-analysis", "ftl-model", "ftl-preflight", "ftl-testkit", "ftl-text", "ftl-xml"],
    ),
    ("ftl-agent-cases", &["ftl-model-server", "ftl-testkit"]),
    ("ftl-model-server", &["ftl-testkit"]),
    ("ftl-evaluate", &["ftl-analysis", "ftl-model", "ftl-preflight", "ftl-testkit"]),
    ("ftl-sweep", &["ftl-model", "ftl-preflight", "ftl-testkit", "ftl-tree"]),
    ("xtask", &["ftl-fixtures", "ftl-testkit"]),
];

fn packages() -> Vec<Value> {
    let text = Program::cargo()
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .text()
        .unwrap();
    let metadata: Value = serde_json::from_str(&text).unwrap();
    metadata["packages"].as_array().unwrap().clone()
}

fn name(package: &Value) -> &str {
    package["name"].as_str().unwrap()
}

/// The package's directory, below the top.
fn directory(package: &Value) -> PathBuf {
    let manifest = Path::new(package["manifest_path"].as_str().unwrap());
    let directory = manifest.parent().unwrap();
    directory.strip_prefix(root()).unwrap().to_owned()
}

#[test]
fn crates_use_only_those_below_them() {
    let allowed: BTreeMap<_, _> = ALLOWED.iter().copied().collect();
    for package in packages() {
        let below = allowed
            .get(name(&package))
            .unwrap_or_else(|| panic!("`{}` has no place in the table of layers", name(&package)));
        for dependency in package["dependencies"].as_array().unwrap() {
            let other = name(dependency);
            let tested_only = dependency["kind"] == "dev";
            assert!(
                tested_only || !allowed.contains_key(other) || below.contains(&other),
                "`{}` must not use `{other}`",
                name(&package),
            );
        }
    }
}

#[test]
fn crates_are_published_and_tools_never_and_shipped_crates_use_them_in_tests_alone() {
    let packages = packages();
    let is_tool = |package: &&Value| !directory(package).starts_with("crates");
    let tools: Vec<&str> = packages.iter().filter(is_tool).map(name).collect();
    assert!(tools.contains(&"ftl-testkit"), "{tools:?}");
    for package in &packages {
        if tools.contains(&name(package)) {
            assert_eq!(package["publish"], json!([]), "`{}`", name(package));
            continue;
        }
        assert!(package["publish"].is_null(), "`{}`", name(package));
        for dependency in package["dependencies"].as_array().unwrap() {
            let shipped = dependency["kind"] != "dev" && tools.contains(&name(dependency));
            assert!(!shipped, "`{}`: {dependency:#}", name(package));
        }
    }
}

#[test]
fn every_crate_of_the_table_exists() {
    let found: BTreeSet<String> =
        packages().iter().map(|package| name(package).to_owned()).collect();
    let known: BTreeSet<String> = ALLOWED.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(found, known);
}

#[test]
fn every_crate_takes_the_shared_lints_and_versions() {
    for package in packages() {
        let manifest = package["manifest_path"].as_str().unwrap();
        let text = fs::read_to_string(manifest).unwrap();
        let table: toml::Table = text.parse().unwrap();
        assert_eq!(table["lints"]["workspace"].as_bool(), Some(true), "{manifest}");
        for (dependency, source) in dependencies(&table) {
            let shared = source.get("workspace").and_then(toml::Value::as_bool);
            let ours = source.get("path").is_some();
            assert!(ours || shared == Some(true), "{manifest}: `{dependency}` is not shared");
        }
    }
}

/// Every entry of every dependency table.
fn dependencies(manifest: &toml::Table) -> Vec<(&String, &toml::Value)> {
    ["dependencies", "dev-dependencies", "build-dependencies"]
        .iter()
        .filter_map(|kind| manifest.get(*kind)?.as_table())
        .flatten()
        .collect()
}

#[test]
fn unsafe_code_is_forbidden_everywhere() {
    let text = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let table: toml::Table = text.parse().unwrap();
    assert_eq!(table["workspace"]["lints"]["rust"]["unsafe_code"].as_str(), Some("forbid"));
}

#[test]
fn the_program_is_made_of_at_most_300_packages() {
    let tree = Program::cargo()
        .args(["tree", "--package", "ftl-task", "--edges", "normal,build", "--prefix", "none"])
        .args(["--format", "{p}", "--locked", "--offline"])
        .text()
        .unwrap();
    let name = |line: &str| line.split(' ').take(2).collect::<Vec<_>>().join(" ");
    let packages: BTreeSet<String> = tree.lines().map(name).collect();
    assert!(
        (200..=300).contains(&packages.len()),
        "{} packages: if an update brought them, `cargo update --precise` takes the version before it \
         (textwrap 0.16.2, encoding_rs 0.8.35 and psm 0.1.26 save 30)",
        packages.len(),
    );
}
