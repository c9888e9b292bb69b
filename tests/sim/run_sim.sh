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

sums() { # NAME: the exported tables of raw figures
	(cd "$work/$1.report/tables" && sha256sum cells.csv rounds.csv steady.csv iops-matrix-iops.csv)
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
done
wall='s/[0-9]\{4\}-[0-9][0-9]-[0-9][0-9]T[0-9:.]*Z//g'
for name in a b c; do
	sed -i "$wall" "$work/$name.report/tables/cells.csv"
done
[ "$(sums a)" = "$(sums b)" ] || fail "the same seed gave other raw rounds"
[ "$(sums a)" != "$(sums c)" ] || fail "another seed gave the same raw rounds"

exit $bad
