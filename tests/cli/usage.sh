#!/bin/sh
# Wrong command lines: exit 2, one line that says what and where, the nearest name; nothing on
# stdout. And what is refused for safety.
. tests/cli/lib.sh

refused() { # refused TEXT ARGUMENT...
	text=$1
	shift
	expect 2 "$@"
	one_line "$err"
	says "$err" "$text"
	[ ! -s "$out" ] || fail "pts $*: something on stdout"
}

expect 2
says "$err" 'usage: pts COMMAND'
[ ! -s "$out" ] || fail "help that nobody asked for is on stdout"

refused "unknown command 'rnu', did you mean 'run'?" rnu
refused "unknown command 'frobnicate'" frobnicate
refused "did you mean '--device'?" plan iops --devize x
refused "unknown option '--yes'" run iops --yes
refused "unknown option '-x'" list -x
refused "takes no value" list --json=1
refused "'--mode' needs a value" plan iops --mode
refused "'--mode' is given twice" plan iops --mode client --mode enterprise --device "$work/x"
refused "usage: pts check" check
refused "unexpected argument" list one
refused "needs --mode" plan iops --device "$work/x"
refused "there are enterprise and client" plan iops --mode entreprise --device "$work/x"
refused "needs --device" plan iops --mode client
refused "write KEY=VALUE" plan iops --mode client --device "$work/x" --set cell_time
refused "seq_write=RATE" plan iops --mode client --device "$work/x" --assume fast
refused "needs --out" run iops --mode client --device "$work/x" --destroy y
refused "--backend" run iops --mode client --device "$work/x" --out "$work/o" --backend libaio
refused "--progress" run iops --mode client --device "$work/x" --out "$work/o" --progress bar
refused "--seed" run iops --mode client --device "$work/x" --out "$work/o" --seed 0
refused "either DIR or --series" judge
refused "either DIR or --series" judge "$work" --series "$work/x"
refused "no run" status "$work/nothing"
refused "no run" verify "$work/nothing"
refused "no run" resume "$work/nothing"
refused "no run.db" judge "$work"
refused "needs --out" report "$work"
refused "use comma, semicolon or tab" report "$work" --out "$work/o" --format csv \
	--csv-separator x
refused "use point or comma" report "$work" --out "$work/o" --format csv --csv-decimal ';'
refused "both the decimal sign and the separator" report "$work" --out "$work/o" --format csv \
	--csv-decimal comma --csv-separator comma
refused "--csv-bom needs csv" report "$work" --out "$work/o" --csv-bom
refused "unknown purge method" plan iops --mode client --device "$0" --purge magic

# nothing was made
[ ! -e "$work/x" ] && [ ! -e "$work/o" ] || fail "a refused command left something behind"

# bytes that are no text do not reach the terminal
expect 2 "$(printf 'r\033[31mn')"
no_escapes "$err"

# a parameter that no spec has: named with the nearest; several specs: one must have it
truncate -s 16M "$work/file"
refused "did you mean 'cell_time'?" plan iops --mode client --device "$work/file" --set cel_time=2s
refused "did you mean 'cell_time'?" plan iops lat --mode client --device "$work/file" \
	--set cel_time=2s
# an amount below an LBA would be none at all
expect 4 plan wsat --mode client --device "$work/file" --set stop_amount=100B
one_line "$err"
says "$err" "less than one LBA"
expect 0 plan iops lat --mode client --device "$work/file" --set fill_amount=1x\ capacity
refused "a unit is missing" plan iops --mode client --device "$work/file" --set cell_time=2

# the device is named, not guessed, and never made
for path in "$work/no-such" "$work" /dev/null; do
	expect 2 info "$path"
	one_line "$err"
	expect 2 plan iops --mode client --device "$path"
	expect 2 run iops --mode client --device "$path" --destroy x --out "$work/o"
done
[ ! -e "$work/no-such" ] || fail "a path that does not exist was made"

# destruction wants the identity, and there is nobody to ask
before=$(sha256sum <"$work/file")
expect 3 run iops --mode client --device "$work/file" --out "$work/o"
one_line "$err"
says "$err" "--destroy $(identity_of "$work/file")"
expect 3 run iops --mode client --device "$work/file" --destroy wrong --out "$work/o"
says "$err" "'wrong' is not the identity"
expect 3 purge "$work/file"
expect 3 purge "$work/file" --destroy wrong
expect 3 stimulus --device "$work/file" --rw-mix 0/100 --ios 1
expect 3 stimulus --device "$work/file" --rw-mix 99/1 --ios 1 --destroy wrong
[ "$(sha256sum <"$work/file")" = "$before" ] || fail "a refused command changed the target"
[ ! -e "$work/o" ] || fail "a refused run left a folder"

# a result that can't be written is no success
[ ! -w /dev/full ] || {
	status=0
	"$PTS" list >/dev/full 2>"$err" || status=$?
	[ "$status" -eq 5 ] || fail "a full standard output: exit $status instead of 5"
}
exit $bad
