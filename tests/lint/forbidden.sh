#!/bin/sh
# A forbidden include does not compile: with the very command that builds a room's file, a unit
# that includes a header of a room not listed fails, and one with the room's own header builds.
cd "$(dirname "$0")/../.." || exit 1
bad=0
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# command_of SOURCE: its compile command without -o and the source itself
command_of() {
	sed -n 's/^  "command": "\(.*\)",$/\1/p' "$PTS_BUILD/compile_commands.json" |
		sed 's/\\"/"/g' | grep -F "/$1" | head -n 1 | sed 's/ -o .*$//'
}

try() { # try SOURCE HEADER
	command=$(command_of "$1")
	[ -n "$command" ] || { echo "no compile command for $1"; exit 1; }
	printf '#include "%s"\n' "$2" >"$dir/unit.c"
	eval "$command" -fsyntax-only "$dir/unit.c" >/dev/null 2>&1
}

forbid() { # forbid SOURCE OWN-HEADER FORBIDDEN...
	source=$1 own=$2
	shift 2
	try "$source" "$own" || { echo "$source: its own $own does not compile"; bad=1; }
	for header in "$@"; do
		if try "$source" "$header"; then
			echo "$source: may include $header, which the room table forbids"
			bad=1
		fi
	done
}

# the first source of a room, whatever it is called
first() {
	find "$1" -maxdepth 1 -name '*.c' | sort | head -n 1
}

forbid "$(first pts/base)" pts_hist.h spec.h engine.h store.h judge_steady.h
forbid "$(first pts/judge)" judge_steady.h store.h engine.h spec.h device.h run.h
forbid "$(first engine/core)" engine.h spec.h store.h judge_steady.h device.h plan.h
forbid "$(first engine/sim)" sim_drive.h engine.h spec.h store.h device.h run.h plan.h
forbid "$(first engine/device)" device.h spec.h plan.h store.h engine.h run.h
forbid "$(first pts/spec)" spec.h device.h engine.h store.h plan.h
forbid "$(first pts/plan)" plan.h device.h engine.h store.h run.h
forbid "$(first pts/store)" store.h engine.h device.h spec.h plan.h judge_steady.h
forbid "$(first pts/verify)" verify.h engine.h device.h run.h report.h
forbid "$(first report)" report.h engine.h device.h run.h
exit $bad
