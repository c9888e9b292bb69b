#!/bin/bash
# plan_truth.sh MODEL MODE TESTS: full-length runs on a model drive against their plans. The bounds hold
# with nothing but the model known; with the first run assumed, what is likely of the second, which
# has another seed, comes within 5 % of each test.
set -u
. tests/cli/lib.sh
. tests/sim/holds.sh

model=$1 mode=$2 tests=${3//,/ }

run() { # SEED [ARGUMENT...]
	seed=$1
	shift
	status=0
	"$PTS" run $tests --mode "$mode" --device "sim:$model,seed=$seed" --seed "$seed" \
		--destroy "sim:$model:$seed" --out "$work/$seed" --progress none "$@" \
		>"$out" 2>"$err" </dev/null || status=$?
	# not steady (1) and a drive that dies (5) are what some models are for
	case $status in
	0 | 1 | 5) ;;
	*)
		fail "run on $model: exit $status"
		cat "$err"
		exit 1
		;;
	esac
	holds "$work/$seed"
	echo "$model seed $seed:"
	shown "$work/$seed"
}

run 1
first=$status
[ $first -eq 5 ] || foretold "$work/1" | grep -q '(all)' || fail "no test came to its end"
run 2 --assume "$work/1"
[ "$("$PTS_BUILD/tests/storeq" "$work/2/run.db" \
	"SELECT json_extract(plan_json, '\$.assumed.kind') FROM run")" = run ] ||
	fail "the plan does not say that it rests on a run"
[ $first -eq 5 ] || hits "$work/2" 5
exit $bad
