#!/bin/bash
# The full-length PTS-E IOPS (60 s cells, until steady) on the model drive enterprise-small: wall
# and CPU time, memory, and CPU nanoseconds for each simulated I/O and each page that the flash
# programs; without a state's file and with one, in alternation, and the median ratio of the two.
# With -i user instructions for each I/O, counted by callgrind as the difference of two lengths.
#
#   tests/bench/bench_sim_run.sh [-r rounds] [-i] [BUILD]
#
# BUILD holds a Release build with tests on (for its storeq). Only files made here are written.
set -eu
export LC_ALL=C

rounds=3 instructions=no
while getopts r:i option; do
	case $option in
	r) rounds=$OPTARG ;;
	i) instructions=yes ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
top=$(cd "$(dirname "$0")/../.." && pwd)
build=$(realpath "${1:-$top/build/bench}")
pts=$build/pts storeq=$build/tests/storeq
[ -x "$pts" ] && [ -x "$storeq" ] || { echo "no $pts and $storeq: see README.md" >&2; exit 2; }
dir=$(mktemp -d "${TMPDIR:-/tmp}/pts-bench-XXXXXX")
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
cd "$top"

# whole NAME DEVICE -> "wall_s cpu_s most_kib"
whole() {
	rm -rf "${dir:?}/$1"
	local pid most=0 now
	TIMEFORMAT='%R %U %S'
	{
		time {
			"$pts" run iops --mode enterprise --seed 1 --device "$2" --progress none \
				--destroy sim:enterprise-small:1 --out "$dir/$1" \
				>/dev/null 2>&1 </dev/null &
			pid=$!
			while now=$(awk '/^VmHWM/ { print $2 }' /proc/$pid/status 2>/dev/null) &&
				[ -n "$now" ]; do
				most=$now
				sleep 0.2
			done
			wait $pid
		}
	} 2>"$dir/time"
	# the sampling's own CPU time is in it, about 2 %
	awk -v most="$most" '{ print $1, $2 + $3, most }' "$dir/time"
}

ios() { # of all cells, the fill too
	"$storeq" "$dir/$1/run.db" "SELECT sum(submitted) FROM v_all_cells"
}

# user instructions of so many random 4 KiB I/Os, 65/35, on a drive that is filled before
counted() {
	valgrind --tool=callgrind --callgrind-out-file=/dev/null "$pts" stimulus --seed 1 \
		--device sim:enterprise-small --destroy sim:enterprise-small:1 --rw-mix 65/35 \
		--threads 4 --queue-depth 32 --ios "$1" 2>&1 >/dev/null |
		sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}

for ((i = 1; i <= rounds; i++)); do
	read -r wall cpu most <<<"$(whole plain sim:enterprise-small)"
	rm -f "$dir/drive"
	read -r wall2 cpu2 most2 <<<"$(whole kept "sim:enterprise-small,state=$dir/drive")"
	awk -v n="$(ios plain)" -v w="$wall" -v c="$cpu" -v m="$most" -v w2="$wall2" -v c2="$cpu2" \
		-v m2="$most2" 'BEGIN {
		printf "%.1f s wall, %.1f s CPU, %.0f MB, %d I/Os: %.0f ns of CPU each; ", w, c, m / 1000, n, c * 1e9 / n
		printf "with state=FILE %.1f s, %.1f s, %.0f MB: CPU ratio %.3f\n", w2, c2, m2 / 1000, c2 / c
		print c2 / c >"/dev/stderr" }' 2>>"$dir/ratios"
done
sort -n "$dir/ratios" | awk '{ r[NR] = $1 } END { printf "median CPU ratio with state=FILE: %.3f\n", r[int((NR + 1) / 2)] }'
[ $instructions = no ] || {
	few=$(counted 200000) many=$(counted 1200000)
	echo "user instructions an I/O: $(((many - few) / 1000000))"
}
