# Sourced by the end-to-end tests: loop devices of their own, checks that go on, cleaning up.
# PTS, PTS_SPECS and PTS_BUILD come from ctest. Nothing here touches a device or a file that the
# script did not make itself.
set -u
export LC_ALL=C
PTS=${PTS:-build/asan/pts}
PTS_BUILD=${PTS_BUILD:-build/asan}
export PTS_SPECS="${PTS_SPECS:-specs}"
here=tests/blockdev
storeq=$PTS_BUILD/tests/storeq
lbas=$PTS_BUILD/tests/lbas
failures=0
loops=""
jobs_left=""
scratch=""

say() {
	printf '%s\n' "$*"
}

skip() {
	say "skipped: $*"
	exit 77
}

fail() {
	say "FAIL: $*"
	failures=$((failures + 1))
}

# A fault of the test's own surroundings, in which nothing can be shown.
broken() {
	say "BROKEN: $*"
	exit 1
}

equal() { # equal WHAT GOT WANTED
	if [ "$2" = "$3" ]; then
		say "ok: $1: $2"
	else
		fail "$1: got '$2', wanted '$3'"
	fi
}

holds() { # holds WHAT COMMAND...
	what=$1
	shift
	if "$@"; then
		say "ok: $what"
	else
		fail "$what ($*)"
	fi
}

finish() {
	[ "$failures" -eq 0 ] || { say "$failures checks failed"; exit 1; }
	exit 0
}

clean_up() {
	for pid in $jobs_left; do
		kill -KILL "$pid" 2>/dev/null && wait "$pid" 2>/dev/null
	done
	for loop in $loops; do
		losetup -d "$loop" 2>/dev/null
	done
	# E2E_KEEP=1 leaves everything for a look
	[ -n "${E2E_KEEP:-}" ] || [ -z "$scratch" ] || rm -rf "$scratch"
}

begin() {
	[ "$(id -u)" = 0 ] || skip "loop devices need root"
	[ -e /dev/loop-control ] || skip "no /dev/loop-control"
	scratch=$(mktemp -d "$PTS_BUILD/e2e-XXXXXX") || broken "cannot make a scratch folder"
	scratch=$(cd "$scratch" && pwd)
	trap clean_up EXIT
	trap 'exit 130' INT TERM HUP
	truncate -s 1M "$scratch/probe"
	probe=$(losetup --find --show --direct-io=on "$scratch/probe" 2>"$scratch/why") ||
		skip "no loop device with direct I/O: $(cat "$scratch/why")"
	losetup -d "$probe"
}

loop_make() { # loop_make FILE [SECTOR_BYTES]: sets $loop
	loop=$(losetup --find --show --direct-io=on --sector-size "${2:-512}" "$1") ||
		broken "cannot make a loop device over $1"
	loops="$loops $loop"
}

loop_drop() { # loop_drop LOOP
	losetup -d "$1"
	left=""
	for one in $loops; do
		[ "$one" = "$1" ] || left="$left $one"
	done
	loops=$left
	# the kernel takes it away with its last user, a moment later
	tries=0
	while [ -e "/sys/block/${1#/dev/}/loop/backing_file" ] && [ $tries -lt 50 ]; do
		sleep 0.1
		tries=$((tries + 1))
	done
}

identity() { # identity DEV
	"$PTS" info "$1" --json | sed -n 's/^  "identity": "\(.*\)",*$/\1/p'
}

q() { # q DIR STATEMENT
	"$storeq" "$1/run.db" "$2"
}

sha() { # sha FILE
	sha256sum "$1" | cut -d ' ' -f 1
}

# wait_for PID FILE PATTERN: until a line of a file that the process writes matches
wait_for() {
	tries=0
	until grep -q "$3" "$2" 2>/dev/null; do
		tries=$((tries + 1))
		[ $tries -lt 3000 ] || return 1
		if [ ! -d "/proc/$1" ] || grep -qs '^State:.Z' "/proc/$1/status"; then
			grep -q "$3" "$2"
			return
		fi
		sleep 0.02
	done
}

# verifies DIR: pts verify finds no difference
verifies() {
	text=$("$PTS" verify "$1") && say "ok: verify: $text" || fail "verify of $1: $text"
	case $text in
	*" 0 differ") ;;
	*) fail "verify of $1 says '$text'" ;;
	esac
}
