#[path = "../../crates/ftl-engine/src/run/effects/implementer/patch/outline.rs"]
mod outline;

use ftl_model::DeltaPath;
use outline::{Outline, listed};

/// Reads bytes as a patch, and as what git lists of one; their lines as paths of a task.
///
/// # Panics
///
/// Two readings differ, or a path that is accepted leads elsewhere.
pub fn patch(bytes: &[u8]) {
    let read = || Outline::read(&mut &*bytes).expect("bytes can be read");
    let outline = read();
    assert_eq!(outline, read(), "two readings differ");
    outline.has_prefixes(&|path| path.len() % 2 == 0);
    assert!(listed(bytes).all(|path| !path.contains(&0)));
    for line in String::from_utf8_lossy(bytes).lines() {
        let Ok(path) = DeltaPath::parse(line) else {
            continue;
        };
        let json = serde_json::to_string(&path).expect("a string");
        let again: DeltaPath = serde_json::from_str(&json).expect("a path stays one");
        assert_eq!(path, again);
        let parts: Vec<&str> = path.as_str().split('/').collect();
        let odd = ["", ".", ".."];
        assert!(parts.iter().all(|part| !odd.contains(part)), "{path}");
        let own = [".ftl", ".git"];
        assert!(parts.iter().all(|part| !own.contains(&part.to_lowercase().as_str())), "{path}");
    }
}
