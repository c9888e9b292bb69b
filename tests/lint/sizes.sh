#!/bin/sh
# A file has one purpose and at most 600 lines; a function fits a screen (60 lines).
cd "$(dirname "$0")/../.." || exit 1
bad=0
for file in $(find pts engine report tests -name '*.c' -o -name '*.h'); do
	lines=$(wc -l <"$file")
	[ "$lines" -le 600 ] || { echo "$file: $lines lines (600 at most)"; bad=1; }
done
# a definition opens with "{" alone in the first column and ends with "}" there
for file in $(find pts engine report -name '*.c'); do
	awk -v file="$file" '
		/^{/ { start = NR }
		/^}$/ {
			if (start && NR - start - 1 > 60) {
				printf "%s:%d: a function of %d lines (60 at most)\n", file, start, NR - start - 1
				bad = 1
			}
			start = 0
		}
		END { exit bad }' "$file" || bad=1
done
exit $bad
