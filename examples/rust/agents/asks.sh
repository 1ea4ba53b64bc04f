#!/bin/sh
# Does its part and says that the task needs a file which it may not touch.
set -eu
git apply patches/fix.patch
printf '{"needs": ["README.md"]}\n' >"$FTL_REPLY"
