//! The other commands, and a build whose result is not on standard output.

use super::super::build::{Build, build, command};

const ACTIVE: &str = ".ftl/workspace/001_task_active.xml";

const FULL: &str = "<workspace id=\"001-task\" status=\"active\" created_at=\"2001-01-18T01:30:56\" depends=\"002 003\">\
    <objective>Keep <![CDATA[<it>]]></objective><implementation><delta>a.py</delta><delta/><verify>true</verify>\
    <budget> 7 </budget></implementation><code_context path=\"a.py\" lines=\"1-2\"><content>x</content>\
    <exports>f()</exports></code_context><idioms framework=\"flask\" confidence=\"0.5\"><required rule=\"r1\">one</required>\
    </idioms><prior_knowledge><failure name=\"n\" cost=\"3\" tags=\"flaky\"><trigger>t</trigger><fix kind=\"rerun\"/>\
    </failure></prior_knowledge><lineage><parent seq=\"002\" workspace=\"002_b_complete\">\
    <prior_delivery>done</prior_delivery></parent></lineage><delivered/></workspace>\n";

const WRONG: &str = "<workspace id=\"002-other\" status=\"done\" depends=\"001 077\"><implementation><delta>no/where.py</delta>\
    <delta>/a</delta><delta>/a</delta><verify>if true || true</verify><verify_source>no.py</verify_source><budget>2</budget>\
    <preflight/></implementation><framework_confidence>7</framework_confidence><idoms/>\
    <idioms><required>x</required><forbidden>X.</forbidden><forbidden regex=\"(\">y</forbidden></idioms>\
    <code_context path=\"calc.py\" lines=\"1-1\"><content>LIMIT = 9</content><exports>gone</exports></code_context>\
    <prior_knowledge><failure><fix kind=\"odd\"/><match>(</match></failure></prior_knowledge>text</workspace>\n";

const PLAN: &str = "{\"objective\": \"Serve & protect\", \"framework\": \"flask\", \"tasks\": [\
    {\"seq\": \"002\", \"slug\": \"first\", \"type\": \"SPEC\", \"delta\": [\"calc.py\"], \"verify\": \"true\"},\
    {\"seq\": \"003\", \"slug\": \"second\", \"delta\": [\"calc.py\", \"new.py\"], \"verify\": \"true\", \"budget\": 7,\
    \"target_lines\": {\"calc.py\": \"1-1\"}, \"depends\": [\"002\"]}]}";
const BAD_PLAN: &str = "{\"tasks\": [{\"seq\": \"1x\", \"slug\": \"A B\"}, {\"seq\": \"002\"}, {\"slug\": 3, \"budget\": -1}]}";

const SOURCES: &[(&str, &str)] = &[
    ("src/a.py", "def f(:\n    pass\n"),
    ("src/b.json", "{\"a\": }\n"),
    ("src/c.rs", "fn main( {}\n"),
    ("src/d.js", "let = = 1;\n"),
    ("src/e.toml", "[a\nb = 1\n"),
    ("src/f.yaml", "a: [1\nb: 2\n"),
    ("src/g.go", "package a\nfunc ( {\n"),
    ("src/h.ts", "let a: = 1;\n"),
    ("src/fine.py", "A = 1\n"),
    ("src/unknown.xyz", "?\n"),
];

const LISTED: &[(&str, &str)] = &[
    (
        ".ftl/workspace/002_done_complete.xml",
        "<workspace status=\"complete\"><delivered>x</delivered></workspace>",
    ),
    (".ftl/workspace/003_stuck_blocked.xml", "<workspace status=\"blocked\"/>"),
    (
        ".ftl/workspace/004_next_active.xml",
        "<workspace status=\"active\" depends=\"001 002 003 099\"/>",
    ),
    (".ftl/workspace/005_broken_active.xml", "<workspace>\n<a>"),
    (".ftl/workspace/notes.txt", "mine\n"),
];

pub(super) const COMMANDS: &[Build] = &[
    command("status", &["status"]).files(LISTED),
    command("status of nothing", &["status"]).world("rm -r .ftl"),
    command("status of a task under way", &["status"])
        .task("<delta>calc.py</delta><verify>echo > ../started; read line &lt; ../go</verify>")
        .script(
            "mkfifo ../started ../go; \"$FTL\" build 001 >../first.out 2>../first.err & read line < ../started\n\
             \"$FTL\" \"$@\"; code=$?; echo > ../go; wait; exit $code",
        ),
    command("preflight of a directory", &["preflight", "src"]).files(SOURCES),
    command("preflight, embedded", &["preflight", "src", "--checker", "embedded", "--strict"]).files(SOURCES),
    command("preflight of what is fine", &["preflight", "calc.py"]),
    command("preflight of what is not there", &["preflight", "no.py"]),
    command("preflight of standard input", &["preflight", "--stdin", "--language", "python"])
        .script("echo 'LIMIT = (' | \"$FTL\" \"$@\""),
    command("validate what is fine", &["workspace", "validate", ACTIVE]),
    command("validate what is wrong", &["workspace", "validate", ".ftl/workspace/002_other_active.xml", ACTIVE])
        .files(&[(".ftl/workspace/002_other_active.xml", WRONG)]),
    command("validate what cannot be read", &["workspace", "validate", ACTIVE])
        .document("<workspace>\n  <delta>a</dleta>\n"),
    command("parse", &["workspace", "parse", ACTIVE]).document(FULL).fixed(),
    command("parse in full", &["workspace", "parse", "--full", ACTIVE]).document(FULL).fixed(),
    command("parse what cannot be read", &["workspace", "parse", ACTIVE]).document("<a><b></a>").fixed(),
    command("create from a plan", &["workspace", "create", "--plan", "../plan.json"])
        .files(&[("../plan.json", PLAN)])
        .fixed(),
    command("create from a bad plan", &["workspace", "create", "--plan", "../plan.json"])
        .files(&[("../plan.json", BAD_PLAN)])
        .fixed(),
    command("complete manually", &["workspace", "complete", ACTIVE, "--delivered", "a <limit> & more", "--utilized"])
        .options(&["[{\"name\": \"n\", \"type\": \"failure\"}]"])
        .fixed(),
    command("complete what is complete", &["workspace", "complete", ".ftl/workspace/002_done_complete.xml"])
        .options(&["--delivered", "x"])
        .files(LISTED)
        .fixed(),
    command("block manually", &["workspace", "block", ACTIVE, "--reason", "reason\nunknown"]).fixed(),
    command("a new task", &["new", "Keep <limits> & more", "--delta", "calc.py", "new.py", "--verify", "true"])
        .options(&["--verify-source", "calc.py", "--budget", "9"])
        .fixed(),
    command("a new task that is built", &["new", "the limit", "--delta", "calc.py", "--verify", "true"])
        .options(&["--build", "--agent", "echo 'LIMIT = 20' > calc.py", "--events", "../events"])
        .fixed(),
    command("a new task without a verify", &["new", "the limit", "--delta", "calc.py"]).fixed(),
    command("the graph", &["graph"]).fixed(),
    command("the graph for Graphviz", &["graph", "--format", "dot"]).fixed(),
    build("events on standard output")
        .agent("echo 'LIMIT = 20' > calc.py")
        .options(&["--events", "-"])
        .fixed(),
    command("help", &["build", "--help"]).fixed(),
    command("no command", &[]).fixed(),
    command("completions", &["completions", "bash"]).fixed(),
];
