#!/bin/sh
# info: the contract's keys, and what refuses a target; nothing is written or made.
. tests/cli/lib.sh

truncate -s 1M "$work/file"
before=$(stat -c '%Y %Z %s' "$work/file")
expect 0 info "$work/file" --json
[ ! -s "$err" ] || fail "info writes to stderr"
for key in identity model serial firmware capacity_bytes lba_bytes metadata_bytes transport \
	write_cache purge_methods refusals; do
	value "$out" "$key" | grep -q . || true
	"$jsonq" "$out" "$key" >/dev/null || fail "the key $key is missing"
done
equals "$out" capacity_bytes 1048576
equals "$out" transport file
equals "$out" serial null
equals "$out" 'refusals#' 0
value "$out" purge_methods | grep -q '"none"' || fail "purge_methods lacks none"
identity=$(value "$out" identity)
expect 0 info "$work/file"
says "$out" "--destroy $identity"
no_escapes "$out" "$err"
[ "$(stat -c '%Y %Z %s' "$work/file")" = "$before" ] || fail "info changed the file"

# the same file has the same identity by another name; another file has another
ln -s file "$work/link"
[ "$(identity_of "$work/link")" = "$identity" ] || fail "a link has another identity"
truncate -s 1M "$work/other"
[ "$(identity_of "$work/other")" != "$identity" ] || fail "two files have one identity"

# an empty file is no device
: >"$work/empty"
expect 5 info "$work/empty"
one_line "$err"
exit $bad
