#!/bin/sh
# An implementer that needs no model: it edits the delta and says what it did.
set -eu
copy=$(mktemp)
sed -e "s/'˜'/'~'/" \
    -e "/quote(\"X'.nY\")/a\\
        assert_eq!(quote(\"~root\"), \"'~root'\");" src/lib.rs >"$copy"
cat "$copy" >src/lib.rs
rm "$copy"
printf '{"summary": "quote() quotes a tilde"}\n' >"$FTL_REPLY"
