#!/bin/sh
# From a spec to a report on a regular file: iops with short cells, every command on its store.
. tests/cli/lib.sh

size=$((64 * 1024 * 1024 + 90112))
truncate -s $size "$work/file"
identity=$(identity_of "$work/file")
printf 'operator: "A. Tester"\nsponsor: nobody\n' >"$work/about.yaml"

status=0
"$PTS" run iops --mode enterprise --device "$work/file" --destroy "$identity" --out "$work/run" \
	--set cell_time=20ms --set max_rounds=5 --seed 42 --about "$work/about.yaml" \
	--progress json >"$out" 2>"$err" </dev/null || status=$?
ended=$status
[ "$ended" -le 1 ] || {
	cat "$err"
	fail "run: exit $ended"
}
no_escapes "$out" "$err"
# JSON lines, each strict by itself; the last one is the result
tail -n 1 "$out" >"$work/result.json"
equals "$work/result.json" event result
equals "$work/result.json" exit_code "$ended"
equals "$work/result.json" store "$work/run/run.db"
equals "$work/result.json" 'tracks#' 3
for event in begin step_begin round_begin cell_begin cell_end round_end step_end end; do
	grep "\"event\":\"$event\"" "$out" | tail -n 1 >"$work/line.json"
	equals "$work/line.json" event $event
done
cells=$(grep -c '"event":"cell_end"' "$out")
rounds=$(grep -c '"event":"round_end"' "$out")
[ "$rounds" -eq 5 ] || fail "$rounds rounds instead of 5"
# 56 cells a round and the fill
[ "$cells" -eq $((rounds * 56 + 1)) ] || fail "$cells cells instead of $((rounds * 56 + 1))"

expect 0 status "$work/run" --json
equals "$out" state done
equals "$out" exit_code "$ended"
equals "$out" rounds_closed 5
equals "$out" steps.2.cells_stored 280
equals "$out" steps.1.bytes_written $((2 * size))
equals "$out" 'steady#' 3
equals "$out" identity "$identity"
expect 0 status "$work/run/run.db"
says "$out" "round 5 of at most 5"

expect 0 verify "$work/run" --json
equals "$out" differences 0
[ "$(value "$out" checked)" -gt 5000 ] || fail "verify checked $(value "$out" checked) figures"

# judged again from the store: the same as was stored; another rule gives another verdict
"$PTS" status "$work/run" --json >"$work/status.json"
expect 0 judge "$work/run" --json
equals "$out" 'series#' 3
for i in 0 1 2; do
	j=0
	while [ "$(value "$work/status.json" steady.$j.track)" != "$(value "$out" series.$i.series)" ]; do
		j=$((j + 1))
		[ $j -lt 3 ] || break
	done
	for key in average range_pct slope_excursion_pct steady; do
		equals "$out" series.$i.rounds.0.$key "$(value "$work/status.json" steady.$j.$key)"
	done
done
expect 0 judge "$work/run" --window 2 --range 100% --slope 100% --json
equals "$out" 'series.0.rounds#' 4
before=$(sha256sum <"$work/run/run.db")
expect 0 judge "$work/run"
[ "$(sha256sum <"$work/run/run.db")" = "$before" ] || fail "judge changed the store"

formats=html,csv,json,text
expect 0 report "$work/run" --format $formats --out "$work/report"
while read -r file; do
	[ -s "$file" ] || fail "$file is empty or missing"
done <"$out"
for file in report.html report.json report.txt tables; do
	[ -e "$work/report/$file" ] || fail "the report has no $file"
done
says "$work/report/report.html" "NOT COMPLIANT"
says "$work/report/report.txt" "A. Tester"
"$PTS_BUILD/tests/schemacheck" report/report.schema.json "$work/report/report.json" ||
	fail "report.json is not what its schema says"
[ "$(sha256sum <"$work/run/run.db")" = "$before" ] || fail "report changed the store"

# a folder that holds a run is never written over
expect 2 run iops --mode enterprise --device "$work/file" --destroy "$identity" --out "$work/run"
says "$err" "pts resume"
[ "$(sha256sum <"$work/run/run.db")" = "$before" ] || fail "a second run changed the store"

# a store that was touched is found out; the original is not
forge() { # forge STATEMENT: on a copy; verify must see it
	cp "$work/run/run.db" "$work/forged.db"
	"$PTS_BUILD/tests/storeq" -w "$work/forged.db" "$1" || fail "cannot forge: $1"
	expect 1 verify "$work/forged.db"
	[ -s "$out" ] || fail "no difference is named after: $1"
}
forge "UPDATE steady SET average = average * 1.0001 WHERE last_round = 5 AND average IS NOT NULL"
forge "UPDATE steady SET steady = 1 - steady WHERE last_round = 5"
forge "UPDATE figure SET ios = ios + 1 WHERE dir = 'total' AND ios > 0"
forge "UPDATE figure SET iops = iops * 1.0001 WHERE dir = 'total' AND iops > 0"
# what a stranger wrote into a store moves no terminal
colour="char(27) || '[31m' || char(155) || char(13) || 'red'"
hostile() { # hostile STATEMENT
	cp "$work/run/run.db" "$work/hostile.db"
	"$PTS_BUILD/tests/storeq" -w "$work/hostile.db" "$1" || fail "cannot write: $1"
	for command in status verify judge "report --out $work/hostile.report --format text"; do
		"$PTS" ${command%% *} "$work/hostile.db" ${command#"${command%% *}"} \
			>"$out" 2>"$err" </dev/null
		no_escapes "$out" "$err"
	done
}
hostile "UPDATE run SET stop_reason = $colour, identity = $colour, device_path = $colour, mode = $colour"
hostile "UPDATE step SET phase = $colour || step, outcome = $colour"
hostile "UPDATE steady SET track = $colour || track, metric = $colour"
hostile "UPDATE cell SET label = $colour"
"$PTS_BUILD/tests/storeq" -w "$work/hostile.db" "CREATE TABLE \"$(printf '\033[31mred')\"(a)"
expect 4 status "$work/hostile.db"
one_line "$err"
no_escapes "$err"
printf 'no store' >"$work/fake.db"
expect 4 verify "$work/fake.db"
one_line "$err"

# text results, quiet
expect 0 report "$work/run" --format json --out "$work/report2" --json
value "$out" files.0 | grep -q 'report.json$' || fail "report --json names no file"
exit $bad
