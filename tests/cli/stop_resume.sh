#!/bin/sh
# A run that is stopped, killed, watched and resumed; the device that is not the same.
. tests/cli/lib.sh

spec=tests/fixtures/cli-small.yaml
truncate -s 16M "$work/file"
identity=$(identity_of "$work/file")

# start NAME OPTION...: a run in the background; $pid is its process
start() {
	name=$1
	shift
	"$PTS" run $spec --mode client --device "$work/file" --destroy "$identity" \
		--out "$work/$name" "$@" >"$work/$name.out" 2>"$work/$name.err" </dev/null &
	pid=$!
}

# until_round NAME ROUND: waits until that round of the loop is under way
until_round() {
	tries=0
	while [ $tries -lt 300 ]; do
		tries=$((tries + 1))
		sleep 0.1
		"$PTS" status "$work/$1" --json >"$work/now.json" 2>/dev/null || continue
		round=$(value "$work/now.json" round)
		[ "$round" != null ] && [ "$round" -ge "$2" ] && return 0
	done
	fail "$1 did not come to round $2"
}

end_of() { # end_of NAME CODE
	status=0
	wait "$pid" || status=$?
	[ "$status" -eq "$2" ] || {
		fail "$1 ended with $status instead of $2"
		cat "$work/$1.err"
	}
}

slow="--set cell_time=300ms --set max_rounds=4"
for signal in INT TERM HUP; do
	start "run$signal" $slow
	until_round "run$signal" 2
	equals "$work/now.json" state running
	equals "$work/now.json" pid "$pid"
	equals "$work/now.json" exit_code null
	kill -$signal "$pid"
	end_of "run$signal" 75
	says "$work/run$signal.err" "pts resume $work/run$signal"
	expect 0 status "$work/run$signal" --json
	equals "$out" state stopped
	equals "$out" exit_code 75
	equals "$out" pid null
done

# another process at once, and on a running one: one writer
start busy $slow
until_round busy 1
expect 2 resume "$work/busy"
says "$err" "process $pid"
kill -TERM "$pid"
end_of busy 75

# resumed to its end: the cut round is done again, the gap is a deviation, verify agrees
expect_whole resume "$work/runINT"
expect 0 status "$work/runINT" --json
equals "$out" state done
expect 0 verify "$work/runINT"
expect 0 report "$work/runINT" --format text --out "$work/report"
says "$work/report/report.txt" "gap"
# no window of two reaches over the gap: none ends at the first round after it
fresh=$("$PTS_BUILD/tests/storeq" "$work/runINT/run.db" 'SELECT first_round FROM fresh')
expect 0 judge "$work/runINT" --json
equals "$out" 'series#' 2
windows=$(value "$out" 'series.0.rounds#')
i=0
after=0
while [ "$i" -lt "$windows" ]; do
	round=$(value "$out" series.0.rounds.$i.round)
	[ "$round" -ne "$fresh" ] || fail "a window ends at round $fresh, the first after the gap"
	[ "$round" -lt "$fresh" ] || after=$((after + 1))
	i=$((i + 1))
done
[ "$after" -gt 0 ] || fail "no window was judged after the gap"
# a finished run has nothing to resume, and ends as it ended
expect "$ended" resume "$work/runINT"

# killed: the store says so, and it goes on
start killed $slow
until_round killed 2
kill -KILL "$pid"
wait "$pid" 2>/dev/null
expect 0 status "$work/killed" --json
equals "$out" state cut
expect 0 status "$work/killed"
says "$out" "pts resume"
expect 0 verify "$work/killed"
expect_whole resume "$work/killed" --progress none --json
equals "$out" event result
equals "$out" exit_code "$ended"
expect 0 verify "$work/killed"

# another file under the same name is another drive
mv "$work/file" "$work/kept"
truncate -s 16M "$work/file"
before=$(sha256sum <"$work/file")
status=0
"$PTS" resume "$work/runTERM" >"$out" 2>"$err" </dev/null || status=$?
[ "$status" -ne 0 ] || fail "resumed on another drive"
one_line "$err"
[ "$(sha256sum <"$work/file")" = "$before" ] || fail "another drive was written"
exit $bad
