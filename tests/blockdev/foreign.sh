#!/bin/sh
# The kernel's counters against our own bytes: somebody else who reads the drive while it is
# measured is named in the store, and a run that was alone has no such event (B46, B62).
. tests/blockdev/lib.sh
begin

truncate -s 16M "$scratch/backing"
loop_make "$scratch/backing"

# run NAME: a run of the small spec, whose verdict does not matter here
run() {
	code=0
	"$PTS" run tests/fixtures/cli-small.yaml --mode client --device "$loop" \
		--destroy "$(identity "$loop")" --out "$scratch/$1" --progress none \
		--set cell_time=300ms --set max_rounds=2 >"$scratch/$1.log" 2>&1 || code=$?
	[ $code -le 1 ] || { cat "$scratch/$1.log"; fail "$1 ended with $code"; }
}

events() { # events NAME KIND
	q "$scratch/$1" "SELECT count(*) FROM v_events WHERE kind = '$2'"
}

say "== alone"
run alone
equal "events of foreign I/O" "$(events alone foreign-io)" 0
equal "bytes that the kernel misses" "$(events alone counter)" 0

say "== with another reader"
while :; do
	dd if="$loop" of=/dev/null bs=1M iflag=direct 2>/dev/null
done &
reader=$!
jobs_left="$jobs_left $reader"
run shared
kill "$reader"
wait "$reader" 2>/dev/null
jobs_left=""
rounds=$(q "$scratch/shared" "SELECT count(*) FROM v_rounds WHERE state = 'valid'")
equal "rounds with foreign I/O" "$(events shared foreign-io)" "$rounds"
holds "the event says how much" test -n "$(q "$scratch/shared" \
	"SELECT text FROM v_events WHERE kind = 'foreign-io' AND text LIKE '%bytes more%'")"
holds "verify agrees" "$PTS" verify "$scratch/shared"
finish
