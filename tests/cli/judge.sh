#!/bin/sh
# judge --series against verdicts of rational arithmetic, tracks of one test, and bad input.
. tests/cli/lib.sh
oracle=$PTS_BUILD/tests/judge_oracle

# every window of every series of the fixture, with the rule of the spec
expect 0 judge --series tests/fixtures/ss-series.csv --json
"$oracle" windows tests/fixtures/ss-expected.csv "$out" || bad=1
equals "$out" rule.window 5
equals "$out" rule.range_pct 20
equals "$out" rule.slope_pct 10
value "$out" rule.source | grep -q 'iops\.yaml$' || fail "the rule's source is not named"
"$jsonq" "$out" all_steady_round 2>/dev/null && fail "series of one file are no tracks"
cp "$out" "$work/reference.json"

# the same numbers, otherwise written: CRLF, byte order mark, quotes, more columns, shuffled rounds
awk -F, -v q='"' 'BEGIN { printf "\357\273\277" } NR == 1 { print "note,value,round," q "series" q "\r"; next }
	{ print q "a, b" q "," $4 "," $3 "," q $1 q "\r" }' tests/fixtures/ss-series.csv >"$work/odd.csv"
expect 0 judge --series "$work/odd.csv" --json
"$oracle" windows tests/fixtures/ss-expected.csv "$out" || bad=1
{
	head -n 1 tests/fixtures/ss-series.csv
	sed 1d tests/fixtures/ss-series.csv | sort -t , -k 1,1 -k 3,3nr
} >"$work/shuffled.csv"
expect 0 judge --series "$work/shuffled.csv" --json
"$oracle" windows tests/fixtures/ss-expected.csv "$out" || bad=1

# options over the rule: a stricter range makes a series unsteady, a shorter window adds windows
printf 'series,round,value\n' >"$work/one.csv"
for round in 1 2 3 4 5 6; do echo "a,$round,$((100 + round % 2 * 10))"; done >>"$work/one.csv"
expect 0 judge --series "$work/one.csv" --json
equals "$out" series.0.first_steady_round 5
equals "$out" 'series.0.rounds#' 2
expect 0 judge --series "$work/one.csv" --range 5% --json
equals "$out" series.0.first_steady_round null
equals "$out" rule.range_pct 5
expect 0 judge --series "$work/one.csv" --window 2 --json
equals "$out" 'series.0.rounds#' 5
equals "$out" series.0.rounds.0.round 2
PTS_SPECS=/nonexistent expect 0 judge --series "$work/one.csv" --window 3 --range 20% --slope 10%
says "$out" "first steady at round 3"
no_escapes "$out" "$err"
for bad_rule in "--window 1" "--window 65" "--window 5.5" "--range 20" "--slope x%"; do
	# shellcheck disable=SC2086
	expect 2 judge --series "$work/one.csv" $bad_rule
	one_line "$err"
done

# a failed round, empty or missing: its windows are not steady and have no figures
for gone in 's/^a,3,.*$/a,3,/' '/^a,3,/d'; do
	sed "$gone" "$work/one.csv" >"$work/gone.csv"
	expect 0 judge --series "$work/gone.csv" --window 2 --json
	equals "$out" 'series.0.rounds#' 5
	for index in 1 2; do
		equals "$out" series.0.rounds.$index.steady false
		equals "$out" series.0.rounds.$index.average null
		equals "$out" series.0.rounds.$index.boundary false
	done
	equals "$out" series.0.rounds.3.steady true
done
# an average of 0 has no share of it
printf 'series,round,value\nz,1,-1\nz,2,1\nz,3,0\nz,4,0\nz,5,0\n' >"$work/zero.csv"
expect 0 judge --series "$work/zero.csv" --json
equals "$out" series.0.rounds.0.range_pct null
equals "$out" series.0.rounds.0.average null
equals "$out" series.0.rounds.0.steady false
# values are decimal text and never rounded: exactly 20 % passes, one unit more does not
printf 'series,round,value\ne,1,0.9\ne,2,1.1\ne,3,1.0\ne,4,1.1\ne,5,0.9\n' >"$work/edge.csv"
expect 0 judge --series "$work/edge.csv" --json
equals "$out" series.0.rounds.0.steady true
equals "$out" series.0.rounds.0.boundary true
sed 's/e,2,1.1/e,2,1.1000001/' "$work/edge.csv" >"$work/over.csv"
expect 0 judge --series "$work/over.csv" --json
equals "$out" series.0.rounds.0.steady false

# tracks of one test: steady only over the same rounds
"$oracle" split tests/fixtures/ss-multi.json "$work" >"$work/cases"
[ -s "$work/cases" ] || fail "no case of several tracks"
while read -r id round; do
	set --
	for file in "$work/$id".*.csv; do set -- "$@" --series "$file"; done
	[ $# -ge 4 ] || fail "$id has one track"
	expect 0 judge "$@" --json
	equals "$out" all_steady_round "$round"
done <"$work/cases"
# also when one track has fewer rounds, or begins later
sed '/,6,/d' "$work/one.csv" | sed 's/^a/b/; 2d' >"$work/short.csv"
expect 0 judge --series "$work/one.csv" --series "$work/short.csv" --window 3 --json
equals "$out" all_steady_round 4

# bad files: FILE:LINE: text, exit 4
fault() { # fault LINE TEXT CONTENT
	printf "$3" >"$work/bad.csv"
	expect 4 judge --series "$work/bad.csv" --json
	one_line "$err"
	says "$err" "$work/bad.csv:$1: "
	says "$err" "$2"
	[ ! -s "$out" ] || fail "bad input gave a result"
}
head='series,round,value\n'
fault 1 "no column 'value'" 'series,round,iops\na,1,1\n'
fault 1 "no column 'series'" 'series;round;value\na;1;1\n'
fault 1 "no rounds" ''
fault 1 "no rounds" "$head"
fault 3 "round 1 of series 'a' is there already, in line 2" "${head}a,1,1\na,1,\n"
fault 4 "is there already" "${head}a,1,\nb,1,1\na,1,2\n"
fault 2 "no decimal number" "${head}a,1,1.5x\n"
fault 2 "no decimal number" "${head}a,1,nan\n"
fault 2 "no decimal number" "${head}a,1,0x10\n"
fault 2 "no decimal number" "${head}a,1,\"1,5\"\n"
fault 2 "no whole number" "${head}a,1.5,1\n"
fault 2 "no whole number" "${head}a,-1,1\n"
fault 2 "no whole number" "${head}a,99999999999999999999,1\n"
fault 3 "fields where the header has 3" "${head}a,1,1\na,2\n"
fault 3 "never closed" "${head}a,1,1\n\"a,2,1\n"
fault 2 "behind a closing quote" "${head}\"a\"b,1,1\n"
fault 2 "inside an unquoted field" "${head}a\"b,1,1\n"
fault 1 "NUL byte" "${head}a,1,1\\000\n"
expect 2 judge --series "$work/none.csv"
one_line "$err"

# names of all kinds come back as JSON
printf 'series,round,value\n"a ""b"", c",1,1\n\377x,1,2\n' >"$work/names.csv"
expect 0 judge --series "$work/names.csv" --json --window 2
equals "$out" series.0.series 'a "b", c'
equals "$out" series.1.series '\xffx'

# other people's measured rounds, where they lie: 0 wrong verdicts
published=${PTS_PUBLISHED_CASES:-../shared/published-cases}
if [ -r "$published/ljishen-rounds.csv" ]; then
	sed '1s/case_id/series/' "$published/ljishen-rounds.csv" >"$work/published.csv"
	expect 0 judge --series "$work/published.csv" --json
	"$oracle" last "$published/ljishen-verdicts.csv" "$out" || bad=1
else
	echo "published-cases are not here: their series are not judged"
fi
exit $bad
