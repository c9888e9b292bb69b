#!/bin/bash
# The programmes of tests, from the store, at full length on a tiny model drive: HIR is 5 x (360 x
# (5 s + wait) + 30 min) = 930 min with nothing issued in a pause, XSR 8, 6 and 8 hours without a gap,
# a round of DIRTH 5 min and 49 x 1 min, and with one I/O outstanding LAT's mean is 1 / IOPS.
set -u
. tests/cli/lib.sh
. tests/sim/holds.sh

drive=sim:tests/sim/tiny.yaml
second=1000000000

run() { # TEST MODE ARGUMENT...
	test=$1 mode=$2
	shift 2
	expect 0 run "$test" --mode "$mode" "$@" --device "$drive" --destroy sim:tiny:1 --out "$work/$test" \
		--progress plain --seed 3
	cp "$err" "$work/$test.log"
	expect 0 verify "$work/$test"
	says "$out" ", 0 differ"
	holds "$work/$test"
}

q() { # NAME SQL
	"$PTS_BUILD/tests/storeq" "$work/$1/run.db" "$2"
}

equal() { # WHAT GOT WANTED
	[ "$2" = "$3" ] || fail "$1: '$2' instead of '$3'"
}

# a pause begins when the last write is done: with one outstanding that is soon
run hir enterprise --set threads=1 --set queue_depth=1
equal "preconditioning" "$(q hir "SELECT outcome FROM v_steps WHERE phase = 'preconditioning'")" steady
first="(SELECT min(step) FROM v_steps WHERE kind = 'cycle')"
# what was outstanding at the end of a load is the only excess: less than a minute
equal "minutes from the first write to the end of the last baseline" \
	"$(q hir "SELECT (max(started_ns + elapsed_ns) - min(started_ns)) / (60 * $second)
		FROM v_cells WHERE step >= $first")" 930
step=$(q hir "SELECT $first")
for wait in 5 10 15 25 50; do
	equal "phases" "$(q hir "SELECT group_concat(phase, ', ') FROM v_steps
		WHERE step IN ($step, $((step + 1)))")" "access 5s/${wait}s, baseline ${wait}s"
	equal "rounds of $wait" "$(q hir "SELECT count(*) FROM v_rounds WHERE step = $step AND
		state = 'valid'")" 360
	equal "writes of $wait" "$(q hir "SELECT count(*) FROM v_cells WHERE step = $step AND
		elapsed_ns = 5 * $second AND role = 'cell' AND valid")" 360
	# to the next write, of this step or of the baseline
	equal "pauses of $wait" "$(q hir "SELECT count(*) FROM (SELECT
		lead(started_ns) OVER (ORDER BY started_ns) - started_ns - elapsed_ns - drain_ns
		AS pause, step FROM v_cells WHERE step IN ($step, $((step + 1))))
		WHERE step = $step AND pause BETWEEN $wait * $second AND $wait * $second + 1000")" 360
	equal "points of $wait" "$(q hir "SELECT count(*) FROM v_samples
		WHERE step = $step AND span_ns = 5 * $second")" 360
	equal "points of baseline $wait" "$(q hir "SELECT count(*), sum(span_ns) FROM v_samples
		WHERE step = $((step + 1))")" "360	$((1800 * second))"
	step=$((step + 2))
done
equal "steps in all" "$(q hir "SELECT count(*) FROM v_steps")" "$step"
equal "lines of progress for each pause" "$(grep -c 'is closed' "$work/hir.log")" \
	"$(q hir "SELECT count(*) FROM v_rounds WHERE step = 1")"

run xsr client
equal "groups" "$(q xsr "SELECT group_concat(elapsed_ns / (3600 * $second), ' ') FROM v_cells")" \
	"8 6 8"
equal "gaps between the groups" "$(q xsr "SELECT count(*) FROM (SELECT
	lead(started_ns) OVER (ORDER BY started_ns) - started_ns - elapsed_ns - drain_ns AS gap
	FROM v_cells) WHERE gap > 1000")" 0
equal "points" "$(q xsr "SELECT group_concat(points, ' ') FROM (SELECT count(*) AS points
	FROM v_samples WHERE span_ns = 60 * $second GROUP BY step ORDER BY step)")" "480 360 480"

# every load of this drive is slower than 5 ms
run dirth enterprise --set latency_ceiling=30s
equal "minutes of preconditioning" "$(q dirth "SELECT group_concat(DISTINCT elapsed) FROM (SELECT
	sum(elapsed_ns) / 1e9 / 60 AS elapsed FROM v_cells WHERE phase = 'preconditioning'
	GROUP BY round)")" 30.0
equal "samples" "$(q dirth "SELECT group_concat(role, ' ') FROM (SELECT role FROM v_cells
	WHERE phase = 'preconditioning' AND round < 3 ORDER BY started_ns)")" "sample load sample load"
equal "minutes of a round" "$(q dirth "SELECT group_concat(DISTINCT minutes) FROM (SELECT
	sum(elapsed_ns) / 1e9 / 60 AS minutes FROM v_cells WHERE phase = 'demand' GROUP BY round)")" 54.0
grid="32x32 32x16 32x8 32x6 32x4 32x2 32x1"
for threads in 16 8 6 4 2 1; do
	grid="$grid ${threads}x32 ${threads}x16 ${threads}x8 ${threads}x6 ${threads}x4 ${threads}x2 ${threads}x1"
done
equal "49 cells in order" "$(q dirth "SELECT group_concat(threads || 'x' || queue_depth, ' ') FROM
	(SELECT * FROM v_cells WHERE phase = 'demand' AND role = 'cell' AND round = 2
	ORDER BY started_ns)")" "$grid"
equal "minutes at the points" "$(q dirth "SELECT group_concat(minutes, ' ') FROM (SELECT
	elapsed_ns / (60 * $second) AS minutes FROM v_cells WHERE round IS NULL ORDER BY step)")" \
	"60 10 60 10 60 10"

run lat enterprise
equal "cells whose mean latency is not 1 / IOPS" "$(q lat "SELECT count(*) FROM v_cells
	WHERE phase <> 'WIPC' AND abs(iops * lat_mean_ns / 1e9 - 1) > 0.01")" 0
equal "minutes of a round" "$(q lat "SELECT group_concat(DISTINCT minutes) FROM (SELECT
	sum(elapsed_ns) / 1e9 / 60 AS minutes FROM v_cells WHERE phase = 'rounds' GROUP BY round)")" 9.0

exit $bad
