//! A splice changes what was asked for, and not a byte more.

use ftl_model::{Failure, Status, Utilized};
use ftl_testkit::random::Rng;
use ftl_xml::{Element, HANDOFF, Reopening, Seal, Splice, read, reopen, seal};

use crate::generator::document;

fn ending(status: Status, delivered: &str) -> Seal {
    Seal {
        status,
        at: "2026-01-18T02:00:00".to_owned(),
        delivered: delivered.to_owned(),
        utilized: Vec::new(),
        run: Element::new("run").attribute("tool", "ftl"),
    }
}

fn sealed(document: &str, ending: Seal) -> String {
    String::from_utf8(seal(&read(document.as_bytes()).unwrap(), &ending)).unwrap()
}

#[test]
fn a_record_is_the_task_with_a_few_insertions() {
    let cases = [
        (
            "<w id='1' status='active'>\n  <delivered></delivered>\n</w>\n",
            "<w id='1' status='complete' completed_at=\"2026-01-18T02:00:00\">\n  <delivered>done</delivered>\n  <run tool=\"ftl\"/>\n</w>\n",
        ),
        (
            "<w/>",
            "<w status=\"complete\" completed_at=\"2026-01-18T02:00:00\">\n  <delivered>done</delivered>\n  <run tool=\"ftl\"/>\n</w>",
        ),
        (
            "\u{feff}<w  status = 'active' ><a/><delivered /></w >",
            "\u{feff}<w  status = 'complete' completed_at=\"2026-01-18T02:00:00\" ><a/><delivered >done</delivered>\n  <run tool=\"ftl\"/>\n</w >",
        ),
        (
            "<w completed_at=\"\" status=\"active\">\r\n<delivered a='&lt;'>old<b/><!-- c --></delivered>\r\n\t</w>",
            "<w completed_at=\"2026-01-18T02:00:00\" status=\"complete\">\r\n<delivered a='&lt;'>done</delivered>\r\n\t  <run tool=\"ftl\"/>\n</w>",
        ),
        (
            "<w><delivered>1</delivered><delivered>2</delivered><x><delivered/></x></w>",
            "<w status=\"complete\" completed_at=\"2026-01-18T02:00:00\"><delivered>done</delivered><delivered>2</delivered><x><delivered/></x>\n  <run tool=\"ftl\"/>\n</w>",
        ),
        (
            "<w xmlns='u'><delivered>theirs</delivered></w>",
            "<w xmlns='u' status=\"complete\" completed_at=\"2026-01-18T02:00:00\"><delivered>theirs</delivered>\n  <delivered xmlns=\"\">done</delivered>\n  <run tool=\"ftl\" xmlns=\"\"/>\n</w>",
        ),
    ];
    for (task, record) in cases {
        assert_eq!(sealed(task, ending(Status::Complete, "done")), record);
    }
}

#[test]
fn a_second_list_of_what_was_used_replaces_the_first() {
    let mut ending = ending(Status::Complete, "done");
    ending.utilized =
        vec![Utilized { name: Some("import-order".to_owned()), kind: "failure".to_owned() }];
    let record = sealed("<w><memory_utilization/></w>", ending.clone());
    let again = sealed(&record, ending);
    let document = read(again.as_bytes()).unwrap();
    assert_eq!(document.root().children_named("memory_utilization").count(), 1);
    assert_eq!(document.root().children_named("run").count(), 2);
    let workspace = document.workspace().unwrap();
    assert_eq!(workspace.utilized.unwrap().len(), 1);
}

#[test]
fn a_block_is_dated_as_one() {
    let record = sealed("<w/>", ending(Status::Blocked, "BLOCKED: x\nTried: \nUnknown: "));
    let workspace = read(record.as_bytes()).unwrap().workspace().unwrap();
    assert_eq!(workspace.status.as_deref(), Some("blocked"));
    assert_eq!(workspace.blocked_at.as_deref(), Some("2026-01-18T02:00:00"));
    assert_eq!(workspace.completed_at, None);
    assert_eq!(workspace.delivered, "BLOCKED: x\nTried: \nUnknown: ");
    assert!(workspace.has_run);
}

#[test]
fn a_record_that_would_grow_out_of_bounds_keeps_the_attributes_of_its_run() {
    let padding = " ".repeat(ftl_xml::limits::MAX_BYTES - 1000);
    let room = ftl_xml::limits::MAX_RECORD_BYTES - ftl_xml::limits::MAX_BYTES;
    let mut ending = ending(Status::Complete, "done");
    ending.run = ending.run.child(Element::new("output").text("x".repeat(room + 1000)));
    let record = sealed(&format!("<w>{padding}</w>"), ending);
    assert!(record.ends_with("  <run tool=\"ftl\"/>\n</w>"));
    assert!(read(record.as_bytes()).is_ok());
}

#[test]
fn a_record_may_be_larger_than_a_task() {
    let padding = " ".repeat(ftl_xml::limits::MAX_BYTES - 200);
    let task = format!("<w>{padding}</w>");
    let mut ending = ending(Status::Complete, "done");
    ending.run = ending.run.child(Element::new("output").text("x".repeat(1000)));
    let record = sealed(&task, ending);
    assert!(record.len() > ftl_xml::limits::MAX_BYTES);
    assert!(record.contains("<output>x"));
    assert!(read(record.as_bytes()).is_ok());
    let as_task = record.replace("<run ", "<ran ").replace("</run>", "</ran>");
    assert_eq!(read(as_task.as_bytes()).unwrap_err().code(), "xml::too_large");
}

#[test]
fn a_splice_without_a_change_changes_nothing() {
    for seed in 0..500 {
        let task = document(&mut Rng::with_seed(seed));
        let read = read(task.as_bytes()).unwrap();
        assert_eq!(Splice::new(&read).finish(), task.as_bytes());
    }
}

#[test]
fn of_generated_tasks_every_byte_outside_the_edits_stays() {
    for seed in 0..2_000 {
        let task = document(&mut Rng::with_seed(seed));
        let before = read(task.as_bytes()).unwrap();
        let Ok(old) = before.workspace() else {
            continue;
        };
        let replaced = before.root().child("delivered");
        if replaced.is_some_and(|old| old.descendants().any(|e| e.is("implementation"))) {
            continue;
        }
        let record = sealed(&task, ending(Status::Complete, "done\r\n"));
        let after = read(record.as_bytes()).unwrap_or_else(|e| panic!("{e}\n{record}"));
        let new = after.workspace().unwrap();

        let expected = ftl_model::Workspace {
            status: Some("complete".to_owned()),
            completed_at: Some("2026-01-18T02:00:00".to_owned()),
            delivered: "done\r\n".to_owned(),
            has_run: true,
            ..old
        };
        assert_eq!(new, expected, "{record}");
        assert!(is_subsequence_by_pieces(&task, &record), "{task}\n{record}");
    }
}

/// Whether `record` holds the lines of `task` in order, the root's tag and `delivered` aside.
fn is_subsequence_by_pieces(task: &str, record: &str) -> bool {
    let document = read(task.as_bytes()).unwrap();
    let mut rest = record;
    document.root().children().filter(|child| !child.is("delivered")).all(|child| {
        let place = child.place();
        let piece = &task[place.start..place.end];
        match rest.find(piece) {
            Some(at) => {
                rest = &rest[at + piece.len()..];
                true
            }
            None => false,
        }
    })
}

const TASK: &str = "<w status='active'>\n  <implementation>\n    <delta>a</delta>\n    <verify>true</verify>\n  </implementation>\n  <delivered></delivered>\n</w>\n";

fn reopened(record: &str, changes: &Reopening) -> String {
    String::from_utf8(reopen(&read(record.as_bytes()).unwrap(), changes)).unwrap()
}

#[test]
fn a_reopened_record_is_the_task_with_its_runs() {
    let text = "BLOCKED: no <keys>\nTried: nothing\nUnknown: why";
    let record = sealed(TASK, ending(Status::Blocked, text));
    let again = reopened(&record, &Reopening::default());
    let without_run = again.split("  <run").next().unwrap().to_owned() + "</w>\n";
    assert_eq!(without_run, TASK);
    let document = read(again.as_bytes()).unwrap();
    let run = document.root().child("run").unwrap();
    assert_eq!(run.child(HANDOFF).unwrap().text().unwrap(), text);
    // The text is kept once, however often the task is reopened.
    let second = sealed(&again, ending(Status::Blocked, text));
    let again = reopened(&second, &Reopening::default());
    assert_eq!(again.matches("no &lt;keys&gt;").count(), 2, "{again}");
    assert_eq!(reopened(&again, &Reopening::default()), again);
}

#[test]
fn a_reopened_task_is_spliced_in() {
    let changes = Reopening {
        delta: vec!["b".into(), "c & d".into()],
        verify: Some("test -e 'b' && echo <ok>".into()),
        verify_source: Some("t.py".into()),
        budget: Some(9),
        failure: Some(Failure {
            name: Some("learned-1".into()),
            trigger: "it broke".into(),
            fix: "mend it".into(),
            ..Failure::default()
        }),
        ..Reopening::default()
    };
    for record in [
        TASK.replace("active", "blocked"),
        "<w status='blocked'/>".to_owned(),
        "<w status='blocked'><implementation/><prior_knowledge/></w>".to_owned(),
        "<w status='blocked'><x><implementation><delta>a</delta><budget>1</budget></implementation></x><prior_knowledge><!-- mine -->\n  <failure name='old'/></prior_knowledge></w>".to_owned(),
    ] {
        let again = reopened(&record, &changes);
        let workspace = read(again.as_bytes()).unwrap().workspace().unwrap();
        assert_eq!(workspace.status.as_deref(), Some("active"), "{again}");
        let delta: Vec<&str> = workspace.delta.iter().flatten().map(String::as_str).collect();
        assert!(delta.ends_with(&["b", "c & d"]), "{again}");
        assert_eq!(workspace.verify, "test -e 'b' && echo <ok>", "{again}");
        assert_eq!(workspace.verify_source, "t.py", "{again}");
        assert_eq!(workspace.budget, 9, "{again}");
        assert_eq!(workspace.failures()[0].trigger, "it broke", "{again}");
    }
}
