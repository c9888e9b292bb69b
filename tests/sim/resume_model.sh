#!/bin/bash
# A model drive that is kept in a file: killed and stopped runs go on with the same drive on a clock
# that goes on too; a file that is not of this drive is refused and stays as it is.
set -u
. tests/cli/lib.sh

# an eighth of enterprise-small, which is filled in an eighth of the time
sed 's/^capacity: .*/capacity: 1GiB/' specs/drives/enterprise-small.yaml >"$work/small.yaml"
drive=sim:$work/small.yaml,seed=5
identity=sim:small:5
options="--mode enterprise --seed 5 --set cell_time=2s --set max_rounds=6"
storeq=$PTS_BUILD/tests/storeq

q() { # q NAME STATEMENT
	"$storeq" "$work/$1/run.db" "$2"
}

start() { # start NAME STATE: in the background; $pid is its process
	"$PTS" run iops $options --device "$drive,state=$2" --destroy $identity \
		--out "$work/$1" --progress json >"$work/$1.events" 2>"$work/$1.err" </dev/null &
	pid=$!
}

until_cell() { # until_cell NAME COUNT: so many cells have begun
	# the file may not be there yet: that is no cell, too
	while kill -0 "$pid" 2>/dev/null &&
		[ "$(cat "$work/$1.events" 2>/dev/null | grep -c '"event": *"cell_begin"')" -lt "$2" ]; do
		sleep 0.01
	done
}

# everything that closed rounds hold
closed() { # closed NAME LAST_ROUND
	q "$1" "SELECT * FROM v_cells WHERE round IS NOT NULL AND round <= $2 ORDER BY cell_id"
	q "$1" "SELECT f.* FROM figure f JOIN v_cells v USING(cell_id) WHERE v.round <= $2
		ORDER BY f.cell_id, f.dir"
	q "$1" "SELECT * FROM v_steady WHERE last_round <= $2 ORDER BY track, last_round"
}

# no cell begins before one that was stored before it has ended, whichever process measured it
monotonic() { # monotonic NAME
	[ "$(q "$1" "SELECT count(*) FROM cell a JOIN cell b ON b.id > a.id
		WHERE b.started_ns < a.started_ns + a.elapsed_ns + a.drain_ns")" = 0 ] ||
		fail "$1: the clock ran backwards between cells"
	[ "$(q "$1" "SELECT count(*) FROM cell a JOIN cell b ON b.id > a.id
		WHERE b.started_wall_ns <= a.started_wall_ns")" = 0 ] ||
		fail "$1: dates ran backwards between cells"
}

goes_on() { # goes_on NAME STATE
	rounds=$(q "$1" "SELECT count(*) FROM v_rounds WHERE state = 'valid'")
	expect 0 verify "$work/$1"
	closed "$1" "$rounds" >"$work/before"
	(cd "$work" && exec "$PTS" resume "$1" --progress none) >"$out" 2>"$err" </dev/null
	status=$?
	[ $status -le 1 ] || fail "resume of $1: exit $status: $(cat "$err")"
	closed "$1" "$rounds" | cmp -s - "$work/before" || fail "$1: closed rounds changed"
	monotonic "$1"
	expect 0 verify "$work/$1"
	says "$out" ", 0 differ"
	[ -e "$2" ] && [ ! -e "$2.pts-new" ] || fail "$1: its files are $(ls -d "$2"*)"
}

# killed: while the drive is filled, at the loop's begin, within rounds
reached=0
for cells in 1 4 70 150; do
	rm -rf "$work/drive" "$work/killed"
	start killed "$work/drive"
	until_cell killed $cells
	kill -KILL $pid 2>/dev/null
	wait $pid 2>/dev/null
	if [ "$(q killed 'SELECT state FROM run')" = running ]; then
		reached=$((reached + 1))
		goes_on killed "$work/drive"
	fi
done
[ $reached -ge 2 ] || fail "only $reached of 4 runs were killed in the middle"

# stopped, from another folder by a relative name, and resumed in a third
(cd "$work" && exec "$PTS" run "$OLDPWD/specs/iops.yaml" $options --device "$drive,state=left" \
	--destroy $identity --out stopped --progress json) >"$work/stopped.events" 2>&1 </dev/null &
pid=$!
until_cell stopped 60
kill -INT $pid
wait $pid
status=$?
[ $status = 75 ] || fail "stopped: exit $status"
expect 0 status "$work/stopped"
says "$out" "pts resume"
goes_on stopped "$work/left"

# the same drive again: it holds data, so that reads go to the flash; a fresh one has none
expect 0 stimulus --device "$drive,state=$work/left" --ios 1000 --seed 1 --json
full=$(value "$out" lat_ns.p50)
expect 0 stimulus --device "$drive" --ios 1000 --seed 1 --json
[ "$full" -gt $((2 * $(value "$out" lat_ns.p50))) ] || fail "the drive in the file holds no data"
# ... and by one process at a time
start busy "$work/left"
until_cell busy 3
kill -STOP $pid # it must not end before the others were refused
expect 3 run iops $options --device "$drive,state=$work/left" --destroy $identity \
	--out "$work/second"
one_line "$err"
says "$err" "in use by another process"
[ ! -e "$work/second" ] || fail "a refused run left something"
kill -KILL $pid
wait $pid 2>/dev/null

refused() { # refused STATE TEXT: and the file stays as it is
	before=$(stat -c '%i %Y' "$1" && sha256sum "$1")
	expect 3 run iops $options --device "$drive,state=$1" --destroy $identity --out "$work/no"
	one_line "$err"
	says "$err" "$2"
	[ "$(stat -c '%i %Y' "$1" && sha256sum "$1")" = "$before" ] || fail "$1 was changed"
	[ ! -e "$work/no" ] || fail "a refused run left something"
}

echo "not yours" >"$work/mine"
refused "$work/mine" "is no model drive's state"
: >"$work/empty"
refused "$work/empty" "is no model drive's state"
head -c 1000000 "$work/left" >"$work/cut"
refused "$work/cut" "is damaged"
cp "$work/left" "$work/flipped"
printf 'X' | dd of="$work/flipped" bs=1 seek=777777 conv=notrunc status=none
refused "$work/flipped" "is damaged"
"$PTS" run iops $options --device "sim:$work/small.yaml,seed=6,state=$work/other" \
	--destroy sim:small:6 --out "$work/six" --progress none >/dev/null 2>&1 &
pid=$!
while [ ! -e "$work/other" ]; do sleep 0.01; done
kill -KILL $pid
wait $pid 2>/dev/null
refused "$work/other" "seed=6"
expect 2 info "$drive,state=$work/nowhere/left"
one_line "$err"
ln -s left "$work/link"
expect 3 info "$drive,state=$work/link"
one_line "$err"
mkdir "$work/clean"
expect 0 info "$drive,state=$work/clean/left"
[ -z "$(ls "$work/clean")" ] || fail "info made a file"

# somebody's file under the temporary name stays
echo "not yours" >"$work/clean/left.pts-new"
expect 3 run iops $options --device "$drive,state=$work/clean/left" --destroy $identity \
	--out "$work/no"
says "$err" "is in the way"
[ "$(cat "$work/clean/left.pts-new")" = "not yours" ] || fail "left.pts-new was overwritten"
# another drive too, and one that is only called like the drive
cp "$work/other" "$work/clean/left.pts-new"
cp "$work/other" "$work/clean/left.new"
expect 3 purge "$drive,state=$work/clean/left" --destroy $identity
says "$err" "is in the way"
cmp "$work/other" "$work/clean/left.pts-new" || fail "another drive was overwritten"
rm "$work/clean/left.pts-new"
expect 0 purge "$drive,state=$work/clean/left" --destroy $identity
cmp "$work/other" "$work/clean/left.new" || fail "the drive left.new was overwritten"

# a name of the store's is none for a drive
mkdir "$work/both"
for name in run.db run.db-wal run.db.new; do
	expect 2 run iops $options --device "$drive,state=$work/both/$name" --destroy $identity \
		--out "$work/both/../both"
	one_line "$err"
	says "$err" "belongs to the store"
done
[ -z "$(ls "$work/both")" ] || fail "a refused run made $(ls "$work/both")"

# what a resume needs: the file, and the one that the run left
rm -rf "$work/drive" "$work/killed"
start killed "$work/drive"
until_cell killed 60
kill -INT $pid
wait $pid
mv "$work/drive" "$work/kept"
expect 3 resume "$work/killed"
one_line "$err"
says "$err" "has not seen this run"
[ ! -e "$work/drive" ] || fail "a refused resume made a drive"
cp "$work/flipped" "$work/drive"
expect 3 resume "$work/killed"
says "$err" "is damaged"
mv "$work/kept" "$work/drive"
goes_on killed "$work/drive"
"$PTS" run iops $options --device "$drive" --destroy $identity --out "$work/without" \
	--progress json >"$work/without.events" 2>&1 </dev/null &
pid=$!
until_cell without 20
kill -INT $pid
wait $pid
says "$work/without.events" "without state=FILE"
expect 0 status "$work/without"
! grep -q "pts resume" "$out" || fail "status sends to a resume that can't be"
expect 3 resume "$work/without"
one_line "$err"
says "$err" "state=FILE"

exit $bad
