//! `ftl report`: what became of tasks, as one HTML page.

use std::fs;

use ftl_testkit::program::Program;

use crate::support::task;
use crate::support::{Finished, Project, has_tool};

fn report(project: &Project, words: &[&str]) -> String {
    let all = ["report", "-o", "report.html"];
    let finished = project.ftl(all.iter().chain(words)).ends(0);
    assert!(finished.stdout.starts_with("Wrote: report.html ("), "{finished:#?}");
    project.text("report.html")
}

/// What a browser would fetch, run or send is in no page.
fn assert_needs_nothing(page: &str) {
    for word in [
        "<script", "<img", "<iframe", "<link", "<object", "src=", "url(", "@import", "http:",
        "https:",
    ] {
        assert!(!page.contains(word), "{word}");
    }
    assert!(page.contains("default-src 'none'"));
}

/// Every element that must be closed is, in order.
fn assert_closed(page: &str) {
    const CLOSED: &[&str] = &[
        "article", "div", "details", "summary", "section", "table", "dl", "ol", "ul", "pre",
        "code", "h1", "h2", "h3", "svg", "a", "label", "main", "header", "body", "html", "style",
        "span", "p", "mark",
    ];
    let mut open: Vec<&str> = Vec::new();
    for tag in page.split('<').skip(1) {
        let end = tag.find(['>', ' ']).unwrap();
        let name = &tag[..end];
        if let Some(name) = name.strip_prefix('/') {
            if CLOSED.contains(&name) {
                assert_eq!(open.pop(), Some(name), "{tag:.80}");
            }
        } else if CLOSED.contains(&name) {
            open.push(name);
        }
    }
    assert_eq!(open, Vec::<&str>::new());
}

#[test]
fn a_page_shows_every_task_and_its_runs() {
    let project = Project::empty();
    project.write("a.py", "x = 1\n");
    let verify = "echo collecting; echo 'AssertionError: x is not 3'; grep -q 3 a.py";
    let count = task().delta(&["a.py"]).verify(verify);
    project.add("001_a", count.rest("<objective>Count to three</objective>"));
    project.add("002_b", task().attributes("depends=\"001\""));
    project.ftl(["build", "001", "--agent", "echo 'y = 2' >>a.py"]).ends(3);
    project.ftl(["reopen", "001", "--build", "--agent", "echo 'z = 3' >>a.py"]).ends(0);
    let page = report(&project, &[]);
    assert_needs_nothing(&page);
    assert_closed(&page);
    for part in [
        "1 complete, 0 blocked, 1 active",
        "<a href=\"#t-001_a\">001_a</a>",
        "<article id=\"t-001_a\">",
        "Count to three",
        "run 1: blocked</label>",
        " checked><label for=\"t-001_a-1\">run 2: complete</label>",
        "<mark>AssertionError: x is not 3</mark>",
        "<tr class=\"p\"><td>2</td><td>+y = 2</td></tr>",
        "<dt>syntax</dt><dd>valid",
        "It was not built.",
        "aria-label=\"Dependencies of tasks, as in the table\"",
        "prefers-color-scheme:dark",
        "name=\"viewport\"",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let one = report(&project, &["2"]);
    assert!(!one.contains("001_a<") && one.contains("002_b"), "{one}");
    let piped = project.ftl(["report", "1"]);
    assert!(piped.stdout.starts_with("<!doctype html>"), "{piped:#?}");
}

#[test]
fn blocked_tasks_come_first_with_the_commands_that_go_on() {
    let project = Project::empty();
    project.add("001_a", task().delta(&["a.txt"]).verify("true"));
    project.add("002_b", task().delta(&["b.txt"]).verify("echo error: no; false"));
    project.ftl(["build", "--all", "--agent", "echo x >$1"]).ends(3);
    let page = report(&project, &[]);
    assert_needs_nothing(&page);
    assert_closed(&page);
    let at = |part: &str| page.find(part).unwrap_or_else(|| panic!("{part}: {page}"));
    assert!(at("<article id=\"t-002_b\"><details open>") < at("<article id=\"t-001_a\"><details>"));
    let next = project.ftl(["show", "2", "--format", "json"]).json();
    let next = next["run"]["result"]["next"][0].as_str().unwrap().replace('>', "&gt;");
    at(&format!("<pre class=\"next\">{next}</pre>"));
    at("<dt>discovery_needed</dt><dd>1</dd>");
    at("<td>✗</td>");
}

#[test]
fn findings_are_shown_beside_their_lines() {
    let project = Project::empty();
    project.write("a.py", "x = 1\n");
    project.add("001_a", task().delta(&["a.py"]));
    project.ftl(["build", "--agent", "echo 'y = (' >>a.py"]).ends(3);
    let page = report(&project, &[]);
    let line = page.find("<td>+y = (").unwrap_or_else(|| panic!("{page}"));
    let after = &page[line..(line + 200).min(page.len())];
    assert!(after.contains("<tr class=\"n\"><td>↑</td><td>syntax: "), "{after}");
    assert!(page.contains("<dt>syntax</dt><dd>invalid"), "{page}");
}

#[test]
fn hostile_text_is_text_in_every_field() {
    const HOSTILE: &str =
        "\"'><script>alert(1)</script><img src=x onerror=alert(1)>&#x202E;\u{202e}";
    let escaped = HOSTILE.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let project = Project::empty();
    let path = "</td><script>alert(2)<img src=x>.py";
    let directory = path.rsplit_once('/').unwrap().0;
    fs::create_dir_all(project.path().join(directory)).unwrap();
    project.write(path, "x = 1\n");
    let escaped_path = path.replace('<', "&lt;").replace('>', "&gt;");
    let verify = "cat hostile; false";
    project.write("hostile", format!("{HOSTILE}\nError: {HOSTILE}\n"));
    let text = format!(
        "<workspace id=\"001-a\" status=\"active\" depends=\"&lt;script&gt; 002\"><objective>{escaped}</objective><implementation>\
         <delta>{escaped_path}</delta><verify>{verify}</verify></implementation>\
         <idioms><forbidden regex=\"alert\">{escaped}</forbidden></idioms><delivered/></workspace>"
    );
    project.write(".ftl/workspace/001_a_active.xml", text);
    let agent = "printf '{\"summary\": \"<script>alert(3)</script>\"}' >\"$FTL_REPLY\"; cat hostile; cp hostile \"$1\"; cp hostile '<img src=x>'";
    project.ftl(["build", "001", "--ignore-depends", "--agent", agent]).ends(3);
    project.ftl([
        "reopen",
        "001",
        "--build",
        "--ignore-depends",
        "--agent",
        "cp hostile \"$1\"; echo >>\"$1\"",
    ]);
    let page = report(&project, &[]);
    assert!(page.contains("&lt;script&gt;alert(1)"), "{page}");
    assert!(!page.contains(['\u{202e}', '\u{1b}']));
    assert!(page.contains("&lt;/td&gt;&lt;script&gt;alert(2)"), "{page}");
    for word in ["<script", "<img", "</td>&lt;", "</td><script"] {
        assert!(!page.contains(word), "{word}: {page}");
    }
    assert_closed(&page);
}

/// The page as a browser reads it.
fn in_a_browser(project: &Project) -> String {
    let profile = Project::empty();
    let program = Program::new("chromium", profile.path())
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"])
        .args([format!("--user-data-dir={}", profile.path().display())])
        .args(["--window-size=390,800"])
        .args([format!("file://{}", project.path().join("report.html").display())]);
    let read = Finished::of(program).ends(0);
    read.stdout
}

#[test]
fn a_browser_finds_no_element_in_hostile_text() {
    if !has_tool("Debian's chromium", "chromium", &["--version"]) {
        return;
    }
    let project = super::project(&[]);
    let hostile = [
        "<script>document.title = 'ran'</script>",
        "\"><svg onload=document.title='ran'>",
        "'><img src=x onerror=document.title='ran'>",
        "</style></pre></table><iframe srcdoc=x>",
        "<!-- &lt;b&gt; <plaintext>",
    ]
    .join(" ");
    project.write("hostile", format!("{hostile}\nError: {hostile}\n"));
    let escaped = hostile.replace('&', "&amp;").replace('<', "&lt;");
    let objective = format!("<objective>{escaped}</objective>");
    project.add("001_a", task().verify("cat hostile; false").rest(&objective));
    let agent = "cat hostile; cp hostile \"$1\"; cp hostile '<b onclick=x>'";
    project.ftl(["build", "001", "--agent", agent]);
    report(&project, &[]);
    let dom = in_a_browser(&project);
    assert!(dom.contains("&lt;script&gt;document.title"), "{dom}");
    assert!(!dom.contains("<title>ran"), "{dom}");
    for tag in dom.split('<').skip(1) {
        let tag = tag.split('>').next().unwrap_or_default();
        let name = tag.split([' ', '\n']).next().unwrap_or_default();
        let is_foreign = ["script", "img", "iframe", "b", "plaintext"].contains(&name);
        assert!(!is_foreign && !tag.contains(" on"), "<{tag}>");
    }
}

#[test]
fn secrets_are_in_no_page() {
    let project = super::project(&[]);
    project.add("001_a", task());
    let secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    let agent = format!("echo 'key = {secret}' >>notes.txt");
    project.ftl(["build", "--agent", &agent]);
    let page = report(&project, &[]);
    assert!(page.contains("[redacted: "), "{page}");
    assert!(!page.contains(secret), "{page}");
}

#[test]
fn a_thousand_tasks_fit_into_five_megabytes() {
    let project = super::project(&[]);
    project.add("0001_a", task().verify("seq 500; false"));
    project.ftl(["build", "--agent", "seq 2000 >>notes.txt"]).ends(3);
    let (workspaces, runs) =
        (project.path().join(".ftl/workspace"), project.path().join(".ftl/runs"));
    for number in 2..=1000 {
        let (id, before) = (format!("{number:04}_a"), format!("{:04}", number - 1));
        let record = project.text(".ftl/workspace/0001_a_blocked.xml");
        let record =
            record.replacen("<workspace ", &format!("<workspace depends=\"{before}\" "), 1);
        fs::write(workspaces.join(format!("{id}_blocked.xml")), record).unwrap();
        let run = runs.join(&id).join("1");
        fs::create_dir_all(run.join("diffs")).unwrap();
        for file in ["journal.jsonl", "diffs/run.diff"] {
            fs::copy(runs.join("0001_a/1").join(file), run.join(file)).unwrap();
        }
    }
    let page = report(&project, &[]);
    assert!(page.len() <= 5_000_000, "{}", page.len());
    assert_eq!(page.matches("<article ").count(), 1000);
    assert!(page.contains("more lines, which"), "what does not fit is counted");
}

#[test]
fn a_test_that_passes_later_with_the_same_files_is_called_flaky_and_logs_are_links() {
    if !has_tool("python3", "python3", &["--version"]) {
        return;
    }
    let test = "import os, unittest\n\nclass T(unittest.TestCase):\n    def test_b(self):\n        self.assertTrue(os.path.exists('ok'))\n";
    let project = Project::empty()
        .file("a.py", "x = 1\n")
        .file("test_a.py", test)
        .file(".gitignore", "__pycache__\nok\npages\n")
        .task("001_a", task().delta(&["a.py"]).verify("python3 -m unittest test_a").budget(9))
        .committed();
    project.build(&["1", "--agent", "echo 'y = 2' >>a.py; echo I did it"]).ends(3);
    project.write("ok", "");
    project.ftl(["reopen", "1", "--build", "--agent", "echo nothing to do"]).ends(0);
    project.write("pages/keep", "");
    let page = report(&project, &[]);
    assert_needs_nothing(&page);
    assert_closed(&page);
    assert!(page.contains("flaky: passed with the same files in 001_a"), "{page}");
    assert!(page.contains("nothing to do") && page.contains("Transcript"), "{page}");
    assert!(page.contains("<a href=\".ftl/runs/001_a/1/outputs/verify-1.log\">"), "{page}");
    project.ftl(["report", "-o", "pages/report.html"]).ends(0);
    let below = project.text("pages/report.html");
    assert!(below.contains("<a href=\"../.ftl/runs/001_a/1/outputs/verify-1.log\">"), "{below}");
}
