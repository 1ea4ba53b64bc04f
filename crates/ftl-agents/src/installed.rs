//! The version of an installed agent, read from its package. Nothing is started: a program that is asked for its
//! version may take a second, log in, or update itself.

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::Package;

/// Bytes of a manifest that are read.
const LARGEST: u64 = 1 << 20;

/// The program of this name on a search path, as the shell would find it.
#[must_use]
pub fn find(program: &str, path: &OsStr) -> Option<PathBuf> {
    let dirs = std::env::split_paths(path);
    let mut files = dirs.map(|dir| dir.join(program));
    files.find(|file| {
        let metadata = file.metadata();
        metadata.is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
    })
}

/// The version of the package that `program` belongs to; none where it is unknown.
#[must_use]
pub fn version_of(program: &Path, package: &Package) -> Option<String> {
    let real = program.canonicalize().ok()?;
    let version = match package {
        Package::Npm(name) => of_npm(&real, name).or_else(|| of_directory(&real)),
        Package::Pypi(name) => of_pypi(&real, name),
        Package::Script(_) => of_directory(&real),
    };
    version.filter(|version| is_version(version))
}

/// Looks upwards for the package's manifest, and beside the way for where npm puts packages.
fn of_npm(program: &Path, name: &str) -> Option<String> {
    program.ancestors().skip(1).take(8).find_map(|dir| {
        let manifest = read(&dir.join("package.json"))?;
        let manifest: serde_json::Value = serde_json::from_str(&manifest).ok()?;
        if manifest["name"] != name {
            return None;
        }
        manifest["version"].as_str().map(str::to_owned)
    })
}

/// Native installers name a file or directory after its version.
fn of_directory(program: &Path) -> Option<String> {
    let names = program.ancestors().take(3).filter_map(Path::file_name);
    names.filter_map(|name| name.to_str()).find(|name| is_version(name)).map(str::to_owned)
}

/// The script's interpreter is in the environment whose packages it sees.
fn of_pypi(program: &Path, name: &str) -> Option<String> {
    let mut first = String::new();
    let file = BufReader::new(fs::File::open(program).ok()?);
    file.take(4096).read_line(&mut first).ok()?;
    let interpreter = first.strip_prefix("#!")?.split_whitespace().next()?;
    let wanted = name.replace(['-', '.'], "_").to_lowercase();
    let environment = Path::new(interpreter).parent()?.parent()?;
    let lib = fs::read_dir(environment.join("lib")).ok()?;
    let pythons = lib.flatten().map(|entry| entry.path()).take(16);
    let packages =
        pythons.flat_map(|python| ["site-packages", "dist-packages"].map(|name| python.join(name)));
    let found = packages.filter_map(|dir| fs::read_dir(dir).ok());
    found.flatten().flatten().find_map(|entry| {
        let entry = PathBuf::from(entry.file_name());
        let stem = entry.to_str()?.strip_suffix(".dist-info")?;
        let (package, version) = stem.rsplit_once('-')?;
        (package.replace('-', "_").to_lowercase() == wanted).then(|| version.to_owned())
    })
}

fn read(path: &Path) -> Option<String> {
    let mut text = String::new();
    let file = fs::File::open(path).ok()?;
    file.take(LARGEST).read_to_string(&mut text).ok()?;
    Some(text)
}

fn is_version(text: &str) -> bool {
    let known = |c: char| c.is_ascii_alphanumeric() || ".-+_".contains(c);
    text.len() <= 64
        && text.starts_with(|c: char| c.is_ascii_digit())
        && text.contains('.')
        && text.chars().all(known)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::version_of;
    use crate::Package;

    #[test]
    fn a_version_is_read_from_where_the_package_was_installed() {
        let home = tempfile::tempdir().unwrap();
        let at = |path: &str| home.path().join(path);
        fs::create_dir_all(at("lib/node_modules/@x/agent/bin")).unwrap();
        fs::create_dir_all(at("venv/lib/python3.11/site-packages/The_Agent-0.3.dist-info"))
            .unwrap();
        fs::create_dir_all(at("venv/bin")).unwrap();
        fs::create_dir_all(at("versions")).unwrap();
        let manifest = r#"{"name": "@x/agent", "version": "1.2.3-rc.1"}"#;
        fs::write(at("lib/node_modules/@x/agent/package.json"), manifest).unwrap();
        fs::write(at("lib/node_modules/@x/agent/bin/agent.js"), "").unwrap();
        symlink(at("lib/node_modules/@x/agent/bin/agent.js"), at("agent")).unwrap();
        let script = format!("#!{}/venv/bin/python\n", home.path().display());
        fs::write(at("venv/bin/agent"), script).unwrap();
        fs::write(at("versions/2.1.330"), "").unwrap();
        symlink(at("versions/2.1.330"), at("native")).unwrap();
        let npm = || Package::Npm("@x/agent".into());
        let version = |program: &str, package| version_of(&at(program), &package);
        assert_eq!(version("agent", npm()).as_deref(), Some("1.2.3-rc.1"));
        assert_eq!(version("native", npm()).as_deref(), Some("2.1.330"));
        let pypi = Package::Pypi("the-agent".into());
        assert_eq!(version("venv/bin/agent", pypi).as_deref(), Some("0.3"));
        assert_eq!(version("agent", Package::Npm("@y/agent".into())), None);
        assert_eq!(version("nowhere", npm()), None);
    }
}
