//! Contents: what a comparison of sizes, times or names would miss.

use super::Expected::{Nothing, Strays};
use super::{Way, way};

pub(super) const WAYS: &[Way] = &[
    way("append", "echo STRAY >> src/b.py", Strays(&["src/b.py"])),
    way("overwrite", "echo STRAY > docs/guide.md", Strays(&["docs/guide.md"])),
    way("truncate", ": > notes/n.txt", Strays(&["notes/n.txt"])),
    way("empty file made", ": > empty.txt", Strays(&["empty.txt"])),
    way("new file", "echo STRAY > new.txt", Strays(&["new.txt"])),
    way("same size", "printf B | dd conv=notrunc of=src/b.py 2>/dev/null", Strays(&["src/b.py"])),
    way(
        "same size, same mtime",
        "touch -r src/b.py \"$OUT/../tmp/t\"; printf B | dd conv=notrunc of=src/b.py 2>/dev/null
         touch -r \"$OUT/../tmp/t\" src/b.py; rm \"$OUT/../tmp/t\"",
        Strays(&["src/b.py"]),
    ),
    way(
        "same size, same mtime, another inode",
        "cp -p src/b.py src/t; printf B | dd conv=notrunc of=src/t 2>/dev/null
         touch -r src/b.py src/t; mv src/t src/b.py",
        Strays(&["src/b.py"]),
    ),
    way(
        "memory map, mtime restored",
        "python3 -c '
import mmap, os
s = os.stat(\"docs/guide.md\")
with open(\"docs/guide.md\", \"r+b\") as f:
    m = mmap.mmap(f.fileno(), 0); m[0:1] = b\"!\"; m.flush(); m.close()
os.utime(\"docs/guide.md\", ns=(s.st_atime_ns, s.st_mtime_ns))'",
        Strays(&["docs/guide.md"]),
    ),
    way(
        "mtime in the future",
        "echo STRAY >> src/b.py; touch -d 2100-01-01 src/b.py",
        Strays(&["src/b.py"]),
    ),
    way("mtime of 1970", "echo STRAY >> src/b.py; touch -d @0 src/b.py", Strays(&["src/b.py"])),
    way("touched only", "touch src/b.py docs link run.sh", Nothing),
    way(
        "changed and changed back",
        "cp -p src/b.py \"$OUT/../tmp/b\"; echo x >> src/b.py; cat \"$OUT/../tmp/b\" > src/b.py
         rm \"$OUT/../tmp/b\"",
        Nothing,
    ),
    way("line ends", "sed -i 's/$/\\r/' docs/guide.md", Strays(&["docs/guide.md"])),
    way(
        "line ends of Windows taken away",
        "sed -i 's/\\r$//' docs/windows.txt",
        Strays(&["docs/windows.txt"]),
    ),
    way("last line end cut", "truncate -s -1 docs/deep/page.md", Strays(&["docs/deep/page.md"])),
    way("binary", "printf '\\000' >> image.bin", Strays(&["image.bin"])),
    way("grown to a sparse 5 GB", "truncate -s 5G docs/guide.md", Strays(&["docs/guide.md"])),
    way("sparse 5 GB made", "truncate -s 5G big.bin", Strays(&["big.bin"])),
    way(
        "through a hard link",
        "ln src/b.py twin; echo STRAY >> twin; rm twin",
        Strays(&["src/b.py"]),
    ),
    way("through a symbolic link", "echo STRAY >> link", Strays(&["docs/guide.md"])),
    way(
        "through a descriptor of a renamed file",
        "exec 3>>src/b.py; mv src/b.py src/t; mv src/t src/b.py; echo STRAY >&3",
        Strays(&["src/b.py"]),
    ),
    way(
        "two files exchanged",
        "mv src/b.py t; mv docs/guide.md src/b.py; mv t docs/guide.md",
        Strays(&["src/b.py", "docs/guide.md"]),
    ),
    way(
        "every file",
        "for f in src/b.py docs/guide.md docs/deep/page.md notes/n.txt run.sh conf/settings.toml
         do echo STRAY >> $f; done",
        Strays(&["src/b.py", "docs/guide.md", "docs/deep/page.md", "notes/n.txt", "run.sh"]),
    ),
    way(
        "all that is there",
        "find . -name .git -prune -o -name .ftl -prune -o -type f -print | grep -v src/a.py |
         while read -r f; do echo STRAY > \"$f\"; done",
        Strays(&["src/b.py", "docs/guide.md", "run.sh", "image.bin"]),
    )
    .passing(&[".venv"]),
    way(
        "uncommitted work",
        "for f in untracked.txt mine/deep/x.txt staged.txt src/b.py; do [ ! -e $f ] || echo STRAY > $f; done",
        Strays(&["src/b.py"]),
    ),
    way(
        "beside the delta, in a directory made for it",
        "mkdir -p pkg/new; echo 'm = 1' > pkg/new/mod.py; echo STRAY > pkg/new/other.py; echo STRAY > pkg/q",
        Strays(&["pkg/new/other.py", "pkg/q"]),
    ),
    way(
        "the delta alone",
        "mkdir -p pkg/new; echo 'm = 1' > pkg/new/mod.py; chmod +x src/a.py",
        Nothing,
    ),
];
