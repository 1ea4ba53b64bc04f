//! Ignored files, caches, and rules that are changed so as to hide something.

use super::Expected::{Scratch, Strays};
use super::{Way, differing, git, way};

const WEIRD: &str = "mkdir -p tool/lib; echo '*' > tool/.gitignore; echo x > tool/lib/x";

pub(super) const WAYS: &[Way] = &[
    way("cache made", "mkdir -p target/debug; echo x > target/debug/x", Scratch(&["target"])),
    way(
        "cache made in a directory",
        "mkdir src/__pycache__; echo x > src/__pycache__/b.pyc",
        Scratch(&["src/__pycache__"]),
    ),
    way(
        "modules installed",
        "mkdir -p node_modules/a; echo x > node_modules/a/index.js",
        Scratch(&["node_modules"]),
    ),
    differing(
        "ignored directory",
        "echo STRAY > build/x; echo STRAY >> build/o",
        Some(Strays(&["build/o"])),
        Some(Strays(&["build/x", "build/o"])),
    ),
    way("ignored directory deleted", "rm -r build", Strays(&["build/o"])),
    way("environment", "echo x >> .venv/lib/x.py", Scratch(&[".venv"])),
    way("ignored file", "echo STRAY >> .env", Strays(&[".env"])),
    way("ignored file deleted", "rm .env", Strays(&[".env"])),
    differing(
        "ignored file made",
        "echo x > x.log",
        Some(Scratch(&["x.log"])),
        Some(Strays(&["x.log"])),
    ),
    differing(
        "directory that hides itself",
        WEIRD,
        Some(Strays(&["tool/lib/x"])),
        Some(Strays(&["tool/lib/x"])),
    ),
    way(
        "hidden by .gitignore",
        "echo hidden.py >> .gitignore; echo STRAY > hidden.py",
        Strays(&[".gitignore", "hidden.py"]),
    ),
    way(
        "hidden by a new .gitignore",
        "echo '*' > src/.gitignore; echo STRAY > src/hidden.py",
        Strays(&["src/.gitignore", "src/hidden.py"]),
    ),
    way(
        ".gitignore taken away",
        "rm .gitignore; echo STRAY > y.txt",
        Strays(&[".gitignore", "y.txt"]),
    ),
    way(
        "known file hidden",
        "echo '*.py' >> .gitignore; echo STRAY >> src/b.py",
        Strays(&[".gitignore", "src/b.py"]),
    ),
    git(
        "hidden by info/exclude",
        "mkdir -p \"$G/info\"; echo hidden.py >> \"$G/info/exclude\"; echo STRAY > hidden.py",
        Strays(&[".git/info/exclude", "hidden.py"]),
    ),
    git(
        "hidden by the user's ignore file",
        "mkdir -p \"$HOME/.config/git\"; echo hidden.py > \"$HOME/.config/git/ignore\"; echo STRAY > hidden.py",
        Strays(&["hidden.py"]),
    ),
    git(
        "hidden by a configured file",
        "echo hidden.py > \"$HOME/ignore\"; git config core.excludesFile \"$HOME/ignore\"; echo STRAY > hidden.py",
        Strays(&[".git/config", "hidden.py"]),
    ),
    git(
        "hidden by assume-unchanged",
        "git update-index --assume-unchanged src/b.py; echo STRAY >> src/b.py",
        Strays(&["src/b.py"]),
    ),
    git(
        "hidden by skip-worktree",
        "git update-index --skip-worktree docs/guide.md; echo STRAY >> docs/guide.md",
        Strays(&["docs/guide.md"]),
    ),
    git(
        "hidden by core.fileMode",
        "git config core.fileMode false; chmod +x docs/guide.md",
        Strays(&[".git/config", "docs/guide.md"]),
    ),
    git(
        "hidden by attributes",
        "echo '*.md text eol=crlf' >> .gitattributes; sed -i 's/$/\\r/' docs/guide.md",
        Strays(&[".gitattributes", "docs/guide.md"]),
    ),
    git(
        "info/attributes",
        "mkdir -p \"$G/info\"; echo '*.py filter=x' > \"$G/info/attributes\"",
        Strays(&[".git/info/attributes"]),
    ),
    way(
        "named like a cache, but a file of the tree's",
        "mkdir docs/target; echo x > docs/target/x; echo STRAY >> docs/guide.md",
        Strays(&["docs/guide.md"]),
    )
    .passing(&["docs/target"]),
];
