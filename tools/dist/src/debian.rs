//! The Debian package, made by dpkg-deb.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use ftl_testkit::program::Program;
use ftl_testkit::{Result, root};

use crate::NAME;
use crate::archive::compressed;
use crate::payload::Payload;
use crate::target::{Target, repository};

/// Where Debian has completion scripts, in the order of `payload::COMPLETIONS`.
const COMPLETIONS: [&str; 3] =
    ["bash-completion/completions", "zsh/vendor-completions", "fish/vendor_completions.d"];

/// Stages the package's tree and packs it.
///
/// # Errors
///
/// A file could not be written, or dpkg-deb failed.
pub(crate) fn package(
    payload: &Payload,
    target: &Target,
    architecture: &str,
    stage: &Path,
    out: &Path,
) -> Result {
    // Compressing the program as tests build it would take longer than all else.
    let compression = if target.is_dev { "-Znone" } else { "-Zxz" };
    install(payload, stage)?;
    let control = stage.join("DEBIAN");
    fs::create_dir_all(&control)?;
    let size = size(stage)?.div_ceil(1024);
    let glibc = glibc(&fs::read(payload.program())?)?;
    let homepage = match repository()? {
        address if address.is_empty() => address,
        address => format!("Homepage: {address}\n"),
    };
    fs::write(
        control.join("control"),
        format!(
            "Package: {NAME}\n\
             Version: {}\n\
             Architecture: {architecture}\n\
             Maintainer: the maintainers of ftl <ftl@localhost>\n\
             Installed-Size: {size}\n\
             Depends: libc6 (>= {glibc}), libgcc-s1\n\
             Recommends: git\n\
             Section: devel\n\
             Priority: optional\n\
             {homepage}\
             Description: takes one coding task from active to complete or blocked\n \
             ftl decides which files a coding agent may change and how many tool calls\n \
             the task may use. It checks that the changed files parse, that the tests\n \
             pass, that the code follows the project's idioms, and that the names that\n \
             other code imports still exist.\n",
            target.version
        ),
    )?;
    Program::new("dpkg-deb", stage)
        .args(["--root-owner-group", compression, "--threads-max=1", "--build", "."])
        .args([out.join(format!("{NAME}_{}_{architecture}.deb", target.version))])
        .env("SOURCE_DATE_EPOCH", &target.time)
        .text()?;
    Ok(())
}

/// Every file where Debian has it.
fn install(payload: &Payload, stage: &Path) -> Result {
    let place = |path: &str| -> Result<PathBuf> {
        let path = stage.join(path);
        fs::create_dir_all(path.parent().ok_or("it has no parent")?)?;
        Ok(path)
    };
    fs::copy(payload.program(), place("usr/bin/ftl")?)?;
    for entry in fs::read_dir(payload.man())? {
        let page = entry?.path();
        let name = page.file_name().unwrap_or_default().to_string_lossy();
        compressed(&page, &place(&format!("usr/share/man/man1/{name}.gz"))?)?;
    }
    for ((shell, file), directory) in crate::payload::COMPLETIONS.iter().zip(COMPLETIONS) {
        let script = payload.completion(shell, file);
        fs::copy(script, place(&format!("usr/share/{directory}/{file}"))?)?;
    }
    let documents = format!("usr/share/doc/{NAME}");
    compressed(&root().join("CHANGELOG.md"), &place(&format!("{documents}/changelog.gz"))?)?;
    compressed(&payload.licences(), &place(&format!("{documents}/THIRD-PARTY-LICENSES.txt.gz"))?)?;
    fs::copy(payload.sbom(), place(&format!("{documents}/sbom.cdx.json"))?)?;
    let example = place(&format!("{documents}/examples/ftl.toml"))?;
    fs::copy(root().join("ftl.toml.example"), example)?;
    let mit = fs::read_to_string(root().join("LICENSE-MIT"))?;
    let apache = "/usr/share/common-licenses/Apache-2.0";
    fs::write(
        place(&format!("{documents}/copyright"))?,
        format!(
            "ftl may be used under the Apache License 2.0, which is in {apache}, or under this one:\n\n{mit}\n\
             The crates that it is made of, and their licences, are in THIRD-PARTY-LICENSES.txt.gz.\n"
        ),
    )?;
    readable(stage)
}

/// Gives everything the modes that Debian has, whatever the umask is.
fn readable(path: &Path) -> Result {
    let mode = match path.is_dir() || path.ends_with("usr/bin/ftl") {
        true => 0o755,
        false => 0o644,
    };
    fs::set_permissions(path, fs::Permissions::from_mode(mode))?;
    if path.is_dir() {
        for entry in fs::read_dir(path)? {
            readable(&entry?.path())?;
        }
    }
    Ok(())
}

/// Bytes of all files below a directory.
fn size(directory: &Path) -> Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        bytes += match path.is_dir() {
            true => size(&path)?,
            false => path.metadata()?.len(),
        };
    }
    Ok(bytes)
}

/// The least version of the C library with all symbols that the program asks for, which names them so.
fn glibc(program: &[u8]) -> Result<String> {
    let text = String::from_utf8_lossy(program);
    let version = |part: &str| {
        let end = part.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(part.len());
        let (major, minor) = part[..end].split_once('.')?;
        let minor = minor.split('.').next()?;
        Some((major.parse::<u32>().ok()?, minor.parse::<u32>().ok()?))
    };
    let asked = text.split("GLIBC_").skip(1).filter_map(version).max();
    let (major, minor) = asked.ok_or("the program asks for no version of the C library")?;
    Ok(format!("{major}.{minor}"))
}

#[cfg(test)]
mod tests {
    use super::glibc;

    #[test]
    fn the_newest_symbol_decides_the_c_library() {
        let program = b"\x7fELF\0GLIBC_2.9\0GLIBC_2.34\0GLIBC_PRIVATE\0GLIBC_2.2.5\0";
        assert_eq!(glibc(program).unwrap(), "2.34");
        assert!(glibc(b"static").is_err());
    }
}
