# Sourced after lib.sh: runs of short.yaml that are ended in the middle.

start() { # start DIR KEY=VALUE...: in the background, sets $pid
	out=$1
	shift
	for one in "$@"; do
		set -- "$@" --set "$one"
		shift
	done
	"$PTS" run $here/short.yaml --mode enterprise --device "$loop" --destroy "$name" \
		--purge none --out "$out" --progress json "$@" >"$out.events" 2>"$out.err" &
	pid=$!
	jobs_left="$jobs_left $pid"
}

lost() {
	cat "$out.err"
	broken "$*"
}

ended() { # ended PID: sets $status
	status=0
	wait "$1" 2>/dev/null || status=$?
	jobs_left=$(printf '%s\n' $jobs_left | grep -vx "$1" | tr '\n' ' ')
}

# What is whole: every round once, all its cells, in v_cells.
whole() { # whole DIR ROUNDS
	equal "rounds of v_cells, each with 6 cells" \
		"$(q "$1" 'SELECT round, count(*) FROM v_cells WHERE round IS NOT NULL
			GROUP BY round ORDER BY round' | tr '\t\n' ': ')" \
		"$(seq -f '%g:6' "$2" | tr '\n' ' ')"
	equal "valid attempts of a round" "$(q "$1" "SELECT max(n) FROM (SELECT count(*) AS n
		FROM v_round_attempts WHERE state = 'valid' GROUP BY round)")" 1
	equal "rounds that are still open" \
		"$(q "$1" "SELECT count(*) FROM v_round_attempts WHERE state = 'open'")" 0
	equal "the fill's row that counts, of all its bytes" \
		"$(q "$1" "SELECT count(*), sum(write_bytes) FROM v_cells WHERE phase = 'WIPC'" |
			tr '\t' ' ')" "1 $fill_bytes"
	verifies "$1"
}

resume() { # resume DIR: sets $status
	status=0
	"$PTS" resume "$1" --progress none >/dev/null 2>"$scratch/resume.err" || status=$?
}
