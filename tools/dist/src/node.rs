//! The npm packages: one for each platform, which holds the program, and one that depends on all of them and starts it.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use ftl_testkit::program::Program;
use ftl_testkit::scratch::copy;
use ftl_testkit::{Result, root};
use serde_json::{Value, json};

use crate::archive::files_below;
use crate::payload::Payload;
use crate::target::{Target, repository};
use crate::{NAME, own};

/// System and processor of every platform with a package, as Node calls them.
const PLATFORMS: [(&str, &str); 4] =
    [("linux", "x64"), ("linux", "arm64"), ("darwin", "arm64"), ("darwin", "x64")];

/// Packs the platform's package and the launcher.
///
/// # Errors
///
/// A file could not be written, or npm failed.
pub(crate) fn packages(payload: &Payload, target: &Target, stage: &Path, out: &Path) -> Result {
    let (system, processor) = target.node;
    let platform = stage.join("platform");
    fs::create_dir_all(platform.join("bin"))?;
    let program = platform.join("bin/ftl");
    fs::copy(payload.program(), &program)?;
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755))?;
    fs::copy(payload.licences(), platform.join("THIRD-PARTY-LICENSES.txt"))?;
    let mut manifest = manifest(&named(system, processor), target)?;
    manifest["os"] = json!([system]);
    manifest["cpu"] = json!([processor]);
    if system == "linux" {
        manifest["libc"] = json!(["glibc"]);
    }
    pack(&platform, &manifest, out)?;

    let launcher = stage.join("launcher");
    fs::create_dir_all(launcher.join("bin"))?;
    fs::copy(own("npm/ftl.js"), launcher.join("bin/ftl.js"))?;
    fs::copy(root().join("README.md"), launcher.join("README.md"))?;
    copy(&payload.man(), &launcher.join("man"))?;
    copy(&payload.completions(), &launcher.join("completions"))?;
    let mut manifest = self::manifest(NAME, target)?;
    manifest["bin"] = json!({"ftl": "bin/ftl.js"});
    let pages = files_below(&payload.man())?.into_iter();
    manifest["man"] = pages.map(|page| format!("man/{}", page.display())).collect();
    let platforms = PLATFORMS.iter();
    let versions = platforms.map(|(system, processor)| {
        let version = Value::from(target.version.as_str());
        (named(system, processor), version)
    });
    manifest["optionalDependencies"] = Value::Object(versions.collect());
    pack(&launcher, &manifest, out)
}

/// The package of a platform.
fn named(system: &str, processor: &str) -> String {
    format!("{NAME}-{system}-{processor}")
}

fn manifest(name: &str, target: &Target) -> Result<Value> {
    let mut manifest = json!({
        "name": name,
        "version": target.version,
        "description": "Takes one coding task from active to complete or blocked",
        "license": "MIT OR Apache-2.0",
        "engines": {"node": ">=18"},
    });
    let repository = repository()?;
    if !repository.is_empty() {
        manifest["repository"] = json!({"type": "git", "url": format!("git+{repository}.git")});
    }
    Ok(manifest)
}

fn pack(directory: &Path, manifest: &Value, out: &Path) -> Result {
    let text = serde_json::to_string_pretty(manifest)? + "\n";
    fs::write(directory.join("package.json"), text)?;
    for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
        fs::copy(root().join(licence), directory.join(licence))?;
    }
    let npm = Program::new("npm", directory).args(["pack", "--silent", "--pack-destination"]);
    npm.args([out]).text().map(drop)
}
