#!/bin/sh
# What is different on a terminal: the live line, its width, colours, the typed confirmation.
. tests/cli/lib.sh
command -v script >/dev/null || {
	echo "script(1) is missing (package bsdutils)"
	exit 77
}

truncate -s 16M "$work/file"
identity=$(identity_of "$work/file")
escape=$(printf '\033')

# on_terminal COLUMNS COMMAND: runs it under a terminal; everything lands in $work/screen
on_terminal() {
	status=0
	TERM=xterm script -qefc "stty cols $1; $2" "$work/screen" >/dev/null </dev/null || status=$?
	# script writes a line of its own at both ends
	sed -i '1{/^Script started/d};${/^Script done/d}' "$work/screen"
}

run="$PTS run tests/fixtures/cli-small.yaml --mode client --device $work/file --destroy $identity"
run="$run --set cell_time=200ms --set max_rounds=2"
for columns in 200 60; do
	on_terminal $columns "$run --out $work/run$columns"
	[ "$status" -le 1 ] || fail "a run on a terminal of $columns columns: exit $status"
	tr '\r' '\n' <"$work/screen" | grep ' IOPS' | grep 'round [0-9]*/' >"$work/lines"
	[ -s "$work/lines" ] || fail "no live line on $columns columns"
	longest=$(sed "s/$escape\[[0-9;]*[A-Za-z]//g" "$work/lines" |
		awk '{ if (length > m) m = length } END { print m }')
	[ "$longest" -lt $columns ] || fail "a live line of $longest on $columns columns"
done
tr '\r' '\n' <"$work/screen" | grep -q 'round 1/2' || fail "the narrow line has no round"
on_terminal 200 "$run --out $work/again --progress auto"
tr '\r' '\n' <"$work/screen" >"$work/lines"
for text in "cell 3/4" "RND" " IOPS" "MB/s" " left" "at most" "round 2/2"; do
	says "$work/lines" "$text"
done

# colours on a terminal, none with --no-color, NO_COLOR or TERM=dumb
on_terminal 100 "$PTS plan iops --mode client --device $work/file"
grep -q "$escape\[1m" "$work/screen" || fail "no bold heading on a terminal"
for how in "$PTS plan iops --no-color" "NO_COLOR=1 $PTS plan iops" "TERM=dumb $PTS plan iops"; do
	on_terminal 100 "$how --mode client --device $work/file"
	! grep -q "$escape" "$work/screen" || fail "colours with: $how"
done
on_terminal 100 "TERM=dumb $run --out $work/dumb"
! grep -q "$escape" "$work/screen" || fail "a live line on a dumb terminal"

# the confirmation: the identity and nothing else; a refusal leaves nothing behind
ask() { # ask TEXT CODES OUT: any of the codes
	status=0
	(sleep 1; printf '%s\n' "$1"; sleep 1) |
		TERM=xterm script -qefc "$PTS run tests/fixtures/cli-small.yaml --mode client \
			--device $work/file --out $3 --set cell_time=10ms --progress none" \
			"$work/screen" >/dev/null || status=$?
	case " $2 " in
	*" $status "*) ;;
	*) fail "typed '$1': exit $status instead of $2" ;;
	esac
}
before=$(sha256sum <"$work/file")
for wrong in yes y "" "${identity}x"; do
	ask "$wrong" 3 "$work/asked"
	[ ! -e "$work/asked" ] || fail "typed '$wrong': a folder was made"
done
[ "$(sha256sum <"$work/file")" = "$before" ] || fail "a wrong confirmation changed the target"
says "$work/screen" "destroys ALL DATA"
says "$work/screen" "$identity"
# what it costs: time and wear
grep -q 'cli-small: likely .* (at most .*), writes likely .* drive fills (at most ' "$work/screen" ||
	fail "the question does not say how long it takes and what it writes"
ask "$identity" "0 1" "$work/asked"
[ -e "$work/asked/run.db" ] || fail "the right identity was not enough"
exit $bad
