#!/bin/sh
# The man pages say what the tables say, hold every option, exit code and key, and render.
. tests/cli/lib.sh

for page in pts.1 pts-spec.5 pts-store.5 pts-report.5; do
	case $page in
	pts-store.5 | pts-report.5) cp "pts/man/$page" "$work/$page" ;;
	*) pts/man/refresh --print "$page" "$PTS" >"$work/$page" ;;
	esac
	diff -u "pts/man/$page" "$work/$page" >"$work/diff" || {
		head -n 20 "$work/diff"
		fail "$page is not what the tables say: run pts/man/refresh"
	}
	if command -v groff >/dev/null; then
		groff -man -ww -Tutf8 -P-c "pts/man/$page" >"$work/$page.txt" 2>"$work/warnings"
		[ ! -s "$work/warnings" ] || {
			head -n 5 "$work/warnings"
			fail "$page: groff warns"
		}
		longest=$(col -b <"$work/$page.txt" | awk '{ if (length > m) m = length } END { print m }')
		[ "$longest" -le 100 ] || fail "$page: a line of $longest columns"
	fi
done
sed 's/\\-/-/g; s/\\fB//g; s/\\fR//g; s/\\fI//g' pts/man/pts.1 >"$work/plain"
for command in $("$PTS" __complete); do
	says "$work/plain" ".SS pts $command"
	"$PTS" __complete "$command" | sed 1d | while read -r option argument; do
		grep -qF -- "$option${argument:+ $argument}" "$work/plain" ||
			echo "FAIL: $command $option is not in pts.1"
	done >"$work/missing"
	[ ! -s "$work/missing" ] || {
		cat "$work/missing"
		bad=1
	}
done
# each exit code of pts_exit.h, and no other
codes=$(tr "\n" " " <pts/base/pts_exit.h | grep -oE "PTS_EXIT_[A-Z]+ =[[:space:]]+[0-9]+" |
	grep -oE "[0-9]+$" | sort -n | tr "\n" " ")
table=$(sed -n '/^\.SH "EXIT STATUS"/,/^\.SH ENV/s/^\.B \([0-9][0-9]*\)$/\1/p' pts/man/pts.1 |
	sort -n | tr '\n' ' ')
[ "$codes" = "$table" ] || fail "exit codes: pts_exit.h has $codes, pts.1 has $table"
# each view and table of the store
sed -n 's/^CREATE \(VIEW\|TABLE\) \([a-z_]*\).*/\2/p' pts/store/schema.sql >"$work/objects"
[ -s "$work/objects" ] || fail "no views found in schema.sql"
while read -r object; do
	grep -qw -- "$object" pts/man/pts-store.5 || fail "pts-store.5 does not tell of $object"
done <"$work/objects"
# each key of the language
expect 0 spec keys --json
count=$(value "$out" '#')
[ "$count" -gt 50 ] || fail "only $count keys"
i=0
while [ $i -lt "$count" ]; do
	name=$(value "$out" "$i.name")
	says pts/man/pts-spec.5 "\\fB$name\\fR"
	i=$((i + 29))
done
keys=$(grep -c '^\.TP$' pts/man/pts-spec.5)
[ "$keys" -eq "$count" ] || fail "pts-spec.5 has $keys keys of $count"
exit $bad
