//! Texts whose size, depth or shape is out of proportion: sources, task files, plans, configurations.

use super::{Bomb, Limits, SMALL};

/// `(what, the file, Python that gives its text, command)`.
type Text = (&'static str, &'static str, &'static str, &'static [&'static str]);

const CHECK: &[&str] = &["preflight", "--checker", "embedded", "bombs"];
const PARSE: &[&str] = &["workspace", "parse", ".ftl/workspace/002_u_active.xml"];
const VALIDATE: &[&str] = &["workspace", "validate", ".ftl/workspace/002_u_active.xml"];
const TASK: &str = ".ftl/workspace/002_u_active.xml";
const PLANNED: &[&str] = &["workspace", "create", "--plan", "plan.json"];

const SOURCES: &[Text] = &[
    ("brackets", "bombs/a.py", "'(' * (1 << 20)", CHECK),
    ("brackets", "bombs/a.js", "'[' * (1 << 20)", CHECK),
    ("brackets", "bombs/a.ts", "'{' * (1 << 20)", CHECK),
    ("brackets", "bombs/a.go", "'package a; var x = ' + '(' * (1 << 20)", CHECK),
    ("brackets", "bombs/a.rs", "'fn f() {' + '(' * (1 << 20)", CHECK),
    ("brackets", "bombs/a.json", "'[' * (1 << 20)", CHECK),
    ("brackets", "bombs/a.toml", "'a = ' + '[' * (1 << 20)", CHECK),
    ("brackets", "bombs/a.yaml", "'[' * (1 << 20)", CHECK),
    (
        "anchors that multiply",
        "bombs/b.yaml",
        "'a0: &a0 [x]\\n' + ''.join('a%d: &a%d [%s]\\n' % (n, n, ','.join(['*a%d' % (n - 1)] * 9)) for n in range(1, 60))",
        CHECK,
    ),
    ("additions", "bombs/b.py", "'x = ' + '1+' * (1 << 19) + '1'", CHECK),
    ("else if", "bombs/b.js", "'if(a){}' + 'else if(a){}' * 80000", CHECK),
    (
        "a line of a megabyte with a mistake at its end",
        "bombs/c.py",
        "'x = [' + '1,' * (1 << 19) + ' def'",
        CHECK,
    ),
    ("a million mistakes", "bombs/d.ts", "'let = ;\\n' * 130000", CHECK),
    ("templates", "bombs/d.js", "'`${' * (1 << 18)", CHECK),
    ("bytes that are no text", "bombs/e.py", "'\\x00\\x01' * (1 << 19)", CHECK),
    (
        "60 MB of statements",
        "bombs/f.py",
        "'x = 1\\n' * 10000000",
        &["preflight", "--checker", "embedded", "bombs/f.py"],
    ),
];

const DOCUMENTS: &[Text] = &[
    ("an element in an element, and so on", TASK, "'<workspace>' + '<a>' * 300000", PARSE),
    (
        "attributes",
        TASK,
        "'<workspace ' + ' '.join('a%d=\"\"' % n for n in range(300000)) + '/>'",
        PARSE,
    ),
    ("elements", TASK, "'<workspace>' + '<a/>' * 900000 + '</workspace>'", PARSE),
    (
        "references",
        TASK,
        "'<workspace><objective>' + '&amp;' * 800000 + '</objective></workspace>'",
        PARSE,
    ),
    (
        "a document type",
        TASK,
        "'<!DOCTYPE a [' + ''.join('<!ENTITY a%d \"%s\">' % (n, '&a%d;' % (n - 1) * 9) for n in range(1, 30)) + ']><workspace>&a29;</workspace>'",
        PARSE,
    ),
    (
        "a line of 4 MB with a mistake at its end",
        TASK,
        "'<workspace>' + 'x' * 4000000 + '</workspac>'",
        VALIDATE,
    ),
    (
        "a line of 70 KB with a mistake at its end",
        TASK,
        "'<workspace status=\"active\">' + 'x' * 70000 + '</workspac>'",
        &["build", "002"],
    ),
    (
        "50,000 commands",
        TASK,
        "'<workspace status=\"active\"><implementation><delta>src/a.py</delta><verify>true</verify>' + '<preflight>true</preflight>' * 50000 + '</implementation></workspace>'",
        VALIDATE,
    ),
    (
        "100,000 delta files",
        TASK,
        "'<workspace status=\"active\"><implementation><verify>true</verify>' + ''.join('<delta>a%d</delta>' % n for n in range(100000)) + '</implementation></workspace>'",
        VALIDATE,
    ),
    (
        "100,000 delta files",
        TASK,
        "'<workspace status=\"active\"><implementation><verify>true</verify><budget>9</budget>' + ''.join('<delta>a%d</delta>' % n for n in range(100000)) + '</implementation></workspace>'",
        &["build", "002", "--dry-run"],
    ),
    (
        "2,000 patterns of large repetitions",
        TASK,
        "'<workspace status=\"active\"><implementation><delta>src/a.py</delta><verify>true</verify></implementation><idioms framework=\"none\">' + '<forbidden regex=\"((a{1,99}){1,99}){1,99}\">x</forbidden>' * 2000 + '</idioms></workspace>'",
        &["build", "002", "--dry-run"],
    ),
    (
        "2,000 patterns of large repetitions",
        TASK,
        "'<workspace status=\"active\"><implementation><delta>src/a.py</delta><verify>true</verify></implementation><idioms framework=\"none\">' + '<forbidden regex=\"((a{1,99}){1,99}){1,99}\">x</forbidden>' * 2000 + '</idioms></workspace>'",
        VALIDATE,
    ),
    (
        "a shell's nested substitutions",
        TASK,
        "'<workspace status=\"active\"><implementation><delta>src/a.py</delta><verify>' + '$(' * 200000 + '</verify></implementation></workspace>'",
        VALIDATE,
    ),
    ("arrays in arrays", "plan.json", "'[' * 10000000", PLANNED),
    (
        "20,000 tasks without a name",
        "plan.json",
        "'{\"tasks\": [' + ','.join('{\"seq\": \"%06d\"}' % n for n in range(20000)) + ']}'",
        PLANNED,
    ),
    (
        "a number of a megabyte",
        "plan.json",
        "'{\"tasks\": [{\"seq\": \"001\", \"slug\": \"a\", \"budget\": ' + '9' * 1000000 + '}]}'",
        PLANNED,
    ),
    ("keys", "ftl.toml", "''.join('a%d = 1\\n' % n for n in range(90000))", &["preflight", "src"]),
    (
        "tables in tables",
        "ftl.toml",
        "'[' + '.'.join(['a'] * 200000) + ']\\n'",
        &["preflight", "src"],
    ),
    ("arrays in arrays", "ftl.toml", "'a = ' + '[' * 500000", &["preflight", "src"]),
    ("nested in JSON", ".ftl/exploration.json", "'{\"pattern\":' * 500000", PLANNED),
    (
        "nested in JSON",
        "package.json",
        "'{\"type\":' * 100000",
        &["preflight", "--checker", "embedded", "x.js"],
    ),
    (
        "tables in tables",
        "Cargo.toml",
        "'[package.' + '.'.join(['a'] * 200000) + ']\\n'",
        &["preflight", "--checker", "embedded", "x.rs"],
    ),
    (
        "patterns",
        ".gitignore",
        "'**/a*b*c*d*e*f*g*h/**/\\n' * 30000",
        &["preflight", "--checker", "embedded", "."],
    ),
    (
        "a pattern",
        ".gitignore",
        "'*a' * 300000 + 'b\\n'",
        &["preflight", "--checker", "embedded", "."],
    ),
];

/// Every text in its file.
pub(super) fn bombs() -> Vec<Bomb> {
    let plan = r#"echo '{"tasks": [{"seq": "007", "slug": "x"}]}' >plan.json; echo 'let a' >x.js; echo 'fn f() {}' >x.rs; mkdir bombs"#;
    let bomb = |&(what, path, text, words): &Text| Bomb {
        name: format!("{what} in {path}, `ftl {}`", words.join(" ")),
        make: format!("{plan}; python3 -c \"import sys; sys.stdout.write($TEXT)\" >{path}")
            .replace(
                "$TEXT",
                &text
                    .replace('\\', "\\\\")
                    .replace('"', "\\\"")
                    .replace('$', "\\$")
                    .replace('`', "\\`"),
            ),
        words: words.to_vec(),
        limits: limits(what),
        is_large: what.starts_with("60 MB"),
    };
    SOURCES.iter().chain(DOCUMENTS).map(bomb).collect()
}

/// Parsers hold a tree of what they read, many times the size of its text.
fn limits(what: &str) -> Limits {
    match what {
        "60 MB of statements" => Limits::new(60, 6000),
        "additions" | "a million mistakes" | "arrays in arrays" => Limits::new(10, 700),
        "100,000 delta files" | "elements" | "2,000 patterns of large repetitions" => {
            Limits::new(20, 400)
        }
        _ => Limits { memory: 300, ..SMALL },
    }
}
