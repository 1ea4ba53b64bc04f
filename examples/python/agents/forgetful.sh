#!/bin/sh
# Forgets an import; when the tests fail, it gets the fix that was written down earlier.
set -eu
case $FTL_PHASE in
implement) git apply patches/missing-import.patch ;;
apply-fix)
    git apply patches/import-re.patch
    printf '{"summary": "days and weeks, and the import they need"}\n' >"$FTL_REPLY"
    ;;
*) exit 1 ;;
esac
