//! Names that a package's public file takes from other files, in tasks made by `ftl new`.

use serde_json::Value;

use crate::support::Project;

/// Builds a task for `path` after its text was replaced, by the task file that `ftl new` wrote before.
fn rebuilt(project: &Project, path: &str, text: &str, exports: Option<&str>) -> Value {
    project.commit();
    project.ftl(["new", "less", "--delta", path, "--verify", "true"]).ends(0);
    let task = ".ftl/workspace/001_less_active.xml";
    let written = project.text(task);
    if let Some(exports) = exports {
        assert!(written.contains(&format!("<exports>{exports}</exports>")), "{written}");
    } else {
        let (before, after) = written.split_once("<exports>").unwrap();
        let (_, after) = after.split_once("</exports>").unwrap();
        project.write(task, format!("{before}<exports></exports>{after}"));
    }
    project.write(path, text);
    project.build(&["1"]).json()
}

fn package() -> Project {
    let project = Project::empty();
    project.write("pkg/__init__.py", "from .a import f\nfrom .a import g as g\n");
    project.write("pkg/a.py", "def f(): pass\ndef g(): pass\n");
    project
}

fn barrel() -> Project {
    let project = Project::empty();
    project.write("src/index.ts", "export * from \"./a.js\";\nexport * from \"./b\";\n");
    project.write("src/a.ts", "export function f() {}\n");
    project.write("src/b/index.ts", "export const g = 1;\n");
    project
}

#[test]
fn a_listed_name_that_a_package_no_longer_passes_on_blocks() {
    let built = rebuilt(&package(), "pkg/__init__.py", "from .a import f\n", Some("f, g"));
    assert_eq!(built["block"]["kind"], "exports_lost", "{built:#}");
    let text = "export * from \"./a.js\";\n";
    let built = rebuilt(&barrel(), "src/index.ts", text, Some("f(), g"));
    assert_eq!(built["block"]["kind"], "exports_lost", "{built:#}");
    assert!(built["block"]["error"].as_str().unwrap().contains("`g`"), "{built:#}");
}

#[test]
fn an_unlisted_name_that_a_package_no_longer_passes_on_is_a_warning() {
    for (project, path, text) in [
        (package(), "pkg/__init__.py", "from .a import f\n"),
        (barrel(), "src/index.ts", "export * from \"./a.js\";\n"),
    ] {
        let built = rebuilt(&project, path, text, None);
        assert_eq!(built["outcome"], "complete", "{built:#}");
        let about = format!("public names of {path} that the task does not list are gone: `g`");
        let warnings = built["warnings"].as_array().unwrap();
        assert!(warnings.iter().any(|warning| warning == about.as_str()), "{built:#}");
    }
}
