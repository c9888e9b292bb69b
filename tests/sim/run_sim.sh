#!/bin/bash
# A run on a model drive by the same commands as a run on a real one: it ends steady, everything
# can be recomputed, it says in store and report that it is virtual, and the same seed gives the
# same raw rounds.
set -u
. tests/cli/lib.sh

drive=sim:enterprise-small

run() { # NAME SEED: short rounds
	expect 0 run iops --mode enterprise --device "$drive,seed=$2" --seed "$2" \
		--destroy "sim:enterprise-small:$2" --out "$work/$1" --progress plain \
		--set cell_time=5s --set max_rounds=8
	# what is shown keeps the onlooker's pace, and says whose clock it reads
	! grep -v '^virtual \|^Next: ' "$err" || fail "lines without 'virtual'"
	[ "$(wc -l <"$err")" -lt 90 ] || fail "$(wc -l <"$err") lines of progress for a run of seconds"
	expect 0 report "$work/$1" --quiet --format csv,json,text --out "$work/$1.report"
	"$PTS_BUILD/tests/schemacheck" report/report.schema.json "$work/$1.report/report.json" ||
		fail "report.json of $1 is not what its schema says"
}

q() { # q NAME STATEMENT
	"$PTS_BUILD/tests/storeq" "$work/$1/run.db" "$2"
}

# all exported tables but those of the host, and all that the store holds of cells but the host's
# dates and CPU time
sums() { # NAME
	(cd "$work/$1.report/tables" && rm -f host-facts.csv run.csv && for table in *.csv; do
		printf '%s ' "$table"
		sed 's/[0-9]\{4\}-[0-9][0-9]-[0-9][0-9]T[0-9:.]*Z//g' "$table" | sha256sum
	done)
	columns=$("$PTS_BUILD/tests/storeq" "$work/$1/run.db" "SELECT group_concat(name)
		FROM pragma_table_info('v_cells') WHERE name NOT IN ('started_wall_ns',
		'user_ns', 'system_ns', 'sha256')")
	q "$1" "SELECT $columns FROM v_cells ORDER BY cell_id" | sha256sum
	q "$1" "SELECT * FROM figure ORDER BY cell_id, dir" | sha256sum
	q "$1" "SELECT * FROM sample ORDER BY cell_id, second" | sha256sum
}

# every model that ships can be read and planned
for file in specs/drives/*.yaml; do
	name=$(basename "$file" .yaml)
	expect 0 info "sim:$name" --json
	says "$out" "\"identity\": \"sim:$name:1\""
	says "$out" '"transport": "sim"'
	expect 0 plan iops --mode enterprise --device "sim:$name"
	says "$out" "a virtual device (sim)"
done

# every key of the table is explained
sed -n 's/^\tKEY("\([a-z_]*\)".*/\1/p' pts/cli/cli_sim.c >"$work/keys"
[ "$(wc -l <"$work/keys")" -gt 40 ] || fail "the table of keys was not found"
while read -r key; do
	grep -q "^|.*\`$key\`.*|.*|" specs/README.md || fail "specs/README.md does not explain '$key'"
	grep -q "^$key  *[a-z]" pts/man/pts-spec.5 || fail "pts-spec(5) does not name '$key'"
done <"$work/keys"

expect 2 info sim:enterprise-smal
one_line "$err"
says "$err" "did you mean 'enterprise-small'?"
expect 2 info "$drive,speed=9"
one_line "$err"

# confirmed like any drive
expect 3 run iops --mode enterprise --device "$drive" --destroy sim:other:1 --out "$work/refused"
[ ! -e "$work/refused" ] || fail "a refused run left something"

run a 5
run b 5
run c 6
for name in a c; do
	expect 0 verify "$work/$name"
	says "$out" ", 0 differ"
	says "$work/$name.report/report.txt" "times are those of a virtual clock"
	says "$work/$name.report/report.txt" "a virtual device (sim)"
	# dates of the run say whose they are; the report's own is the host's
	[ "$(grep -c 'Test \(started\|finished\) .*virtual 20.*Z$' \
		"$work/$name.report/report.txt")" = 2 ] || fail "dates that do not say they are virtual"
	grep -q "Report date  *$(date -u +%Y-%m-%dT)[0-9:]*Z\$" "$work/$name.report/report.txt" ||
		fail "the report's date is not today"
	equals "$work/$name.report/report.json" run.clock_is_virtual true
	expect 0 status "$work/$name" --json
	equals "$out" clock_is_virtual true
done
sums a >"$work/a.sums"
[ "$(wc -l <"$work/a.sums")" -ge 18 ] || fail "only these were compared: $(cat "$work/a.sums")"
sums b | diff "$work/a.sums" - || fail "the same seed gave other figures"
sums c | diff -q "$work/a.sums" - >/dev/null && fail "another seed gave the same figures"
for what in "SELECT count(*) FROM (SELECT * FROM v_cells WHERE valid)" \
	"SELECT outcome FROM v_steps" "SELECT exit_code, stop_reason FROM v_run"; do
	[ "$(q a "$what")" = "$(q b "$what")" ] || fail "a and b differ in $what"
done
for what in "SELECT outcome FROM v_steps" "SELECT exit_code, stop_reason FROM v_run"; do
	[ "$(q a "$what")" = "$(q c "$what")" ] || fail "another seed, another verdict: $what"
done

exit $bad
