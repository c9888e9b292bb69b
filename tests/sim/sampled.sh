#!/bin/bash
# A sampled load on a model drive ends at the first of its rules: the amount to the byte, the time
# to the nanosecond, steady samples. Which one it was is its outcome, and everything about it can
# be recomputed.
set -u
. tests/cli/lib.sh

drive=sim:enterprise-small

wsat() { # NAME MODE ARGUMENT...: saturation with short parts
	name=$1 mode=$2
	shift 2
	expect 0 run wsat --mode "$mode" --device "$drive,seed=7" --seed 7 \
		--destroy sim:enterprise-small:7 --out "$work/$name" --progress plain \
		--set sample_load=6s --set sample_time=2s --set record_time=1s \
		--set histogram_time=2s "$@"
	cp "$err" "$work/$name.log"
	expect 0 verify "$work/$name"
	says "$out" ", 0 differ"
}

q() { # NAME SQL
	"$PTS_BUILD/tests/storeq" "$work/$1/run.db" "$2"
}

equal() { # WHAT GOT WANTED
	[ "$2" = "$3" ] || fail "$1: '$2' instead of '$3'"
}

saturation="step = (SELECT step FROM v_steps WHERE phase = 'saturation')"

# 900 MiB are written: the last part ends there, and counts for no window
wsat amount enterprise --set stop_amount=900MiB
equal "outcome" "$(q amount "SELECT outcome FROM v_steps WHERE phase = 'saturation'")" amount
equal "bytes written" "$(q amount "SELECT bytes_written FROM v_steps WHERE phase = 'saturation'")" \
	$((900 << 20))
equal "sum of the samples" "$(q amount "SELECT sum(write_bytes) FROM v_samples WHERE $saturation")" \
	$((900 << 20))
says "$work/amount.log" "wsat saturation: amount"

# 30 s are three whole pairs and most of the fourth load
wsat time client --set stop_time=30s
equal "outcome" "$(q time "SELECT outcome FROM v_steps WHERE phase = 'saturation'")" time
equal "parts" "$(q time "SELECT group_concat(role, ' ') FROM v_cells WHERE $saturation")" \
	"load sample load sample load sample load"
equal "rounds" "$(q time "SELECT group_concat(state, ' ') FROM v_rounds WHERE $saturation")" \
	"valid valid valid valid"
equal "from the first to the last" "$(q time "SELECT max(started_ns + elapsed_ns) - min(started_ns)
	FROM v_cells WHERE $saturation")" 30000000000
equal "points" "$(q time "SELECT count(*) FROM v_samples WHERE $saturation")" 30
equal "windows" "$(q time "SELECT count(*) FROM v_steady")" 0

# five samples at the rate of a fresh drive
wsat steady enterprise
equal "outcome" "$(q steady "SELECT outcome FROM v_steps WHERE phase = 'saturation'")" steady
equal "window" "$(q steady "SELECT last_round || ' ' || steady FROM v_steady")" "5 1"
equal "its average" "$(q steady "SELECT abs(1 - avg(iops) / (SELECT average FROM v_steady)) < 1e-12
	FROM v_cells WHERE $saturation AND role = 'sample'")" 1

# the parts are one unbroken load
for name in amount time steady; do
	equal "gaps of $name" "$(q "$name" "SELECT count(*) FROM v_cells a JOIN v_cells b
		ON a.step = b.step AND (b.round = a.round AND b.cell = a.cell + 1 OR
		b.round = a.round + 1 AND b.cell = 0 AND a.cell = 1)
		WHERE a.role IN ('load', 'sample') AND
		b.started_ns - a.started_ns - a.elapsed_ns - a.drain_ns > 1000000")" 0
done

# an amount counts writes only, whatever is read meanwhile
wsat mixed enterprise --set workload=oltp --set stop_amount=100MiB
equal "outcome" "$(q mixed "SELECT outcome FROM v_steps WHERE phase = 'saturation'")" amount
equal "the amount, and less than a block of each thread" "$(q mixed "SELECT bytes_written - 104857600
	BETWEEN 0 AND 4 * 8192 FROM v_steps WHERE phase = 'saturation'")" 1
equal "reads" "$(q mixed "SELECT sum(read_ios) > sum(write_ios) FROM v_cells WHERE $saturation")" 1

# on a file: four times its size are written, within a part or over several
truncate -s 16M "$work/disk"
identity=$(identity_of "$work/disk")
for mode in enterprise client; do
	expect 0 run wsat --mode "$mode" --device "$work/disk" --destroy "$identity" \
		--out "$work/file-$mode" --progress none --set sample_load=1s --set sample_time=1s \
		--set stop_time=120s --set record_time=1s --set histogram_time=1s
	expect 0 verify "$work/file-$mode"
	says "$out" ", 0 differ"
	equal "the end on a file" "$(q "file-$mode" "SELECT outcome IN ('steady', 'amount'),
		outcome = 'steady' OR bytes_written = 4 * 16777216 FROM v_steps
		WHERE phase = 'saturation'")" "1	1"
done

exit $bad
