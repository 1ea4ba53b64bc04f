//! Plans that are good, and plans that are not.

use ftl_store::Layout;
use serde_json::{Value, json};

use super::{completed, judge};
use crate::run::{Implementer, Settings};

#[test]
fn taken_numbers_are_counted_on_with_what_depends_on_them() {
    let plan = json!({"tasks": [
        {"seq": "001", "slug": "a", "delta": ["a", "b"]},
        {"seq": "002", "slug": "b", "depends": ["001"], "budget": 9},
    ]});
    let Value::Object(map) = plan else { unreachable!() };
    let json = completed(map.clone(), "goal", &["002".to_owned(), "007".to_owned()]);
    assert_eq!(json["objective"], "goal");
    assert_eq!((&json["tasks"][0]["seq"], &json["tasks"][0]["budget"]), (&"008".into(), &7.into()));
    assert_eq!(
        (&json["tasks"][1]["depends"], &json["tasks"][1]["budget"]),
        (&json!(["008"]), &9.into())
    );
    assert_eq!(completed(map, "goal", &[])["tasks"][1]["seq"], "002");
}

/// The problems of a plan with these tasks, in a project with a file.
fn problems(tasks: Value) -> String {
    let project = tempfile::tempdir().unwrap();
    std::fs::write(project.path().join("a.py"), "").unwrap();
    let mut settings = Settings::new(project.path().to_owned(), Implementer::Tree { base: None });
    settings.layout = Layout::new(project.path());
    let Value::Object(map) = json!({ "tasks": tasks }) else { unreachable!() };
    let problems = judge(&settings, "goal", &map).map(|_| ()).unwrap_err();
    problems.iter().map(|problem| format!("{problem}\n")).collect()
}

#[test]
fn each_problem_of_a_plan_is_named() {
    let task = |seq: &str, delta: &str, verify: &str, depends: Value| json!({"seq": seq, "slug": "x", "delta": [delta], "verify": verify, "depends": depends});
    let none = || Value::Null;
    let many: Vec<Value> =
        (0..500).map(|n| task(&format!("{n:03}"), &format!("f{n}"), "true", none())).collect();
    for (tasks, part) in [
        (json!([task("001", "../out.py", "true", none())]), "`001_x`"),
        (json!([task("001", "/etc/passwd", "true", none())]), "`001_x`"),
        (json!([task("001", "no/such/dir.py", "true", none())]), "`no/such` does not exist"),
        (json!([task("001", "a.py", "no-such-program-x", none())]), "`no-such-program-x`"),
        (json!([task("001", "a.py", "", none())]), "`001_x`"),
        (json!([task("001", "a.py", "true", json!("009"))]), "depends on `009`"),
        (
            json!([
                task("001", "a.py", "true", json!("002")),
                task("002", "b.py", "true", json!("001"))
            ]),
            "`001_x`, `002_x` wait for each other",
        ),
        (
            json!([task("001", "a.py", "true", none()), task("002", "A.py", "true", none())]),
            "`002_x` shares `a.py` with `001_x`, and neither depends",
        ),
        (Value::Array(many), "has 500 tasks, and a plan has at most 100"),
        (json!([]), "is no list of tasks"),
        (json!([{"seq": "../1", "slug": "x"}]), "`tasks[0].seq` starts with a dot"),
    ] {
        let found = problems(tasks);
        assert!(found.contains(part), "{part}: {found}");
    }
}

#[test]
fn tasks_may_share_a_file_where_one_comes_first() {
    let task = |seq: &str, delta: &str, depends: Value| json!({"seq": seq, "slug": "x", "delta": [delta], "verify": "true", "depends": depends});
    let project = tempfile::tempdir().unwrap();
    let settings = Settings::new(project.path().to_owned(), Implementer::Tree { base: None });
    let Value::Object(map) = json!({"tasks": [
        task("001", "a.py", Value::Null),
        task("002", "b.py", json!(["001"])),
        task("003", "a.py", json!("002")),
    ]}) else {
        unreachable!()
    };
    let plan = judge(&settings, "goal", &map).unwrap();
    assert_eq!(plan.files.len(), 3);
    assert_eq!(plan.schedule.most_at_once, 1);
    assert!(plan.files[0].content.contains("<objective>goal"), "{}", plan.files[0].content);
}
