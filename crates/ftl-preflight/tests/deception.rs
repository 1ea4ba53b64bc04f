//! A search for text that is nested more deeply than it is measured to be.
//!
//! Every unit of a few words, repeated until a parser that went down a level for each would need
//! more stack than it is given, is checked on a small stack. What is not measured as deep must
//! not overflow it. An overflow ends the process, so the search runs in separate processes and
//! goes on after the unit that ended one.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use ftl_preflight::{Checker, CheckerName, Options, Source};
use tempfile::TempDir;

/// Gives a process of the search its language, its first unit, and a file for its progress.
const ROLE: &str = "FTL_DECEPTION";
/// Names the number of units of a language, the shortest first.
const CASES: &str = "FTL_CASES";
/// More than there are of a single word.
const SHORT: usize = 300;
/// Deep enough for whatever a unit looks like once, and little stack.
const NESTING: usize = 150;
/// How often a unit is repeated: at a kilobyte of stack a level twice as much as there is.
const TIMES: usize = 8_000;

/// What the search needs to know of a language.
struct Language {
    name: &'static str,
    /// Texts to begin with.
    starts: &'static [&'static str],
    /// Apart by blanks; `^` ends a line, `_` indents the next.
    words: &'static str,
}

const LANGUAGES: &[Language] = &[
    Language {
        name: "a.ts",
        starts: &["", "x = ", "type A = "],
        words: "( ) [ ] { } < > , ; ^ a => ? : = ! | & / ` ${ ' @ ... if(a) else for(;;) do async \
                function class extends keyof typeof new as infer is case await yield import( <a> \
                </a> a: a<a,",
    },
    Language {
        name: "a.jsx",
        starts: &["", "x = "],
        words: "( ) { } < > , ; ^ a => ? : = / ` ${ ' <a> </a> <a /> <> b={ ... if(a) else while(a)",
    },
    Language {
        name: "a.rs",
        starts: &["", "fn f() { ", "type A = ", "fn f() { match a { "],
        words: "( ) [ ] { } < > , ; :: ^ a => -> ? : = ! | & . .. # * 1 'a if else for in while \
                loop match return break move async unsafe const let fn impl dyn where as mod trait \
                a<a,",
    },
    Language {
        name: "a.py",
        starts: &["", "x = ", "def f():\n "],
        words: "( ) [ ] { } , ; ^ ^_ a : = := | - * ** . @ f' ' lambda a,b: not await yield if else \
                for in with as match case def class ... a,",
    },
    Language {
        name: "a.go",
        starts: &["package a\nfunc f() { ", "package a\nvar x = ", "package a\ntype T "],
        words: "( ) [ ] { } , ; ^ a : = := | - * & <- . ... ~ func( if else for range switch case go \
                map[ chan struct{ interface{ a: (type)",
    },
    Language { name: "a.yaml", starts: &[""], words: "[ ] { } , ^ ^_ a : - ? &a *a ! |^ '" },
    Language { name: "a.toml", starts: &["", "a = "], words: "[ ] { } , ^ a . = ' \"\"\" 1 #" },
    Language { name: "a.jsonc", starts: &[""], words: "[ ] { } , ^ : \"a\" 1 // /*" },
];

#[test]
fn no_text_overflows_the_stack_that_its_measure_calls_for() {
    if let Ok(role) = env::var(ROLE) {
        return search(&role);
    }
    let count = env::var(CASES).map_or(SHORT, |count| count.parse().unwrap());
    let found: Vec<String> = LANGUAGES.iter().flat_map(|it| deceivers(it, count)).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// The units that ended a process.
fn deceivers(language: &Language, count: usize) -> Vec<String> {
    let directory = TempDir::new().unwrap();
    let progress = directory.path().join("at");
    let (mut found, mut next) = (Vec::new(), 0);
    while next < count && found.len() < 20 {
        let role = format!("{}\t{count}\t{next}\t{}", language.name, progress.display());
        if is_survived(&role) {
            break;
        }
        let at: usize = fs::read_to_string(&progress).unwrap().parse().unwrap();
        found.push(format!("{} {:?}", language.name, unit(language, at)));
        next = at + 1;
    }
    println!("{}: {count} units, {} overflow", language.name, found.len());
    found
}

#[expect(clippy::disallowed_methods, reason = "a process that is expected to abort")]
fn is_survived(role: &str) -> bool {
    Command::new(env::current_exe().unwrap())
        .args(["--exact", "deception::no_text_overflows_the_stack_that_its_measure_calls_for"])
        .env(ROLE, role)
        .output()
        .unwrap()
        .status
        .success()
}

/// The start and the unit of a number. The shortest units come first.
fn unit(language: &Language, number: usize) -> (&'static str, String) {
    let (start, mut rest) = (number % language.starts.len(), number / language.starts.len());
    let all: Vec<_> = language.words.split(' ').collect();
    let mut unit = String::new();
    loop {
        unit.push_str(all[rest % all.len()]);
        unit.push(' ');
        rest /= all.len();
        let Some(left) = rest.checked_sub(1) else { break };
        rest = left;
    }
    let unit = unit.replace("^_", "\n").replace("^ ", "\n");
    (language.starts[start], unit)
}

fn search(role: &str) {
    let [name, count, first, progress] = role.split('\t').collect::<Vec<_>>()[..] else {
        panic!("{role}");
    };
    let (count, first): (usize, usize) = (count.parse().unwrap(), first.parse().unwrap());
    let language = LANGUAGES.iter().find(|it| it.name == name).unwrap();
    let options = Options::default().with_checker(CheckerName::Embedded).with_nesting(NESTING);
    let checker = Checker::new(options);
    for number in first..count {
        fs::write(Path::new(progress), number.to_string()).unwrap();
        let (start, unit) = unit(language, number);
        let text = format!("{start}{}", unit.repeat(TIMES));
        drop(checker.check_source(Source::new(name, &text)));
    }
}
