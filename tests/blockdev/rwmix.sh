#!/bin/sh
# The share of reads in the seven R/W mixes, over the submitted I/Os, by the program and by the
# kernel's own counters of the device: within 5 sigma, 0 and 100 % exact.
. tests/blockdev/lib.sh
begin
truncate -s $((32 * 1048576 + 4096)) "$scratch/drive"
loop_make "$scratch/drive" 512
name=$(identity "$loop")
"$lbas" fill "$loop" a5 || broken "cannot fill"

kernel() { # reads and writes completed; neighbours of a batch may have been merged
	awk '{ print $1 + $2, $5 + $6 }' "/sys/block/${loop#/dev/}/stat"
}

figure() { # figure DIRECTION KEY
	awk -v dir="\"$1\": {" -v key="\"$2\":" '
		index($0, "  " dir) == 1 { inside = 1 }
		inside && $1 == key { sub(",", "", $2); print $2; exit }' "$scratch/json"
}

within() { # within READS ALL SHARE: 5 standard deviations of a binomial count
	awk -v reads="$1" -v all="$2" -v p="$3" 'BEGIN {
		off = reads - all * p
		exit !(off * off <= 25 * all * p * (1 - p))
	}'
}

mix() { # mix READ_PCT THREADS
	set -- "$1" "$2" $(kernel)
	"$PTS" stimulus --device "$loop" --destroy "$name" --rw-mix "$1/$((100 - $1))" \
		--access random --block-size 4KiB --threads "$2" --queue-depth 8 \
		--duration 1s --json >"$scratch/json" || fail "exit $? of $1/$((100 - $1))"
	set -- "$1" "$2" "$3" "$4" $(kernel)
	reads=$(figure read submitted)
	writes=$(figure write submitted)
	all=$((reads + writes))
	say "== $1/$((100 - $1)), $2 threads: $reads of $all submitted I/Os are reads:" \
		"$(awk -v a="$reads" -v b="$all" 'BEGIN { printf "%.3f %%", 100 * a / b }')"
	holds "enough I/Os to say so" test $all -ge 1000
	holds "share of reads" within "$reads" $all "$(awk -v p="$1" 'BEGIN { print p / 100 }')"
	equal "errors" "$(figure read errors) $(figure write errors)" "0 0"
	equal "total" "$(figure total submitted)" $all
	equal "writes by the kernel" $(($6 - $4)) "$writes"
	# looking for signatures before the cell reads a little too
	extra=$(($5 - $3 - reads))
	holds "reads by the kernel: $reads and $extra" test $extra -ge 0 -a $extra -le 256
}

for read_pct in 100 95 65 50 35 5 0; do
	mix $read_pct 2
done
finish
