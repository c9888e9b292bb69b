#!/bin/sh
# --help of the program and of each command, against tests/golden/cli (PTS_GOLDEN_WRITE=1 writes
# them anew, to be looked at in the diff).
. tests/cli/lib.sh

golden() { # golden NAME: $out is what it holds
	[ -z "${PTS_GOLDEN_WRITE:-}" ] || cp "$out" "tests/golden/cli/$1.txt"
	diff -u "tests/golden/cli/$1.txt" "$out" || fail "help of $1 differs"
	[ ! -s "$err" ] || fail "help of $1 writes to stderr"
	longest=$(awk '{ if (length > m) m = length } END { print m }' "$out")
	[ "$longest" -le 80 ] || [ "$1" != pts ] || fail "$1: a line of $longest columns"
}

expect 0 --help
golden pts
cp "$out" "$work/pts"
expect 0 help
cmp -s "$out" "$work/pts" || fail "'pts help' and 'pts --help' differ"
for command in $("$PTS" __complete); do
	grep -q "^  $command " "$work/pts" || fail "$command is not in the list of commands"
	expect 0 "$command" --help
	golden "$command"
	cp "$out" "$work/help"
	# --help wins over what is wrong or missing beside it, and `help COMMAND` is the same
	expect 0 help "$command"
	cmp -s "$out" "$work/help" || fail "'pts help $command' differs"
done
for file in tests/golden/cli/*.txt; do
	name=$(basename "$file" .txt)
	[ "$name" = pts ] || "$PTS" __complete "$name" >/dev/null || fail "$file is of no command"
done
expect 0 --version
grep -qE '^pts [0-9]+\.[0-9]+\.[0-9]+$' "$out" || fail "--version: $(cat "$out")"
exit $bad
