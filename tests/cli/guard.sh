#!/bin/sh
# What must not be destroyed, through the program: each refused with 3 (or 2 where it is no device at
# all), by run, stimulus and purge, the data unchanged, nothing made. Loop devices of its own.
. tests/cli/lib.sh
[ "$(id -u)" = 0 ] && [ -e /dev/loop-control ] || {
	echo "needs root and loop devices"
	exit 77
}
loops=""
swapped=""
clean_up() {
	[ -z "$swapped" ] || swapoff "$swapped"
	for mounted in "$work"/mnt*; do
		[ ! -d "$mounted" ] || ! mountpoint -q "$mounted" || umount "$mounted"
	done
	# the last made first: one may lie on another
	for loop in $loops; do losetup -d "$loop" 2>/dev/null; done
	rm -rf "$work"
}
trap clean_up EXIT

# attach FILE [OPTION...]: $loop is its device
attach() {
	file=$1
	shift
	loop=$(losetup --find --show "$@" "$file") || {
		echo "no free loop device"
		exit 77
	}
	loops="$loop $loops"
}

sum() {
	sync
	sha256sum <"$1" | cut -d ' ' -f 1
}

# refused NAME DEVICE BACKING CODE TEXT: the right identity is given where there is one
refused() {
	name=$1 device=$2 backing=$3 wanted=$4 text=$5
	identity=x
	"$PTS" info "$device" --json >"$work/info.json" 2>/dev/null </dev/null &&
		identity=$(value "$work/info.json" identity)
	before=$(sum "$backing")
	for command in "run iops --mode enterprise --out $work/out --device" \
		"stimulus --rw-mix 0/100 --ios 10 --device" "purge"; do
		# shellcheck disable=SC2086
		expect "$wanted" $command "$device" --destroy "$identity"
		one_line "$err"
		grep -qiE -- "$text" "$err" || fail "$name: '$text' is not in: $(cat "$err")"
	done
	[ "$(sum "$backing")" = "$before" ] || fail "$name: the data changed"
	[ ! -e "$work/out" ] || fail "$name: a refused run left a folder"
	if [ "$wanted" = 3 ] && [ "$identity" != x ]; then
		expect 0 info "$device"
		says "$out" "Refused"
	fi
}

for name in fs part swap backing held; do
	truncate -s 64M "$work/$name.img"
	head -c 65536 /dev/urandom | dd of="$work/$name.img" conv=notrunc status=none
done

# a mounted file system
mkfs.ext4 -q -F -E lazy_itable_init=0,lazy_journal_init=0 "$work/fs.img"
attach "$work/fs.img"
fs=$loop
mkdir "$work/mnt"
if mount -o ro,noload "$fs" "$work/mnt" 2>/dev/null; then
	refused mounted "$fs" "$work/fs.img" 3 "mounted"
	# the file system that the store would lie on
	expect 3 run iops --mode enterprise --device "$fs" --destroy "$(identity_of "$fs")" \
		--out "$work/mnt/run"
	[ ! -e "$work/mnt/run" ] || fail "a folder was made on the target"
	umount "$work/mnt"
	# free again: nothing refuses
	expect 0 info "$fs" --json
	equals "$out" 'refusals#' 0
else
	echo "mount is not possible here: mounted devices are not tried"
fi

# a device with a mounted partition, and the partition itself
printf 'label: gpt\n1MiB,32MiB\n' | sfdisk -q "$work/part.img" >/dev/null 2>&1
attach "$work/part.img" --partscan
part=$loop
base=$(basename "$part")
[ -d "/sys/block/$base/${base}p1" ] || partx -a "$part" 2>/dev/null
# without udev nobody makes the node; the kernel says its number
[ ! -r "/sys/block/$base/${base}p1/dev" ] ||
	mknod "$work/p1" b "$(cut -d : -f 1 "/sys/block/$base/${base}p1/dev")" \
		"$(cut -d : -f 2 "/sys/block/$base/${base}p1/dev")" 2>/dev/null
if [ -b "$work/p1" ] &&
	mkfs.ext4 -q -F -E lazy_itable_init=0,lazy_journal_init=0 "$work/p1" 2>/dev/null; then
	refused partition "$work/p1" "$work/part.img" 3 "partition"
	mkdir "$work/mnt2"
	if mount -o ro,noload "$work/p1" "$work/mnt2" 2>/dev/null; then
		refused "partition mounted" "$part" "$work/part.img" 3 "mounted"
		umount "$work/mnt2"
	else
		echo "mount is not possible here: mounted partitions are not tried"
	fi
	partx -d "$part" 2>/dev/null
else
	echo "no partitions on loop devices here: they are not tried"
fi

# swap
mkswap -q "$work/swap.img" >/dev/null 2>&1
attach "$work/swap.img"
if swapon "$loop" 2>/dev/null; then
	swapped=$loop
	refused swap "$loop" "$work/swap.img" 3 "swap"
	swapoff "$loop"
	swapped=""
else
	echo "swapon is not possible here: swap is not tried"
fi

# a file that backs a loop device; a loop device that backs another
attach "$work/backing.img"
refused "backing file" "$work/backing.img" "$work/backing.img" 3 "loop"
attach "$work/held.img"
held=$loop
attach "$held"
refused "held by a loop" "$held" "$work/held.img" 3 "loop"

# a wrong identity, on a device that nothing else protects
attach "$work/fs.img"
free=$loop
losetup -d "$fs"
# no longer ours: its number may be somebody else's by the time of cleaning up
loops=$(printf '%s\n' $loops | grep -vx "$fs" | tr '\n' ' ')
before=$(sum "$work/fs.img")
for identity in x "$(identity_of "$free") " "" "/dev/loop"; do
	expect 3 stimulus --device "$free" --rw-mix 0/100 --ios 10 --destroy "$identity"
	expect 3 purge "$free" --destroy "$identity"
	expect 3 run iops --mode enterprise --device "$free" --destroy "$identity" --out "$work/out"
done
# none given, and nobody there to type it
for command in "run iops --mode enterprise --out $work/out --device" "purge" \
	"stimulus --rw-mix 0/100 --ios 10 --device"; do
	# shellcheck disable=SC2086
	expect 3 $command "$free" </dev/null
	one_line "$err"
done
[ ! -e "$work/out" ] || fail "a run without an identity left a folder"
[ "$(sum "$work/fs.img")" = "$before" ] || fail "a wrong identity changed the data"

# no devices at all: said, and not made
ln -s "$work/nowhere" "$work/dangling"
for path in "$work/nowhere" "$work/dangling" "$work" /dev/null /dev/loop-control; do
	refused "no device" "$path" "$work/fs.img" 2 "."
done
[ ! -e "$work/nowhere" ] || fail "a path that does not exist was made"

# and what is free is written with the right identity
expect 0 stimulus --device "$free" --rw-mix 0/100 --ios 10 --destroy "$(identity_of "$free")"
[ "$(sum "$work/fs.img")" != "$before" ] || fail "the right identity changed nothing"
exit $bad
