#!/bin/bash
# verdict.sh MODEL MODE SEED EXIT ROUNDS LOOK: a full-length, unshortened IOPS run on a model drive
# ends as the table beside it (verdicts.txt) says; verify agrees, the report says the same.
set -u
. tests/cli/lib.sh
. tests/sim/holds.sh

model=$1 mode=$2 seed=$3 code=$4 rounds=$5 look=$6
run=$work/run
text=$work/report/report.txt

# store RUN SQL
store() {
	"$PTS_BUILD/tests/storeq" "$1/run.db" "$2"
}

query() { # SQL: rows of the run's store
	store "$run" "$1"
}

# within NAME VALUE LEAST MOST
within() {
	awk -v v="$2" -v a="$3" -v b="$4" 'BEGIN { exit !(v != "" && v >= a && v <= b) }' ||
		fail "$1 is '$2', not within $3 to $4"
}

# iops ROUND LABEL
iops() {
	query "SELECT iops FROM v_cells WHERE phase = 'rounds' AND round = $1 AND label LIKE '$2 %'"
}

# the mean over the measurement window of a track
average() {
	query "SELECT average FROM v_steady WHERE track = '$1' AND steady = 1
		AND last_round = $last"
}

look_rates() {
	within "steady RND 4KiB writes" "$(average 'RND 4KiB 0/100')" 1000 1500
	within "RND 4KiB reads" "$(iops "$last" 'RND 4KiB 100/0')" 10000 15000
}

# Cells below the LBA size are rows without a value, and the report has the reason.
look_lba() {
	[ "$(query "SELECT count(*) FROM v_cells WHERE block_bytes = 512
		AND valid = 0 AND iops IS NULL AND reason LIKE '%one LBA (4096 B)%'")" -eq $((7 * last)) ] ||
		fail "cells of 512 bytes are no rows with a reason"
	says "$text" "n/a, block smaller than one LBA (4096 B)"
}

# Fast while there is spare area, then the cliff, then a slow rise.
look_cliff() {
	fresh=$(iops 1 'RND 4KiB 0/100')
	deep=$(iops 5 'RND 4KiB 0/100')
	within "fresh / after the cliff" "$(awk "BEGIN { print $fresh / $deep }")" 1.8 4
	within "steady / after the cliff" \
		"$(awk "BEGIN { print $(average 'RND 4KiB 0/100') / $deep }")" 1.1 1.5
}

look_dead() {
	one_line "$work/said"
	says "$work/said" "has gone: it reports no capacity"
	[ "$(query "SELECT state || ' ' || exit_code FROM run")" = "failed 5" ] ||
		fail "the store does not say that the run failed with 5"
	[ "$(query "SELECT group_concat(state, ' ') FROM (SELECT state FROM round WHERE round
		ORDER BY round)")" = "valid valid cut" ] || fail "the rounds are not two whole and a cut one"
	expect 0 status "$run"
	says "$out" "round 3 of at most 25 (2 closed)"
	says "$text" "has gone"
}

# All rounds were run, no window of any track came near the limits, and page 1 says it.
look_unsteady() {
	[ "$outcome" = "not steady" ] || fail "the rounds ended '$outcome'"
	[ "$last" -eq 25 ] || fail "it ended with round $last"
	within "smallest range of any window" "$(query "SELECT min(range_pct) FROM v_steady")" 25 100
	says "$text" "IOPS: STEADY STATE WAS NOT REACHED in 25 rounds."
	expect 0 status "$run"
}

# Heat is no verdict: it is steady, and half as fast as it could be. The health log says so after
# each round, in the facts, and the figures show it: the same cell hot and cool.
look_heat() {
	[ "$(query "SELECT count(DISTINCT round) FROM v_events WHERE kind = 'throttle'")" -eq "$last" ] ||
		fail "not every round has a note of the throttling"
	says "$work/report/tables/events.csv" "round 3: the drive throttled itself for heat"
	within "throttled_s before" "$(query "SELECT value FROM fact WHERE key = 'throttled_s'
		AND scope = 'device_before'")" 0 0
	within "throttled_s after" "$(query "SELECT value FROM fact WHERE key = 'throttled_s'
		AND scope = 'device_after'")" 600 100000
	within "slowest / fastest round of RND 1024KiB reads" "$(query "SELECT min(iops) / max(iops)
		FROM v_cells WHERE label LIKE 'RND 1024KiB 100/0 %'")" 0.4 0.6
}

# write_rate RUN PHASE FROM TO: IOPS of a load's writes in those samples (a second each, or what the
# step records)
write_rate() {
	store "$1" "SELECT sum(write_ios) * 1e9 / sum(span_ns) FROM v_samples JOIN v_steps USING(step)
		WHERE phase = '$2' AND second BETWEEN $3 AND $4"
}

# ratio NAME A B LEAST MOST: of two figures
ratio() {
	within "$1" "$(awk -v a="$2" -v b="$3" 'BEGIN { if (b > 0) print a / b }')" "$4" "$5"
}

# on NAME FILE SPEC ARGUMENT...: another test on the model in a file, its store in NAME
on() {
	name=$1 file=$2 spec=$3
	shift 3
	base=$(basename "$file" .yaml)
	expect_whole run "$spec" --mode "$mode" --device "sim:$file,seed=$seed" --seed "$seed" \
		--destroy "sim:$base:$seed" --out "$work/$name" --progress none "$@"
}

# twin NAME EDIT: the model with one line changed, as $work/NAME.yaml
twin() {
	sed "$2" "specs/drives/$model.yaml" >"$work/$1.yaml"
	! cmp -s "$work/$1.yaml" "specs/drives/$model.yaml" || fail "the twin $1 is no other drive"
}

short="--set cell_time=5s --set max_rounds=5"

# The purge was answered well, the run is steady as any; only the first writes show the lie: of the
# fill, and of the first minute of a write saturation test, full length.
look_lie() {
	says "$text" "66 hold no data, 0 do"
	twin honest 's/^purge_lies: true/purge_lies: false/'
	twin fresh '/^purge_lies\|^arrives_used/d'
	for drive in honest fresh; do
		on $drive "$work/$drive.yaml" iops $short
	done
	lying=$(write_rate "$run" WIPC 0 9)
	honest=$(write_rate "$work/honest" WIPC 0 9)
	ratio "first 10 s of the fill, lying / honest" "$lying" "$honest" 0.1 0.5
	ratio "first 10 s of the fill, honest / never used" "$honest" \
		"$(write_rate "$work/fresh" WIPC 0 9)" 0.97 1.03
	on wsat-lying "specs/drives/$model.yaml" wsat
	on wsat-honest "$work/honest.yaml" wsat
	lying=$(write_rate "$work/wsat-lying" saturation 0 0)
	honest=$(write_rate "$work/wsat-honest" saturation 0 0)
	ratio "first minute of WSAT, lying / honest" "$lying" "$honest" 0.1 0.5
	expect 0 verify "$work/wsat-lying"
}

# of all cells, in order
figures_of() {
	store "$work/$1" "SELECT round, cell, ios, lat_mean_ns FROM v_cells ORDER BY round, cell"
}

# Random data: the same figures as without the features, to the last digit. Zeroes: no flash.
look_payload() {
	twin without '/^compression\|^deduplication/d'
	on with "specs/drives/$model.yaml" iops $short
	on without "$work/without.yaml" iops $short
	on zeroes "specs/drives/$model.yaml" iops $short --set data_pattern=zero
	[ "$(figures_of with | wc -l)" -ge 280 ] || fail "no figures of the short runs"
	[ "$(figures_of with)" = "$(figures_of without)" ] ||
		fail "random data are not what they are on a drive without the features"
	ratio "fill with zeroes / with random data" "$(write_rate "$work/zeroes" WIPC 0 0)" \
		"$(write_rate "$work/with" WIPC 0 0)" 5 1000
}

# cycle_rate PHASE: mean IOPS of the later cells of a cycle
cycle_rate() {
	store "$work/hir" "SELECT avg(write_iops) FROM v_cells WHERE phase = '$1' AND round > 5"
}

# The fill begins in the cache, then comes the cliff. Host idle recovery: in a pause it is folded
# out, and the next writes are fast again; without pauses never.
look_cache() {
	ratio "fill, first 2 s / after the cache" "$(write_rate "$run" WIPC 0 1)" \
		"$(write_rate "$run" WIPC 60 120)" 3 6
	on hir "specs/drives/$model.yaml" hir --set sample_load=5min --set repeats=20 \
		--set waits=5s,50s --set baseline_time=3min
	base=$(store "$work/hir" "SELECT iops FROM v_cells WHERE phase = 'baseline 50s'")
	ratio "writes behind 50 s of pause / without pauses" "$(cycle_rate 'access 5s/50s')" "$base" \
		1.6 4
	ratio "behind 50 s / behind 5 s" "$(cycle_rate 'access 5s/50s')" \
		"$(cycle_rate 'access 5s/5s')" 1.1 2
}

expect "$code" run iops --mode "$mode" --device "sim:$model,seed=$seed" --seed "$seed" \
	--destroy "sim:$model:$seed" --out "$run" --progress none
grep '^pts: ' "$err" | tail -n 1 >"$work/said"
expect 0 verify "$run"
expect 0 report "$run" --quiet --format csv,text --out "$work/report"
# The mode asks for a state of the write cache; the drive was switched to it.
case $mode in
enterprise) cache="write through" ;;
client) cache="write back" ;;
esac
[ "$(query "SELECT value FROM fact WHERE key = 'write_cache' AND scope = 'device_before'")" = \
	"$cache" ] || fail "the run was not made with '$cache'"
[ "$(query "SELECT count(*) FROM v_deviations WHERE what = 'write_cache'")" = 0 ] ||
	fail "the write cache is a deviation"
outcome=$(query "SELECT outcome FROM v_steps WHERE phase = 'rounds'")
last=$(query "SELECT max(round) FROM v_cells")
if [ "$rounds" != - ]; then
	[ "$outcome" = steady ] || fail "the rounds ended '$outcome'"
	within "round of steady state" "$last" "${rounds%-*}" "${rounds#*-}"
	says "$text" "steady state was reached. Measurement window: rounds $((last - 4))-$last."
else
	[ "$outcome" != steady ] || fail "steady in round $last"
fi
"look_$look"
holds "$run"
echo "$model $mode seed $seed: $outcome, round $last"
exit $bad
