//! Documents like workspaces, and near misses, from a seed.

use std::fmt::Write;

use ftl_testkit::random::{Draw as _, Rng};

const NAMES: &[&str] = &[
    "objective",
    "implementation",
    "implementation",
    "delta",
    "delta",
    "verify",
    "verify_source",
    "budget",
    "preflight",
    "code_context",
    "content",
    "exports",
    "imports",
    "idioms",
    "required",
    "forbidden",
    "framework_confidence",
    "prior_knowledge",
    "failure",
    "trigger",
    "fix",
    "match",
    "pattern",
    "insight",
    "lineage",
    "parent",
    "prior_delivery",
    "delivered",
    "memory_utilization",
    "utilized",
    "run",
    "note",
    "p:delta",
    "größe",
];

/// Which elements usually stand inside which.
const HOMES: &[(&str, &[&str])] = &[
    (
        "workspace",
        &[
            "objective",
            "implementation",
            "code_context",
            "idioms",
            "framework_confidence",
            "prior_knowledge",
            "lineage",
            "delivered",
            "memory_utilization",
            "note",
        ],
    ),
    (
        "implementation",
        &["delta", "verify", "verify_source", "budget", "preflight", "implementation"],
    ),
    ("code_context", &["content", "exports", "imports"]),
    ("idioms", &["required", "forbidden"]),
    ("prior_knowledge", &["failure", "pattern"]),
    ("failure", &["trigger", "fix", "match"]),
    ("pattern", &["trigger", "insight"]),
    ("lineage", &["parent", "prior_delivery"]),
    ("parent", &["prior_delivery"]),
    ("memory_utilization", &["utilized"]),
    ("note", &["implementation", "delta"]),
];

const ATTRIBUTES: &[&str] = &[
    "id",
    "status",
    "created_at",
    "completed_at",
    "blocked_at",
    "path",
    "lines",
    "framework",
    "confidence",
    "name",
    "cost",
    "saved",
    "injected",
    "type",
    "seq",
    "workspace",
    "kind",
    "tags",
    "depends",
    "p:name",
    "xml:lang",
];

const NUMBERS: &[&str] = &[
    "5",
    "0",
    "-3",
    "+7",
    " 12 ",
    "\n4\t",
    "007",
    "",
    " ",
    "x",
    "1_000",
    "٣",
    "3.5",
    "0.85",
    "1e3",
    ".5",
    "5.",
    "nan",
    "inf",
    "1e999",
    "9223372036854775807",
    "9223372036854775808",
    "- 3",
    "\u{a0}6\u{2003}",
    "0x10",
    "--1",
    "1e",
    "+.5",
];

const WORDS: &[&str] = &[
    "true",
    "false",
    "failure",
    "001",
    "src/a.py",
    "a b",
    "",
    " ",
    "größer",
    "日本",
    "\u{1F600}",
    "x;y",
    "]]",
    "]",
    ">",
    "\"",
    "'",
];

const ESCAPES: &[&str] =
    &["&amp;", "&lt;", "&gt;", "&quot;", "&apos;", "&#65;", "&#x1F600;", "&#13;", "&#10;", "&#9;"];

const SPACES: &[&str] = &[" ", "\n", "\r\n", "\r", "\t", "  "];

/// A well-formed document.
pub(crate) fn document(random: &mut Rng) -> String {
    let mut out = String::new();
    if random.one_in(8) {
        out.push('\u{feff}');
    }
    if random.one_in(2) {
        out.push_str(random.pick(&[
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>",
            "<?xml version='1.0'?>",
            "<?xml version=\"1.0\" encoding='UTF-8' standalone=\"yes\" ?>",
        ]));
    }
    misc(random, &mut out);
    element(random, "workspace", 0, &mut out);
    misc(random, &mut out);
    out
}

/// A document in which a few bytes were changed; most are not well-formed.
pub(crate) fn mutant(random: &mut Rng) -> Vec<u8> {
    let mut bytes = document(random).into_bytes();
    damage(random, &mut bytes);
    bytes
}

/// Changes a few bytes.
pub(crate) fn damage(random: &mut Rng, bytes: &mut Vec<u8>) {
    const PIECES: &[&str] = &[
        "<",
        ">",
        "&",
        "\"",
        "'",
        "=",
        "/",
        "-",
        "--",
        "]]>",
        "<!--",
        "-->",
        "<![CDATA[",
        "<?",
        "?>",
        "</",
        "/>",
        "xmlns",
        "xmlns:p",
        ":",
        "&amp;",
        "&#0;",
        "&x;",
        "\u{0}",
        "\u{1b}",
        "\u{fffe}",
        "\r",
        " ",
        "<a/>",
        "<?xml version='1.0'?>",
        "<!DOCTYPE w>",
        "é",
        "1",
        ";",
        "#",
    ];
    for _ in 0..=random.below(3) {
        if bytes.is_empty() {
            return;
        }
        let at = random.below(bytes.len());
        match random.below(4) {
            0 => drop(bytes.remove(at)),
            1 => {
                let end = (at + random.below(12)).min(bytes.len());
                drop(bytes.drain(at..end));
            }
            2 => {
                let piece = random.pick(PIECES).bytes();
                bytes.splice(at..at, piece).for_each(drop);
            }
            _ => {
                let piece = random.pick(PIECES).bytes();
                bytes.splice(at..=at, piece).for_each(drop);
            }
        }
    }
}

fn misc(random: &mut Rng, out: &mut String) {
    while random.one_in(3) {
        let choice = random.pick(&["\n", "<!-- a > b -->", "<?pi some ?data?>", "\r\n", "<!---->"]);
        out.push_str(choice);
    }
}

fn element(random: &mut Rng, name: &str, depth: usize, out: &mut String) {
    out.push('<');
    out.push_str(name);
    attributes(random, name, depth, out);
    if random.one_in(8) {
        out.push_str(random.pick(SPACES));
    }
    if depth > 0 && random.one_in(8) {
        out.push_str("/>");
        return;
    }
    out.push('>');
    let is_number = matches!(name, "budget" | "framework_confidence");
    if is_number && !random.one_in(4) {
        out.push_str(number(random));
    } else {
        content(random, name, depth, out);
    }
    let space = if random.one_in(8) { " " } else { "" };
    write!(out, "</{name}{space}>").unwrap();
}

fn content(random: &mut Rng, name: &str, depth: usize, out: &mut String) {
    let home = HOMES.iter().find(|(owner, _)| *owner == name);
    let count = match (depth, home) {
        (0, _) => 4 + random.below(12),
        (_, Some(_)) => random.below(6),
        (_, None) => usize::from(random.one_in(10)),
    };
    characters(random, out);
    for _ in 0..count {
        let child = match home {
            Some((_, children)) if !random.one_in(10) => random.pick(children),
            Some(_) | None => random.pick(NAMES),
        };
        if depth < 8 {
            element(random, child, depth + 1, out);
        }
        characters(random, out);
    }
}

fn characters(random: &mut Rng, out: &mut String) {
    for _ in 0..random.below(4) {
        match random.below(12) {
            0 => out.push_str(random.pick(ESCAPES)),
            1 => out.push_str(random.pick(SPACES)),
            2 => out.push_str("<![CDATA[<raw> & \r\n]] >]]>"),
            3 => out.push_str("<![CDATA[]]>"),
            4 => out.push_str("<!-- said <b> & -->"),
            5 => out.push_str("<?pi <x> & ?>"),
            _ => {
                let word = random.pick(WORDS);
                // `]]` before a `>` would end a section that was never begun.
                if !(word.starts_with('>') && out.ends_with(']')) {
                    out.push_str(word);
                }
            }
        }
    }
}

fn attributes(random: &mut Rng, name: &str, depth: usize, out: &mut String) {
    let mut given: Vec<&str> = Vec::new();
    if depth == 0 {
        out.push_str(" xmlns:p=\"urn:p\"");
        if random.one_in(30) {
            out.push_str(" xmlns='urn:d'");
        }
    } else if random.one_in(60) {
        out.push_str(random.pick(&[" xmlns=''", " xmlns=\"urn:e\"", " xmlns:p='urn:q'"]));
    }
    let likely = HOMES.iter().any(|(owner, _)| *owner == name) || name == "utilized";
    let count = if likely { random.below(5) } else { usize::from(random.one_in(8)) };
    for _ in 0..count {
        let attribute = random.pick(ATTRIBUTES);
        if !given.contains(&attribute) {
            given.push(attribute);
            value(random, attribute, out);
        }
    }
}

/// A number, usually a readable one.
fn number(random: &mut Rng) -> &'static str {
    const READABLE: usize = 6;
    let reach = if random.one_in(4) { NUMBERS.len() } else { READABLE };
    random.pick(&NUMBERS[..reach])
}

fn value(random: &mut Rng, name: &str, out: &mut String) {
    let quote = random.pick(&['"', '\'']);
    let space = random.pick(SPACES);
    let equals = random.pick(&["=", "=", "=", " = ", "=\n"]);
    write!(out, "{space}{name}{equals}{quote}").unwrap();
    let is_number = matches!(name, "cost" | "saved" | "confidence");
    let text: String = if is_number && !random.one_in(6) {
        number(random).to_owned()
    } else {
        (0..random.below(3))
            .map(|_| match random.below(4) {
                0 => random.pick(ESCAPES),
                1 => random.pick(SPACES),
                _ => random.pick(WORDS),
            })
            .collect()
    };
    out.extend(text.chars().filter(|&c| c != quote));
    out.push(quote);
}
