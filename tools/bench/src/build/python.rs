//! The same task read and completed by Python scripts, as the peer of a build.
//!
//! The scripts do what the format's Python implementation does for these commands, and no more.

use std::path::Path;

use ftl_testkit::Result;
use ftl_testkit::program::Program;

/// Reads a workspace as the format's Python implementation must: ElementTree, then JSON.
const PARSE: &str = r#"
import json, sys
import xml.etree.ElementTree as ET
root = ET.parse(sys.argv[1]).getroot()
text = lambda name: (root.findtext(name) or "")
print(json.dumps({
    "id": root.get("id"), "status": root.get("status"), "objective": text("objective"),
    "delta": [e.text for e in root.findall(".//implementation/delta")],
    "verify": text("implementation/verify"),
    "budget": int(root.findtext("implementation/budget") or 5),
    "delivered": text("delivered"),
}, indent=2))
"#;

/// Completes a workspace: attributes, delivery, the whole document written again, the old removed.
const COMPLETE: &str = r#"
import sys
from datetime import datetime
from pathlib import Path
import xml.etree.ElementTree as ET
path = Path(sys.argv[1])
tree = ET.parse(path)
root = tree.getroot()
root.set("status", "complete")
root.set("completed_at", datetime.now().isoformat())
root.find("delivered").text = sys.argv[2]
ET.indent(tree)
tree.write(path.with_name(path.name.replace("_active", "_complete")), encoding="utf-8", xml_declaration=True)
path.unlink()
"#;

/// Whether there is a Python to compare with.
pub(crate) fn is_there(directory: &Path) -> bool {
    Program::new("python3", directory).args(["--version"]).succeeds()
}

/// Reads and completes the task in `project`, one process each, as its callers do.
pub(crate) fn parse_and_complete(project: &Path, workspace: &str) -> Result {
    let python = |script: &str| Program::new("python3", project).args(["-c", script, workspace]);
    python(PARSE).silent().run()?;
    python(COMPLETE).args(["limits.py: a constant"]).silent().run()
}
