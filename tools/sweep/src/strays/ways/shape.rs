//! What a path is: there or not, file, directory, link, pipe, and its mode.

use super::Expected::{Block, Nothing, Refused, Strays};
use super::{Way, World, way};

pub(super) const WAYS: &[Way] = &[
    way("delete", "rm docs/guide.md", Strays(&["docs/guide.md"])),
    way(
        "delete directories",
        "rm -r docs notes",
        Strays(&["docs/guide.md", "docs/deep/page.md", "notes/n.txt"]),
    ),
    way(
        "delete all but the delta",
        "find . -mindepth 1 -maxdepth 1 ! -name .git ! -name .ftl ! -name src -exec rm -rf {} + || :",
        Strays(&["docs/guide.md", "notes/n.txt", "run.sh", "link"]),
    )
    .passing(&[".venv", "nested/.git"]),
    way(
        "delete uncommitted work",
        "rm -rf untracked.txt mine staged.txt; rm src/b.py",
        Strays(&["src/b.py"]),
    ),
    way("rename", "mv src/b.py src/renamed.py", Strays(&["src/b.py", "src/renamed.py"])),
    way(
        "rename a directory",
        "mv docs manual",
        Strays(&["docs/guide.md", "manual/guide.md", "manual/deep/page.md"]),
    ),
    way(
        "rename onto another file",
        "mv src/b.py docs/guide.md",
        Strays(&["src/b.py", "docs/guide.md"]),
    ),
    way(
        "rename the delta's directory",
        "mv src lib",
        Strays(&["src/b.py", "lib/b.py"]),
    ),
    way(
        "rename by case only",
        "mv docs/guide.md docs/Guide.md",
        Strays(&["docs/guide.md", "docs/Guide.md"]),
    ),
    way("a twin by case", "echo STRAY > docs/GUIDE.md", Strays(&["docs/GUIDE.md"])),
    way("empty directory", "mkdir empty", Strays(&["empty"])),
    way("nested directories", "mkdir -p x/y; echo STRAY > x/y/z", Strays(&["x/y/z"])),
    way("mode, executable", "chmod +x docs/guide.md", Strays(&["docs/guide.md"])),
    way("mode, not executable", "chmod -x run.sh", Strays(&["run.sh"])),
    way("mode, readable by others", "chmod 666 notes/n.txt", Strays(&["notes/n.txt"])),
    way("mode, none", "chmod 000 src/b.py", Strays(&["src/b.py"])),
    way("mode, set user id", "chmod 4755 run.sh", Strays(&["run.sh"])),
    way("mode of a directory", "chmod 700 docs", Strays(&["docs"])),
    way("mode of a directory, sticky", "chmod 1777 docs", Strays(&["docs"])),
    way("mode of a directory, none", "chmod 000 docs", Strays(&["docs"])),
    way("mode of the delta's directory", "chmod 700 src", Strays(&["src"])),
    way("mode of the root", "chmod 777 .", Strays(&[])),
    way(
        "read-only directory with a new file",
        "mkdir deep; echo STRAY > deep/x; chmod 500 deep",
        Strays(&["deep/x"]),
    ),
    way("link led elsewhere", "ln -sfn src/b.py link", Strays(&["link"])),
    way("link made a file", "rm link; echo STRAY > link", Strays(&["link"])),
    way("link made a directory", "rm link; mkdir link; echo STRAY > link/x", Strays(&["link", "link/x"])),
    way("file made a link", "rm src/b.py; ln -s /etc/passwd src/b.py", Strays(&["src/b.py"])),
    way("file made a directory", "rm src/b.py; mkdir src/b.py; echo STRAY > src/b.py/x", Strays(&["src/b.py"])),
    way("directory made a file", "rm -r docs; echo STRAY > docs", Strays(&["docs", "docs/guide.md"])),
    way(
        "directory made a link that leads out",
        "rm -r docs; mkdir \"$OUT/../tmp/docs\"; ln -s \"$OUT/../tmp/docs\" docs; echo x > docs/guide.md
         rm -r \"$OUT/../tmp/docs\"",
        Strays(&["docs", "docs/guide.md"]),
    ),
    way(
        "the delta's directory made a link that leads out",
        "cp -a src \"$OUT/src\"; rm -r src; ln -s \"$OUT/src\" src",
        Block("implement_failed", &["src/b.py"]),
    )
    .outside(),
    way("the delta made a link", "ln -sf b.py src/a.py", Block("implement_failed", &[])),
    way("the delta made a pipe", "rm src/a.py; mkfifo src/a.py", Block("implement_failed", &[])),
    way("link to nowhere", "ln -s nowhere dangling", Strays(&["dangling"])),
    way("link to itself", "ln -s loop loop", Strays(&["loop"])),
    way("link to the root", "ln -s . again", Strays(&["again"])),
    way("hard link", "ln src/b.py twin", Strays(&["twin"])),
    way("pipe", "mkfifo pipe", Strays(&["pipe"])),
    way("file made a pipe", "rm src/b.py; mkfifo src/b.py", Strays(&["src/b.py"])),
    way(
        "socket",
        "python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind(\"sock\")'",
        Strays(&["sock"]),
    ),
    way(
        "extended attribute goes with its file",
        "rm conf/settings.toml; echo STRAY > conf/settings.toml",
        Strays(&["conf/settings.toml"]),
    ),
    way(
        "extended attribute alone",
        "python3 -c 'import os; os.setxattr(\"src/b.py\", \"user.stray\", b\"1\")'",
        Strays(&["src/b.py"]),
    )
    // It has no content to take over, and is never in the tree.
    .isolated(Nothing),
    way(
        "the root moved away and back",
        "r=$(pwd); cd ..; mv \"$r\" moved; mv moved \"$r\"",
        Nothing,
    )
    // The root is mounted in a view, so it can't be renamed, and mv fails.
    .isolated(Block("implement_failed", &[]))
    .only(&[
        World::Clean,
        World::Dirty,
        World::Staged,
        World::Unborn,
        World::Worktree,
        World::Plain,
    ]),
    way(
        "a root within a watched tree moved away and back",
        "r=$(pwd); cd ..; mv \"$r\" moved; mv moved \"$r\"",
        Nothing,
    )
    // The mount is above it, so mv copies the root and removes it, up to what passes through.
    .isolated(Block("implement_failed", &["docs/guide.md"]))
    .passing(&[".venv"])
    .only(&[World::Below]),
    way(
        "the root's directories all renamed",
        "for d in docs notes conf src; do mv $d $d.old; done",
        Strays(&["docs/guide.md", "docs.old/guide.md", "src/b.py", "src.old/b.py"]),
    ),
    way(
        "the root exchanged for a copy",
        "r=$(pwd); cd ..; cp -a \"$r\" copy; mv \"$r\" moved || { rm -rf copy; exit 1; }; mv copy \"$r\"; echo STRAY > \"$r/x.txt\"; rm -rf moved",
        Refused,
    )
    .isolated(Block("implement_failed", &[]))
    .passing(&["x.txt"])
    .only(&[World::Clean, World::Dirty, World::Plain]),
    way(
        "900 files",
        "mkdir many; for i in $(seq 900); do echo STRAY > many/$i; done",
        Strays(&["many/1", "many/900"]),
    ),
];
