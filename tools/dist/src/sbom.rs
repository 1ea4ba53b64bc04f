//! The bill of materials: CycloneDX 1.6, without what differs between two builds.

use ftl_testkit::Result;
use serde_json::{Value, json};

use crate::NAME;
use crate::crates::Crate;
use crate::target::Target;

/// The document as JSON.
///
/// # Errors
///
/// It could not be written as text.
pub(crate) fn text(crates: &[Crate], target: &Target) -> Result<String> {
    let components: Vec<Value> = crates.iter().map(component).collect();
    let references: Vec<&Value> = components.iter().map(|it| &it["bom-ref"]).collect();
    let root = format!("pkg:generic/{NAME}@{}", target.version);
    let document = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": root,
                "name": NAME,
                "version": target.version,
                "licenses": [{"expression": "MIT OR Apache-2.0"}],
                "purl": root,
            },
        },
        "components": components,
        "dependencies": [{"ref": root, "dependsOn": references}],
    });
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}

fn component(it: &Crate) -> Value {
    let purl = format!("pkg:cargo/{}@{}", it.name, it.version);
    let mut component = json!({
        "type": "library",
        "bom-ref": purl,
        "name": it.name,
        "version": it.version,
        "purl": purl,
    });
    if !it.license.is_empty() {
        component["licenses"] = json!([{"expression": it.license}]);
    }
    if let Some(digest) = &it.checksum {
        component["hashes"] = json!([{"alg": "SHA-256", "content": digest}]);
    }
    if let Some(repository) = &it.repository {
        component["externalReferences"] = json!([{"type": "vcs", "url": repository}]);
    }
    component
}
