//! Changes that the user made or accepted before: no warning speaks of them.

use crate::support::Project;

fn shop() -> Project {
    let project = Project::empty();
    project.write("shop.py", "def price():\n    return 1\n\n\ndef count():\n    return 2\n");
    project.write("other.py", "def other():\n    return 1\n");
    project.commit();
    project
}

#[test]
fn names_that_an_edit_added_or_renamed_before_its_task_are_no_warnings() {
    let project = shop();
    project.write("shop.py", "def price():\n    return 1\n\n\ndef total():\n    return 2\n");
    let made = project.ftl(["new", "Rename", "--delta", "shop.py", "--verify", "true"]);
    assert_eq!((made.code, made.stderr.as_str()), (Some(0), ""), "{made:#?}");
    let words = ["build", "1", "--tree", "--allow-removed", "count", "--format", "json"];
    let result = project.ftl(words).json();
    assert_eq!(result["outcome"], "complete", "{result:#}");
    assert!(!result["warnings"].to_string().contains("total"), "{result:#}");
    // A name that neither the file nor its last commit has is a mistake.
    let made = project.ftl(["new", "Again", "--delta", "other.py", "--verify", "true"]);
    let task = ".ftl/workspace/002_again_active.xml";
    let text = String::from_utf8(project.read(task)).unwrap();
    project.write(task, text.replace("other()", "othr()"));
    assert_eq!(made.code, Some(0), "{made:#?}");
    let found = project.ftl(["workspace", "validate", "2"]);
    assert!(found.stderr.contains("has no export `othr()`"), "{found:#?}");
}

#[test]
fn files_that_an_earlier_task_delivered_are_no_warning_until_they_change() {
    let project = shop();
    project.write("shop.py", "def price():\n    return 3\n\n\ndef count():\n    return 2\n");
    project.ftl(["new", "One", "--delta", "shop.py", "--verify", "true"]);
    assert_eq!(project.ftl(["build", "1", "--tree"]).code, Some(0));
    project.write("other.py", "def other():\n    return 2\n");
    project.ftl(["new", "Two", "--delta", "other.py", "--verify", "true"]);
    let warnings = |project: &Project, number: &str| {
        let built = project.ftl(["build", number, "--tree", "--format", "json"]).json();
        assert_eq!(built["outcome"], "complete", "{built:#}");
        built["warnings"].to_string()
    };
    let said = warnings(&project, "2");
    assert!(!said.contains("shop.py"), "{said}");
    project.write("shop.py", "def price():\n    return 4\n\n\ndef count():\n    return 2\n");
    project.write("other.py", "def other():\n    return 3\n");
    project.ftl(["new", "Three", "--delta", "other.py", "--verify", "true"]);
    let said = warnings(&project, "3");
    assert!(said.contains("outside the delta also changed: shop.py"), "{said}");
}
