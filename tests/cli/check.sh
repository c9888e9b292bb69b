#!/bin/sh
# list, check, spec keys: faults on stdout as FILE:LINE:COL, exit 4; all shipped specs are valid.
. tests/cli/lib.sh

expect 0 check specs/*.yaml specs/workloads/*.yaml
[ ! -s "$err" ] || fail "check of valid specs writes to stderr"
specs=$(find specs -name '*.yaml' ! -path 'specs/drives/*' | wc -l)
[ "$(wc -l <"$out")" -eq "$specs" ] || fail "$specs specs, $(wc -l <"$out") lines"
! grep -v ': valid (enterprise, client)$' "$out" || fail "a line says something else"

sed 's/fill_block:/fill_blokc:/; s/rw_mix: 0\/100/rw_mix: 10\/100/' specs/iops.yaml >"$work/bad.yaml"
expect 4 check "$work/bad.yaml"
[ ! -s "$err" ] || fail "faults are on stderr"
[ -s "$out" ] || fail "no fault is named"
! grep -vE "^$work/bad\.yaml:[0-9]+:[0-9]+: " "$out" || fail "a line is no FILE:LINE:COL: text"
expect 4 check specs/iops.yaml "$work/bad.yaml"
says "$out" "specs/iops.yaml: valid"
cp "$out" "$work/text"
expect 4 check --json specs/iops.yaml "$work/bad.yaml"
equals "$out" 'specs#' 2
equals "$out" specs.0.valid true
equals "$out" specs.1.valid false
[ "$(value "$out" 'specs.1.faults#')" -eq "$(grep -c bad.yaml: "$work/text")" ] ||
	fail "JSON and text differ in the number of faults"
expect 2 check "$work/none.yaml"
one_line "$err"
expect 2 check ioops
says "$err" "iops"

# run and plan name the same faults, on stderr, each once
expect 4 plan "$work/bad.yaml" --mode client --device "$work/x"
[ ! -s "$out" ] || fail "plan writes faults to stdout"
says "$err" "bad.yaml:"
[ "$(sort "$err" | uniq -d | wc -l)" -eq 0 ] || fail "a fault is named twice"

expect 0 list
for name in iops tp lat wsat hir xsr cbw dirth; do
	grep -q "^$name " "$out" || fail "$name is not listed"
done
expect 0 list --json
[ "$(value "$out" '#')" -ge 11 ] || fail "list --json is short"

# the model drives: each file with its title; a file that makes no drive is said to be faulty
expect 0 list --drives
for file in specs/drives/*.yaml; do
	name=$(basename "$file" .yaml)
	says "$out" "sim:$name "
	grep -q "^sim:$name  *$(sed -n 's/^title: //p' "$file")$" "$out" || fail "sim:$name has no title"
done
[ "$(wc -l <"$out")" -eq "$(ls specs/drives/*.yaml | wc -l)" ] || fail "list --drives has other lines"
expect 0 list --drives --json
equals "$out" 0.name 4kn
equals "$out" 0.lba_bytes 4096
equals "$out" 0.fault null
mkdir -p "$work/own/drives"
echo 'title: none' >"$work/own/drives/broken.yaml"
PTS_SPECS=$work/own expect 0 list --drives
says "$out" "sim:broken"
says "$out" "FAULTY: "
rm "$work/own/drives/broken.yaml"
expect 0 spec keys
[ "$(wc -l <"$out")" -gt 100 ] || fail "spec keys is short"
expect 2 spec kyes
exit $bad
