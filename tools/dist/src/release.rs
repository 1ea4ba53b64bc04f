//! A release, up to the push: the version, the changelog, a commit and a tag.

use std::fs;
use std::path::Path;

use ftl_testkit::program::Program;
use ftl_testkit::scratch::Scratch;
use ftl_testkit::{Result, root};

use crate::target;

/// Packages with a separate lock file.
const LOCKED: [&str; 2] = [".", "fuzz"];

/// Makes the release here, or shows what it would be, made in a clone.
///
/// # Errors
///
/// The version is none or not the next, something is uncommitted, nothing has changed, or git or cargo failed.
pub(crate) fn run(version: &str, is_dry: bool) -> Result {
    let now = target::version()?;
    let tag = format!("v{version}");
    let known = git(&root()).args(["tag", "--list"]).text()?;
    check(version, &now, &known)?;
    let today = Program::new("date", &root()).args(["-u", "+%F"]).text()?;
    let clone;
    let place = if is_dry {
        clone = Scratch::new("release")?;
        let place = clone.path().join("ftl");
        git(&root())
            .args(["clone", "--quiet", "--shared", "--no-tags", "."])
            .args([&place])
            .run()?;
        place
    } else {
        if target::repository()?.is_empty() {
            return Err("Cargo.toml has no `repository`: every package names it".into());
        }
        if !git(&root()).args(["status", "--porcelain"]).text()?.is_empty() {
            return Err("commit or put aside what is not committed".into());
        }
        root()
    };
    edit(&place, &now, version, today.trim())?;
    if is_dry {
        return git(&place).args(["--no-pager", "diff", "--unified=1"]).run();
    }
    let message = format!("Release {version}");
    git(&place).args(["commit", "--quiet", "--all", "-m", &message]).run()?;
    git(&place).args(["tag", "--annotate", &tag, "-m", &message]).run()?;
    println!("{tag} is made; to publish it: git push --follow-tags");
    Ok(())
}

fn git(place: &Path) -> Program {
    Program::new("git", place)
}

/// Whether this can be the next release.
fn check(version: &str, now: &str, tags: &str) -> Result {
    let (Some(next), Some(current)) = (numbers(version), numbers(now)) else {
        return Err(format!("`{version}` is no version: give three numbers, as in 0.2.0").into());
    };
    let is_known = |version: &str| tags.lines().any(|tag| tag == format!("v{version}"));
    if is_known(version) {
        return Err(format!("{version} is released already").into());
    }
    match next > current || (next == current && !is_known(now)) {
        true => Ok(()),
        false => Err(format!("{version} does not come after {now}").into()),
    }
}

fn numbers(version: &str) -> Option<[u64; 3]> {
    let parts: Vec<&str> = version.split('.').collect();
    let number = |part: &&str| {
        let is_plain = *part == "0" || !part.starts_with('0');
        part.parse().ok().filter(|_| is_plain && !part.starts_with('+'))
    };
    let numbers: Option<Vec<u64>> = parts.iter().map(number).collect();
    numbers?.try_into().ok()
}

/// Writes the version into the manifests, the lock files and the changelog.
fn edit(place: &Path, now: &str, version: &str, today: &str) -> Result {
    let rewrite = |name: &str, change: &dyn Fn(&str) -> Result<String>| -> Result {
        let path = place.join(name);
        let text = change(&fs::read_to_string(&path)?)?;
        Ok(fs::write(path, text)?)
    };
    rewrite("Cargo.toml", &|text| Ok(manifest(text, now, version)))?;
    rewrite("CHANGELOG.md", &|text| changelog(text, version, today))?;
    for package in LOCKED {
        let cargo = Program::cargo_in(&place.join(package)).without_cargo();
        cargo.args(["update", "--workspace", "--quiet"]).run()?;
    }
    Ok(())
}

/// The workspace's manifest with the version of its packages, and of its paths to those that are published. Each
/// pins the others: together they are one program.
fn manifest(text: &str, now: &str, version: &str) -> String {
    let line = |line: &str| {
        let own = format!("version = \"{now}\"");
        let is_ours = line == own || line.contains("{ path = \"crates/");
        let line = if is_ours {
            line.replace(&format!("{now}\""), &format!("{version}\""))
        } else {
            line.to_owned()
        };
        line + "\n"
    };
    text.lines().map(line).collect()
}

/// The changelog with what was unreleased below the version.
fn changelog(text: &str, version: &str, today: &str) -> Result<String> {
    const HEADING: &str = "## [Unreleased]\n";
    let (before, after) =
        text.split_once(HEADING).ok_or("CHANGELOG.md has no `## [Unreleased]`")?;
    let news = after.split("\n## ").next().unwrap_or_default();
    if !news.lines().any(|line| line.starts_with("- ")) {
        return Err("CHANGELOG.md has no unreleased entry".into());
    }
    Ok(format!("{before}{HEADING}\n## [{version}] - {today}\n{after}"))
}

#[cfg(test)]
mod tests {
    use super::{changelog, check, manifest};

    #[test]
    fn a_release_has_the_next_version() {
        for (version, now, tags, is_fine) in [
            ("0.1.0", "0.1.0", "", true),
            ("0.1.0", "0.1.0", "v0.1.0\n", false),
            ("0.2.0", "0.1.0", "v0.1.0\n", true),
            ("0.10.0", "0.9.3", "v0.9.3\n", true),
            ("0.0.9", "0.1.0", "", false),
            ("1.0", "0.1.0", "", false),
            ("v0.2.0", "0.1.0", "", false),
            ("0.02.0", "0.1.0", "", false),
        ] {
            assert_eq!(check(version, now, tags).is_ok(), is_fine, "{version} after {now}");
        }
    }

    #[test]
    fn the_version_is_written_where_it_is_ours() {
        let text = "version = \"0.1.0\"\na = { path = \"crates/a\", version = \"=0.1.0\" }\nb = { version = \"0.1.0\" }\n";
        let wanted = "version = \"0.2.0\"\na = { path = \"crates/a\", version = \"=0.2.0\" }\nb = { version = \"0.1.0\" }\n";
        assert_eq!(manifest(text, "0.1.0", "0.2.0"), wanted);
    }

    #[test]
    fn unreleased_entries_are_released() {
        let text =
            "# Changelog\n\n## [Unreleased]\n\n- News.\n\n## [0.1.0] - 2026-01-01\n\n- First.\n";
        let wanted = "# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-02-02\n\n- News.\n\n## [0.1.0] - 2026-01-01\n\n- First.\n";
        assert_eq!(changelog(text, "0.2.0", "2026-02-02").unwrap(), wanted);
        assert!(changelog(wanted, "0.3.0", "2026-03-03").is_err());
    }
}
