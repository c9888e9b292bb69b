# Shared by the tests of the command line; source it first. $PTS is the program; $work a folder
# of this test, removed at its end.
: "${PTS:?the program}" "${PTS_BUILD:?the build folder}"
jsonq=$PTS_BUILD/tests/jsonq
top=$PWD
bad=0
work=$(mktemp -d "${TMPDIR:-/tmp}/pts-cli-XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
out=$work/stdout
err=$work/stderr

fail() {
	printf 'FAIL: %s\n' "$*"
	bad=1
}

# expect CODE ARGUMENT...: runs the program; its output is in $out and $err
expect() {
	code=$1
	shift
	status=0
	"$PTS" "$@" >"$out" 2>"$err" </dev/null || status=$?
	[ "$status" -eq "$code" ] || {
		fail "pts $*: exit $status instead of $code"
		sed 's/^/    /' "$err" | head -n 20
	}
}

# says FILE TEXT: the text stands in it
says() {
	grep -qF -- "$2" "$1" || {
		fail "'$2' is missing in $(basename "$1"):"
		sed 's/^/    /' "$1" | head -n 10
	}
}

# one_line FILE: an error is one line that begins with the program's name
one_line() {
	[ "$(wc -l <"$1")" -eq 1 ] && grep -q '^pts: ' "$1" || {
		fail "no single line 'pts: ...':"
		sed 's/^/    /' "$1" | head -n 10
	}
}

# value FILE PATH: of JSON
value() {
	"$jsonq" "$1" "$2" || echo "(missing $2)"
}

# equals FILE PATH WANTED
equals() {
	got=$(value "$1" "$2")
	[ "$got" = "$3" ] || fail "$2 is '$got' instead of '$3'"
}

identity_of() {
	"$PTS" info "$1" --json >"$work/info.json" && value "$work/info.json" identity
}

# no_escapes FILE...: nothing for a terminal in it
no_escapes() {
	for file in "$@"; do
		! LC_ALL=C grep -q "$(printf '[\033\r]')" "$file" ||
			fail "control sequences in $(basename "$file")"
	done
}

# expect_whole ARGUMENT...: a run that comes to its end, steady (0) or not (1): how steady a busy
# machine's file is, is no test's business. $ended is the code.
expect_whole() {
	ended=0
	"$PTS" "$@" >"$out" 2>"$err" </dev/null || ended=$?
	[ "$ended" -le 1 ] || {
		fail "pts $*: exit $ended instead of 0 or 1"
		sed 's/^/    /' "$err" | head -n 20
	}
}
