#!/bin/sh
# Unfinished parts and constants of the standard do not stand in what is committed.
cd "$(dirname "$0")/../.." || exit 1
bad=0

report() { # report TITLE HITS
	[ -z "$2" ] || { printf '%s:\n%s\n' "$1" "$2"; bad=1; }
}

files() {
	find pts engine report specs tests cmake .ci CMakeLists.txt ./*.md -type f \
		! -path 'tests/fixtures/*' ! -path 'tests/lint/*' ! -name '*.png'
}

report 'unfinished' "$(files | xargs grep -nIE 'TODO|FIXME|not implemented|\bfor now\b|placeholder')"
# the standard's numbers and names are data in specs/
report 'constants or names of the standard in C' "$(find pts engine report -name '*.c' -print0 |
	xargs -0 grep -nE '"(PTS-E|PTS-C|IOPS Test|WSAT|DIRTH|RND 4KiB)|\b131072\b|128 \* 1024' |
	grep -vE '^pts/base/pts_units|^pts/spec/spec_keys')"
report 'assertions that cannot fail' \
	"$(grep -rnE 'assert(_true)?\((1|true)\)' --include='*.c' tests)"
exit $bad
