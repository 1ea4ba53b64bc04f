//! Who writes at another time or in another phase: daemons, repairs, fixes, implementers that fail.

use super::Expected::{Block, Either, Strays};
use super::{Way, way};

pub(super) const WAYS: &[Way] = &[
    way("in the background", "(sleep 0.4; echo STRAY > late.txt) >/dev/null 2>&1 &", Either).late(),
    way("daemon", "setsid sh -c 'sleep 0.4; echo STRAY > late.txt' >/dev/null 2>&1 </dev/null &", Either).late(),
    way(
        "daemon, twice removed",
        "setsid sh -c '(setsid sh -c \"sleep 0.4; echo STRAY > late.txt\" &) &' >/dev/null 2>&1 </dev/null &",
        Either,
    )
    .late(),
    way(
        "daemon that holds the output",
        "setsid sh -c 'sleep 0.4; echo STRAY > late.txt' &",
        Either,
    )
    .late(),
    way(
        "daemon that hears no end",
        "setsid sh -c 'trap \"\" TERM INT HUP; sleep 0.4; echo STRAY > late.txt' >/dev/null 2>&1 </dev/null &",
        Either,
    )
    .late(),
    way(
        "daemon without pause",
        "setsid sh -c 'while :; do echo STRAY >> src/b.py; done' >/dev/null 2>&1 </dev/null &
         sleep 0.05",
        Strays(&["src/b.py"]),
    )
    .late(),
    way("failing", "echo STRAY > s.txt; exit 1", Block("implement_failed", &["s.txt"])),
    way("killed by itself", "echo STRAY > s.txt; kill -KILL $$", Block("implement_failed", &["s.txt"])),
    way(
        "in a mend",
        "case $FTL_PHASE in implement) echo 'a = (' > src/a.py ;; *) echo 'a = 1' > src/a.py; echo STRAY > s.txt ;; esac",
        Strays(&["s.txt"]),
    ),
    way(
        "in the second mend",
        "case $FTL_PHASE$FTL_ATTEMPT in implement*) echo 'a = (' > src/a.py ;; fix-syntax1) echo 'a = [' > src/a.py ;;
         *) echo 'a = 1' > src/a.py; echo STRAY >> docs/guide.md ;; esac",
        Strays(&["docs/guide.md"]),
    ),
    way(
        "in a fix",
        "case $FTL_PHASE in implement) echo 'WRONG = 1' > src/a.py ;; *) echo 'a = 3' > src/a.py; echo STRAY > s.txt ;; esac",
        Block("fix_failed", &["s.txt"]),
    ),
    way(
        "in a fix that deletes",
        "case $FTL_PHASE in implement) echo 'WRONG = 1' > src/a.py ;; *) echo 'a = 3' > src/a.py; rm -rf docs ;; esac",
        Block("fix_failed", &["docs/guide.md"]),
    ),
    way(
        "ftl's parent is left alone, its output closed",
        "exec >&- 2>&-; echo STRAY > s.txt",
        Strays(&["s.txt"]),
    ),
];
