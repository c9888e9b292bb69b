# What the plan of a run foretold against what came: sourced after tests/cli/lib.sh. All of it
# stands in the store.

# foretold RUN: a line for each step that ended and for each test whose steps all did:
# test, phase, earliest, likely, latest, elapsed (s), least, likely, most, written (bytes), rounds
# and likely rounds ("-": none)
foretold() {
	"$PTS_BUILD/tests/storeq" "$1/run.db" "
	WITH step AS MATERIALIZED (SELECT s.test AS test, s.step AS step, s.phase AS phase,
		json_extract(p.value, '\$.duration_s.earliest') AS t0,
		json_extract(p.value, '\$.duration_s.likely') AS t1,
		json_extract(p.value, '\$.duration_s.latest') AS t2, s.elapsed_ns / 1e9 AS t,
		json_extract(p.value, '\$.bytes_written_range.least') AS b0,
		json_extract(p.value, '\$.bytes_written_range.likely') AS b1,
		json_extract(p.value, '\$.bytes_written_range.most') AS b2, s.bytes_written AS b,
		s.outcome NOT IN ('stopped', 'failed') AS whole,
		(SELECT max(round) FROM v_rounds r WHERE r.step = s.step) AS rounds,
		nullif(json_extract(p.value, '\$.likely_rounds'), 0) AS likely_rounds
		FROM run, json_each(run.plan_json, '\$.steps') p JOIN v_steps s ON s.step = p.key)
	SELECT test, replace(phase, ' ', '_'), t0, t1, t2, t, b0, b1, b2, b,
		ifnull(rounds, '-'), ifnull(likely_rounds, '-')
		FROM (SELECT * FROM step UNION ALL
			SELECT test, max(step) + 0.5, '(all)', sum(t0), sum(t1), sum(t2), sum(t),
			sum(b0), sum(b1), sum(b2), sum(b), min(whole IS 1), NULL, NULL
			FROM step GROUP BY test)
		WHERE whole ORDER BY step" | tr '\t' ' '
}

# shown RUN: the same for people
shown() {
	foretold "$1" | awk '{
		printf "%-6s %-20s %10.1f <= %10.1f s <= %10.1f, likely %10.1f;", $1, $2, $3, $6, $5, $4
		printf " %7.2f <= %7.2f GB <= %9.2f, likely %7.2f; rounds %s, likely %s\n",
			$7 / 1e9, $10 / 1e9, $9 / 1e9, $8 / 1e9, $11, $12
	}'
}

# holds RUN: the bounds of every step and test
holds() {
	foretold "$1" >"$work/foretold"
	[ -s "$work/foretold" ] || fail "nothing was foretold of $(basename "$1")"
	awk '$3 > $6 || $6 > $5 { print $1, $2 ": not", $3, "<=", $6, "<=", $5, "s"; bad = 1 }
		$7 > $10 || $10 > $9 { print $1, $2 ": not", $7, "<=", $10, "<=", $9, "bytes"; bad = 1 }
		END { exit bad }' "$work/foretold" || fail "the plan's bounds do not hold"
}

# hits RUN PERCENT: what was likely of each test came so near, in time and bytes. A test with a loop
# that took other rounds than likely is compared step by step, that loop by its rounds.
hits() {
	foretold "$1" >"$work/foretold"
	grep -q '(all)' "$work/foretold" || fail "no test of $(basename "$1") came to its end"
	awk -v most="$2" '
		function off(what, likely, got) {
			if (likely <= got * (1 + most / 100) && likely >= got * (1 - most / 100))
				return
			print name ": likely", likely, what ", but", got
			bad = 1
		}
		{
			scale[NR] = ($11 != "-" && $12 != "-") ? $11 / $12 : 1
			if (scale[NR] != 1)
				other[$1] = 1
			line[NR] = $0
		}
		END {
			for (i = 1; i <= NR; i++) {
				split(line[i], part, " ")
				if ((part[2] == "(all)") == (part[1] in other))
					continue
				name = part[1] " " part[2]
				off("s", part[4] * scale[i], part[6])
				off("bytes", part[8] * scale[i], part[10])
			}
			exit bad
		}' "$work/foretold" || fail "what was likely is more than $2 % off"
}
