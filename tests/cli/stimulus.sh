#!/bin/sh
# stimulus: the contract's JSON, exact ends, the sum of both directions, what writes need.
. tests/cli/lib.sh

keys() {
	for key in elapsed_ns errors degraded; do
		"$jsonq" "$out" $key >/dev/null || fail "the key $key is missing"
	done
	for part in read write total; do
		for key in ios bytes iops mb_per_s lat_ns.min lat_ns.mean lat_ns.p50 lat_ns.p99 \
			lat_ns.p999 lat_ns.p9999 lat_ns.p99999 lat_ns.max; do
			"$jsonq" "$out" $part.$key >/dev/null || fail "the key $part.$key is missing"
		done
	done
	value "$out" degraded | grep -q 'no unmapped-read guard' || fail "degraded lacks the guard"
}

# the engine alone: no device
expect 0 stimulus --backend nil --access random --rw-mix 65/35 --block-size 4KiB --threads 2 \
	--queue-depth 8 --ios 20000 --seed 7 --json
keys
equals "$out" total.ios 20000
equals "$out" total.bytes 81920000
equals "$out" ios 20000
equals "$out" seed 7
equals "$out" errors 0
[ $(($(value "$out" read.ios) + $(value "$out" write.ios))) -eq 20000 ] || fail "reads + writes"
reads=$(value "$out" read.ios)
# 65 % of 20,000 within 5 sigma (67.5 I/Os each)
[ "$reads" -gt 12662 ] && [ "$reads" -lt 13338 ] || fail "65/35 gave $reads reads of 20000"

truncate -s 8M "$work/file"
identity=$(identity_of "$work/file")
sum=$(sha256sum <"$work/file")
for backend in uring psync; do
	expect 0 stimulus --device "$work/file" --backend $backend --access random --rw-mix 100/0 \
		--block-size 4KiB --ios 500 --json
	keys
	equals "$out" read.ios 500
	equals "$out" write.ios 0
	equals "$out" write.lat_ns.mean null
done
[ "$(sha256sum <"$work/file")" = "$sum" ] || fail "reads changed the target"
expect 0 stimulus --device "$work/file" --destroy "$identity" --access sequential --rw-mix 0/100 \
	--block-size 128KiB --threads 2 --queue-depth 4 --amount 8MiB --json
equals "$out" write.bytes 8388608
equals "$out" read.ios 0
equals "$out" read.lat_ns.max null
[ "$(sha256sum <"$work/file")" != "$sum" ] || fail "writes changed nothing"
# incompressible: gzip finds nothing
[ "$(gzip -c <"$work/file" | wc -c)" -gt 8388608 ] || fail "the payload can be compressed"

# a time: it ends, and the figures are those of that time
expect 0 stimulus --device "$work/file" --rw-mix 100/0 --duration 200ms --json
elapsed=$(value "$out" elapsed_ns)
[ "$elapsed" -ge 200000000 ] || fail "200 ms lasted $elapsed ns"
ios=$(value "$out" total.ios)
iops=$(value "$out" total.iops)
awk "BEGIN { x = $ios / ($elapsed / 1e9); exit !(x / $iops > 0.999999 && x / $iops < 1.000001) }" ||
	fail "iops $iops is not ios $ios over $elapsed ns"

expect 0 stimulus --device "$work/file" --rw-mix 100/0 --ios 10
says "$out" "IOPS"
no_escapes "$out" "$err"

expect 2 stimulus --device "$work/file"
says "$err" "--duration, --ios or --amount"
expect 2 stimulus --ios 1
says "$err" "needs --device"
for wrong in "--rw-mix 60/35" "--block-size 4k" "--threads 0" "--queue-depth x" "--access rnd" \
	"--duration 5" "--backend aio" "--ios -1" "--seed x"; do
	# shellcheck disable=SC2086
	expect 2 stimulus --device "$work/file" --ios 1 $wrong
	one_line "$err"
done
# what the device can't do is a usage error with a reason, not a bug
expect 2 stimulus --device "$work/file" --ios 1 --block-size 1000B
one_line "$err"
expect 2 stimulus --device "$work/file" --ios 1 --block-size 16MiB
one_line "$err"
expect 2 stimulus --device "$work/file" --ios 1 --threads 5000
one_line "$err"

# purge, the same way: confirmed, proved
expect 0 purge "$work/file" --destroy "$identity" --method zeroes --json
equals "$out" method zeroes
[ "$(tr -d '\0' <"$work/file" | wc -c)" -eq 0 ] || fail "purge by zeroes left data"
exit $bad
