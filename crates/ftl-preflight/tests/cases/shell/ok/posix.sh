#!/bin/sh
: "${x:=it's}" "${y%'}'}"
i() ( [ -n "$1" ] && echo no; )
if :; then :; fi
