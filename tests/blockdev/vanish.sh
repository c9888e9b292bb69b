#!/bin/sh
# A drive that shrinks, or goes, in the middle of a run: the run ends with 5 and one clear line,
# the errors are stored with offset and errno, nothing of it becomes a figure, the store is whole,
# and the run goes on when the drive is back.
. tests/blockdev/lib.sh
. tests/blockdev/short.sh
begin
capacity=$((16 * 1048576 + 90624))
fill_bytes=$capacity

shrink() { # shrink BYTES: as a drive that loses its end, or (0) vanishes
	truncate -s "$1" "$scratch/drive"
	losetup -c "$loop"
	# a write that was under way may have made the file longer again in between
	left=$(blockdev --getsize64 "$loop")
	holds "capacity now $left instead of $capacity" test "$left" -lt $capacity
}

broken_off() { # broken_off DIR
	equal "exit" $status 5
	say "$(tail -n 2 "$1.err")"
	# reads behind the file's end fail already before the capacity is looked at again
	equal "lines on stderr that name drive and offset" \
		"$(grep -c "^pts: '$loop'.* at offset [0-9].* failed: " "$1.err")" 1
	equal "state" "$(q "$1" 'SELECT state, exit_code FROM v_run' | tr '\t' ' ')" "failed 5"
	holds "why, in the store" test -n "$(q "$1" 'SELECT stop_reason FROM v_run')"
	"$PTS" status "$1" >/dev/null || fail "status of a failed run"
	verifies "$1"
	equal "rates of cells with errors" "$(q "$1" 'SELECT count(*) FROM v_all_cells
		WHERE errors > 0 AND (valid OR iops IS NOT NULL)')" 0
	equal "closed rounds with a cell that failed" "$(q "$1" "SELECT count(*) FROM v_cells
		WHERE round IS NOT NULL AND NOT valid")" 0
}

notes() { # notes DIR FIRST_LOST_BYTE
	count=$(q "$1" 'SELECT count(*) FROM io_error')
	say "$count I/O errors noted, such as: $(q "$1" 'SELECT dir, offset_bytes, length_bytes,
		got_bytes, errno FROM io_error LIMIT 1' | tr '\t' ' ')"
	holds "errors are noted" test "$count" -ge 1
	equal "notes without errno, or before the lost part" "$(q "$1" "SELECT count(*) FROM io_error
		WHERE errno = 0 OR offset_bytes + length_bytes <= $2
		OR offset_bytes + length_bytes > $capacity")" 0
}

lose() { # lose DIR EVENT BYTES KEY=VALUE...: a run that loses all behind BYTES at an event
	dir=$1 event=$2 left=$3
	shift 3
	truncate -s $capacity "$scratch/drive"
	losetup -c "$loop"
	start "$dir" "$@"
	wait_for "$pid" "$dir.events" "$event" || lost "it did not come to $event"
	shrink "$left"
	ended "$pid"
}

truncate -s $capacity "$scratch/drive"
loop_make "$scratch/drive"
name=$(identity "$loop")

say "== half of the drive is lost in a round"
dir=$scratch/half
half=$((8 * 1048576))
lose "$dir" '"cell_begin".*"round":2,.*"cell":1,' $half cell_time=200ms max_rounds=5
broken_off "$dir"
notes "$dir" $half
equal "rounds closed" "$(q "$dir" "SELECT count(*) FROM v_rounds WHERE state = 'valid'")" 1
resume "$dir"
equal "exit of a resume while the drive is short" $status 3
truncate -s $capacity "$scratch/drive"
losetup -c "$loop"
resume "$dir"
equal "exit after the drive is whole again" $status 1
whole "$dir" 5

say "== the drive goes in a round"
lose "$scratch/gone" '"cell_begin".*"round":1,.*"cell":2,' 0 cell_time=200ms max_rounds=5
broken_off "$scratch/gone"
notes "$scratch/gone" 0

say "== the drive goes in the fill"
lose "$scratch/fill" '"cell_begin".*"phase":"WIPC"' 0 "fill_amount=4x capacity" fill_block=4KiB \
	threads=1 queue_depth=1
broken_off "$scratch/fill"
notes "$scratch/fill" 0
equal "the fill is not done" "$(q "$scratch/fill" \
	"SELECT outcome FROM v_steps WHERE phase = 'WIPC'")" failed
finish
