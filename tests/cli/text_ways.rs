//! Sequences that a terminal obeys or that hide text, by every way in and every way out.
//!
//! Each way in is laid with all sequences that it can carry, and every way out is searched for each of
//! them: a case is a sequence, a way in and a way out. They are counted.

use std::fmt::Write as _;

use ftl_testkit::program::Program;

use crate::support::task;
use crate::support::{Finished, Project};

/// A sequence, as the bytes that a program would print.
type Sequence = Vec<u8>;

/// Characters that are obeyed or hidden by themselves, and begin nothing longer.
fn characters() -> Vec<Sequence> {
    let c0 = (1..=0x1F).filter(|byte| !b"\t\n\r\x1b".contains(byte));
    let c0 = c0.chain([0x7F]).map(|byte: u8| vec![byte]);
    // Those of C1 that begin strings and sequences are below.
    let c1 = (0x80..=0x9F).filter(|code| ![0x90, 0x98, 0x9B, 0x9D, 0x9E, 0x9F].contains(code));
    let hidden = [
        0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x180E, 0x200B, 0x200E, 0x200F, 0x2028, 0x2029,
        0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x2060, 0x2064, 0x2066, 0x2067, 0x2068, 0x2069,
        0x206A, 0x206F, 0x3164, 0xFEFF, 0xFFA0, 0xFFF9, 0xFFFA, 0xFFFB, 0xFFFE, 0xFFFF, 0xFDD0,
        0x1D173, 0xE0001, 0xE0041, 0xE007F,
    ];
    let coded = c1.chain(hidden).map(|code: u32| {
        let c = char::from_u32(code).unwrap();
        c.to_string().into_bytes()
    });
    c0.chain(coded).collect()
}

/// Sequences that come to an end.
fn whole() -> Vec<Sequence> {
    [
        "\x1b[31m",
        "\x1b[0m",
        "\x1b[2J",
        "\x1b[H",
        "\x1b[1A",
        "\x1b[2K",
        "\x1b[?25l",
        "\x1b[?1049h",
        "\x1b[6n",
        "\x1b[>c",
        "\x1b[38;5;196m",
        "\x1b[3;1H",
        "\x1b]0;title\x07",
        "\x1b]2;title\x1b\\",
        "\x1b]8;;http://x.example\x1b\\",
        "\x1b]52;c;ZXZpbA==\x07",
        "\x1b]1337;File=x\x07",
        "\x1bP1;2|x\x1b\\",
        "\x1b_apc\x1b\\",
        "\x1b^pm\x1b\\",
        "\x1bXsos\x1b\\",
        "\x1bc",
        "\x1b7",
        "\x1b8",
        "\x1b(0",
        "\x1b#8",
        "\x1bM",
        "\x1b=",
        "\u{9b}31m",
        "\u{9d}0;title\u{9c}",
        "\u{90}dcs\u{9c}",
        "\u{98}sos\u{9c}",
        "\u{9e}pm\u{9c}",
        "\u{9f}apc\u{9c}",
    ]
    .map(|text| text.as_bytes().to_vec())
    .to_vec()
}

/// Sequences that never end, and bytes that are no text.
fn unfinished() -> Vec<Sequence> {
    let texts = ["\x1b", "\x1b[", "\x1b[31", "\x1b]0;", "\x1bP", "\x1b_", "\u{9b}", "\u{9d}0;"];
    let texts = texts.map(|text| text.as_bytes().to_vec());
    let bytes: [&[u8]; 5] = [b"\x9b31m", b"\x80", b"\xc0\x9b", b"\xe0\x80\x9b", b"\xed\xa0\x80"];
    texts.into_iter().chain(bytes.map(<[u8]>::to_vec)).collect()
}

/// What can stand together. Unfinished sequences swallow what follows: in outputs something ends each.
fn batches() -> [Vec<Sequence>; 3] {
    [characters(), whole(), unfinished()]
}

/// The sequences as a shell's `printf` writes them.
fn octal(batch: &[Sequence]) -> String {
    batch.concat().iter().map(|byte| format!("\\{byte:03o}")).collect()
}

/// Those of the sequences that are text.
fn text(batch: &[Sequence]) -> String {
    let texts = batch.iter().filter_map(|it| str::from_utf8(it).ok());
    texts.collect()
}

/// The sequences as text that XML can carry.
fn in_xml(batch: &[Sequence]) -> String {
    let text = text(batch);
    let is_char = |c: &char| *c >= ' ' && u32::from(*c) & 0xFFFE != 0xFFFE;
    let text: String = text.chars().filter(is_char).collect();
    text.replace(['<', '&'], "")
}

/// The sequences as JSON and TOML escape them.
fn escaped(batch: &[Sequence]) -> String {
    let mut escaped = String::new();
    for unit in text(batch).encode_utf16() {
        write!(escaped, "\\u{unit:04x}").unwrap();
    }
    escaped
}

/// A harmless text holds none of these, whatever is around them.
fn is_harmful(c: char) -> bool {
    let code = u32::from(c);
    let hidden = characters();
    (code < 0x20 && !"\n\t".contains(c))
        || (0x7F..=0x9F).contains(&code)
        || hidden.iter().any(|known| known == c.to_string().as_bytes())
}

/// Counts cases, and fails at the first that is not harmless.
#[derive(Default)]
struct Cases {
    count: usize,
    ways_in: Vec<&'static str>,
    ways_out: Vec<&'static str>,
}

impl Cases {
    fn check(
        &mut self,
        way_in: &'static str,
        way_out: &'static str,
        batch: &[Sequence],
        out: &str,
    ) {
        let bad = out.chars().find(|c| is_harmful(*c));
        assert_eq!(bad, None, "{way_in}, {way_out}: {out:?}");
        self.count += batch.len();
        for (known, way) in [(&mut self.ways_in, way_in), (&mut self.ways_out, way_out)] {
            if !known.contains(&way) {
                known.push(way);
            }
        }
    }

    fn streams(&mut self, way_in: &'static str, batch: &[Sequence], finished: &Finished) {
        self.check(way_in, "standard output", batch, &finished.stdout);
        self.check(way_in, "standard error", batch, &finished.stderr);
    }

    /// Builds one task for people and one for programs, and looks at all that comes of it.
    fn build(
        &mut self,
        way_in: &'static str,
        batch: &[Sequence],
        project: &Project,
        words: &[&str],
    ) {
        let human = project.ftl([&["build", "001", "--isolate", "copy"], words].concat());
        self.streams(way_in, batch, &human);
        let json = ["build", "002", "--isolate", "copy", "--format", "json", "--events", "events"];
        let json = project.ftl([&json[..], words].concat());
        self.check(way_in, "JSON", batch, &json.stdout);
        // There are none of a task that cannot be built.
        let events = std::fs::read_to_string(project.path().join("events")).unwrap_or_default();
        self.check(way_in, "events", batch, &events);
        for line in events.lines() {
            let _: serde_json::Value = serde_json::from_str(line).unwrap();
        }
        for name in project.workspaces() {
            let path = format!(".ftl/workspace/{name}");
            let record = project.text(&path);
            // What its author wrote stays as it is.
            if way_in != "task fields" {
                self.check(way_in, "record", batch, &record);
            }
            let status = project.ftl(["status"]);
            self.check(way_in, "status", batch, &status.stdout);
            let parsed = project.ftl(["workspace", "parse", &path]);
            self.check(way_in, "parse", batch, &parsed.stdout);
        }
    }
}

fn project(verify: &str) -> Project {
    let project = super::project(&[]);
    for id in ["001_a", "002_b"] {
        project.add(id, task().verify(verify));
    }
    project
}

/// A shell command that writes the sequences, one a line, each in a message.
fn printing(batch: &[Sequence]) -> String {
    let lines = batch.iter().map(|sequence| {
        let octal = octal(std::slice::from_ref(sequence));
        format!("printf 'error: {octal} here\\n\\007\\033\\134\\n'; ")
    });
    lines.collect()
}

fn outputs(cases: &mut Cases, batch: &[Sequence]) {
    let script = "sh ./print; echo x >>notes.txt";
    let failing = project("sh ./print; false");
    failing.write("print", printing(batch));
    cases.build("verify output", batch, &failing, &["--agent", "echo x >>notes.txt"]);
    let said = project("true");
    said.write("print", printing(batch));
    let agent = format!("{script}; exit 1");
    cases.build("agent output", batch, &said, &["--agent", &agent]);
    let checked = project("true</verify><preflight>sh ./print; false</preflight><verify>");
    checked.write("print", printing(batch));
    cases.build("preflight output", batch, &checked, &["--agent", "echo x >>notes.txt"]);
}

fn replies_and_names(cases: &mut Cases, batch: &[Sequence]) {
    let escaped = escaped(batch);
    let replied = project("true");
    let reply = format!(
        "{{\"summary\": \"s {escaped}\", \"needs\": [\"n{escaped}\"], \"utilized\": [{{\"name\": \"u{escaped}\", \"type\": \"t{escaped}\"}}]}}"
    );
    replied.write("reply", reply);
    let agent = "echo x >>notes.txt; cat reply >\"$FTL_REPLY\"";
    cases.build("replies", batch, &replied, &["--agent", agent]);
    let complete = project("true");
    complete.write("reply", format!("{{\"summary\": \"s {escaped}\"}}"));
    cases.build("summaries", batch, &complete, &["--agent", agent]);
    let named = project("true");
    let name = octal(&batch.iter().filter(|it| !it.contains(&b'/')).cloned().collect::<Vec<_>>());
    let short = name.chars().take(4 * 100).collect::<String>();
    let agent = format!("echo x >>notes.txt; : >\"$(printf 'n{short}n')\"");
    cases.build("names of files", batch, &named, &["--agent", &agent]);
}

fn written_by_people(cases: &mut Cases, batch: &[Sequence]) {
    let text = in_xml(batch);
    let fields = project("true");
    let whole = format!(
        "<workspace status=\"active\" id=\"{text}\" created_at=\"{text}\" depends=\"{text}\"><objective>o{text}</objective>\
         <implementation><delta>notes.txt</delta><verify>echo 'error: v{text}'; false</verify><budget>9</budget></implementation>\
         <code_context path=\"c{text}\" lines=\"1\"><exports>e{text}</exports></code_context>\
         <idioms framework=\"f{text}\"><required>i{text}</required></idioms>\
         <prior_knowledge><failure name=\"n{text}\"><trigger>t{text}</trigger><fix>x{text}</fix><match>({text}</match></failure>\
         </prior_knowledge><delivered/></workspace>\n"
    );
    for id in ["001_a", "002_b"] {
        fields.write(format!(".ftl/workspace/{id}_active.xml"), &whole);
    }
    let path = ".ftl/workspace/001_a_active.xml";
    for words in [
        &["workspace", "validate", path][..],
        &["workspace", "validate", path, "--format", "json"],
        &["workspace", "parse", path, "--full"],
        &["status", "--format", "json"],
        &["build", "001", "--dry-run"],
    ] {
        cases.streams("task fields", batch, &fields.ftl(words));
    }
    cases.build("task fields", batch, &fields, &["--agent", "echo x >>notes.txt"]);
    let escaped = escaped(batch);
    let configured = project("true");
    configured.write("ftl.toml", format!("[agent]\n\"x{}\" = 1\n", toml(batch)));
    cases.streams("configuration", batch, &configured.ftl(["build", "001"]));
    cases.streams("configuration", batch, &configured.ftl(["build", "001", "--format", "json"]));
    let planned = Project::empty();
    planned.write(
        "plan.json",
        format!(
            "{{\"objective\": \"o{escaped}\", \"framework\": \"f{escaped}\", \"idioms\": {{\"required\": [\"r{escaped}\"]}}, \
             \"tasks\": [{{\"seq\": \"001\", \"slug\": \"s\", \"delta\": [\"d{escaped}\"], \"verify\": \"v{escaped}\"}}, \
             {{\"seq\": \"002\", \"slug\": \"x{escaped}\"}}]}}"
        ),
    );
    for only in [&["--task", "001"][..], &[]] {
        let words = [&["workspace", "create", "--plan", "plan.json"], only].concat();
        cases.streams("plans", batch, &planned.ftl(words));
    }
    for words in [&["status"][..], &["build", "001", "--dry-run"]] {
        cases.streams("plans", batch, &planned.ftl(words));
    }
    let words = self::text(batch);
    let typed = project("true");
    for words in [
        &["build", &words][..],
        &["preflight", &words],
        &["knowledge", "add", &words, "--rerun", "--match", "x"],
    ] {
        cases.streams("arguments", batch, &typed.ftl(words));
    }
    let known = project("echo boom; false");
    known.write("ftl.toml", "[knowledge]\nfiles = [\"k.toml\"]\n");
    let text = toml(batch);
    known.write(
        "k.toml",
        format!("[[failure]]\nname = \"n{text}\"\ntrigger = \"boom\"\nfix = \"f{text}\"\nmatch = \"boom|x{text}\"\n"),
    );
    cases.streams("knowledge", batch, &known.ftl(["knowledge", "list"]));
    cases.streams("knowledge", batch, &known.ftl(["knowledge", "list", "--format", "json"]));
    cases.build("knowledge", batch, &known, &["--agent", "echo x >>notes.txt"]);
}

/// As TOML escapes them, which knows no surrogates.
fn toml(batch: &[Sequence]) -> String {
    text(batch).chars().fold(String::new(), |mut all, c| {
        write!(all, "\\U{:08x}", u32::from(c)).unwrap();
        all
    })
}

#[test]
fn control_characters_come_out_by_no_way() {
    let all: usize = batches().iter().map(Vec::len).sum();
    assert!(all >= 100, "{all} sequences");
    // The check itself sees what is raw.
    for batch in batches() {
        let raw = Program::new("printf", std::path::Path::new("/"));
        let raw = raw.args([octal(&batch)]).output().unwrap().stdout;
        assert_eq!(raw, batch.concat());
        assert!(text(&batch).chars().any(is_harmful));
    }
    let mut cases = Cases::default();
    for batch in batches() {
        outputs(&mut cases, &batch);
        replies_and_names(&mut cases, &batch);
        written_by_people(&mut cases, &batch);
    }
    assert_eq!(cases.ways_in.len(), 11, "{:?}", cases.ways_in);
    assert_eq!(cases.ways_out.len(), 7, "{:?}", cases.ways_out);
    assert!(cases.count >= 8_000, "{} cases", cases.count);
}
