#!/bin/bash
# Rounds with loads before them, points chosen from them, loads at these points: DIRTH and CBW with
# short cells on a model drive, then DIRTH on a file for what only a real host has.
set -u
. tests/cli/lib.sh
. tests/sim/holds.sh

q() { # NAME SQL
	"$PTS_BUILD/tests/storeq" "$work/$1/run.db" "$2"
}

equal() { # WHAT GOT WANTED
	[ "$2" = "$3" ] || fail "$1: '$2' instead of '$3'"
}

demand() { # NAME TEST DEVICE IDENTITY ARGUMENT...
	name=$1 test=$2 device=$3 identity=$4
	shift 4
	expect_whole run "$test" --mode enterprise --device "$device" --destroy "$identity" \
		--out "$work/$name" --progress none --set sample_load=2s --set sample_time=1s \
		--set cell_time=1s --set point_prewrite_time=1s --set histogram_time=1s "$@"
	expect 0 verify "$work/$name"
	says "$out" ", 0 differ"
	# real time on a busy machine proves nothing
	case $device in
	sim:*) holds "$work/$name" ;;
	esac
}

# the matrix of a round, the load before it, and what is chosen
check() { # NAME
	equal "matrix of $1" "$(q "$1" "SELECT count(DISTINCT cell), max(cell) FROM v_cells
		WHERE phase = 'demand' AND role = 'cell'")" "49	48"
	equal "order of $1" "$(q "$1" "SELECT group_concat(threads || 'x' || queue_depth, ' ') FROM
		(SELECT * FROM v_cells WHERE phase = 'demand' AND round = 1 AND role = 'cell'
		AND cell IN (0, 1, 6, 7, 48) ORDER BY started_ns)")" "32x32 32x16 32x1 16x32 1x1"
	equal "before each round of $1" "$(q "$1" "SELECT count(*) FROM v_cells b JOIN v_cells c
		ON c.step = b.step AND c.round = b.round AND c.cell = 0 WHERE b.role = 'before' AND
		b.cell = 49 AND b.read_pct = 0 AND b.threads = 32 AND b.queue_depth = 32 AND
		c.started_ns >= b.started_ns + b.elapsed_ns")" \
		"$(q "$1" "SELECT count(*) FROM v_rounds WHERE phase = 'demand'")"
	equal "no load before a round in a matrix of $1" "$(q "$1" \
		"SELECT count(*) FROM v_iops_matrix WHERE test = '$2'")" 49
	equal "points of $1" "$(q "$1" "SELECT group_concat(name, ' ') FROM v_choices")" "max mid min"
	# the rules again, in SQL, over reads and writes together
	means="WITH w AS (SELECT first_round AS a, last_round AS b FROM v_choices WHERE name = 'max'),
		m AS (SELECT cell, threads, queue_depth, avg(iops) AS iops, avg(lat_mean_ns) AS lat
		FROM v_cells, w WHERE phase = 'demand' AND role = 'cell' AND round BETWEEN a AND b
		GROUP BY cell)"
	equal "max of $1" "$(q "$1" "SELECT cell FROM v_choices WHERE name = 'max'")" \
		"$(q "$1" "$means SELECT cell FROM m WHERE lat < 5e6 ORDER BY iops DESC LIMIT 1")"
	equal "min of $1" "$(q "$1" "SELECT cell, threads, queue_depth FROM v_choices
		WHERE name = 'min'")" "48	1	1"
	equal "mid of $1" "$(q "$1" "SELECT cell FROM v_choices WHERE name = 'mid'")" \
		"$(q "$1" "$means SELECT cell FROM m ORDER BY abs(iops - (SELECT sum(value) / 2
			FROM v_choices WHERE name IN ('max', 'min'))), cell LIMIT 1")"
	equal "loads at the points of $1" "$(q "$1" "SELECT count(*) FROM v_cells v JOIN v_choices c
		ON v.phase IN ('pre-write ' || c.name, 'histogram ' || c.name)
		AND v.threads = c.threads AND v.queue_depth = c.queue_depth AND v.valid")" 6
}

sim="sim:enterprise-small,seed=2"
demand dirth dirth "$sim" sim:enterprise-small:2 --seed 4 --set prewrite_time=2s --set max_rounds=6
check dirth dirth
equal "the host's CPU time behind a virtual clock" \
	"$(q dirth "SELECT count(cpu_system_pct) FROM v_cells")" 0

demand cbw cbw "$sim" sim:enterprise-small:2 --seed 4 --set prewrite_time=1s --set max_rounds=5
check cbw cbw

# the composite pattern as submitted, over all cells: each size, each zone and the mix within five
# sigma of its share
shares="WITH want(part, item, p) AS (VALUES ('size', 0, 0.04), ('size', 1, 0.01), ('size', 2, 0.01),
	('size', 3, 0.01), ('size', 4, 0.01), ('size', 5, 0.01), ('size', 6, 0.01), ('size', 7, 0.67),
	('size', 8, 0.10), ('size', 9, 0.07), ('size', 10, 0.03), ('size', 11, 0.03),
	('zone', 0, 0.50), ('zone', 1, 0.30), ('zone', 2, 0.20)),
	got AS (SELECT part, item, sum(submitted) AS hits FROM v_shares GROUP BY part, item),
	total AS (SELECT sum(submitted) AS n FROM v_cells)"
equal "sizes and zones" "$(q cbw "$shares SELECT count(*), sum((hits - n * p) * (hits - n * p)
	<= 25 * n * p * (1 - p)), min(n) > 100000 FROM want JOIN got USING(part, item), total")" "15	15	1"
equal "the mix" "$(q cbw "WITH t AS (SELECT sum(submitted) AS n, sum(read_submitted) AS hits
	FROM v_cells WHERE phase = 'demand' AND role = 'cell') SELECT (hits - n * 0.4) *
	(hits - n * 0.4) <= 25 * n * 0.24 FROM t")" 1
equal "shares that a single size does not have" "$(q dirth "SELECT count(*) FROM v_shares")" 0

# no cell is fast enough: no largest and no middle point, and nothing is run in their place
demand slow dirth sim:tests/sim/tiny.yaml sim:tiny:1 --seed 4 --set prewrite_time=1s \
	--set max_rounds=5 --set latency_ceiling=1ms
equal "points of a slow drive" "$(q slow "SELECT group_concat(name || ' ' || ifnull(cell, '-'), ', ')
	FROM v_choices")" "max -, mid -, min 48"
equal "loads at points that are not there" "$(q slow "SELECT count(*) FROM v_cells WHERE valid = 0
	AND reason = 'no cell fits the rule of its point' AND iops IS NULL")" 4

# a real host has CPU time, as a share of all of it
truncate -s 64M "$work/disk"
demand file dirth "$work/disk" "$(identity_of "$work/disk")" --set max_rounds=5 \
	--set prewrite_time=100ms --set cell_time=20ms --set sample_load=100ms --set sample_time=50ms
equal "the host's CPU time" "$(q file "SELECT count(*) > 0 FROM v_cells WHERE
	cpu_system_pct BETWEEN 0 AND 100 AND phase = 'demand'")" 1
equal "the round's points" "$(q file "SELECT last_round - first_round FROM v_choices
	WHERE name = 'min'")" 4

exit $bad
