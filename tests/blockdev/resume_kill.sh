#!/bin/sh
# kill -9 at any point: the store holds whole cells, says which round was cut, and the run goes on
# to its end; what was committed before stays as it is to the byte. Also the two points that no
# clock hits: between the last round and the loop's end, and between the loop and the seal.
. tests/blockdev/lib.sh
. tests/blockdev/short.sh
begin
kills=${1:-10}
capacity=$((8 * 1048576 + 90624))
fill_bytes=$capacity
truncate -s $capacity "$scratch/drive"
loop_make "$scratch/drive"
name=$(identity "$loop")

closed() { # closed DIR LAST_ROUND: everything that closed rounds hold
	q "$1" "SELECT * FROM v_cells WHERE round IS NOT NULL AND round <= $2 ORDER BY cell_id"
	q "$1" "SELECT f.* FROM figure f JOIN v_cells v USING(cell_id) WHERE v.round <= $2
		ORDER BY f.cell_id, f.dir"
	q "$1" "SELECT * FROM v_steady WHERE last_round <= $2 ORDER BY track, last_round"
}

# A point in the run, in ms; a whole one takes about as long as the cells.
point() {
	od -An -N2 -tu2 /dev/urandom | awk -v most="$1" '{ printf "%d", $1 * most / 65536 }'
}

goes_on() { # goes_on DIR
	"$storeq" "$1/run.db" 'PRAGMA integrity_check' >"$scratch/check"
	equal "integrity" "$(cat "$scratch/check")" ok
	equal "broken references" "$(q "$1" 'PRAGMA foreign_key_check' | wc -l)" 0
	equal "state" "$(q "$1" 'SELECT state FROM v_run')" running
	equal "cells without all three figures" "$(q "$1" 'SELECT count(*) FROM cell c
		WHERE (SELECT count(*) FROM figure f WHERE f.cell_id = c.id) <> 3')" 0
	equal "closed rounds without 6 cells" "$(q "$1" "SELECT count(*) FROM v_rounds
		WHERE state = 'valid' AND cells <> 6")" 0
	verifies "$1"
	rounds=$(q "$1" "SELECT count(*) FROM v_rounds WHERE state = 'valid'")
	say "$rounds rounds were closed, $(q "$1" 'SELECT count(*) FROM v_cut_cells') cells of an open one"
	closed "$1" "$rounds" >"$scratch/before"
	resume "$1"
	equal "exit after the resume" $status 1
	[ $status = 1 ] || cat "$scratch/resume.err"
	whole "$1" 8
	equal "state after that" "$(q "$1" 'SELECT state, exit_code FROM v_run' | tr '\t' ' ')" "done 1"
	closed "$1" "$rounds" | cmp - "$scratch/before" || fail "closed rounds changed"
	if [ "$rounds" -gt 0 ] && [ "$rounds" -lt 8 ]; then
		equal "windows across the gap" "$(q "$1" "SELECT count(*) FROM v_steady
			WHERE last_round > $rounds AND last_round < $rounds + 5")" 0
	fi
	equal "bytes written by the rounds" \
		"$(q "$1" "SELECT bytes_written FROM v_steps WHERE phase = 'rounds'")" \
		"$(q "$1" 'SELECT sum(write_bytes) FROM v_all_cells WHERE round IS NOT NULL')"
}

number=0
killed=0
while [ $number -lt "$kills" ]; do
	number=$((number + 1))
	dir=$scratch/run$number
	start "$dir" cell_time=25ms
	wait_for "$pid" "$dir.events" '"step_begin"' || lost "run $number did not begin"
	ms=$(point 1500)
	sleep "$(awk -v ms="$ms" 'BEGIN { printf "%.3f", ms / 1000 }')"
	kill -KILL "$pid" 2>/dev/null
	ended "$pid"
	say "== $number: killed $ms ms after the first step began"
	if [ $status != 137 ]; then
		say "it had ended before, with $status"
		equal "exit" $status 1
	elif [ "$(q "$dir" 'SELECT state, exit_code FROM v_run' | tr '\t' ' ')" = "done 1" ]; then
		say "its store was sealed, only the process was still there"
		verifies "$dir"
	else
		killed=$((killed + 1))
		goes_on "$dir"
	fi
	rm -rf "$dir" "$dir.events" "$dir.err"
done
holds "$killed of $kills were killed in the run" test $killed -gt $((kills / 3))

say "== killed between the last round and the loop's end"
dir=$scratch/whole
start "$dir" cell_time=25ms
ended "$pid"
equal "exit" $status 1
back() { # back COPY STATEMENT...: a store as it was before its last transactions
	cp -r "$dir" "$1"
	"$storeq" -w "$1/run.db" "UPDATE run SET state = 'running', exit_code = NULL,
		stop_reason = NULL, ended_wall_ns = NULL"
	[ $# -lt 2 ] || "$storeq" -w "$1/run.db" "$2"
}
back "$scratch/max" "UPDATE step SET outcome = NULL, elapsed_ns = NULL WHERE phase = 'rounds'"
resume "$scratch/max"
equal "exit" $status 1
whole "$scratch/max" 8
equal "outcome" "$(q "$scratch/max" "SELECT outcome FROM v_steps WHERE phase = 'rounds'")" "not steady"

say "== the same, and the last window was steady"
back "$scratch/steady" "UPDATE step SET outcome = NULL, elapsed_ns = NULL WHERE phase = 'rounds'"
"$storeq" -w "$scratch/steady/run.db" "UPDATE steady SET steady = 1 WHERE last_round = 7"
"$storeq" -w "$scratch/steady/run.db" "DELETE FROM steady WHERE last_round = 8"
for table in figure sample io_error; do
	"$storeq" -w "$scratch/steady/run.db" "DELETE FROM $table WHERE cell_id IN
		(SELECT c.id FROM cell c JOIN round r ON r.id = c.round_id WHERE r.round = 8)"
done
"$storeq" -w "$scratch/steady/run.db" \
	"DELETE FROM cell WHERE round_id = (SELECT id FROM round WHERE round = 8)"
"$storeq" -w "$scratch/steady/run.db" "DELETE FROM round WHERE round = 8"
resume "$scratch/steady"
equal "exit" $status 0
equal "rounds: none was added" "$(q "$scratch/steady" 'SELECT max(round) FROM v_rounds')" 7

say "== killed between the loop's end and the seal"
back "$scratch/seal"
resume "$scratch/seal"
equal "exit" $status 1
whole "$scratch/seal" 8
equal "files beside the sealed store" "$(ls "$scratch/seal" | tr '\n' ' ')" "run.db "
finish
