#!/bin/sh
echo 'no model answered' >&2
exit 1
