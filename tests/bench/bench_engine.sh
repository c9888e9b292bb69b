#!/bin/bash
# The engine against fio's io_uring on the same target, in alternation in one run: IOPS ratios
# (medians) and user instructions an I/O (callgrind, difference of two run lengths). Absolute
# figures of a shared machine say nothing; the ratios do.
#
#   tests/bench/bench_engine.sh [-r rounds] [-s seconds] [-w tmpfs|loop|both] [BUILD]
#
# BUILD holds a Release build with tests on (cmake -B BUILD -DCMAKE_BUILD_TYPE=Release
# -DPTS_TESTS=ON). If BUILD/pts knows `stimulus`, that is measured, else the bench driver. The loop
# device needs root. Only files and devices made here are touched.
set -eu
export LC_ALL=C

rounds=5 seconds=2 where=both
while getopts r:s:w: option; do
	case $option in
	r) rounds=$OPTARG ;;
	s) seconds=$OPTARG ;;
	w) where=$OPTARG ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
top=$(cd "$(dirname "$0")/../.." && pwd)
build=${1:-$top/build/release}
driver=$build/tests/bench_engine
pts=$build/pts
[ -x "$driver" ] || { echo "no $driver: build the target bench_engine there" >&2; exit 2; }
command -v fio >/dev/null || { echo "fio is missing: apt-get install fio" >&2; exit 77; }

dir=$(mktemp -d -p /dev/shm pts-bench-XXXXXX)
loop=
cleanup() {
	[ -z "$loop" ] || losetup -d "$loop"
	rm -rf "$dir"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

# incompressible and allocated, so that reads find data
head -c 268435456 /dev/urandom >"$dir/target"

use_stimulus=no
if [ -x "$pts" ] && "$pts" stimulus --help >/dev/null 2>&1; then
	use_stimulus=yes
fi

ours() { # ours TARGET RW QD THREADS -> IOPS
	if [ $use_stimulus = yes ]; then
		local destroy=()
		if [ "$2" -lt 100 ]; then
			destroy=(--destroy "$("$pts" info "$1" --json | sed -n \
				's/.*"identity": *"\([^"]*\)".*/\1/p' | head -n 1)")
		fi
		"$pts" stimulus --device "$1" --access random --rw-mix "$2/$((100 - $2))" \
			--block-size 4KiB --threads "$4" --queue-depth "$3" \
			--duration "${seconds}s" "${destroy[@]}" --json |
			awk '/"total"/ { t = 1 } t && match($0, /"iops": *[0-9.e+]*/) {
				split(substr($0, RSTART, RLENGTH), a, ":"); printf "%.0f\n", a[2]; exit }'
	else
		"$driver" -f "$1" -r "$2" -q "$3" -t "$4" -s "$seconds" |
			sed -n 's/^iops=\([0-9]*\).*/\1/p'
	fi
}

tuned="--fixedbufs --registerfiles --iodepth_batch_submit=16 --iodepth_batch_complete_min=1
	--iodepth_batch_complete_max=32 --norandommap"

fio_args() { # fio_args TARGET RW QD THREADS
	local rw=randrw
	[ "$2" -ne 100 ] || rw=randread
	[ "$2" -ne 0 ] || rw=randwrite
	echo "--name=b --filename=$1 --rw=$rw --rwmixread=$2 --bs=4k --iodepth=$3 --numjobs=$4
		--ioengine=io_uring --direct=1 --thread --group_reporting --refill_buffers"
}

fio_iops() { # fio_iops TARGET RW QD THREADS [MORE...] -> IOPS, read and write
	local target=$1 rw=$2 qd=$3 threads=$4
	shift 4
	# shellcheck disable=SC2046,SC2068
	fio $(fio_args "$target" "$rw" "$qd" "$threads") $@ --time_based --runtime="$seconds" \
		--minimal 2>/dev/null | awk -F';' '{ printf "%.0f\n", $8 + $49 }'
}

median() {
	sort -n | awk '{ v[NR] = $1 } END { m = int((NR + 1) / 2)
		print NR % 2 ? v[m] : (v[m] + v[m + 1]) / 2 }'
}

cell() { # cell NAME TARGET RW QD THREADS
	local name=$1 a b c
	shift
	: >"$dir/a"; : >"$dir/b"; : >"$dir/c"
	for _ in $(seq "$rounds"); do
		a=$(ours "$@"); b=$(fio_iops "$@"); c=$(fio_iops "$@" $tuned)
		echo "$a $b $c" >>"$dir/$name.rounds"
		awk -v a="$a" -v b="$b" 'BEGIN { print a / b }' >>"$dir/b"
		awk -v a="$a" -v c="$c" 'BEGIN { print a / c }' >>"$dir/c"
		echo "$a" >>"$dir/a"
	done
	printf '%-6s read %3d%% QD%-3d T%d  ours %9.0f IOPS  : fio default %.2f  : fio tuned %.2f\n' \
		"$name" "$2" "$3" "$4" "$(median <"$dir/a")" "$(median <"$dir/b")" "$(median <"$dir/c")"
}

cells() { # cells NAME TARGET
	cell "$1" "$2" 100 32 1
	cell "$1" "$2" 100 1 1
	cell "$1" "$2" 0 32 1
	cell "$1" "$2" 65 32 2
}

collected() {
	valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>&1 |
		sed -n 's/.*Collected : \([0-9]*\).*/\1/p' | head -n 1
}

# user instructions an I/O: what 40,000 more of them cost
difference() { # difference OPTION... with @ for the number of I/Os
	local short long
	short=$(collected "${@//@/10000}")
	long=$(collected "${@//@/50000}")
	echo $(((long - short) / 40000))
}

instructions() {
	command -v valgrind >/dev/null || { echo "no valgrind: instructions not counted"; return 0; }
	for batch in 0 1; do
		printf 'instructions an I/O, read QD32, batch %s: ours %s\n' "$batch" \
			"$(difference "$driver" -f "$dir/target" -q 32 -k "$batch" -n @)"
	done
	printf 'instructions an I/O, read QD1: ours %s\n' \
		"$(difference "$driver" -f "$dir/target" -q 1 -k 1 -n @)"
	# shellcheck disable=SC2046,SC2086
	printf 'instructions an I/O, read QD32: fio default %s, fio tuned %s\n' \
		"$(difference fio $(fio_args "$dir/target" 100 32 1) --number_ios=@ --io_size=1t)" \
		"$(difference fio $(fio_args "$dir/target" 100 32 1) $tuned --number_ios=@ --io_size=1t)"
}

echo "measured: $([ $use_stimulus = yes ] && echo 'pts stimulus' || echo 'bench driver')"
[ "$where" = loop ] || cells tmpfs "$dir/target"
if [ "$where" != tmpfs ]; then
	if [ "$(id -u)" = 0 ] && loop=$(losetup --find --show --direct-io=on "$dir/target"); then
		cells loop "$loop"
	else
		loop=
		echo "no loop device to be had: skipped"
	fi
fi
instructions
