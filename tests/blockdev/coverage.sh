#!/bin/sh
# The fill really covers the device: every LBA held a known pattern before, none does after, the
# tail that is shorter than a block included, with 1 and 4 threads, for 512 and 4096 byte sectors.
# And what stands there then is incompressible, and no 4 KiB block is equal to another.
. tests/blockdev/lib.sh
begin
old=a5

incompressible() { # of the first 16 MiB, gzip leaves at least 99 %
	head -c 16777216 "$1" >"$scratch/head"
	packed=$(gzip -c "$scratch/head" | wc -c)
	holds "gzip of 16 MiB: $packed bytes" test "$packed" -ge 16609443
}

covered() { # covered SECTOR THREADS CAPACITY AMOUNT
	say "== $3 bytes, sectors of $1, $2 threads, $4"
	dir=$scratch/run-$1-$2-$3
	truncate -s "$3" "$scratch/drive"
	loop_make "$scratch/drive" "$1"
	"$lbas" fill "$loop" $old || broken "cannot fill"
	equal "LBA pieces with the old pattern before" \
		"$("$lbas" check "$loop" $old | cut -d ' ' -f 3-4)" "old $(($3 / 512))"
	status=0
	"$PTS" run $here/fill.yaml --mode enterprise --device "$loop" --purge none \
		--destroy "$(identity "$loop")" --out "$dir" --progress none \
		--set threads="$2" --set fill_amount="$4" 2>"$scratch/err" || status=$?
	equal "exit" $status 0
	[ $status = 0 ] || cat "$scratch/err"
	equal "bytes and I/Os without an error" \
		"$(q "$dir" 'SELECT write_bytes, errors FROM v_cells' | tr '\t' ' ')" \
		"$((${4%x*} * $3)) 0"
	"$lbas" check "$loop" $old >"$scratch/seen"
	equal "read back" "$(cut -d ' ' -f 1-6 "$scratch/seen")" "bytes $3 old 0 zero 0"
	equal "4 KiB blocks that stand there twice" "$(sed 's/.*equal //' "$scratch/seen")" 0
	incompressible "$scratch/drive"
	verifies "$dir"
	loop_drop "$loop"
	rm "$scratch/drive"
}

# tails of a block: a few LBAs, one LBA, all but one LBA; once also the first pass alone
for threads in 1 4; do
	covered 512 $threads $((24 * 1048576 + 90624)) "2x capacity"
	covered 4096 $threads $((24 * 1048576 + 4096)) "2x capacity"
	covered 512 $threads $((17 * 1048576 - 512)) "1x capacity"
done
finish
