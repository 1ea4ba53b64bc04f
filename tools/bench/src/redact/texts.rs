//! Outputs as tests and builds print them, with what redaction looks at twice: dots, URLs, digests.
//!
//! A mebibyte of each is made from a fixed seed and printed again and again.

/// A kind of output.
#[derive(Debug)]
pub(super) struct Text {
    /// What it is, for the page.
    pub(super) what: &'static str,
    line: fn(&mut Random) -> String,
}

/// In the order of the page.
pub(super) const TEXTS: &[Text] = &[
    Text { what: "test results, compiler messages and stack frames", line: report },
    Text { what: "JSON lines of a service, with digests and URLs", line: service },
    Text { what: "a bundle of minified JavaScript in long lines", line: minified },
];

const WORDS: &[&str] = &[
    "adapter", "buffer", "cache", "decode", "engine", "format", "handler", "index", "journal",
    "key", "layout", "matrix", "node", "order", "parser", "query", "record", "schema", "token",
    "user", "vector", "window",
];

impl Text {
    /// A mebibyte of it.
    pub(super) fn mebibyte(&self) -> Vec<u8> {
        const SIZE: usize = 1 << 20;
        let mut random = Random(0x9E37_79B9_7F4A_7C15);
        let mut text = String::with_capacity(SIZE + 4096);
        while text.len() < SIZE {
            text.push_str(&(self.line)(&mut random));
            text.push('\n');
        }
        text.into_bytes()
    }
}

/// xorshift64.
#[derive(Debug)]
pub(super) struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    fn word(&mut self) -> &'static str {
        let words = WORDS.len() as u64;
        usize::try_from(self.below(words)).map_or("word", |at| WORDS[at])
    }
}

fn report(random: &mut Random) -> String {
    let (one, two, three) = (random.word(), random.word(), random.word());
    let number = random.below(900);
    match random.below(8) {
        0..=2 => {
            format!("tests/{one}/test_{two}.py::TestSuite::test_{three}_{number} PASSED [ 42%]")
        }
        3 => format!("test {one}::{two}::tests::{three}_{number} ... ok"),
        4 => format!("  File \"/srv/app/{one}/{two}.py\", line {number}, in {three}"),
        5 => format!(
            "   Compiling {one}-{two} v1.{number}.0 (registry+https://index.example/{three})"
        ),
        6 => format!("src/{one}/{two}.rs:{number}:17: warning: unused variable: `{three}`"),
        _ => format!("    at {one}.{two} (/srv/app/node_modules/{three}/lib/index.js:{number}:21)"),
    }
}

fn service(random: &mut Random) -> String {
    format!(
        "{{\"time\":\"2026-01-18T01:30:56.{:03}Z\",\"level\":\"info\",\"url\":\"https://api.example/v1/{}/{}\",\
         \"etag\":\"{:016x}{:016x}\",\"request\":\"{:08x}-0000-4000-8000-{:012x}\",\"ms\":{}.{}}}",
        random.below(1000),
        random.word(),
        random.below(10_000),
        random.next(),
        random.next(),
        random.below(1 << 32),
        random.below(1 << 48),
        random.below(100),
        random.below(1000),
    )
}

fn minified(random: &mut Random) -> String {
    let mut line = String::new();
    while line.len() < 60_000 {
        let (one, two) = (random.word(), random.word());
        let number = random.below(100);
        line.push_str(&format!(
            "function {one}{number}(e,t){{return e.{two}?t.{one}(e.{two}.length-{number}):\"{two}-\"+t[{number}]}}var a={{{one}:1}};"
        ));
    }
    line
}
