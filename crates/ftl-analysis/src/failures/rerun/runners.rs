//! How each runner is given names.

use super::super::FoundFailure;
use super::options::{Words, escaped, lua_escaped, strings};
use crate::constants::ConstPattern;
use crate::shell::program::Program;

/// Options without a value of the runners that are given names as words.
const PYTEST: &str = "-v -q -s -x -l -h --verbose --quiet --exitfirst --lf --ff --nf --sw --last-failed --failed-first --stepwise --pdb --no-header --no-summary --no-cov --disable-warnings --strict-markers --strict-config --showlocals --reuse-db --create-db --nomigrations --doctest-modules --runslow --full-trace --setup-show --cache-clear";
const UNITTEST: &str = "-v -q -f -b -c -vv --verbose --quiet --failfast --buffer --catch --locals --parallel --keepdb --noinput --no-input --timing --reverse --debug-mode";
const CARGO: &str = "-q -v -vv -r --quiet --verbose --release --all --workspace --lib --bins --tests --benches --examples --all-targets --doc --all-features --no-default-features --no-fail-fast --ff --fail-fast --offline --locked --frozen --no-run --no-capture --nocapture";
const ECMASCRIPT: &str = "-b -i -u -C --ci --bail --coverage --verbose --silent --watch --watchAll --run --runInBand --run-in-band --no-coverage --passWithNoTests --detectOpenHandles --forceExit --json --globals --no-color --color --colors --recursive --exit --parallel --test --only --headed --update --tap --experimental-vm-modules --experimental-test-coverage --allow-only -A --allow-all --no-check --no-cache --cache --no-file-parallelism";
const OTHERS: &str = "-v -q -c -b -t -V -w -W --verbose --quiet --testdox --stop-on-failure --no-coverage --stop-on-defect --output-on-failure --progress --pretty --tap --fail-fast --no-fail-fast --color --no-color --warnings --profile --trace --stale --failed --no-capture --stop --no-skipped --disable-banner --verbose-output";

/// Where the words of a test's name join.
static TITLE_WORD: ConstPattern = ConstPattern::new(r"([a-z])([A-Z0-9])");
/// Commands that are put together at most; beyond, one runs some other tests too.
const MAX_COMMANDS: usize = 5;

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
    let class = |it: &FoundFailure| name(it).split('(').skip(1).collect::<String>();
    let group: &dyn Fn(&FoundFailure) -> String = match (program.name, program.arguments.as_slice())
    {
        ("go", ["test", ..]) | ("gotestsum", _) => &parent,
        ("mix" | "node" | "jest" | "vitest" | "bun", _) => &file,
        ("ruby", _) if failures[0].runner == Some("test-unit") => &class,
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
    let words = |rest, flags, replaced| Words::of(rest, flags, replaced, failures);
    let named = |head: &[&str], rest, flags| {
        let found = words(rest, flags, "");
        let options = found.with(names(failures));
        Some([strings(head), options].concat())
    };
    match (program.name, all) {
        ("pytest" | "py.test", _) if names(failures).all(|it| is_id(&it)) => {
            named(&[], all, PYTEST)
        }
        ("tox" | "nox", _) if names(failures).all(|it| is_id(&it)) => {
            let end = all.iter().position(|word| *word == "--").unwrap_or(all.len());
            Some([strings(&all[..end]), vec!["--".to_owned()], names(failures).collect()].concat())
        }
        ("unittest", ["discover", rest @ ..]) => {
            let starts =
                |word: &&str| ["-s", "-t", "-p", "--"].iter().any(|it| word.starts_with(it));
            let is_moved = rest.iter().any(starts) || rest.iter().any(|it| !it.starts_with('-'));
            if is_moved { None } else { named(&[], rest, UNITTEST) }
        }
        ("unittest" | "nose2" | "green" | "trial", _) => named(&[], all, UNITTEST),
        ("python" | "django-admin", [script, "test", rest @ ..]) if script.ends_with(".py") => {
            named(&[script, "test"], rest, UNITTEST)
        }
        ("stestr", ["run", rest @ ..]) => {
            let found = words(rest, OTHERS, "");
            Some([strings(&["run"]), found.with([pattern(failures, "", escaped)])].concat())
        }
        ("behave", _) => named(&[], all, OTHERS),
        ("cucumber" | "cucumber-js", _) => named(&[], all, OTHERS),
        ("cargo", ["test" | "t", rest @ ..]) => {
            cargo_test(all[0], &words(rest, CARGO, ""), failures)
        }
        ("cargo", ["nextest", "run" | "r", rest @ ..]) => {
            let found = words(rest, CARGO, "-E --filter-expr --filterset");
            let tests = failures.iter().map(|it| expression(it)).collect::<Vec<_>>();
            let more = ["-E".to_owned(), tests.join(" | ")];
            Some([strings(&["nextest", "run"]), found.with(more)].concat())
        }
        ("go", ["test", rest @ ..]) => go_test(&["test"], rest, failures),
        ("gotestsum", _) => {
            let end = all.iter().position(|word| *word == "--");
            let (own, rest) = all.split_at(end.unwrap_or(all.len()));
            let head = [own, &["--"]].concat();
            go_test(&head, rest.get(1..).unwrap_or_default(), failures)
        }
        _ => by_option(program.name, all, failures),
    }
}

/// An option and its value.
fn option(name: &str, value: String) -> [String; 2] {
    [name.to_owned(), value]
}

/// The words of a command that takes `more` before its targets.
fn given(head: &[&str], words: Words<'_>, more: Vec<String>) -> Option<Vec<String>> {
    Some([strings(head), words.and_targets(more)].concat())
}

/// Runners that are given a pattern or places by an option.
fn by_option(name: &str, all: &[&str], failures: &[&FoundFailure]) -> Option<Vec<String>> {
    let words = |rest, flags, replaced| Words::of(rest, flags, replaced, failures);
    let full = |join: &str| pattern(failures, join, escaped);
    match (name, all) {
        ("jest", _) => of_files(&[], &words(all, ECMASCRIPT, "-t --testNamePattern"), failures),
        ("vitest", ["run", rest @ ..]) => {
            of_files(&["run"], &words(rest, ECMASCRIPT, "-t --testNamePattern"), failures)
        }
        ("bun", ["test", rest @ ..]) => {
            of_files(&["test"], &words(rest, ECMASCRIPT, "-t --test-name-pattern"), failures)
        }
        ("mocha", _) => {
            let found = words(all, ECMASCRIPT, "-g --grep -f --fgrep");
            given(&[], found, option("-g", full(" ")).to_vec())
        }
        ("lab", _) => {
            given(&[], words(all, ECMASCRIPT, "-g --grep"), option("-g", full(" ")).to_vec())
        }
        ("jasmine", _) => {
            let found = words(all, ECMASCRIPT, "--filter");
            given(&[], found, vec![format!("--filter={}", full(" "))])
        }
        ("qunit", _) => {
            let found = words(all, ECMASCRIPT, "-f --filter");
            given(
                &[],
                found,
                option(
                    "--filter",
                    format!("/{}/", full(": ").replacen('^', "^(: )?", 1).replace(")$", ") *$")),
                )
                .to_vec(),
            )
        }
        ("deno", ["test", rest @ ..]) => {
            let found = words(rest, ECMASCRIPT, "--filter");
            given(&["test"], found, option("--filter", format!("/{}/", full(" "))).to_vec())
        }
        ("node", _) if all.contains(&"--test") => {
            // An option of node has to come before the files.
            let found = words(all, ECMASCRIPT, "--test-name-pattern");
            let last =
                names(failures).map(|it| it.rsplit(" > ").next().unwrap_or_default().to_owned());
            let alone =
                format!("^({})$", last.map(|it| escaped(&it)).collect::<Vec<_>>().join("|"));
            let options = found.with([format!("--test-name-pattern={alone}")]);
            let is_file = found.targets.len() == 1 && found.targets[0].contains('.');
            let file = failures[0].origin.clone().filter(|_| !is_file);
            let targets = file.map_or_else(|| strings(&found.targets), |file| vec![file]);
            Some([options, targets].concat())
        }
        ("ava", _) => {
            let titles =
                names(failures).map(|it| it.rsplit(" › ").next().unwrap_or_default().to_owned());
            let more = titles.map(|it| format!("--match={it}")).collect();
            given(&[], words(all, ECMASCRIPT, "-m --match"), more)
        }
        _ => by_place(name, all, failures),
    }
}

/// Runners that are given places, or names in a form that few others have.
fn by_place(name: &str, all: &[&str], failures: &[&FoundFailure]) -> Option<Vec<String>> {
    let words = |rest, flags, replaced| Words::of(rest, flags, replaced, failures);
    let full = |join: &str| pattern(failures, join, escaped);
    match (name, all) {
        ("playwright", ["test", rest @ ..]) => {
            places(&["test"], &words(rest, ECMASCRIPT, "-g --grep"), failures)
        }
        ("rspec", _) => {
            places(&[], &words(all, OTHERS, "-e --example -E --example-matches"), failures)
        }
        ("mix", ["test", rest @ ..]) => {
            let lines = failures.iter().filter_map(|it| it.origin.as_deref()?.split_once(':'));
            let file = lines.clone().next()?.0;
            let place = lines.fold(file.to_owned(), |all, (_, line)| format!("{all}:{line}"));
            Some([strings(&["test"]), words(rest, OTHERS, "").with([place])].concat())
        }
        ("robot", _) => {
            let found = words(all, "--dryrun --exitonfailure", "-t --test");
            let tests = names(failures).flat_map(|it| ["--test".to_owned(), it]).collect();
            Some([strings(&found.options), tests, strings(&found.targets)].concat())
        }
        ("prove", _) => places(&[], &words(all, OTHERS, ""), failures),
        ("phpunit", _) => {
            let filter = format!("/{}( with data set .*)?$/", full("").trim_end_matches('$'));
            // A title hides how its words were joined.
            let filter = match failures[0].runner {
                Some("testdox") => TITLE_WORD.replace_all(&filter, "${1}_?$2").into_owned() + "i",
                _ => filter,
            };
            given(&[], words(all, OTHERS, "--filter"), option("--filter", filter).to_vec())
        }
        ("bats", _) => {
            given(&[], words(all, OTHERS, "-f --filter"), option("-f", full("")).to_vec())
        }
        ("ctest", _) => {
            given(&[], words(all, OTHERS, "-R --tests-regex"), option("-R", full("")).to_vec())
        }
        ("busted", _) => {
            let found = words(all, OTHERS, "--filter");
            let filters = names(failures).map(|it| format!("--filter=^{}$", lua_escaped(&it)));
            let filters = filters.collect();
            Some([strings(&found.options), strings(&found.targets), filters].concat())
        }
        ("mvn" | "mvnw", _) => {
            let found = words(all, "-q -o -B -e -X --batch-mode --quiet --offline", "-Dtest");
            given(
                &[],
                found,
                vec![format!("-Dtest={}", names(failures).collect::<Vec<_>>().join(","))],
            )
        }
        ("gradle" | "gradlew", _) => {
            let found =
                words(all, "-q -i --info --quiet --offline --continue --rerun-tasks", "--tests");
            let tests = names(failures).flat_map(|it| ["--tests".to_owned(), it.replace('#', ".")]);
            let more = tests.collect();
            given(&[], found, more)
        }
        ("java", _) => {
            let kept = all
                .iter()
                .filter(|it| !it.starts_with("--scan-class") && !it.starts_with("--select-"));
            let methods = names(failures).map(|it| format!("--select-method={it}()"));
            Some(kept.map(|it| (*it).to_owned()).chain(methods).collect())
        }
        _ => by_names(all, failures),
    }
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
            vec!["-n".to_owned(), format!("/{}/", pattern(failures, "", escaped))]
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

/// pytest's: others would be taken for files.
fn is_id(name: &str) -> bool {
    name.contains(".py") || name.contains("::")
}

/// A pattern of whole names, the parts of which are put together by `join`.
fn pattern(failures: &[&FoundFailure], join: &str, escaped: fn(&str) -> String) -> String {
    let names = names(failures).map(|name| match join {
        "" => escaped(&name),
        join => escaped(&name).replace(" > ", join),
    });
    format!("^({})$", names.collect::<Vec<_>>().join("|"))
}

/// In place of what is to be run the files, or the lines of files, that the runner itself names for the tests.
fn places(head: &[&str], words: &Words<'_>, failures: &[&FoundFailure]) -> Option<Vec<String>> {
    let mut places: Vec<String> = Vec::new();
    for found in failures {
        let place = found.origin.as_ref().or(found.failure.path.as_ref())?;
        if !places.contains(place) {
            places.push(place.clone());
        }
    }
    Some([strings(head), words.with(places)].concat())
}

/// Jest, Vitest and Bun: the files, and a pattern of whole names, in which suites are parted by blanks.
fn of_files(head: &[&str], words: &Words<'_>, failures: &[&FoundFailure]) -> Option<Vec<String>> {
    let files = places(head, words, failures)?;
    // A file that could not be run is run as a whole, with what else is in the others.
    if failures.iter().any(|it| it.failure.test == it.origin) {
        return Some(files);
    }
    let pattern = pattern(failures, " (?:[>›] )?", escaped);
    Some([files, vec!["-t".to_owned(), pattern]].concat())
}

/// Doctests are run by `--doc`, and their names can't be given whole.
fn cargo_test(
    subcommand: &str,
    words: &Words<'_>,
    failures: &[&FoundFailure],
) -> Option<Vec<String>> {
    if names(failures).any(|name| name.contains(' ')) {
        return None;
    }
    let libtest = "--nocapture --no-capture --show-output --ignored --include-ignored --exact --test --bench --quiet -q --list";
    let rest = Words::of(words.rest.unwrap_or_default(), libtest, "", failures);
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
fn go_test(head: &[&str], rest: &[&str], failures: &[&FoundFailure]) -> Option<Vec<String>> {
    if rest.contains(&"-args") {
        return None;
    }
    let flags = "-v -race -short -cover -json -failfast -x -a -n -i -c -work -trimpath -msan -asan -benchmem";
    let words = Words::of(rest, flags, "-run --run -test.run", failures);
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
    // gotestsum names a package by its directory.
    let path = |it: &String| if it.contains('.') { it.clone() } else { format!("./{it}") };
    let targets = match packages.is_empty() {
        true => strings(&words.targets),
        false => packages.iter().map(path).collect(),
    };
    let run = ["-run".to_owned(), pattern];
    Some([strings(head), run.to_vec(), words.with(targets)].concat())
}
