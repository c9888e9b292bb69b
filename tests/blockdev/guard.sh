#!/bin/sh
# What only a kernel can show of the guard: 4096 byte sectors, a mount in another namespace, a file
# system that is in use but mounted nowhere, the store upon the target through a loop or an
# overlay, swap files, a member that nobody assembled, purge without discard, a user without
# rights. Each refused with its code and its reason, the target's SHA-256 unchanged.
# (tests/cli/guard.sh has the plain cases.)
. tests/blockdev/lib.sh
begin
swapped=""
tidy() {
	for pid in $jobs_left; do
		kill -KILL "$pid" 2>/dev/null && wait "$pid" 2>/dev/null
	done
	[ -z "$swapped" ] || swapoff "$swapped"
	# what was mounted last goes first
	for at in over inner other fs ramfs; do
		! mountpoint -q "$scratch/mnt-$at" 2>/dev/null || umount "$scratch/mnt-$at"
	done
	sleep 0.2
	clean_up
}
trap tidy EXIT

mount_at() { # mount_at DEVICE NAME [OPTION...]
	mkdir -p "$scratch/mnt-$2"
	device=$1 at=$scratch/mnt-$2
	shift 2
	mount "$@" -o noatime "$device" "$at" 2>/dev/null
}

image() { # image NAME SIZE: a file with something in it; sets $image
	image=$scratch/$1
	truncate -s "$2" "$image"
	head -c 1048576 /dev/urandom | dd of="$image" conv=notrunc bs=1M seek=1 status=none
}

# A file system that writes nothing by itself later on.
make_fs() {
	mkfs.ext4 -q -F -E lazy_itable_init=0,lazy_journal_init=0 "$1"
}

code() { # code DEVICE: the codes of its refusals
	"$PTS" info "$1" --json | sed -n 's/^ *"code": "\(.*\)",*$/\1/p' | sort | tr '\n' ' '
}

# The image's sum once nothing writes any more: a loop upon a loop needs a sync for each of them.
settled() {
	last=""
	for turn in 1 2 3 4 5 6; do
		sync
		now=$(sha "$1")
		[ "$now" != "$last" ] || break
		last=$now
		sleep 0.5
	done
	echo "$now"
}

# refused WHAT DEVICE BACKING EXIT REASON [OUT]: by run and by stimulus
refused() {
	before=$(settled "$3")
	id=$(identity "$2" 2>/dev/null)
	for command in "run iops --mode enterprise --out ${6:-$scratch/out} --device" \
		"stimulus --access random --block-size 4KiB --rw-mix 0/100 --ios 8 --device"; do
		[ -z "${6:-}" ] || [ "${command%% *}" = run ] || continue
		status=0
		# shellcheck disable=SC2086
		"$PTS" $command "$2" --destroy "${id:-x}" >"$scratch/err" 2>&1 </dev/null || status=$?
		equal "$1: exit of ${command%% *}" $status "$4"
		holds "$1: says '$5': $(cat "$scratch/err")" grep -q -- "$5" "$scratch/err"
	done
	holds "$1: no folder left" test ! -e "${6:-$scratch/out}"
	sync
	equal "$1: SHA-256" "$(settled "$3")" "$before"
}

say "== mounted, 512 and 4096 byte sectors"
for sector in 512 4096; do
	image "fs$sector" 64M
	loop_make "$image" $sector
	make_fs "$loop" || skip "no mkfs.ext4"
	mount_at "$loop" fs || skip "mount is not possible here"
	refused "mounted, $sector" "$loop" "$image" 3 "mounted on '$scratch/mnt-fs'"
	equal "codes" "$(code "$loop")" "mounted "
	refused "store upon it, $sector" "$loop" "$image" 3 "mounted" "$scratch/mnt-fs/run"
	umount "$scratch/mnt-fs"
	equal "codes when it is free" "$(code "$loop")" ""
	loop_drop "$loop"
done

say "== mounted where this process can't see it"
image ns 64M
loop_make "$image"
make_fs "$loop"
mkdir "$scratch/mnt-other"
unshare -m --propagation private sh -c \
	"mount -o noatime '$loop' '$scratch/mnt-other' && touch '$scratch/ready' && exec sleep 300" &
jobs_left=$!
tries=0
until [ -e "$scratch/ready" ] || [ $tries -eq 50 ]; do sleep 0.1; tries=$((tries + 1)); done
if [ -e "$scratch/ready" ]; then
	refused "another namespace" "$loop" "$image" 3 "in use"
	equal "codes" "$(code "$loop")" "busy "
else
	say "no mount namespaces here: not tried"
fi
kill "$jobs_left" 2>/dev/null
wait "$jobs_left" 2>/dev/null
jobs_left=""
tries=0
while [ -n "$(code "$loop")" ] && [ $tries -lt 50 ]; do sleep 0.1; tries=$((tries + 1)); done
equal "codes when it is free" "$(code "$loop")" ""
loop_drop "$loop"

say "== the store lies on a loop over a file on the target, which is mounted nowhere"
image outer 96M
loop_make "$image"
outer=$loop outer_image=$image
make_fs "$outer"
mount_at "$outer" fs
truncate -s 48M "$scratch/mnt-fs/inner"
loop_make "$scratch/mnt-fs/inner"
make_fs "$loop"
mount_at "$loop" inner
umount -l "$scratch/mnt-fs"
sync
refused "store" "$outer" "$outer_image" 3 "lies on '$outer' itself" "$scratch/mnt-inner/run"
equal "codes" "$(code "$outer")" "busy "
say "== the same through an overlay"
mkdir "$scratch/mnt-inner/up" "$scratch/mnt-inner/work" "$scratch/low"
if mount_at none over -t overlay -o \
	"lowerdir=$scratch/low,upperdir=$scratch/mnt-inner/up,workdir=$scratch/mnt-inner/work"; then
	refused "store on an overlay" "$outer" "$outer_image" 3 "lies on '$outer' itself" \
		"$scratch/mnt-over/new/run"
	umount "$scratch/mnt-over"
else
	say "no overlay file system here: not tried"
fi
umount "$scratch/mnt-inner"
loop_drop "$loop"
tries=0
while [ -n "$(code "$outer")" ] && [ $tries -lt 50 ]; do sleep 0.1; tries=$((tries + 1)); done
equal "codes when it is free" "$(code "$outer")" ""
loop_drop "$outer"

say "== a partition: swap, and a member that nobody assembled"
image part 64M
printf 'label: gpt\n1MiB,24MiB\n32MiB,24MiB\n' | sfdisk -q "$image" 2>/dev/null
loop_make "$image"
whole=$loop base=${loop#/dev/}
partx -a "$whole" 2>/dev/null
if [ -e "/sys/block/$base/${base}p2/dev" ]; then
	numbers=$(cat "/sys/block/$base/${base}p1/dev")
	[ -b "$scratch/p1" ] || mknod "$scratch/p1" b "${numbers%:*}" "${numbers#*:}"
	equal "codes of free partitions" "$(code "$whole")" ""
	refused "a partition itself" "$scratch/p1" "$image" 3 "a test needs the whole drive, $whole"
	mkswap -q "$scratch/p1" 2>/dev/null
	if swapon "$scratch/p1" 2>/dev/null; then
		swapped=$scratch/p1
		refused "swap on a partition" "$whole" "$image" 3 "swapoff"
		swapoff "$swapped"
		swapped=""
	else
		say "swapon is not possible here: not tried"
	fi
	# VDO's mark; wipefs takes it away again
	printf 'dmvdo001' | dd of="$scratch/p1" bs=4096 count=1 conv=notrunc,sync status=none
	refused "member on a partition" "$whole" "$image" 3 "/dev/${base}p1 holds a member"
	equal "codes" "$(code "$whole")" "member "
	wipefs -q -a "$scratch/p1"
	equal "codes after wipefs" "$(code "$whole")" ""
	partx -d "$whole" 2>/dev/null
else
	say "no partitions on loop devices here: not tried"
fi
loop_drop "$whole"

say "== a swap file, by its name and behind a loop device"
image swapfile 32M
dd if=/dev/zero of="$image" bs=1M count=32 conv=notrunc status=none
chmod 600 "$image"
mkswap -q "$image" 2>/dev/null
if swapon "$image" 2>/dev/null; then
	swapped=$image
	refused "swap file" "$image" "$image" 3 "swapoff"
	if loop=$(losetup --find --show "$image" 2>/dev/null); then
		loops="$loops $loop"
		refused "loop over a swap file" "$loop" "$image" 3 "swapoff"
		loop_drop "$loop"
	fi
	swapoff "$image"
	swapped=""
else
	say "swap files are not possible here: not tried"
fi

say "== discard where nothing can be discarded (B29): a file of ramfs, and a loop over it"
if mount_at none ramfs -t ramfs; then
	target=$scratch/mnt-ramfs/target
	dd if=/dev/urandom of="$target" bs=1M count=8 status=none
	loop=$(losetup --find --show "$target") || broken "no loop device over ramfs"
	loops="$loops $loop"
	sum=$(sha "$target")
	equal "discard_max_bytes" "$(cat "/sys/block/${loop#/dev/}/queue/discard_max_bytes")" 0
	status=0
	"$PTS" purge "$loop" --method discard --destroy "$(identity "$loop")" \
		>"$scratch/err" 2>&1 </dev/null || status=$?
	equal "purge by discard: exit" $status 6
	holds "said: $(cat "$scratch/err")" grep -q "by discard: the device does not offer" "$scratch/err"
	equal "SHA-256" "$(sha "$target")" "$sum"
	loop_drop "$loop"
	status=0
	"$PTS" purge "$target" --method discard --destroy "$(identity "$target")" \
		>"$scratch/err" 2>&1 </dev/null || status=$?
	equal "the same of the file: exit" $status 6
	umount "$scratch/mnt-ramfs"
else
	say "no ramfs here: not tried"
fi

say "== a user without rights (B88)"
image plain 8M
loop_make "$image"
id=$(identity "$loop")
sum=$(sha "$image")
# the build folder may be out of a stranger's reach: the program is handed over open
chmod 711 "$scratch"
cp "$PTS" "$scratch/pts" && chmod 755 "$scratch/pts"
user="setpriv --reuid 65534 --regid 65534 --clear-groups"
if (cd / && $user "$scratch/pts" --version && $user stat "$image") >/dev/null 2>&1; then
	status=0
	(cd / && $user "$scratch/pts" info "$loop" --json) >"$scratch/info" 2>&1 || status=$?
	equal "info without rights: exit" $status 0
	status=0
	(cd / && $user "$scratch/pts" stimulus --device "$loop" --access random --block-size 4KiB \
		--rw-mix 0/100 --ios 8 --destroy "$id") >"$scratch/err" 2>&1 || status=$?
	equal "write without rights: exit" $status 6
	holds "says: $(cat "$scratch/err")" grep -q "run as root" "$scratch/err"
	equal "SHA-256" "$(sha "$image")" "$sum"
else
	say "another user can't reach the program or the file here: not tried"
fi
loop_drop "$loop"
finish
