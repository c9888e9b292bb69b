#!/bin/bash
# The report of a run of several tests, and of one of them: contents, page numbers, the pages
# over time; every page says that the drive is none; all of it is what the schema asks.
set -u
. tests/cli/lib.sh

drive=sim:enterprise-small
expect 0 run wsat xsr --mode enterprise --device "$drive,seed=3" --seed 3 \
	--destroy "$drive:3" --out "$work/run" --progress none \
	--set group1_time=8min --set group2_time=6min --set group3_time=8min \
	--set record_time=30s --set histogram_time=1min --set stop_time=10min \
	--set sample_load=2min
expect 0 verify "$work/run"
expect 0 report "$work/run" --quiet --format html,csv,json,text,md --out "$work/all"
expect 0 report "$work/run" --quiet --format html,csv,json,text --test xsr --out "$work/xsr"
for name in all xsr; do
	"$PTS_BUILD/tests/schemacheck" report/report.schema.json "$work/$name/report.json" ||
		fail "$name/report.json is not what its schema says"
	sections=$(grep -o '<section ' "$work/$name/report.html" | wc -l)
	flags=$(grep -o 'NOT A DRIVE: sim' "$work/$name/report.html" | wc -l)
	[ "$sections" -gt 10 ] && [ "$sections" -eq "$flags" ] ||
		fail "$name: $flags of $sections pages say that this is no drive"
done

# the contents name each page with the number that stands on it
says "$work/all/report.txt" "Contents"
pages=0
while [ "$(value "$work/all/report.json" "pages.$pages.title")" != "(missing pages.$pages.title)" ]; do
	title=$(value "$work/all/report.json" "pages.$pages.title")
	number=$(value "$work/all/report.json" "pages.$pages.number")
	case $(value "$work/all/report.json" "pages.$pages.id") in
	*-c[0-9]* | run-contents) ;;
	*) grep -qF ",$title,$number," "$work/all/tables/contents.csv" ||
		grep -qF ",\"$title\",$number," "$work/all/tables/contents.csv" ||
		fail "the contents lack '$title' on page $number" ;;
	esac
	pages=$((pages + 1))
done
[ "$pages" -gt 20 ] || fail "only $pages pages"

# one test alone: nothing of the other, no contents
says "$work/xsr/report.txt" "TP v Time - All Access Groups"
grep -q "WSAT\|Write Saturation\|^Contents" "$work/xsr/report.txt" && fail "the other test is there"
cut -d , -f 1 "$work/xsr/tables/cells.csv" | sort -u | grep -qx 1 && fail "a cell of the other test"
expect 2 report "$work/run" --format text --test xsx --out "$work/none"
one_line "$err"
says "$err" "did you mean 'xsr'?"
[ ! -e "$work/none" ] || fail "a refused report left something"

# 8 + 6 + 8 minutes of 30 s are points of a table each, and nothing is counted twice
for group in 1 2 3; do
	points=$(($(wc -l <"$work/xsr/tables/xsr-group-$group-points.csv") - 1))
	[ "$points" -eq $((group == 2 ? 12 : 16)) ] || fail "group $group has $points points"
done
written=$(tail -n 1 "$work/xsr/tables/xsr-group-3-points.csv" | cut -d , -f 5)
bytes=$(awk -F , 'NR == 1 {for (i = 1; i <= NF; i++) if ($i ~ /^"?bytes \[B\]"?$/) at = i}
	NR > 1 {sum += $at} END {printf "%.0f", sum}' "$work/xsr/tables/cells.csv")
[ "$written" = "$bytes" ] || fail "the last point has $written bytes, the cells wrote $bytes"
# which of its rules ended the saturation
grep -q "STEADY STATE WAS NOT REACHED: its time was over first" "$work/all/report.txt" ||
	grep -q "Write Saturation: steady state was reached" "$work/all/report.txt" ||
	fail "nobody says what ended the saturation"

exit $bad
