#!/bin/bash
# plan_fixed.sh MODEL: XSR is a test of fixed time. With nothing but the model known its likely
# time is exact but for drains. Its bytes depend on the drive; of a plain one (4kn) what is likely
# by theory alone comes within 5 %.
set -u
. tests/cli/lib.sh
. tests/sim/holds.sh

model=$1
expect 0 plan xsr --mode enterprise --device "sim:$model" --json
equals "$out" tests.0.fixed_time true
equals "$out" assumed.kind model
expect 0 run xsr --mode enterprise --device "sim:$model,seed=3" --seed 3 \
	--destroy "sim:$model:3" --out "$work/run" --progress none
holds "$work/run"
shown "$work/run"
[ "$model" != 4kn ] || hits "$work/run" 5
foretold "$work/run" | awk '/\(all\)/ { near = $4 / $6 > 0.998 && $4 / $6 < 1.002 } END { exit !near }' ||
	fail "the likely time is more than 0.2 % off"
exit $bad
