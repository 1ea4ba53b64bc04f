//! The sections of `ftl.toml` and their keys; `ftl.toml.example` documents them.
//!
//! Each function reads one table. Whether a program exists or a directory does is not checked here.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Duration;

use ftl_engine::run::{
    Extent, Families, Family, FamilyKind, Isolate, Judge, Setup, Strays, TreeSettings,
};
use ftl_machine::{Evidence, Undecided};
use ftl_model::Finding;
use ftl_preflight::CheckerName;
use ftl_process::Environment;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::reader::{Problems, Table, Value, read_table, string, strings};
use super::{Agent, Config, Preflight, Verify, Workers};

/// Reads the whole file.
pub(super) fn config(text: &str, problems: &mut Problems) -> Config {
    let document = match DeTable::parse(text) {
        Ok(document) => document,
        Err(error) => {
            problems.syntax(&error);
            return Config::default();
        }
    };
    let span = document.span();
    let document = Spanned::new(span, DeValue::Table(document.into_inner()));
    let mut config = Config::default();
    read_table(document, problems, |table| {
        table.table("build", |table| build(table, &mut config));
        table.table("agent", |table| agents(table, &mut config));
        config.setup = table.table("setup", setup).flatten();
        config.workers = table.table("workers", workers).unwrap_or_default();
        config.verify = table.table("verify", verify).unwrap_or_default();
        config.preflight = table.table("preflight", preflight).unwrap_or_default();
        table.table("quality", |table| quality(table, &mut config));
        table.table("retry", |table| {
            config.families = families(table);
            config.judge = judge(table);
        });
        config.knowledge = table.table("knowledge", knowledge).unwrap_or_default();
        config.redact_off = table.table("redact", redact).unwrap_or_default();
        config.tree = table.table("scope", scope).unwrap_or_default();
    });
    config
}

fn build(table: &mut Table<'_, '_>, config: &mut Config) {
    config.attempts = table.count("attempts");
    config.jobs = table.count("jobs").map(|jobs| jobs as usize);
    config.check = table.choice("check", &[("end", true), ("never", false)]);
    config.commit = table.flag("commit").unwrap_or_default();
    config.trailers = words(table, "trailers");
}

/// `[setup]`: neither key means anything without the other.
fn setup(table: &mut Table<'_, '_>) -> Option<Setup> {
    let (run, when) = (table.string("run"), table.strings("when"));
    let problem = match (&run, &when) {
        (Some(run), Some(when)) => {
            let is_blank = run.get_ref().trim().is_empty();
            let message = is_blank.then_some("this must be a command");
            let is_empty =
                when.is_empty().then_some("`when` must name the files that the command depends on");
            message.or(is_empty)
        }
        (Some(_), None) => Some("`run` needs `when`, the files that the command depends on"),
        (None, Some(_)) => Some("`when` needs `run`, the command"),
        (None, None) => None,
    };
    let span =
        run.as_ref().map(Spanned::span).or_else(|| when.as_ref()?.first().map(Spanned::span));
    if let (Some(problem), Some(span)) = (problem, span) {
        table.problems().value(span, problem);
        return None;
    }
    let when = when?.into_iter().map(Spanned::into_inner).collect();
    Some(Setup { command: run?.into_inner(), when })
}

fn workers(table: &mut Table<'_, '_>) -> Workers {
    let path = |text: Spanned<String>| PathBuf::from(text.into_inner());
    let mut workers = Workers {
        url: table.string("url").map(Spanned::into_inner),
        credentials: table.string("credentials").map(path),
        exclude: words(table, "exclude"),
        agents: words(table, "agents"),
        slots: table.count("slots"),
        ..Workers::default()
    };
    table.table("tls", |table| {
        workers.ca = table.string("ca").map(path);
        workers.certificate = table.string("cert").map(path).zip(table.string("key").map(path));
    });
    workers
}

/// `[redact]`: names of shapes, else of variables, of which there are no unknown ones.
fn redact(table: &mut Table<'_, '_>) -> Vec<String> {
    let names = table.strings("off").unwrap_or_default();
    names.into_iter().map(Spanned::into_inner).collect()
}

fn agents(table: &mut Table<'_, '_>, config: &mut Config) {
    config.default_agent = table.string("default").map(Spanned::into_inner);
    config.isolate = isolate(table);
    config.wait = table.limit("wait");
    for (name, value) in table.rest() {
        if !value.get_ref().is_table() {
            let known = ["default", "isolate", "wait"];
            table.problems().unknown("key", name.get_ref(), &known, name.span());
            continue;
        }
        let agent = read_table(value, table.problems(), |table| Agent {
            command: table.string("command").map(Spanned::into_inner),
            model: table.string("model").map(Spanned::into_inner),
            effort: table.string("effort").map(Spanned::into_inner),
            args: words(table, "args"),
            outage: outage(table),
            timeout: table.limit("timeout"),
            env: environment(table),
            isolate: isolate(table),
            wait: table.limit("wait"),
        });
        config.agents.insert(name.into_inner(), agent.unwrap_or_default());
    }
}

fn words(table: &mut Table<'_, '_>, key: &'static str) -> Vec<String> {
    let words = table.strings(key).unwrap_or_default();
    words.into_iter().map(Spanned::into_inner).collect()
}

/// `outage`: what the agent prints when it can't reach a model.
fn outage(table: &mut Table<'_, '_>) -> Vec<String> {
    let patterns = table.strings("outage").unwrap_or_default();
    for pattern in &patterns {
        if let Err(why) = ftl_agents::check_outage(pattern.get_ref()) {
            table.problems().value(pattern.span(), format!("this is no pattern: {why}"));
        }
    }
    patterns.into_iter().map(Spanned::into_inner).collect()
}

fn isolate(table: &mut Table<'_, '_>) -> Option<Isolate> {
    table.choice(
        "isolate",
        &[("auto", Isolate::Auto), ("bind", Isolate::Bind), ("copy", Isolate::Copy)],
    )
}

fn verify(table: &mut Table<'_, '_>) -> Verify {
    let reports = table.strings("reports").unwrap_or_default();
    let choices = Evidence::ALL.map(|which| (which.as_str(), which));
    Verify {
        timeout: table.limit("timeout"),
        env: environment(table),
        untrusted: untrusted(table),
        reports: reports.into_iter().map(Spanned::into_inner).collect(),
        evidence: table.choice("evidence", &choices),
    }
}

fn untrusted(table: &mut Table<'_, '_>) -> Option<BTreeSet<Finding>> {
    let names = table.strings("untrusted")?;
    let known = Finding::ALL.map(Finding::as_str);
    for name in &names {
        if !known.contains(&name.get_ref().as_str()) {
            table.problems().unknown("finding", name.get_ref(), &known, name.span());
        }
    }
    let named = names.iter().map(|name| Finding::named(name.get_ref()));
    Some(named.flatten().collect())
}

fn preflight(table: &mut Table<'_, '_>) -> Preflight {
    let checker = table.choice(
        "checker",
        &[
            ("embedded", CheckerName::Embedded),
            ("toolchain", CheckerName::Toolchain),
            ("hybrid", CheckerName::Hybrid),
            ("literal", CheckerName::Literal),
        ],
    );
    let commands = table.table("commands", commands).unwrap_or_default();
    Preflight { checker, timeout: table.limit("timeout"), commands }
}

/// `[preflight.commands]`: a list of words by suffix.
fn commands(table: &mut Table<'_, '_>) -> BTreeMap<String, Vec<String>> {
    let mut commands = BTreeMap::new();
    for (suffix, value) in table.rest() {
        if suffix.get_ref().strip_prefix('.').is_none_or(str::is_empty) {
            let message = "this must be the end of a file's name, such as `.kt`";
            table.problems().value(suffix.span(), message);
            continue;
        }
        let span = value.span();
        let Some(words) = list(value, table.problems()) else { continue };
        if words.first().is_none_or(|program| program.trim().is_empty()) {
            let message = "this must name a program, and then its arguments";
            table.problems().value(span, message);
        }
        commands.insert(suffix.into_inner(), words);
    }
    commands
}

fn list(value: Value<'_>, problems: &mut Problems) -> Option<Vec<String>> {
    let words = strings(value, problems)?;
    Some(words.into_iter().map(Spanned::into_inner).collect())
}

fn quality(table: &mut Table<'_, '_>, config: &mut Config) {
    let undecided =
        [("warn", Undecided::Warn), ("judge", Undecided::Judge), ("block", Undecided::Block)];
    config.undecided = table.choice("undecided", &undecided).unwrap_or_default();
    config.idiom_judge = judge(table);
    let rules = table.strings("rules").unwrap_or_default();
    config.rules = rules.into_iter().map(Spanned::into_inner).collect();
}

/// `[knowledge]`
fn knowledge(table: &mut Table<'_, '_>) -> Vec<String> {
    let files = table.strings("files").unwrap_or_default();
    for file in files.iter().filter(|file| file.get_ref().trim().is_empty()) {
        let message = "this must be the path of a file below the root";
        table.problems().value(file.span(), message);
    }
    files.into_iter().map(Spanned::into_inner).collect()
}

/// How long a judge may take unless the configuration says so.
const JUDGE_LIMIT: Duration = Duration::from_secs(60);

/// `retry.judge` and `quality.judge`: a command, or a table with `command` and `timeout`.
fn judge(table: &mut Table<'_, '_>) -> Option<Judge> {
    let value = table.take("judge")?;
    let span = value.span();
    let (command, limit) = if value.get_ref().is_table() {
        read_table(value, table.problems(), |table| {
            let command = table.string("command").map(Spanned::into_inner);
            (command, table.limit("timeout"))
        })?
    } else {
        let command = string(value, table.problems())?;
        (Some(command.into_inner()), None)
    };
    let Some(command) = command.filter(|command| !command.trim().is_empty()) else {
        let message = "a judge needs a command";
        table.problems().value(span, message);
        return None;
    };
    let limit = limit.unwrap_or(JUDGE_LIMIT);
    Some(Judge { command, limit })
}

/// `[[retry.families]]`
fn families(table: &mut Table<'_, '_>) -> Option<Families> {
    let value = table.take("families")?;
    let span = value.span();
    let DeValue::Array(entries) = value.into_inner() else {
        table.problems().value(span, "this must be a list of tables, each `[[retry.families]]`");
        return None;
    };
    let families: Option<Vec<Family>> =
        entries.into_iter().map(|entry| family(entry, table.problems())).collect();
    Families::from_config(&families?)
        .map_err(|error| table.problems().value(span, error.to_string()))
        .ok()
}

fn family(entry: Value<'_>, problems: &mut Problems) -> Option<Family> {
    let span = entry.span();
    let kinds =
        [("transient", FamilyKind::Transient), ("deterministic", FamilyKind::Deterministic)];
    let (kind, name, pattern) = read_table(entry, problems, |table| {
        let kind = table.choice("kind", &kinds);
        (kind, table.string("name"), table.string("pattern"))
    })?;
    let (Some(kind), Some(name), Some(pattern)) = (kind, name, pattern) else {
        problems.value(span, "a family needs `kind`, `name` and `pattern`");
        return None;
    };
    Some(Family { kind, name: name.into_inner(), pattern: pattern.into_inner() })
}

fn scope(table: &mut Table<'_, '_>) -> TreeSettings {
    let default = TreeSettings::default();
    let scratch = table.strings("scratch").unwrap_or_default();
    let strays = [("drop", Strays::Drop), ("block", Strays::Block)];
    let watch = [("repository", Extent::Repository), ("root", Extent::Root)];
    let allow = table.strings("allow").unwrap_or_default();
    TreeSettings {
        scratch: scratch.into_iter().map(Spanned::into_inner).collect(),
        allow: allow.into_iter().map(Spanned::into_inner).collect(),
        watch: table.choice("watch", &watch).unwrap_or(default.watch),
        strays: table.choice("strays", &strays).unwrap_or(default.strays),
        max_backup: bytes(table, "max_backup").unwrap_or(default.max_backup),
        max_outputs: bytes(table, "max_outputs").unwrap_or(default.max_outputs),
        max_written: bytes(table, "max_written"),
    }
}

/// A size in bytes.
fn bytes(table: &mut Table<'_, '_>, key: &'static str) -> Option<u64> {
    let value = table.take(key)?;
    let span = value.span();
    let number = match value.into_inner() {
        DeValue::Integer(number) => u64::from_str_radix(number.as_str(), number.radix()).ok(),
        _ => None,
    };
    if number.is_none() {
        table.problems().value(span, "this must be a number of bytes");
    }
    number
}

/// `env = { mode = "clean", pass = [..], set = {..} }`
fn environment(table: &mut Table<'_, '_>) -> Environment {
    table.table("env", variables).unwrap_or_default()
}

fn variables(table: &mut Table<'_, '_>) -> Environment {
    let modes = [("inherit", false), ("clean", true)];
    let clean = table.choice("mode", &modes).unwrap_or(false);
    let pass = table.strings("pass").unwrap_or_default();
    if let (false, Some(first)) = (clean, pass.first()) {
        let message = "`pass` needs `mode = \"clean\"`: otherwise everything is passed";
        table.problems().value(first.span(), message);
    }
    let mut environment = if clean {
        Environment::clean(pass.into_iter().map(Spanned::into_inner))
    } else {
        Environment::inherit()
    };
    for (name, value) in table.table("set", |table| table.rest()).unwrap_or_default() {
        if let Some(value) = string(value, table.problems()) {
            environment = environment.set(name.into_inner(), value.into_inner());
        }
    }
    environment
}
