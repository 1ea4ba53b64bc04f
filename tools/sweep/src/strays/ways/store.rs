//! ftl's own directory: task files, records, runs, configuration.

use super::Expected::{Either, Strays};
use super::{Way, way};

pub(super) const WAYS: &[Way] = &[
    way(
        "own record forged",
        "sed 's/\"active\"/\"complete\"/; s#</workspace>#<run/></workspace>#' .ftl/workspace/001_t_active.xml \
         > .ftl/workspace/001_t_complete.xml",
        Strays(&[".ftl/workspace/001_t_complete.xml"]),
    ),
    way(
        "own record forged in place",
        "sed -i 's/\"active\"/\"complete\"/; s#</workspace>#<run/></workspace>#' .ftl/workspace/001_t_active.xml",
        Strays(&[".ftl/workspace/001_t_active.xml"]),
    ),
    way("own verify changed", "sed -i 's/grep/true/' .ftl/workspace/001_t_active.xml", Strays(&[".ftl/workspace/001_t_active.xml"])),
    way("own task deleted", "rm .ftl/workspace/001_t_active.xml", Strays(&[".ftl/workspace/001_t_active.xml"])),
    way("own task renamed", "mv .ftl/workspace/001_t_active.xml .ftl/workspace/001_t_blocked.xml", Strays(&[".ftl/workspace/001_t_blocked.xml"])),
    way(
        "other record forged",
        "sed 's/\"active\"/\"complete\"/' .ftl/workspace/002_o_active.xml > .ftl/workspace/002_o_complete.xml
         rm .ftl/workspace/002_o_active.xml",
        Strays(&[".ftl/workspace/002_o_complete.xml", ".ftl/workspace/002_o_active.xml"]),
    ),
    way("other record edited", "echo '<!-- STRAY -->' >> .ftl/workspace/000_d_complete.xml", Strays(&[".ftl/workspace/000_d_complete.xml"])),
    way("other record deleted", "rm .ftl/workspace/000_d_complete.xml", Strays(&[".ftl/workspace/000_d_complete.xml"])),
    way("other verify changed", "sed -i 's/false/STRAY/' .ftl/workspace/002_o_active.xml", Strays(&[".ftl/workspace/002_o_active.xml"])),
    way("task planted", "sed 's/false/STRAY/' .ftl/workspace/002_o_active.xml > .ftl/workspace/003_p_active.xml", Strays(&[".ftl/workspace/003_p_active.xml"])),
    way("exploration changed", "echo STRAY > .ftl/exploration.json", Strays(&[".ftl/exploration.json"])),
    way("knowledge planted", "echo STRAY > .ftl/knowledge.xml; mkdir .ftl/x; echo STRAY > .ftl/x/y", Strays(&[".ftl/knowledge.xml", ".ftl/x/y"])),
    way("other run changed", "echo STRAY >> .ftl/runs/000_old/1/keep.txt", Strays(&[".ftl/runs/000_old/1/keep.txt"])),
    way("other run deleted", "rm -r .ftl/runs/000_old", Strays(&[".ftl/runs/000_old/1/keep.txt"])),
    way("ftl's ignore file changed", "echo '!*' >> .ftl/.gitignore", Strays(&[".ftl/.gitignore"])),
    way("all tasks deleted", "rm -rf .ftl/workspace", Strays(&[".ftl/workspace/002_o_active.xml"])),
    way("all runs deleted", "rm -rf .ftl/runs; echo STRAY > s.txt", Strays(&["s.txt", ".ftl/runs/000_old/1/keep.txt"])),
    way("everything of ftl's deleted", "rm -rf .ftl; echo STRAY > s.txt", Strays(&["s.txt", ".ftl/workspace/002_o_active.xml"])),
    way("ftl's directory renamed", "mv .ftl .ftl.old; echo STRAY > s.txt", Strays(&["s.txt"])),
    way("ftl's directory made a link", "cp -a .ftl \"$OUT/ftl\"; rm -rf .ftl; ln -s \"$OUT/ftl\" .ftl; echo STRAY > s.txt", Strays(&["s.txt"])).outside(),
    way("mode of ftl's directory", "chmod 700 .ftl .ftl/workspace; echo STRAY > s.txt", Strays(&["s.txt", ".ftl/workspace"])),
    way("locks deleted", "rm -rf .ftl/locks; echo STRAY > s.txt", Strays(&["s.txt"])),
    way("own quarantine led out", "d=$(ls -d .ftl/runs/001_t/1); rm -rf $d/quarantine; ln -s \"$OUT\" $d/quarantine; echo STRAY > authorized_keys", Strays(&["authorized_keys"])),
    way(
        "every directory of the own run led out",
        "d=.ftl/runs/001_t/1; for n in quarantine diffs outputs captures interrupted; do rm -rf $d/$n; ln -s \"$OUT\" $d/$n; done
         echo STRAY > authorized_keys",
        Strays(&["authorized_keys"]),
    ),
    way("own run led out", "mv .ftl/runs/001_t/1 \"$OUT/../tmp/1\"; ln -s \"$OUT\" .ftl/runs/001_t/1; rm -r \"$OUT/../tmp/1\"; echo STRAY > s.txt", Strays(&["s.txt"])),
    way("own journal cut", ": > .ftl/runs/001_t/1/journal.jsonl; echo STRAY > s.txt", Strays(&["s.txt"])),
    way("own journal forged", "echo '{\"type\":\"sealed\"}' >> .ftl/runs/001_t/1/journal.jsonl; echo STRAY > s.txt", Strays(&["s.txt"])),
    way("own run deleted", "rm -rf .ftl/runs/001_t; echo STRAY > s.txt", Strays(&["s.txt"])),
    way("a run planted", "mkdir -p .ftl/runs/001_t/2; echo STRAY > .ftl/runs/001_t/2/journal.jsonl; echo STRAY > s.txt", Strays(&["s.txt"])),
    way("the state directory's copies searched for", "rm -rf .ftl/runs/*/*/captures; echo STRAY > src/b.py", Strays(&["src/b.py"])),
    way("configuration changed", "echo '[scope]' >> ftl.toml", Strays(&["ftl.toml"])),
    way("configuration deleted", "rm ftl.toml", Strays(&["ftl.toml"])),
    way("reply made a directory", "rm -f \"$FTL_REPLY\"; mkdir \"$FTL_REPLY\"", Either),
    way("reply led out", "ln -s /dev/zero \"$FTL_REPLY\"", Either),
    way("reply made a pipe", "mkfifo \"$FTL_REPLY\"", Either),
];
