-- The store's schema, version 1 (pts-store(5)). One file = one run.
-- Rounds of a test that was done again from its first step are void.
-- Rounds have attempts: a round that was cut stays with its cells, and is done again under the
-- same number with the next attempt. Views show the attempt that counts.
--
-- Opening compares every object of a file with this text and checks every constraint, so that
-- what the readers meet has these types and ranges, wherever the file comes from.
CREATE TABLE run(
	id INTEGER PRIMARY KEY CHECK(id = 1),
	tool_version TEXT NOT NULL,
	mode TEXT NOT NULL,
	identity TEXT NOT NULL,
	device_path TEXT NOT NULL,
	capacity_bytes INTEGER NOT NULL CHECK(capacity_bytes >= 0),
	lba_bytes INTEGER NOT NULL CHECK(lba_bytes BETWEEN 0 AND 4294967295),
	master_seed TEXT NOT NULL CHECK(length(master_seed) BETWEEN 1 AND 20 AND master_seed NOT GLOB '*[^0-9]*'),
	plan_text TEXT NOT NULL,
	plan_json TEXT NOT NULL,
	plan_sha256 TEXT NOT NULL,
	plan_json_sha256 TEXT NOT NULL,
	command_line TEXT,
	backend TEXT,
	started_wall_ns INTEGER NOT NULL CHECK(started_wall_ns >= 0),
	ended_wall_ns INTEGER CHECK(ended_wall_ns >= 0),
	clock_is_virtual INTEGER NOT NULL CHECK(clock_is_virtual IN (0, 1)),
	purge_method TEXT,
	purge_is_pts INTEGER NOT NULL CHECK(purge_is_pts IN (0, 1)),
	purge_evidence TEXT,
	exit_code INTEGER CHECK(exit_code BETWEEN 0 AND 255),
	stop_reason TEXT,
	state TEXT NOT NULL CHECK(state IN ('running', 'stopped', 'failed', 'done'))
) STRICT;

CREATE TABLE test(
	position INTEGER PRIMARY KEY CHECK(position >= 0),
	name TEXT NOT NULL UNIQUE,
	title TEXT,
	standard TEXT,
	revision TEXT,
	section TEXT,
	mode TEXT NOT NULL,
	spec_file TEXT,
	spec_text TEXT NOT NULL,
	spec_sha256 TEXT NOT NULL,
	overrides_json TEXT NOT NULL
) STRICT;

CREATE TABLE step(
	step INTEGER PRIMARY KEY CHECK(step BETWEEN 0 AND 1000000),
	test TEXT NOT NULL REFERENCES test(name),
	phase TEXT NOT NULL,
	kind TEXT NOT NULL,
	loops INTEGER NOT NULL CHECK(loops IN (0, 1)), -- its cells are done in numbered rounds
	planned_cells INTEGER NOT NULL CHECK(planned_cells BETWEEN 0 AND 1000000),
	planned_before INTEGER NOT NULL CHECK(planned_before BETWEEN 0 AND 1000000),
	attempt INTEGER NOT NULL DEFAULT 0 CHECK(attempt >= 0),
	started_ns INTEGER CHECK(started_ns >= 0),
	elapsed_ns INTEGER CHECK(elapsed_ns >= 0),
	bytes_written INTEGER CHECK(bytes_written >= 0),
	outcome TEXT
) STRICT;

-- A pass of a step's loop; steps outside loops have one row with round NULL.
CREATE TABLE round(
	id INTEGER PRIMARY KEY,
	step INTEGER NOT NULL REFERENCES step(step),
	round INTEGER CHECK(round BETWEEN 1 AND 1000000),
	attempt INTEGER NOT NULL CHECK(attempt BETWEEN 1 AND 1000000),
	state TEXT NOT NULL CHECK(state IN ('open', 'valid', 'cut', 'void')),
	started_ns INTEGER CHECK(started_ns >= 0),
	elapsed_ns INTEGER CHECK(elapsed_ns >= 0),
	reason TEXT
) STRICT;
CREATE UNIQUE INDEX round_key ON round(step, ifnull(round, 0), attempt);
-- A round is open or counts once, whatever the attempts.
CREATE UNIQUE INDEX round_once ON round(step, ifnull(round, 0)) WHERE state IN ('open', 'valid');

-- From this round on a window starts afresh (after a resume).
CREATE TABLE fresh(
	step INTEGER NOT NULL REFERENCES step(step),
	first_round INTEGER NOT NULL CHECK(first_round BETWEEN 1 AND 1000000),
	PRIMARY KEY(step, first_round)
) STRICT, WITHOUT ROWID;

CREATE TABLE cell(
	id INTEGER PRIMARY KEY,
	round_id INTEGER NOT NULL REFERENCES round(id),
	cell INTEGER NOT NULL CHECK(cell BETWEEN 0 AND 1000000),
	role TEXT NOT NULL CHECK(role IN ('cell', 'load', 'sample', 'before')),
	label TEXT NOT NULL,
	access TEXT,
	read_pct INTEGER CHECK(read_pct BETWEEN 0 AND 100),
	block_bytes INTEGER CHECK(block_bytes > 0),
	threads INTEGER NOT NULL CHECK(threads BETWEEN 0 AND 1000000),
	queue_depth INTEGER NOT NULL CHECK(queue_depth BETWEEN 0 AND 1000000),
	seed TEXT NOT NULL CHECK(length(seed) BETWEEN 1 AND 20 AND seed NOT GLOB '*[^0-9]*'),
	valid INTEGER NOT NULL CHECK(valid IN (0, 1)),
	reason TEXT,
	started_ns INTEGER CHECK(started_ns > 0),
	elapsed_ns INTEGER CHECK(elapsed_ns > 0),
	started_wall_ns INTEGER CHECK(started_wall_ns > 0),
	gap_ns INTEGER NOT NULL CHECK(gap_ns >= 0),
	drain_ns INTEGER NOT NULL CHECK(drain_ns >= 0),
	drain_ios INTEGER NOT NULL CHECK(drain_ios >= 0),
	requested_ns INTEGER CHECK(requested_ns > 0),
	requested_bytes INTEGER CHECK(requested_bytes > 0),
	outstanding_mean REAL,
	inflight_ns INTEGER NOT NULL CHECK(inflight_ns >= 0),
	user_ns INTEGER NOT NULL CHECK(user_ns >= 0),
	system_ns INTEGER NOT NULL CHECK(system_ns >= 0),
	cpu_system_pct REAL CHECK(cpu_system_pct BETWEEN 0 AND 100), -- of the whole host
	sha256 TEXT NOT NULL, -- of every value of this cell, its figures, samples and errors
	CHECK(valid = 0 OR reason IS NULL),
	UNIQUE(round_id, cell)
) STRICT;

-- Figures of a cell by direction: 'read', 'write', and 'total' of both. Latencies are NULL
-- without a completion; rates are NULL for a cell that is not valid.
CREATE TABLE figure(
	cell_id INTEGER NOT NULL REFERENCES cell(id),
	dir TEXT NOT NULL CHECK(dir IN ('read', 'write', 'total')),
	ios INTEGER NOT NULL CHECK(ios >= 0),
	bytes INTEGER NOT NULL CHECK(bytes >= 0),
	submitted INTEGER NOT NULL CHECK(submitted >= 0),
	errors INTEGER NOT NULL CHECK(errors >= 0),
	iops REAL,
	mb_per_s REAL,
	lat_mean_ns REAL,
	lat_sum_ns TEXT NOT NULL CHECK(length(lat_sum_ns) BETWEEN 1 AND 39 AND lat_sum_ns NOT GLOB '*[^0-9]*'),
	lat_min_ns INTEGER CHECK(lat_min_ns >= 0),
	lat_max_ns INTEGER CHECK(lat_max_ns >= 0),
	lat_p50_ns INTEGER CHECK(lat_p50_ns >= 0),
	lat_p99_ns INTEGER CHECK(lat_p99_ns >= 0),
	lat_p999_ns INTEGER CHECK(lat_p999_ns >= 0),
	lat_p9999_ns INTEGER CHECK(lat_p9999_ns >= 0),
	lat_p99999_ns INTEGER CHECK(lat_p99999_ns >= 0),
	hist BLOB,
	PRIMARY KEY(cell_id, dir)
) STRICT, WITHOUT ROWID;

CREATE TABLE sample(
	cell_id INTEGER NOT NULL REFERENCES cell(id),
	second INTEGER NOT NULL CHECK(second BETWEEN 0 AND 4294967295),
	span_ns INTEGER NOT NULL CHECK(span_ns >= 0),
	read_ios INTEGER NOT NULL CHECK(read_ios >= 0),
	read_bytes INTEGER NOT NULL CHECK(read_bytes >= 0),
	read_lat_sum_ns INTEGER NOT NULL CHECK(read_lat_sum_ns >= 0),
	read_lat_max_ns INTEGER NOT NULL CHECK(read_lat_max_ns >= 0),
	write_ios INTEGER NOT NULL CHECK(write_ios >= 0),
	write_bytes INTEGER NOT NULL CHECK(write_bytes >= 0),
	write_lat_sum_ns INTEGER NOT NULL CHECK(write_lat_sum_ns >= 0),
	write_lat_max_ns INTEGER NOT NULL CHECK(write_lat_max_ns >= 0),
	PRIMARY KEY(cell_id, second)
) STRICT, WITHOUT ROWID;

-- Of what a cell chose from a distribution: how many I/Os of each item of the plan's list were
-- submitted. Rows only where there is a choice: streams, sizes, zones (of the random I/Os).
CREATE TABLE share(
	cell_id INTEGER NOT NULL REFERENCES cell(id),
	part TEXT NOT NULL CHECK(part IN ('size', 'stream', 'zone')),
	stream INTEGER NOT NULL CHECK(stream BETWEEN 0 AND 1000000),
	item INTEGER NOT NULL CHECK(item BETWEEN 0 AND 1000000),
	submitted INTEGER NOT NULL CHECK(submitted >= 0),
	PRIMARY KEY(cell_id, part, stream, item)
) STRICT, WITHOUT ROWID;

CREATE TABLE io_error(
	id INTEGER PRIMARY KEY,
	cell_id INTEGER NOT NULL REFERENCES cell(id),
	at_ns INTEGER NOT NULL CHECK(at_ns >= 0),
	dir TEXT NOT NULL CHECK(dir IN ('read', 'write')),
	offset_bytes INTEGER NOT NULL CHECK(offset_bytes >= 0),
	length_bytes INTEGER NOT NULL CHECK(length_bytes BETWEEN 0 AND 4294967295),
	got_bytes INTEGER NOT NULL CHECK(got_bytes BETWEEN 0 AND 4294967295),
	errno INTEGER NOT NULL CHECK(errno BETWEEN 0 AND 100000)
) STRICT;
CREATE INDEX io_error_cell ON io_error(cell_id);

CREATE TABLE steady(
	step INTEGER NOT NULL REFERENCES step(step),
	track TEXT NOT NULL,
	last_round INTEGER NOT NULL CHECK(last_round BETWEEN 1 AND 1000000),
	window INTEGER NOT NULL CHECK(window BETWEEN 1 AND 1000000),
	metric TEXT NOT NULL,
	read_pct INTEGER CHECK(read_pct BETWEEN 0 AND 100),
	block_bytes INTEGER CHECK(block_bytes > 0),
	valid INTEGER NOT NULL CHECK(valid IN (0, 1)),
	average REAL,
	minimum REAL,
	maximum REAL,
	range REAL,
	range_pct REAL,
	slope REAL,
	intercept REAL,
	slope_excursion REAL,
	slope_excursion_pct REAL,
	r REAL,
	range_limit REAL NOT NULL,
	slope_limit REAL NOT NULL,
	range_ok INTEGER NOT NULL CHECK(range_ok IN (0, 1)),
	slope_ok INTEGER NOT NULL CHECK(slope_ok IN (0, 1)),
	boundary INTEGER NOT NULL CHECK(boundary IN (0, 1)),
	steady INTEGER NOT NULL CHECK(steady IN (0, 1)),
	PRIMARY KEY(step, track, last_round)
) STRICT, WITHOUT ROWID;

-- The points of a choose step: a cell of the step that it looks at, and the means over the rounds
-- from first_round to last_round. cell is NULL if none fits the rule.
CREATE TABLE choice(
	step INTEGER NOT NULL REFERENCES step(step),
	name TEXT NOT NULL,
	rule TEXT NOT NULL CHECK(rule IN ('highest', 'cell', 'nearest_mean')),
	cell INTEGER CHECK(cell BETWEEN 0 AND 1000000),
	threads INTEGER CHECK(threads BETWEEN 0 AND 1000000),
	queue_depth INTEGER CHECK(queue_depth BETWEEN 0 AND 1000000),
	metric TEXT NOT NULL,
	value REAL,
	lat_mean_ns REAL,
	first_round INTEGER NOT NULL CHECK(first_round BETWEEN 0 AND 1000000),
	last_round INTEGER NOT NULL CHECK(last_round BETWEEN 0 AND 1000000),
	PRIMARY KEY(step, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE deviation(
	id INTEGER PRIMARY KEY,
	test TEXT,
	clause TEXT,
	what TEXT NOT NULL,
	required TEXT,
	actual TEXT,
	reason TEXT
) STRICT;

CREATE TABLE event(
	id INTEGER PRIMARY KEY,
	at_ns INTEGER NOT NULL CHECK(at_ns >= 0),
	wall_ns INTEGER NOT NULL CHECK(wall_ns >= 0),
	step INTEGER CHECK(step >= 0),
	round INTEGER CHECK(round >= 0),
	cell INTEGER CHECK(cell >= 0),
	level TEXT NOT NULL,
	kind TEXT NOT NULL,
	text TEXT NOT NULL
) STRICT;

CREATE TABLE fact(
	scope TEXT NOT NULL,
	key TEXT NOT NULL,
	value TEXT NOT NULL,
	PRIMARY KEY(scope, key)
) STRICT, WITHOUT ROWID;

CREATE VIEW v_run AS SELECT * FROM run;

CREATE VIEW v_steps AS
SELECT step, test, phase, kind, started_ns, elapsed_ns, bytes_written, outcome, planned_cells,
	planned_before, loops, attempt
FROM step ORDER BY step;

-- every attempt at every round
CREATE VIEW v_round_attempts AS
SELECT r.step, s.test, s.phase, r.round, r.attempt, r.state, r.started_ns, r.elapsed_ns,
	(SELECT count(*) FROM cell c WHERE c.round_id = r.id) AS cells,
	EXISTS(SELECT 1 FROM fresh f WHERE f.step = r.step AND f.first_round = r.round
		AND r.state IN ('open', 'valid')) AS after_gap,
	r.reason
FROM round r JOIN step s USING(step)
WHERE r.round IS NOT NULL
ORDER BY r.step, r.round, r.attempt;

-- each round once: its last attempt
CREATE VIEW v_rounds AS
SELECT * FROM v_round_attempts v
WHERE attempt = (SELECT max(attempt) FROM round r WHERE r.step = v.step AND r.round = v.round);

-- every stored cell, whatever became of its round
CREATE VIEW v_all_cells AS
SELECT c.id AS cell_id, r.step, s.test, s.phase, r.round, r.attempt, r.state AS round_state, c.cell,
	c.role, c.label, c.access,
	CASE WHEN c.read_pct >= 0 THEN c.read_pct || '/' || (100 - c.read_pct) END AS rw_mix,
	c.read_pct, c.block_bytes, c.threads, c.queue_depth, c.seed,
	c.started_ns, c.elapsed_ns, c.started_wall_ns, c.gap_ns, c.drain_ns, c.drain_ios,
	c.requested_ns, c.requested_bytes, c.outstanding_mean, c.inflight_ns, c.user_ns, c.system_ns,
	c.cpu_system_pct, t.ios, t.bytes, t.submitted, t.errors, t.iops, t.mb_per_s, t.lat_mean_ns,
	t.lat_min_ns, t.lat_p50_ns, t.lat_p99_ns, t.lat_p999_ns, t.lat_p9999_ns, t.lat_p99999_ns,
	t.lat_max_ns,
	a.ios AS read_ios, a.bytes AS read_bytes, a.submitted AS read_submitted,
	a.errors AS read_errors, a.iops AS read_iops, a.mb_per_s AS read_mb_per_s,
	a.lat_mean_ns AS read_lat_mean_ns, a.lat_min_ns AS read_lat_min_ns,
	a.lat_p50_ns AS read_lat_p50_ns, a.lat_p99_ns AS read_lat_p99_ns,
	a.lat_p999_ns AS read_lat_p999_ns, a.lat_p9999_ns AS read_lat_p9999_ns,
	a.lat_p99999_ns AS read_lat_p99999_ns, a.lat_max_ns AS read_lat_max_ns,
	b.ios AS write_ios, b.bytes AS write_bytes, b.submitted AS write_submitted,
	b.errors AS write_errors, b.iops AS write_iops, b.mb_per_s AS write_mb_per_s,
	b.lat_mean_ns AS write_lat_mean_ns, b.lat_min_ns AS write_lat_min_ns,
	b.lat_p50_ns AS write_lat_p50_ns, b.lat_p99_ns AS write_lat_p99_ns,
	b.lat_p999_ns AS write_lat_p999_ns, b.lat_p9999_ns AS write_lat_p9999_ns,
	b.lat_p99999_ns AS write_lat_p99999_ns, b.lat_max_ns AS write_lat_max_ns,
	c.valid, c.reason, c.sha256
FROM cell c
JOIN round r ON r.id = c.round_id
JOIN step s ON s.step = r.step
JOIN figure t ON t.cell_id = c.id AND t.dir = 'total'
JOIN figure a ON a.cell_id = c.id AND a.dir = 'read'
JOIN figure b ON b.cell_id = c.id AND b.dir = 'write';

-- the cells that count: of valid rounds, and of the last attempt outside loops
CREATE VIEW v_cells AS
SELECT * FROM v_all_cells WHERE round_state = 'valid'
ORDER BY step, ifnull(round, 0), cell;

CREATE VIEW v_cut_cells AS
SELECT * FROM v_all_cells WHERE round_state <> 'valid'
ORDER BY step, ifnull(round, 0), attempt, cell;

CREATE VIEW v_samples AS
SELECT r.step, r.round, c.cell, p.second, p.span_ns,
	(p.read_ios + p.write_ios) * 1e9 / nullif(p.span_ns, 0) AS iops,
	(p.read_bytes + p.write_bytes) * 1e3 / nullif(p.span_ns, 0) AS mb_per_s,
	CASE WHEN p.read_ios + p.write_ios > 0 THEN
		(p.read_lat_sum_ns + p.write_lat_sum_ns) * 1.0 / (p.read_ios + p.write_ios) END
		AS lat_mean_ns,
	CASE WHEN p.read_ios + p.write_ios > 0 THEN
		max(p.read_lat_max_ns, p.write_lat_max_ns) END AS lat_max_ns,
	p.read_ios, p.write_ios, p.read_bytes, p.write_bytes
FROM sample p
JOIN cell c ON c.id = p.cell_id
JOIN round r ON r.id = c.round_id AND r.state = 'valid'
ORDER BY r.step, ifnull(r.round, 0), c.cell, p.second;

CREATE VIEW v_shares AS
SELECT r.step, r.round, c.cell, p.part, p.stream, p.item, p.submitted,
	p.submitted * 1.0 / nullif(sum(p.submitted) OVER (PARTITION BY p.cell_id, p.part,
		iif(p.part = 'stream', 0, p.stream)), 0) AS share
FROM share p
JOIN cell c ON c.id = p.cell_id
JOIN round r ON r.id = c.round_id AND r.state = 'valid'
ORDER BY r.step, ifnull(r.round, 0), c.cell, p.part, p.stream, p.item;

CREATE VIEW v_steady AS
SELECT y.step, s.test, y.track, y.metric,
	CASE WHEN y.read_pct >= 0 THEN y.read_pct || '/' || (100 - y.read_pct) END AS rw_mix,
	y.block_bytes, y.last_round, y.window, y.average, y.minimum, y.maximum, y.range, y.range_pct,
	y.slope, y.intercept, y.slope_excursion, y.slope_excursion_pct, y.r,
	y.range_limit, y.slope_limit, y.range_ok, y.slope_ok, y.boundary, y.steady, y.valid
FROM steady y JOIN step s USING(step)
ORDER BY y.step, y.last_round, y.track;

-- mean over the rounds of the last judged window
CREATE VIEW v_iops_matrix AS
SELECT v.test, v.step, v.block_bytes, v.rw_mix, v.threads, v.queue_depth,
	CASE WHEN min(v.valid) = 1 THEN avg(v.iops) END AS iops, min(v.reason) AS reason,
	w.last_round - w.window + 1 AS first_round, w.last_round
FROM v_cells v
JOIN (SELECT step, max(last_round) AS last_round, max(window) AS window FROM steady GROUP BY step) w
	ON w.step = v.step
WHERE v.role = 'cell' AND v.round > w.last_round - w.window AND v.round <= w.last_round
GROUP BY v.step, v.cell;

CREATE VIEW v_choices AS
SELECT c.step, s.test, s.phase, c.name, c.rule, c.cell, c.threads, c.queue_depth, c.metric, c.value,
	c.lat_mean_ns, c.first_round, c.last_round
FROM choice c JOIN step s USING(step)
ORDER BY c.step, c.name;

CREATE VIEW v_events AS SELECT * FROM event ORDER BY id;

CREATE VIEW v_deviations AS SELECT * FROM deviation ORDER BY id;
