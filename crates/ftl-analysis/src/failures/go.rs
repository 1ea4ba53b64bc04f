//! `go test`, plain, verbose and as JSON. Messages come before or after a test's result and between those of other
//! tests, so that each line is first given to the test that printed it.

use super::draft::{Draft, dedented, spans};
use super::go_lines::{GoLine, go_lines};
use super::source_line::SourceLine;
use crate::constants::ConstPattern;
use crate::diagnosis::is_noise;

static MARK: ConstPattern =
    ConstPattern::new(r"^(?:\s*--- FAIL: |=== FAIL: |FAIL(?:\t|$)|panic: test timed out)");
static MESSAGE: ConstPattern = ConstPattern::new(r"^(\s+)([^\s:]+\.go):(\d+):(?: (.*))?$");
static CRASH: ConstPattern =
    ConstPattern::new(r"^((?:panic|fatal error): .*?)(?: \[recovered.*\])?$");
static BUILD: ConstPattern = ConstPattern::new(r"^(?:vet: )?([^\s:]+\.go):(\d+):\d+: (\S.*)$");
/// A frame of a test function: `example.com/shop.TestClose(0x39d167d4a248?)`.
static FRAME: ConstPattern =
    ConstPattern::new(r"^\S+\.((?:Test|Fuzz|Example|Benchmark)\w*)(?:\.func[\d.]+)?\(");
static RUNNING: ConstPattern = ConstPattern::new(r"^\t\t(\S+) \([\d.]+m?s\)$");
static TRACE_LABEL: ConstPattern =
    ConstPattern::new(r"^\s*(?:(?:Error Trace|Test|Messages|Error):\s*)");

/// Failed tests, crashes, errors of the compiler and packages that failed without a test.
pub(super) fn failures(lines: &[&str]) -> Vec<Draft> {
    // All that is known of a line takes far more memory than the line.
    if !lines.iter().any(|line| line.contains("FAIL") || line.contains("panic: ")) {
        return Vec::new();
    }
    let lines = go_lines(lines);
    if !lines.iter().any(|line| MARK.is_match(&line.text)) {
        return Vec::new();
    }
    let mut drafts: Vec<Draft> = (0..lines.len()).filter_map(|at| built(&lines, at)).collect();
    drafts.extend(tests(&lines));
    crashes(&lines, &mut drafts);
    silent_packages(&lines, &mut drafts);
    drafts
}

fn built(lines: &[GoLine<'_>], at: usize) -> Option<Draft> {
    let parts = BUILD.captures(&lines[at].text)?;
    let place = SourceLine::new(&parts[1], &parts[2]);
    let more = lines[at + 1..].iter().take(8).take_while(|line| line.text.starts_with('\t'));
    let more: Vec<&GoLine<'_>> = more.collect();
    let below = dedented(more.iter().map(|line| line.text.as_ref()));
    let message = match below.is_empty() {
        true => parts[3].to_owned(),
        false => format!("{}\n{below}", &parts[3]),
    };
    // The compiler's paths are those from where it was called: no package goes before them.
    let end = more.last().map_or(lines[at].at, |line| line.at) + 1;
    Some(Draft { place, message, ..Draft::of(lines[at].at..end) })
}

/// The failed tests without those that failed only because a test within them did.
fn tests(lines: &[GoLine<'_>]) -> Vec<Draft> {
    let failed: Vec<usize> = (0..lines.len()).filter(|&at| lines[at].failed.is_some()).collect();
    let name = |at: usize| lines[at].failed.as_deref().unwrap_or_default();
    let drafts = failed.iter().filter_map(|&at| {
        let draft = test(lines, at, name(at));
        let has_failed_part = failed.iter().any(|&other| {
            lines[other].package == lines[at].package
                && name(other).strip_prefix(name(at)).is_some_and(|rest| rest.starts_with('/'))
        });
        (!(has_failed_part && draft.message == lines[at].text.trim())).then_some(draft)
    });
    drafts.collect()
}

fn test(lines: &[GoLine<'_>], at: usize, name: &str) -> Draft {
    let package = &lines[at].package;
    let is_its = |line: &&GoLine<'_>| {
        line.package == *package && line.test.as_deref() == Some(name) && line.result.is_none()
    };
    let said: Vec<&GoLine<'_>> = lines.iter().filter(is_its).collect();
    let texts: Vec<&str> = said.iter().map(|line| line.text.as_ref()).collect();
    let draft = Draft {
        test: Some(name.to_owned()),
        origin: package.clone(),
        ..Draft::of(range(lines[at].at, &said))
    };
    let starts: Vec<usize> = (0..texts.len()).filter(|&at| MESSAGE.is_match(texts[at])).collect();
    if starts.is_empty() {
        let words = texts.iter().take_while(|text| !CRASH.is_match(text)).copied();
        let printed = if name.starts_with("Example") { dedented(words) } else { String::new() };
        let message = if printed.is_empty() { lines[at].text.trim().to_owned() } else { printed };
        return Draft { message, ..draft };
    }
    let messages: Vec<Message> =
        spans(&starts, texts.len()).map(|within| message(&texts[within])).collect();
    // What a test logs comes before the message that ends it.
    let place = messages.iter().rev().find_map(|message| message.place.clone());
    let place = place.or_else(|| race(lines, at));
    let message = match messages.as_slice() {
        [only] => only.text.clone(),
        all => {
            all.iter().map(|it| format!("{}: {}", it.label, it.text)).collect::<Vec<_>>().join("\n")
        }
    };
    Draft { place, message, ..draft }
}

/// From the result's line to what was said below it, or from what was said above it.
fn range(result: usize, said: &[&GoLine<'_>]) -> std::ops::Range<usize> {
    let first = said.iter().map(|line| line.at).min().unwrap_or(result);
    let last = said.iter().map(|line| line.at).max().unwrap_or(result);
    first.min(result)..last.max(result) + 1
}

/// What a test printed by one call.
struct Message {
    /// `shop_test.go:9`
    label: String,
    place: Option<SourceLine>,
    text: String,
}

/// `shop_test.go:9: text` with the lines below it; of testify's table the error and its messages.
fn message(texts: &[&str]) -> Message {
    let Some(parts) = MESSAGE.captures(texts[0]) else {
        return Message { label: String::new(), place: None, text: texts[0].to_owned() };
    };
    let label = format!("{}:{}", &parts[2], &parts[3]);
    let traced = texts.iter().position(|text| text.trim_start().starts_with("Error Trace:"));
    let trace =
        traced.and_then(|at| texts[at..].iter().take(4).find_map(|text| SourceLine::within(text)));
    let place = trace.or_else(|| SourceLine::new(&parts[2], &parts[3]));
    let is_more = |text: &&&str| {
        text.trim().is_empty() || text.starts_with(&parts[1]) && !CRASH.is_match(text)
    };
    let below = texts[1..].iter().take_while(is_more).copied();
    let error =
        traced.and_then(|_| texts.iter().position(|text| text.trim_start().starts_with("Error:")));
    let more = match error {
        Some(at) => {
            let table =
                texts[at..].iter().take_while(|text| !text.trim_start().starts_with("Test:"));
            dedented(table.map(|text| {
                TRACE_LABEL.find(text).map_or(*text, |label| &text[label.end()..]).trim()
            }))
        }
        None => dedented(below),
    };
    let first = parts.get(4).map_or("", |it| it.as_str().trim());
    let text =
        [first, &more].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n");
    Message { label, place, text }
}

/// The first place of a data race that was reported before the test failed for it.
fn race(lines: &[GoLine<'_>], failed: usize) -> Option<SourceLine> {
    let start = lines[..failed].iter().rposition(|line| line.text == "WARNING: DATA RACE")?;
    lines[start..failed].iter().find_map(|line| SourceLine::within(&line.text))
}

/// A panic ends the whole package: of the test whose result or frame is beside it.
fn crashes(lines: &[GoLine<'_>], drafts: &mut Vec<Draft>) {
    for at in 0..lines.len() {
        let Some(message) = CRASH.captures(&lines[at].text).and_then(|parts| parts.get(1)) else {
            continue;
        };
        let package = &lines[at].package;
        let length = lines[at + 1..].iter().take_while(|line| line.ends.is_none()).count();
        let body = &lines[at + 1..at + 1 + length];
        let test = crashed_test(&lines[..at], body);
        let after_runtime =
            body.iter().position(|line| line.text.starts_with("panic(")).unwrap_or(0);
        let place = body[after_runtime..].iter().find_map(|line| SourceLine::within(&line.text));
        let start = lines[at].at;
        let lines = start..body.last().map_or(start, |line| line.at) + 1;
        let known = drafts
            .iter_mut()
            .find(|it| it.test.is_some() && it.test == test && it.origin == *package);
        let message = message.as_str().to_owned();
        match known {
            Some(known) if known.place.is_some() => {}
            Some(known) => {
                *known = Draft {
                    place,
                    message,
                    lines: known.lines.start.min(start)..lines.end,
                    ..known.clone()
                };
            }
            None => drafts.push(Draft {
                test,
                place,
                message,
                origin: package.clone(),
                ..Draft::of(lines)
            }),
        }
        return;
    }
}

fn crashed_test(above: &[GoLine<'_>], body: &[GoLine<'_>]) -> Option<String> {
    let running =
        body.iter().take(20).find_map(|line| Some(RUNNING.captures(&line.text)?[1].to_owned()));
    let failed = || above.iter().rev().take(3).find_map(|line| line.failed.clone());
    let frame = || body.iter().find_map(|line| Some(FRAME.captures(&line.text)?[1].to_owned()));
    running.or_else(failed).or_else(frame)
}

/// A package that failed outside of its tests: what it said last.
fn silent_packages(lines: &[GoLine<'_>], drafts: &mut Vec<Draft>) {
    for at in 0..lines.len() {
        let Some(package) =
            lines[at].ends.as_deref().filter(|_| lines[at].text.starts_with("FAIL\t"))
        else {
            continue;
        };
        let is_its = |line: &GoLine<'_>| line.ends.is_none();
        let start = lines[..at].iter().rposition(|line| !is_its(line)).map_or(0, |end| end + 1);
        let (from, to) = (lines.get(start).map_or(0, |line| line.at), lines[at].at);
        if drafts.iter().any(|draft| {
            draft.origin.as_deref() == Some(package)
                || draft.lines.start >= from && draft.lines.start <= to
        }) {
            continue;
        }
        let said = lines[start..at].iter().rev().find(|line| !is_noise(&line.text));
        let built_elsewhere = lines[at].text.contains("[build failed]") && !drafts.is_empty();
        if built_elsewhere {
            continue;
        }
        let message =
            said.map_or(lines[at].text.as_ref(), |line| line.text.as_ref()).trim().to_owned();
        let origin = Some(package.to_owned());
        drafts.push(Draft { message, origin, ..Draft::of(from..to + 1) });
    }
}
