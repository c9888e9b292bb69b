#!/bin/sh
# A run that is stopped and goes on: by SIGINT in the fill and in a round, with the drive under
# another name, with another drive in its place, twice at once, and when it is already finished.
. tests/blockdev/lib.sh
. tests/blockdev/short.sh
begin
capacity=$((16 * 1048576 + 90624))

stopped() { # stopped DIR PATTERN ROUNDS
	equal "exit of a stopped run" "$status" 75
	holds "what to do next is said" grep -q "pts resume $1" "$1.err"
	"$PTS" status "$1" --json >"$scratch/status" || fail "status"
	holds "status says stopped" grep -q '"state": "stopped"' "$scratch/status"
	equal "rounds closed" \
		"$(q "$1" "SELECT count(*) FROM v_rounds WHERE state = 'valid'")" "$3"
	equal "state in the store" "$(q "$1" 'SELECT state, exit_code FROM v_run' |
		tr '\t' ' ')" "stopped 75"
	verifies "$1"
}

gap_recorded() { # gap_recorded DIR TIMES
	equal "gaps as deviations" "$(q "$1" "SELECT count(*) FROM v_deviations
		WHERE what = 'unbroken run' AND actual LIKE 'a gap of % before %'")" "$2"
	equal "gaps as events" \
		"$(q "$1" "SELECT count(*) FROM v_events WHERE kind = 'resumed'")" "$2"
}

truncate -s $capacity "$scratch/drive"
loop_make "$scratch/drive"
name=$(identity "$loop")

say "== SIGINT in the fill"
fill_bytes=$((4 * capacity))
dir=$scratch/in-fill
# small blocks, one at a time: long enough to be met, whatever the machine
start "$dir" "fill_amount=4x capacity" fill_block=4KiB threads=1 queue_depth=1 max_rounds=5
wait_for "$pid" "$dir.events" '"cell_begin".*"phase":"WIPC"' || lost "the fill did not begin"
sleep 0.2
kill -INT "$pid"
ended "$pid"
stopped "$dir" WIPC 0
equal "rows of a fill that was cut" "$(q "$dir" 'SELECT count(*) FROM v_cells')" 0
resume "$dir"
equal "exit after the resume" $status 1
whole "$dir" 5
gap_recorded "$dir" 1
equal "fresh windows: no round was closed before the gap" \
	"$(q "$dir" 'SELECT count(*) FROM fresh')" 0

say "== SIGINT in round 2, then the drive under another name"
fill_bytes=$capacity
dir=$scratch/in-round
start "$dir" cell_time=150ms
wait_for "$pid" "$dir.events" '"cell_begin".*"round":2,.*"cell":3,' || lost "no cell 3 of round 2"
kill -INT "$pid"
ended "$pid"
stopped "$dir" rounds 1
cut=$(q "$dir" 'SELECT count(*) FROM v_cut_cells WHERE round = 2')
holds "cells of the cut round, $cut, are kept apart" test "$cut" -ge 2 -a "$cut" -lt 6
q "$dir" 'SELECT * FROM v_cells WHERE round = 1 ORDER BY cell' >"$scratch/round1"
seeds=$(q "$dir" 'SELECT seed FROM v_cut_cells WHERE round = 2')

old=$loop
loop_drop "$old"
truncate -s $capacity "$scratch/other" "$scratch/keep"
before=$(sha "$scratch/other")
# another drive where the first one was, and the first nowhere
if losetup --direct-io=on "$old" "$scratch/other" 2>/dev/null; then
	loops="$loops $old"
	taken=$old
else
	say "$old was taken by somebody else meanwhile: the drive is only absent"
	taken=""
fi
resume "$dir"
equal "exit with another drive in its place" $status 3
holds "it names the drive it misses" grep -q "$name" "$scratch/resume.err"
equal "the other drive" "$(sha "$scratch/other")" "$before"
equal "the store" "$(q "$dir" 'SELECT state FROM v_run')" stopped

loop_make "$scratch/drive"
[ -z "$taken" ] || holds "another name" test "$loop" != "$old"
resume "$dir"
equal "exit after the resume under $loop" $status 1
equal "the other drive after that" "$(sha "$scratch/other")" "$before"
[ -z "$taken" ] || loop_drop "$taken"
whole "$dir" 8
gap_recorded "$dir" 1
equal "attempts of round 2" \
	"$(q "$dir" 'SELECT attempt || state FROM v_round_attempts WHERE round = 2 ORDER BY attempt' |
		tr '\n' ' ')" "1cut 2valid "
q "$dir" 'SELECT * FROM v_cells WHERE round = 1 ORDER BY cell' | cmp - "$scratch/round1" ||
	fail "round 1 changed by the resume"
for seed in $seeds; do
	q "$dir" 'SELECT seed FROM v_cells WHERE round = 2' | grep -qx "$seed" &&
		fail "a cell done again has the seed $seed of the one that was cut"
done
equal "first window, round 2 being the first fresh one" \
	"$(q "$dir" 'SELECT min(last_round) FROM v_steady')" 6
equal "windows" "$(q "$dir" 'SELECT last_round FROM v_steady ORDER BY 1' | tr '\n' ' ')" "6 7 8 "

say "== two resumes at once, and a run into the same folder"
dir=$scratch/twice
start "$dir" cell_time=300ms
wait_for "$pid" "$dir.events" '"cell_begin".*"round":1,.*"cell":1,' || lost "no cell"
status=0
"$PTS" run $here/short.yaml --mode enterprise --device "$loop" --destroy "$name" \
	--out "$dir" 2>"$scratch/second.err" || status=$?
holds "a second run into it: exit $status" test $status = 2 -o $status = 3
kill -TERM "$pid"
ended "$pid"
equal "exit after SIGTERM" $status 75
"$PTS" resume "$dir" --progress json >"$dir.events2" 2>"$dir.err2" &
pid=$!
jobs_left="$jobs_left $pid"
wait_for "$pid" "$dir.events2" '"cell_begin"' || lost "the resume did not begin"
resume "$dir"
equal "exit of the second resume" $status 2
holds "it names process $pid" grep -qw "$pid" "$scratch/resume.err"
kill -INT "$pid"
ended "$pid"
equal "exit of the first resume" $status 75
resume "$dir"
equal "exit after a second gap" $status 1
whole "$dir" 8
gap_recorded "$dir" 2

say "== a finished run"
before=$(sha "$dir/run.db")
resume "$dir"
equal "exit is that of the run" $status 1
"$PTS" resume "$dir" 2>&1 | grep -q 'finished' || fail "it does not say that it is finished"
equal "the sealed store" "$(sha "$dir/run.db")" "$before"
equal "files beside it" "$(ls "$dir" | tr '\n' ' ')" "run.db "
finish
