//! Archives whose bytes depend on their content and the commit's time alone, and their checksums.

use std::fs;
use std::path::{Path, PathBuf};

use ftl_testkit::Result;
use ftl_testkit::program::Program;
use sha2::{Digest, Sha256};

use crate::NAME;
use crate::payload::Payload;
use crate::target::Target;

/// The payload as a tarball, below one directory.
///
/// # Errors
///
/// GNU tar or gzip are missing or failed.
pub(crate) fn tarball(payload: &Payload, target: &Target, out: &Path) -> Result {
    let name = format!("{NAME}-{}-{}", target.version, target.triple);
    let stage = payload.directory();
    let top = stage.file_name().unwrap_or_default().to_string_lossy();
    let level = if target.is_dev { 1 } else { 9 };
    Program::new("tar", stage.parent().ok_or("it has no parent")?)
        .args(["--create", "--format=posix", "--sort=name"])
        .args(["--pax-option=exthdr.name=%d/PaxHeaders/%f,delete=atime,delete=ctime"])
        .args(["--numeric-owner", "--owner=0", "--group=0", "--mode=u=rwX,go=rX"])
        .args([format!("--mtime=@{}", target.time)])
        .args([format!("--transform=s,^{top},{name},")])
        .args([format!("--use-compress-program=gzip -{level}n")])
        .args([Path::new("--file"), &out.join(format!("{name}.tar.gz"))])
        .args([&*top])
        .run()
}

/// `from` compressed into `to`, without name and time.
///
/// # Errors
///
/// Gzip is missing or failed.
pub(crate) fn compressed(from: &Path, to: &Path) -> Result {
    let gzip = Program::new("gzip", Path::new(".")).args(["-9nc"]).args([from]);
    let said = gzip.output()?;
    if !said.status.success() {
        return Err(format!("gzip could not compress {}", from.display()).into());
    }
    Ok(fs::write(to, said.stdout)?)
}

/// The names of the files in a directory, sorted.
///
/// # Errors
///
/// It cannot be read.
pub(crate) fn files_below(directory: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory)? {
        files.push(PathBuf::from(entry?.file_name()));
    }
    files.sort();
    Ok(files)
}

/// Writes `SHA256SUMS`, as `sha256sum --check` reads it.
///
/// # Errors
///
/// A file cannot be read.
pub(crate) fn checksums(out: &Path) -> Result {
    let mut sums = String::new();
    for name in files_below(out)? {
        let digest = Sha256::digest(fs::read(out.join(&name))?);
        let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        sums.push_str(&format!("{digest}  {}\n", name.display()));
    }
    Ok(fs::write(out.join("SHA256SUMS"), sums)?)
}
