//! How each runner is given names: a table, and what no table says.

use super::super::FoundFailure;
use super::options::{Words, escaped, lua_escaped, strings};
use crate::constants::ConstPattern;
use crate::shell::program::Program;

/// Where the words of a test's name join.
static TITLE_WORD: ConstPattern = ConstPattern::new(r"([a-z])([A-Z0-9])");
/// Mocha's: the hook is run with the test that it names.
static HOOK: ConstPattern =
    ConstPattern::new(r#"(?:^| > | )"(?:before|after) (?:all|each)" hook(?:: .*?)? for "(.*)"$"#);
/// Commands that are put together at most; beyond, one runs some other tests too.
const MAX_COMMANDS: usize = 5;

/// The columns of the table's rows of this kind.
fn rows(kind: &str) -> impl Iterator<Item = Vec<&'static str>> {
    let rows = include_str!("runners.tsv").lines().map(|row| row.split('\t').collect::<Vec<_>>());
    rows.filter(move |columns| columns[0] == kind)
}

/// Options without a value.
fn flags(name: &str) -> &'static str {
    rows("flags").find(|columns| columns[1] == name).map_or("", |columns| columns[2])
}

/// The words behind the program's name that run only these tests: several times, where a runner can't be given names
/// of several packages or files at once.
pub(super) fn several(
    program: &Program<'_>,
    failures: &[&FoundFailure],
) -> Option<Vec<Vec<String>>> {
    // Go: the package and the test around; else the file, or the class of test-unit.
    let name = |it: &FoundFailure| it.failure.test.clone().unwrap_or_default();
    let parent = |it: &FoundFailure| {
        format!(
            "{:?} {:?}",
            it.origin,
            name(it).rsplit_once('/').map(|(above, _)| above.to_owned())
        )
    };
    let file = |it: &FoundFailure| {
        it.origin.as_deref().unwrap_or_default().split(':').take(1).collect::<String>()
    };
    let all: Vec<String> = names(failures).collect();
    let class = |it: &FoundFailure| name(it).split('(').skip(1).collect::<String>();
    // green leaves out a name that begins with another one.
    let within = |it: &FoundFailure| {
        let begins = |other: &&String| name(it).len() > other.len() && name(it).starts_with(*other);
        all.iter().filter(begins).count().to_string()
    };
    let group: &dyn Fn(&FoundFailure) -> String = match (program.name, program.arguments.as_slice())
    {
        ("go", ["test", ..]) | ("gotestsum", _) => &parent,
        ("mix" | "node" | "jest" | "vitest" | "bun", _) => &file,
        ("ruby", _) if failures[0].runner == Some("test-unit") => &class,
        ("green", _) => &within,
        _ => return Some(vec![arguments(program, failures)?]),
    };
    let mut groups: Vec<(String, Vec<&FoundFailure>)> = Vec::new();
    for found in failures {
        let key = group(found);
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, of)) => of.push(found),
            None => groups.push((key, vec![found])),
        }
    }
    if groups.len() > MAX_COMMANDS {
        return Some(vec![arguments(program, failures)?]);
    }
    groups.iter().map(|(_, of)| arguments(program, of)).collect()
}

/// The words behind the program's name that run these tests.
fn arguments(program: &Program<'_>, failures: &[&FoundFailure]) -> Option<Vec<String>> {
    let all = program.arguments.as_slice();
    match (program.name, all) {
        ("tox" | "nox", _) => {
            let end = all.iter().position(|word| *word == "--").unwrap_or(all.len());
            Some([strings(&all[..end]), strings(&["--"]), values("id", failures)?].concat())
        }
        ("unittest", ["discover", rest @ ..]) => {
            let starts =
                |word: &&str| ["-s", "-t", "-p", "--"].iter().any(|it| word.starts_with(it));
            let is_moved = rest.iter().any(|it| starts(it) || !it.starts_with('-'));
            if is_moved { None } else { by_table(program.name, rest, failures) }
        }
        ("cargo", ["test" | "t", rest @ ..]) => cargo_test(all[0], rest, failures),
        ("go", ["test", rest @ ..]) => go_test(&["test"], rest, failures, str::to_owned),
        ("gotestsum", _) => {
            let end = all.iter().position(|word| *word == "--");
            let (own, rest) = all.split_at(end.unwrap_or(all.len()));
            let own = Words::of(own, flags("gotestsum"), "", failures).options;
            let head = [own.as_slice(), &["--"]].concat();
            // It names a package by its directory.
            let path = |it: &str| if it.contains('.') { it.to_owned() } else { format!("./{it}") };
            go_test(&head, rest.get(1..).unwrap_or_default(), failures, path)
        }
        ("java", _) => {
            let is_kept =
                |it: &&str| !it.starts_with("--scan-class") && !it.starts_with("--select-");
            let kept = all.iter().copied().filter(is_kept).map(str::to_owned);
            Some(kept.chain(filled("--select-method={name}()", failures)?).collect())
        }
        ("node", _) if !all.contains(&"--test") => by_names(all, failures),
        (name, _) => by_table(name, all, failures),
    }
}

/// The words of a runner in the table, or of one that is known by its names.
fn by_table(name: &str, all: &[&str], failures: &[&FoundFailure]) -> Option<Vec<String>> {
    let is_word = |word: &&str, wanted: &str| match wanted.strip_prefix('*') {
        Some(ending) => word.ends_with(ending),
        None => *word == wanted,
    };
    let runs_tests = |columns: &Vec<&str>| {
        let mut words = all.iter();
        let mut head = columns[2].split_whitespace();
        columns[1].split(' ').any(|it| it == name)
            && head.all(|wanted| words.next().is_some_and(|word| is_word(word, wanted)))
    };
    let Some(columns) = rows("runner").find(runs_tests) else { return by_names(all, failures) };
    let (head, rest) = all.split_at(columns[2].split_whitespace().count());
    let words = Words::of(rest, flags(columns[3]), columns[4], failures);
    let mut written = strings(head);
    for word in columns[5].split(' ') {
        written.extend(match word {
            "OPTIONS" => strings(&words.options),
            "TARGETS" => strings(&words.targets),
            "PLACES" => places(failures)?,
            "FILE" => file(&words, failures),
            "LINES" => vec![lines(failures)?],
            "TITLES" => titles(failures),
            word => filled(word, failures)?,
        });
    }
    Some(written)
}

/// A word with tests in place of its braces.
fn filled(word: &str, failures: &[&FoundFailure]) -> Option<Vec<String>> {
    let Some((before, rest)) = word.split_once('{') else { return Some(strings(&[word])) };
    let (kind, after) = rest.split_once('}')?;
    let values = values(kind, failures)?.into_iter();
    Some(values.map(|it| format!("{before}{it}{after}")).collect())
}

/// Tests as a runner takes them: one each, or all in one.
fn values(kind: &str, failures: &[&FoundFailure]) -> Option<Vec<String>> {
    let names = names(failures);
    Some(match kind {
        "name" => names.collect(),
        // pytest takes others for files.
        "id" => {
            let is_id = |name: &String| name.contains(".py") || name.contains("::");
            names.map(|it| Some(it).filter(is_id)).collect::<Option<_>>()?
        }
        "title" => names.map(|it| last(&it, " › ")).collect(),
        "dotted" => names.map(|it| it.replace('#', ".")).collect(),
        "lua" => names.map(|it| lua_escaped(&it)).collect(),
        "list" => vec![names.collect::<Vec<_>>().join(",")],
        "names" => vec![pattern(failures, "")],
        "titles" => vec![pattern(failures, " ")],
        "last" => vec![whole(names.map(|it| escaped(&last(&it, " > "))))],
        "binaries" => {
            let tests: Vec<String> = failures.iter().map(|it| expression(it)).collect();
            vec![tests.join(" | ")]
        }
        "qunit" => {
            let titles = pattern(failures, ": ").replacen('^', "^(: )?", 1);
            vec![format!("/{}/", titles.replace(")$", ") *$"))]
        }
        "phpunit" => {
            let all = pattern(failures, "");
            let filter = format!("/{}( with data set .*)?$/", all.trim_end_matches('$'));
            // A title hides how its words were joined.
            vec![match failures[0].runner {
                Some("testdox") => TITLE_WORD.replace_all(&filter, "${1}_?$2").into_owned() + "i",
                _ => filter,
            }]
        }
        _ => return None,
    })
}

fn last(name: &str, join: &str) -> String {
    name.rsplit(join).next().unwrap_or_default().to_owned()
}

/// A test program, or a file of tests that is run as a program: known by the form of its names.
fn by_names(all: &[&str], failures: &[&FoundFailure]) -> Option<Vec<String>> {
    let runner = failures[0].runner;
    if failures.iter().any(|it| it.runner != runner) {
        return None;
    }
    let more = match runner? {
        "googletest" => {
            vec![format!("--gtest_filter={}", names(failures).collect::<Vec<_>>().join(":"))]
        }
        "catch2" => {
            let name =
                |it: String| it.replace('\\', "\\\\").replace(',', "\\,").replace('[', "\\[");
            vec![names(failures).map(name).collect::<Vec<_>>().join(",")]
        }
        "test-unit" => {
            let (_, class) =
                failures[0].failure.test.as_deref()?.trim_end_matches(')').split_once('(')?;
            let methods =
                names(failures).map(|it| it.split('(').next().unwrap_or_default().to_owned());
            let pattern = format!("/^({})$/", methods.collect::<Vec<_>>().join("|"));
            ["-t", class, "-n", &pattern].map(str::to_owned).to_vec()
        }
        "numbered" if names(failures).all(|it| it.contains('#')) => {
            vec!["-n".to_owned(), format!("/{}/", pattern(failures, ""))]
        }
        _ => return None,
    };
    let is_filter = |word: &&&str| word.starts_with("--gtest_filter");
    let kept = all.iter().filter(|word| !is_filter(word)).map(|word| (*word).to_owned());
    Some(kept.chain(more).collect())
}

/// Names, each once.
fn names<'a>(failures: &'a [&FoundFailure]) -> impl Iterator<Item = String> + Clone + 'a {
    let name = |at: usize| failures[at].failure.test.as_deref();
    let is_first = move |at: &usize| (0..*at).all(|before| name(before) != name(*at));
    (0..failures.len()).filter(is_first).filter_map(move |at| name(at).map(str::to_owned))
}

/// A pattern of whole names, the parts of which are put together by `join`.
fn pattern(failures: &[&FoundFailure], join: &str) -> String {
    whole(names(failures).map(|name| match join {
        "" => escaped(&name),
        join => escaped(&HOOK.replace_all(&name, " > $1")).replace(" > ", join),
    }))
}

fn whole(patterns: impl Iterator<Item = String>) -> String {
    let mut once: Vec<String> = Vec::new();
    for pattern in patterns {
        if !once.contains(&pattern) {
            once.push(pattern);
        }
    }
    format!("^({})$", once.join("|"))
}

/// The files, or the lines of files, that the runner itself names for the tests.
fn places(failures: &[&FoundFailure]) -> Option<Vec<String>> {
    let mut places: Vec<String> = Vec::new();
    for found in failures {
        let place = found.origin.as_ref().or(found.failure.path.as_ref())?;
        if !places.contains(place) {
            places.push(place.clone());
        }
    }
    Some(places)
}

/// The file of the first test, unless one file alone is run.
fn file(words: &Words<'_>, failures: &[&FoundFailure]) -> Vec<String> {
    let is_file = words.targets.len() == 1 && words.targets[0].contains('.');
    let file = failures[0].origin.clone().filter(|_| !is_file);
    file.map_or_else(|| strings(&words.targets), |file| vec![file])
}

/// The first file with the lines of all tests: `test/a_test.exs:3:9`.
fn lines(failures: &[&FoundFailure]) -> Option<String> {
    let mut lines = failures.iter().filter_map(|it| it.origin.as_deref()?.split_once(':'));
    let (file, first) = lines.next()?;
    Some(lines.fold(format!("{file}:{first}"), |all, (_, line)| format!("{all}:{line}")))
}

/// Jest, Vitest and Bun: a pattern of whole names, in which suites are parted by blanks. A file that could not be run is
/// run as a whole, with what else is in the others.
fn titles(failures: &[&FoundFailure]) -> Vec<String> {
    match failures.iter().any(|it| it.failure.test == it.origin) {
        true => Vec::new(),
        false => vec!["-t".to_owned(), pattern(failures, " (?:[>›] )?")],
    }
}

/// Doctests are run by `--doc`, and their names can't be given whole.
fn cargo_test(subcommand: &str, rest: &[&str], failures: &[&FoundFailure]) -> Option<Vec<String>> {
    if names(failures).any(|name| name.contains(' ')) {
        return None;
    }
    let words = Words::of(rest, flags("cargo"), "", failures);
    let rest = Words::of(words.rest.unwrap_or_default(), flags("libtest"), "", failures);
    let is_new = |it: &&str| *it != "--exact";
    let options = rest.options.iter().copied().filter(is_new).map(str::to_owned);
    let more = options.chain(["--exact".to_owned()]).chain(names(failures));
    Some([vec![subcommand.to_owned()], words.with(["--".to_owned()]), more.collect()].concat())
}

/// nextest's: a test of one binary.
fn expression(found: &FoundFailure) -> String {
    let test = format!("test(={})", found.failure.test.as_deref().unwrap_or_default());
    match &found.origin {
        Some(binary) => format!("binary_id({binary}) & {test}"),
        None => test,
    }
}

/// A pattern for each level of subtests, and the packages that failed in place of those that are run.
fn go_test(
    head: &[&str],
    rest: &[&str],
    failures: &[&FoundFailure],
    path: fn(&str) -> String,
) -> Option<Vec<String>> {
    if rest.contains(&"-args") {
        return None;
    }
    let words = Words::of(rest, flags("go"), "-run --run -test.run", failures);
    let names: Vec<String> = names(failures).collect();
    let depth = names.iter().map(|name| name.split('/').count()).min().unwrap_or(1);
    let levels = (0..depth).map(|level| {
        let mut parts: Vec<String> =
            names.iter().filter_map(|name| name.split('/').nth(level)).map(escaped).collect();
        parts.sort();
        parts.dedup();
        match parts.as_slice() {
            [only] => format!("^{only}$"),
            all => format!("^({})$", all.join("|")),
        }
    });
    let pattern = levels.collect::<Vec<_>>().join("/");
    let mut packages: Vec<String> = failures.iter().filter_map(|it| it.origin.clone()).collect();
    packages.sort();
    packages.dedup();
    let targets = match packages.is_empty() {
        true => strings(&words.targets),
        false => packages.iter().map(|it| path(it)).collect(),
    };
    let run = ["-run".to_owned(), pattern];
    Some([strings(head), run.to_vec(), words.with(targets)].concat())
}
