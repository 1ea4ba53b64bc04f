//! The pages of the manual, which packages bring along.

use crate::support::Project;

#[test]
fn every_command_has_a_page_that_names_its_options() {
    let project = Project::empty();
    let list = project.ftl(["man", "--list"]).ends(0);
    let names: Vec<&str> = list.stdout.lines().collect();
    for name in ["ftl", "ftl build", "ftl workspace create", "ftl hook pre-tool-use"] {
        assert!(names.contains(&name), "{}", list.stdout);
    }
    // What only ftl itself calls has none.
    assert!(!list.stdout.contains("scout"), "{}", list.stdout);
    for name in names {
        let words = name.split(' ').skip(1);
        let page = project.ftl(["man"].into_iter().chain(words));
        let title = name.replace(' ', "-");
        assert!(page.stdout.contains(&format!(".TH {title} 1 ")), "{name}: {}", page.stdout);
        assert!(page.stdout.contains("\\-\\-help"), "{name}: {}", page.stdout);
    }
    let build = project.ftl(["man", "build"]).stdout;
    assert!(build.contains("\\-\\-patch"), "{build}");
    let unknown = project.ftl(["man", "bulid"]).ends(2);
    assert!(unknown.stderr.contains("ftl man --list"), "{}", unknown.stderr);
}
