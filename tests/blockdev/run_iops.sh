#!/bin/sh
# A whole IOPS test on a loop device with direct I/O, in both modes: every cell of the matrix in
# every closed round, the fill of twice the capacity, the views of the contract, a store that
# verifies, a report, and a sealed store that needs no right to write.
#   run_iops.sh 512|4096     bytes of a sector
. tests/blockdev/lib.sh
sector=${1:?512 or 4096}
begin

# No multiple of 1 MiB nor of 128 KiB; with 512 byte sectors no multiple of 4 KiB either.
tail=90112
can_run=49
if [ "$sector" = 512 ]; then
	tail=90624
	can_run=56
fi
capacity=$((48 * 1048576 + tail))

report_of() { # report_of DIR OUT
	"$PTS" report "$1" --format html,csv,json,text --out "$2" >/dev/null ||
		fail "pts report of $1"
	for file in report.html report.json report.txt; do
		holds "$file is there" test -s "$2/$file"
	done
	holds "report.json is what its schema says" "$PTS_BUILD/tests/schemacheck" \
		report/report.schema.json "$2/report.json"
	holds "tables of CSV" test -n "$(find "$2/tables" -name '*.csv')"
}

# The columns that design and manual name, in every view.
views() {
	q "$1" 'SELECT * FROM v_run' >/dev/null || fail "v_run"
	while read -r view columns; do
		q "$1" "SELECT $columns FROM $view" >/dev/null || fail "$view: $columns"
	done <<-'END'
	v_steps step, test, phase, kind, started_ns, elapsed_ns, bytes_written
	v_rounds step, round, state, started_ns, elapsed_ns
	v_cells step, round, cell, rw_mix, block_bytes, threads, queue_depth, started_ns, elapsed_ns
	v_cells gap_ns, ios, bytes, iops, mb_per_s, lat_mean_ns, lat_p99999_ns, lat_max_ns
	v_cells read_ios, read_bytes, read_iops, read_mb_per_s, read_lat_mean_ns, read_lat_max_ns
	v_cells write_ios, write_bytes, write_iops, write_mb_per_s, write_lat_mean_ns
	v_cells write_lat_p99999_ns, write_lat_max_ns, errors, valid, reason
	v_samples step, round, cell, second, iops, mb_per_s, lat_mean_ns, lat_max_ns
	v_steady step, track, last_round, average, range_pct, slope, intercept, r, steady
	v_steady slope_excursion_pct, test, rw_mix, block_bytes
	v_iops_matrix block_bytes, rw_mix, iops, test
	v_events at_ns, level, kind, text
	v_deviations test, clause, what, required, actual, reason
	END
}

cells() { # cells DIR
	rounds=$(q "$1" "SELECT count(*) FROM v_rounds WHERE state = 'valid'")
	equal "rows of v_cells in $rounds rounds" \
		"$(q "$1" 'SELECT count(*) FROM v_cells WHERE round IS NOT NULL')" $((rounds * 56))
	silent=$(q "$1" "SELECT count(*) FROM v_cells WHERE round IS NOT NULL
		AND reason LIKE 'no I/O completed%'")
	say "$silent cells without a completion"
	equal "measured cells" \
		"$(q "$1" 'SELECT count(*) FROM v_cells WHERE round IS NOT NULL AND valid = 1')" \
		$((rounds * can_run - silent))
	equal "cells that can't run here, with their reason" \
		"$(q "$1" "SELECT count(*) FROM v_cells WHERE valid = 0 AND iops IS NULL
			AND block_bytes = 512 AND reason LIKE '%4096%'")" \
		$((rounds * (56 - can_run)))
	equal "valid cells without a rate, others with one" \
		"$(q "$1" 'SELECT count(*) FROM v_cells WHERE (iops IS NULL) = valid')" 0
	equal "rows of v_iops_matrix" "$(q "$1" 'SELECT count(*) FROM v_iops_matrix')" 56
	equal "different cells of v_iops_matrix" \
		"$(q "$1" 'SELECT count(*) FROM (SELECT DISTINCT block_bytes, rw_mix
			FROM v_iops_matrix)')" 56
	equal "cells whose own seed stands twice" \
		"$(q "$1" 'SELECT count(*) - count(DISTINCT seed) FROM v_cells
			WHERE elapsed_ns IS NOT NULL AND seed IS NOT NULL AND valid')" 0
	# reads first, and within a mix the largest block first
	equal "order of the cells of round 1" \
		"$(q "$1" "SELECT rw_mix || ' ' || block_bytes FROM v_cells WHERE round = 1
			ORDER BY cell" | sed -n '1p;2p;8p;9p;56p' | tr '\n' ',')" \
		'100/0 1048576,100/0 131072,100/0 512,95/5 1048576,0/100 512,'
	equal "cells that began before the one before them had ended" \
		"$(q "$1" 'SELECT count(*) FROM v_cells a JOIN v_cells b USING(step, round)
			WHERE b.cell > a.cell AND b.started_ns < a.started_ns + a.elapsed_ns')" 0
	equal "cells shorter than asked for" "$(q "$1" 'SELECT count(*) FROM v_cells
		WHERE elapsed_ns < requested_ns')" 0
	say "largest gap between two cells of a round:" \
		"$(q "$1" 'SELECT max(gap_ns) FROM v_cells') ns, mean" \
		"$(q "$1" 'SELECT round(avg(gap_ns)) FROM v_cells WHERE gap_ns > 0') ns"
}

fill() { # fill DIR WRITTEN: the step itself and the kernel's count of bytes written
	equal "WIPC wrote twice the capacity" \
		"$(q "$1" "SELECT bytes_written FROM v_steps WHERE phase = 'WIPC'")" \
		$((2 * capacity))
	equal "WIPC's cell, one row outside rounds" \
		"$(q "$1" "SELECT count(*), sum(bytes), sum(write_bytes), sum(read_ios) FROM v_cells
			WHERE round IS NULL AND phase = 'WIPC'" | tr '\t' ' ')" \
		"1 $((2 * capacity)) $((2 * capacity)) 0"
	equal "purge" "$(q "$1" 'SELECT purge_method FROM v_run')" discard
	# all that was submitted, in time or in the drain; a discard is no write
	equal "kernel's bytes written" "$2" "$(q "$1" 'SELECT sum(write_submitted * block_bytes)
		FROM v_cells WHERE round IS NOT NULL' |
		awk -v fill=$((2 * capacity)) '{ printf "%.0f", $1 + fill }')"
}

written() { # written LOOP: bytes, by the kernel's counter of 512 byte sectors
	awk '{ printf "%.0f\n", $7 * 512 }' "/sys/block/${1#/dev/}/stat"
}

# As root without any capability: rights count, and the folder gives none to write.
sealed() { # sealed DIR
	before=$(sha "$1/run.db")
	equal "files beside a sealed store" "$(ls "$1" | tr '\n' ' ')" "run.db "
	chmod a-w "$1" "$1/run.db"
	for command in status verify judge; do
		setpriv --bounding-set=-all --inh-caps=-all "$PTS" "$command" "$1" >/dev/null ||
			fail "$command on a sealed store in a folder without write permission"
	done
	equal "plain SELECT in a read-only folder" \
		"$(setpriv --bounding-set=-all --inh-caps=-all "$storeq" "$1/run.db" \
			'SELECT count(*) FROM v_iops_matrix')" 56
	chmod u+w "$1" "$1/run.db"
	equal "the store after reading it" "$(sha "$1/run.db")" "$before"
}

whole() { # whole MODE
	dir=$scratch/$1
	before=$(written "$loop")
	status=0
	"$PTS" run iops --mode "$1" --device "$loop" --destroy "$name" --out "$dir" \
		--progress none --set cell_time=50ms --set max_rounds=5 2>"$scratch/err" || status=$?
	[ $status -le 1 ] || { cat "$scratch/err"; fail "$1: exit $status"; return; }
	after=$(written "$loop")
	equal "$1: state" "$(q "$dir" 'SELECT state, exit_code FROM v_run' | tr '\t' ' ')" \
		"done $status"
	equal "$1: rounds of the contract" "$(q "$dir" 'SELECT min(round), max(round) FROM v_rounds' |
		tr '\t' ' ')" "1 5"
	cells "$dir"
	fill "$dir" $((after - before))
	verifies "$dir"
	views "$dir"
	"$PTS" status "$dir" --json >"$scratch/status.json" || fail "status --json"
	holds "status says done" grep -q '"state": "done"' "$scratch/status.json"
	"$PTS" judge "$dir" --json >"$scratch/judge.json" || fail "judge --json"
	holds "judge knows the tracks" grep -q 'RND 4KiB 0/100' "$scratch/judge.json"
	equal "shortening is a deviation" "$(q "$dir" "SELECT count(*) FROM v_deviations
		WHERE actual LIKE '%50%ms%'")" 1
	report_of "$dir" "$scratch/report-$1"
	holds "the report says that it is not compliant" \
		grep -qi 'not compliant' "$scratch/report-$1/report.txt"
	sealed "$dir"
}

truncate -s $capacity "$scratch/drive"
loop_make "$scratch/drive" "$sector"
name=$(identity "$loop")
holds "an identity" test -n "$name"
equal "sector size" "$(blockdev --getss "$loop")" "$sector"
equal "capacity, no multiple of 1 MiB" "$(blockdev --getsize64 "$loop")" $capacity
for mode in enterprise client; do
	say "== $mode, sectors of $sector bytes"
	whole $mode
done
finish
