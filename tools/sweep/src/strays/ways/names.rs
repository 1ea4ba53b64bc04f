//! Names that a program may trip over.

use super::Expected::Strays;
use super::{Way, way};

pub(super) const WAYS: &[Way] = &[
    way("line feed", "echo STRAY > \"$(printf 'we\\nird')\"", Strays(&[])),
    way("quotes", "echo STRAY > \"a \\\"b\\\" 'c'\"", Strays(&["a \"b\" 'c'"])),
    way("leading dash", "echo STRAY > ./-rf", Strays(&["-rf"])),
    way("star", "echo STRAY > '*'; echo STRAY > '[a]?'", Strays(&["*", "[a]?"])),
    way("backslash", "echo STRAY > 'a\\b'", Strays(&["a\\b"])),
    way("spaces", "echo STRAY > ' x '; mkdir ' '", Strays(&[" x "])),
    way("invalid UTF-8", "echo STRAY > \"$(printf 'a\\377b')\"", Strays(&[])),
    way("control characters", "echo STRAY > \"$(printf 'a\\033[2J\\007b')\"", Strays(&[])),
    way("bidi", "echo STRAY > \"$(printf 'a\\342\\200\\256b')\"", Strays(&[])),
    way(
        "two forms of one letter",
        "echo STRAY > \"$(printf 'e\\314\\201.txt')\"; echo STRAY > \"$(printf '\\303\\251.txt')\"",
        Strays(&[]),
    ),
    way(
        "dots",
        "echo STRAY > ...; echo STRAY > ..x; mkdir x; echo STRAY > 'x/. .'",
        Strays(&["...", "..x"]),
    ),
    way(
        "like git's",
        "echo STRAY > .git2; echo STRAY > '.git '; mkdir .GIT; echo STRAY > .GIT/x",
        Strays(&[".git2", ".GIT/x"]),
    ),
    way(
        "like ftl's",
        "mkdir .FTL; echo STRAY > .FTL/x; mkdir docs/.ftl; echo STRAY > docs/.ftl/y",
        Strays(&[".FTL/x", "docs/.ftl/y"]),
    ),
    way(
        "like the quarantine's",
        "mkdir again-2; echo STRAY > again-2/b.py; echo STRAY >> src/b.py",
        Strays(&["again-2/b.py"]),
    ),
    way("255 bytes", "echo STRAY > $(printf 'x%.0s' $(seq 255))", Strays(&[])),
    way(
        "a path near PATH_MAX",
        "python3 -c '
import os
for i in range(38): os.mkdir(\"d\" * 100); os.chdir(\"d\" * 100)
open(\"f\", \"w\").write(\"STRAY\")'",
        Strays(&[]),
    ),
    way(
        "a path over PATH_MAX",
        "python3 -c '
import os
for i in range(60): os.mkdir(\"d\" * 100); os.chdir(\"d\" * 100)
open(\"f\", \"w\").write(\"STRAY\")'",
        Strays(&[]),
    ),
    way(
        "300 directories deep",
        "python3 -c '
import os
for i in range(300): os.mkdir(\"d\"); os.chdir(\"d\")
open(\"f\", \"w\").write(\"STRAY\")'",
        Strays(&[]),
    ),
    way(
        "shell words",
        "echo STRAY > '$(touch owned)'; echo STRAY > ';id;'",
        Strays(&["$(touch owned)", ";id;"]),
    ),
    way(
        "a patch's words",
        "echo STRAY > '--- a'; mkdir a; echo STRAY > 'a/b => c'",
        Strays(&["--- a", "a/b => c"]),
    ),
];
