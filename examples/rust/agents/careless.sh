#!/bin/sh
# Forgets a bracket at first, and adds it when it is shown the diagnostic.
set -eu
case $FTL_PHASE in
implement) patch=patches/does-not-parse.patch ;;
fix-syntax)
    git apply --reverse patches/does-not-parse.patch
    patch=patches/fix.patch
    ;;
*) exit 1 ;;
esac
git apply "$patch"
