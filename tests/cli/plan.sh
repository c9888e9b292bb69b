#!/bin/sh
# plan: keys of the contract, parameters, overrides as deviations, the same plan as JSON and text;
# the device is not touched.
. tests/cli/lib.sh

truncate -s 64M "$work/file"
before=$(stat -c '%Y %Z' "$work/file")
plan() {
	expect 0 plan iops --mode enterprise --device "$work/file" "$@"
}

plan --json
for key in steps deviations duration_s.earliest duration_s.likely duration_s.latest bytes_written; do
	"$jsonq" "$out" "$key" >/dev/null || fail "the key $key is missing"
done
equals "$out" 'steps#' 3
equals "$out" 'steps.2.cells#' 56
equals "$out" steps.1.cells.0.amount_bytes 134217728
equals "$out" mode enterprise
standard=$(value "$out" 'deviations#')

plan --json --set cell_time=2s --set max_rounds=6
equals "$out" steps.2.max_rounds 6
equals "$out" steps.2.cells.0.duration_ns 2000000000
[ "$(value "$out" 'deviations#')" -eq $((standard + 2)) ] ||
	fail "two overrides of fixed values are not two more deviations"
plan --json --set threads=2
[ "$(value "$out" 'deviations#')" -eq "$standard" ] ||
	fail "a value that is only recommended became a deviation"

plan --set cell_time=2s
for text in "Parameters" "2s (set)" "RND 4KiB 0/100" "instead of 60s" "earliest" "likely" "latest" \
	"drive fills" "destroys all data" "--destroy $(identity_of "$work/file")"; do
	says "$out" "$text"
done
no_escapes "$out" "$err"

# the estimate follows the rate: a tenth of the rate, ten times the fill
plan --json --assume seq_write=1000MB/s
fast=$(value "$out" steps.1.duration_s.likely)
plan --json --assume seq_write=100MB/s
slow=$(value "$out" steps.1.duration_s.likely)
awk "BEGIN { exit !($slow / $fast > 9.99 && $slow / $fast < 10.01) }" ||
	fail "a fill of $fast s becomes $slow s at a tenth of the rate"

# a file of speeds moves what is likely, and says so; the bounds stay
printf 'sequential_write: 500 MB/s\nrandom_write: 1000 IOPS\nrounds: 12\n' >"$work/sheet.yaml"
plan --json
cp "$out" "$work/bare.json"
equals "$out" assumed.kind bounds
equals "$out" steps.2.cells.0.write_mb_per_s.likely_from bounds
plan --json --assume "$work/sheet.yaml"
equals "$out" assumed.kind file
equals "$out" assumed.from "$work/sheet.yaml"
equals "$out" steps.2.likely_rounds 12
equals "$out" steps.2.cells.0.write_mb_per_s.likely_from derived
for key in duration_s.earliest duration_s.latest bytes_written_range.least bytes_written_range.most; do
	equals "$out" $key "$(value "$work/bare.json" $key)"
done
[ "$(value "$out" bytes_written)" != "$(value "$work/bare.json" bytes_written)" ] ||
	fail "the file of speeds moved nothing"
plan --assume "$work/sheet.yaml"
says "$out" "they rest on the speeds of the file $work/sheet.yaml"
says "$out" "Bounds are earliest, latest, least and most; likely is a guess"
printf 'rounds: 5\nrandom_write: 1000\n' >"$work/sheet.yaml"
expect 4 plan iops --mode enterprise --device "$work/file" --assume "$work/sheet.yaml"
one_line "$err"
says "$err" "sheet.yaml:2:15: random_write: '1000': a unit is missing"
expect 2 plan iops --mode enterprise --device "$work/file" --assume "$work/none"
one_line "$err"
says "$err" "it takes a YAML file of speeds, a run, or seq_write=RATE"
mkdir "$work/empty"
expect 2 plan iops --mode enterprise --device "$work/file" --assume "$work/empty"
one_line "$err"
printf 'SQLite format 3 and no more' >"$work/broken.db"
expect 4 plan iops --mode enterprise --device "$work/file" --assume "$work/broken.db"
one_line "$err"

# client differs; the text is the same every time
plan --text
cp "$out" "$work/text"
plan --text
cmp -s "$out" "$work/text" || fail "two plans of the same thing differ"
expect 0 plan iops --mode client --device "$work/file" --text
! cmp -s "$out" "$work/text" || fail "client and enterprise have the same plan"

# several specs follow one another
expect 0 plan iops tests/fixtures/cli-small.yaml --mode client --device "$work/file" --json
equals "$out" 'tests#' 2
equals "$out" steps.5.test cli-small

# a small block on a large LBA is said, not dropped
[ "$(stat -c '%Y %Z' "$work/file")" = "$before" ] || fail "plan changed the target"
exit $bad
