//! New task files: their names, their deltas, and what is read of the project.

use std::fs::{self, File};
use std::os::unix::fs::symlink;

use ftl_model::DeltaPath;
use ftl_process::probe;
use ftl_store::Layout;
use ftl_xml::limits::MAX_BYTES;
use tempfile::TempDir;

use super::{NewError, NewTask, NotShown, delta, draft, next_number, slug};

#[test]
fn a_slug_is_the_first_words_of_the_objective() {
    let long = "x".repeat(60);
    for (objective, expected) in [
        ("Quote `~root` safely", "quote-root-safely"),
        ("  Fix: the  parser's bug!", "fix-the-parser-s-bug"),
        ("../../etc/passwd", "etc-passwd"),
        ("Größe der Liste", "größe-der-liste"),
        ("???", "task"),
        ("", "task"),
        (
            "one two three four five six seven eight nine ten",
            "one-two-three-four-five-six-seven-eight",
        ),
        (&long, &"x".repeat(40)),
    ] {
        assert_eq!(slug(objective), expected);
    }
}

#[test]
fn the_next_number_follows_the_highest() {
    let next = |numbers: &[&str]| {
        next_number(&numbers.iter().map(|&number| number.to_owned()).collect::<Vec<_>>())
    };
    assert_eq!(next(&[]), 1);
    assert_eq!(next(&["001", "007"]), 8);
    assert_eq!(next(&["x"]), 1);
    assert_eq!(next(&["999"]), 1000);
}

#[test]
fn a_delta_is_normalised_and_every_bad_path_is_named() {
    let paths = |paths: &[&str]| delta(&paths.iter().map(|&path| path.into()).collect::<Vec<_>>());
    assert_eq!(paths(&["./a.py", "b//c.py"]).unwrap()[1].as_str(), "b/c.py");
    let problems = paths(&["a", "./a", "../b", ""]).unwrap_err();
    let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(problems, ["`a` is named twice", "`../b` holds `..`", "the path is empty"]);
}

fn task(delta: &[&str]) -> NewTask {
    NewTask {
        objective: "x".into(),
        delta: delta.iter().map(|&path| path.into()).collect(),
        verify: "true".into(),
        verify_source: None,
        depends: Vec::new(),
        budget: 5,
        allow: Vec::new(),
        tests_change: false,
        allow_removed: Vec::new(),
    }
}

fn project() -> (TempDir, Layout) {
    let temp = tempfile::tempdir().unwrap();
    let layout = Layout::new(temp.path());
    (temp, layout)
}

#[test]
fn a_listing_reads_only_regular_files_below_the_root() {
    let (temp, layout) = project();
    let outside = tempfile::NamedTempFile::new().unwrap();
    symlink(outside.path(), temp.path().join("link")).unwrap();
    symlink("nowhere", temp.path().join("dangling")).unwrap();
    fs::create_dir(temp.path().join("dir")).unwrap();
    fs::write(temp.path().join("file"), "").unwrap();
    let fifo = temp.path().join("fifo");
    assert!(probe("mkfifo", [&fifo]).unwrap().how.success());
    for (path, why) in [
        ("link", "it leads through a symbolic link"),
        ("dangling", "it leads through a symbolic link"),
        ("dir", "it is a directory"),
        ("file/below", "it has a parent that is not a directory"),
        ("fifo", "it is a device, pipe or socket"),
    ] {
        let refused = draft(&layout, &task(&[path])).unwrap_err();
        assert_eq!(refused.to_string(), format!("cannot read `{path}`: {why}"));
        assert!(matches!(refused, NewError::Context { .. }), "{refused:?}");
    }
    assert!(!layout.ftl_dir().exists());
}

#[test]
fn text_that_no_task_file_can_show_is_a_warning() {
    let (temp, layout) = project();
    fs::write(temp.path().join("bytes"), [0xff, 0xfe]).unwrap();
    let large = File::create(temp.path().join("large")).unwrap();
    large.set_len(MAX_BYTES as u64 + 1).unwrap();
    fs::write(temp.path().join("text.py"), "def f():\n    pass\n").unwrap();
    let draft = draft(&layout, &task(&["bytes", "large", "text.py", "new"])).unwrap();
    let warned: Vec<(&str, NotShown)> =
        draft.warnings().iter().map(|warning| (warning.path.as_str(), warning.why)).collect();
    assert_eq!(warned, [("bytes", NotShown::NotText), ("large", NotShown::TooLarge)]);
    let contexts = &draft.workspace.code_contexts;
    assert_eq!(contexts.len(), 1);
    assert_eq!(contexts[0].exports, "f()");
}

#[test]
fn a_draft_is_written_under_the_next_number_and_read_back() {
    let (_temp, layout) = project();
    for name in ["001_x_active.xml", "002_x_active.xml"] {
        let path = draft(&layout, &task(&["a"]))
            .unwrap()
            .write(&ftl_process::Environment::inherit())
            .unwrap()
            .path;
        assert_eq!(path.file_name().unwrap(), name);
        let bytes = fs::read(&path).unwrap();
        let workspace = ftl_xml::read(&bytes).unwrap().workspace().unwrap();
        let delta: Vec<_> = workspace.delta.into_iter().flatten().collect();
        assert_eq!(delta, [DeltaPath::parse("a").unwrap().to_string()]);
    }
}
