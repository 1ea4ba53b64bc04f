//! Four views at a time: agents that read all of theirs over and over and write their delta, while others land and a user
//! edits, renames, deletes and commits in the root. Whatever an agent reads must be what it read first, or its own.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use ftl_testkit::Result;
use ftl_testkit::build::named_or_release;
use ftl_testkit::program::Program;
use ftl_testkit::random::{Draw, Rng, seed};
use ftl_testkit::scratch::Scratch;
use ftl_testkit::sweep::Size;

/// The word by which an agent of this sweep is started.
pub(super) const AGENT: &str = "views-agent";

const JOBS: usize = 4;
const DIRS: usize = 30;
const FILES: usize = 20;
/// Delta files of a task.
const OWN: usize = 3;

/// What the user does, with a directory `$D` and a file `$F` in it.
const ACTIONS: [&str; 9] = [
    "echo user >> $D/$F",
    "echo user > $D/tmp; mv $D/tmp $D/$F",
    "rm -f $D/$F",
    "mkdir -p $D; echo user > $D/new-$F",
    "mv $D/$F $D/moved-$F",
    "mv $D $D-moved; mkdir $D; cp $D-moved/* $D",
    "rm -r $D; git checkout -q -- $D",
    "git add -A -- src; git commit -qm user",
    "git gc -q; git stash -q -- src; git stash pop -q",
];

/// Everything in a view: of a file its bytes, of a directory its names.
type Seen = BTreeMap<PathBuf, Vec<u8>>;

/// Builds tasks for a minute, or ten.
pub(super) fn run(size: Size) -> Result {
    let (tasks, seconds) = size.pick((8, 20), (24, 100));
    let (scratch, program) = (Scratch::new("views")?, std::env::current_exe()?);
    let (root, reports) = (scratch.path().join("project"), scratch.path().join("reports"));
    fs::create_dir_all(root.join(".ftl/workspace"))?;
    fs::create_dir(&reports)?;
    for number in 0..DIRS * FILES {
        let path = root.join(format!("src/{}/{}.txt", number % DIRS, number / DIRS));
        fs::create_dir_all(path.parent().ok_or("no directory")?)?;
        fs::write(path, format!("file {number}\n").repeat(50))?;
    }
    for task in 0..tasks {
        let delta = (0..OWN).map(|file| format!("<delta>own/{task}-{file}.txt</delta>"));
        let text = format!(
            "<workspace status=\"active\"><implementation>{}<verify>true</verify></implementation>\
             <delivered/></workspace>\n",
            delta.collect::<String>()
        );
        fs::write(root.join(format!(".ftl/workspace/{task:03}_t_active.xml")), text)?;
    }
    for words in [&["init", "-q"][..], &["add", "-A"], &["commit", "-qm", "before"]] {
        Program::git(&root).args(words).run()?;
    }
    let agent = format!("{} {AGENT} {} {seconds} \"$@\"", program.display(), reports.display());
    let words =
        ["build", "--all", "--check", "never", "--jobs", &JOBS.to_string()].map(str::to_owned);
    let build = Program::new(named_or_release()?, &root).without_cargo().args(words);
    let build = build.env("XDG_STATE_HOME", scratch.path().join("state")).args(["--agent", &agent]);
    let log = scratch.path().join("log");
    let mut build = build.start_into(&log)?;
    let (mut rng, mut acted) = (Rng::with_seed(seed()?), 0);
    let code = loop {
        if let Some(code) = build.try_wait()? {
            break code;
        }
        let (dir, file) = (rng.below(DIRS), rng.below(FILES));
        let user = Program::git(&root)
            .args(["-c"])
            .args([format!("alias.act=!D=src/{dir} F={file}.txt; {}", rng.pick(&ACTIONS))]);
        drop(user.args(["act"]).output()?);
        acted += 1;
        sleep(Duration::from_millis(rng.u64(10..200)));
    };
    let lines: Vec<String> = fs::read_dir(&reports)?
        .map(|entry| Ok(fs::read_to_string(entry?.path())?))
        .collect::<Result<_>>()?;
    let reads: usize = lines.iter().filter_map(|line| line.trim().parse::<usize>().ok()).sum();
    println!("{tasks} tasks, {JOBS} views, {acted} acts of a user, {reads} reads");
    let landed = |task: usize, file: usize| fs::read(root.join(format!("own/{task}-{file}.txt")));
    let is_whole =
        |task: usize| (0..OWN).all(|file| landed(task, file).is_ok_and(|text| is_own(&text)));
    let away: Vec<usize> = (0..tasks).filter(|task| !is_whole(*task)).collect();
    if code == Some(0) && lines.len() == tasks && away.is_empty() {
        return Ok(());
    }
    let said = fs::read_to_string(&log)?;
    Err(format!("the build ended with {code:?}; not landed whole: {away:?}\n{said}\n{lines:?}")
        .into())
}

/// Whether a file holds what an agent wrote last.
fn is_own(text: &[u8]) -> bool {
    text.ends_with(b"last\n") && text.starts_with(b"own 0\n")
}

/// Reads and writes in a view for some seconds, then reports the number of reads.
pub(super) fn agent(words: &[&str]) -> Result {
    let [reports, seconds, own @ ..] = words else {
        return Err("no directory for reports".into());
    };
    let end = Instant::now() + Duration::from_secs(seconds.parse()?);
    // Process IDs of views are separate, so they do not tell agents apart.
    let name = own.first().ok_or("no delta")?.replace('/', "-");
    let report = Path::new(reports).join(name);
    let mut seen = see()?;
    let (mut rng, mut reads) = (Rng::with_seed(std::process::id().into()), 0);
    let mut text = Vec::new();
    for turn in 0.. {
        let is_last = Instant::now() >= end;
        let line = if is_last { "last\n".to_owned() } else { format!("own {turn}\n") };
        text.extend(line.bytes());
        for path in own {
            let path = Path::new(path);
            fs::create_dir_all(path.parent().ok_or("no directory")?)?;
            // In place and by a rename, in turn.
            let to = if turn % 2 == 0 { path.to_owned() } else { path.with_extension("tmp") };
            fs::write(&to, &text)?;
            fs::rename(&to, path)?;
            seen.insert(path.to_owned(), text.clone());
        }
        let now = see()?;
        reads += now.len();
        let differs = |path: &&PathBuf| now.get(*path) != seen.get(*path);
        // The names beside the delta are checked by their files.
        let mut paths =
            seen.keys().chain(now.keys()).filter(|path| path.as_path() != Path::new("own"));
        if let Some(path) = paths.find(differs) {
            let message = format!("{} differs from what was read before", path.display());
            fs::write(&report, &message)?;
            return Err(message.into());
        }
        if is_last {
            break;
        }
        sleep(Duration::from_millis(rng.u64(0..20)));
    }
    Ok(fs::write(report, reads.to_string())?)
}

/// Reads the whole view, in which git is asked too.
fn see() -> Result<Seen> {
    let mut seen = Seen::new();
    let mut open = vec![PathBuf::from("src"), PathBuf::from("own")];
    while let Some(dir) = open.pop() {
        let mut names = Vec::new();
        for entry in fs::read_dir(&dir).into_iter().flatten() {
            let path = entry?.path();
            names.push(path.display().to_string());
            match fs::symlink_metadata(&path)?.is_dir() {
                true => open.push(path),
                false => drop(seen.insert(path.clone(), fs::read(&path)?)),
            }
        }
        names.sort();
        seen.insert(dir, names.join("\n").into_bytes());
    }
    let status =
        Program::new("git", Path::new(".")).args(["status", "--porcelain", "src"]).text()?;
    seen.insert("git status".into(), status.into_bytes());
    Ok(seen)
}
