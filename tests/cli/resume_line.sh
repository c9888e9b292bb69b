#!/bin/bash
# A test whose result is one line of time is done again from its purge after a stop, whether it was
# told to stop or killed; what it had run stays in the store and counts no more. What is not part
# of the line goes on where it was.
set -u
. tests/cli/lib.sh

truncate -s 16M "$work/file"
identity=$(identity_of "$work/file")

q() { # NAME SQL
	"$PTS_BUILD/tests/storeq" "$work/$1/run.db" "$2"
}

equal() { # WHAT GOT WANTED
	[ "$2" = "$3" ] || fail "$1: '$2' instead of '$3'"
}

# cut SIGNAL NAME CONDITION TEST ARGUMENT...: a run until the condition (SQL) holds, then the signal
cut() {
	signal=$1 name=$2 condition=$3 test=$4
	shift 4
	"$PTS" run "$test" --mode client --device "$work/file" --destroy "$identity" \
		--out "$work/$name" --progress none "$@" >"$work/$name.out" 2>&1 </dev/null &
	pid=$!
	tries=0
	until [ "$(q "$name" "SELECT $condition" 2>/dev/null)" = 1 ]; do
		tries=$((tries + 1))
		[ $tries -lt 600 ] || {
			fail "$name never came to: $condition"
			break
		}
		sleep 0.05
	done
	kill -"$signal" "$pid"
	wait "$pid" 2>/dev/null
}

resumed() { # NAME: to its end, steady or not
	expect_whole resume "$work/$1" --progress plain
	cp "$err" "$work/$1.log"
	expect 0 verify "$work/$1"
	says "$out" ", 0 differ"
}

xsr="--set group1_time=1s --set group2_time=3s --set group3_time=1s"
for signal in TERM KILL; do
	cut $signal "xsr$signal" "outcome = 'done' FROM v_steps WHERE phase = 'group 1'" xsr $xsr
	resumed "xsr$signal"
	says "$work/xsr$signal.log" "the test 'xsr' begins again from its first step"
	equal "groups" "$(q "xsr$signal" "SELECT group_concat(elapsed_ns / 1000000000, ' ')
		FROM v_cells")" "1 3 1"
	equal "the first one, which counts no more" "$(q "xsr$signal" "SELECT phase FROM v_all_cells
		WHERE round_state = 'void'")" "group 1"
	equal "purges" "$(q "xsr$signal" "SELECT attempt FROM v_steps WHERE phase = 'purge'")" 2
	equal "bytes of the line" "$(q "xsr$signal" "SELECT sum(bytes_written) =
		(SELECT sum(write_bytes) FROM v_cells) FROM v_steps WHERE kind = 'load'")" 1
	equal "a gap in it" "$(q "xsr$signal" "SELECT count(*) FROM v_deviations
		WHERE what = 'unbroken run'")" 0
done

# a sampled load with limits, cut between two of its rounds
cut KILL wsat "count(*) > 1 FROM v_rounds WHERE state = 'valid'" wsat --set sample_load=500ms \
	--set sample_time=500ms --set stop_time=8s --set stop_amount=100000x\ capacity \
	--set histogram_time=1s
resumed wsat
says "$work/wsat.log" "the test 'wsat' begins again"
equal "void rounds" "$(q wsat "SELECT count(*) > 1 FROM v_round_attempts WHERE state = 'void'")" 1
equal "rounds again from the first" "$(q wsat "SELECT min(round), min(attempt) FROM v_rounds
	WHERE state = 'valid' AND round = 1")" "1	2"

# preconditioning is no line: it goes on at its round, behind a gap that is on record
hir="--set sample_load=300ms --set sample_time=200ms --set access_time=300ms --set waits=300ms
	--set repeats=8 --set baseline_time=1s --set max_rounds=6"
cut TERM hir "count(*) > 1 FROM v_rounds WHERE state = 'valid'" hir $hir
rounds=$(q hir "SELECT count(*) FROM v_rounds WHERE state = 'valid'")
expect 0 status "$work/hir"
says "$out" "hir preconditioning"
resumed hir
equal "void rounds of preconditioning" "$(q hir "SELECT count(*) FROM v_round_attempts
	WHERE state = 'void'")" 0
equal "purges" "$(q hir "SELECT attempt FROM v_steps WHERE phase = 'purge'")" 1
equal "the gap" "$(q hir "SELECT first_round FROM fresh")" $((rounds + 1))

# a pause is part of the line
cut TERM cycle "count(*) > 2 FROM v_rounds WHERE phase LIKE 'access%' AND state = 'valid'" hir $hir
resumed cycle
says "$work/cycle.log" "the test 'hir' begins again"
equal "cycles" "$(q cycle "SELECT count(*) FROM v_cells WHERE phase LIKE 'access%'")" 8

exit $bad
