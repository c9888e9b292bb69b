-- The store's schema, version 1 (pts-store(5)). One file = one run.
-- Rounds have attempts: a round that was cut stays with its cells, and is done again under the
-- same number with the next attempt. Views show the attempt that counts.
CREATE TABLE run(
	id INTEGER PRIMARY KEY CHECK(id = 1),
	tool_version TEXT NOT NULL,
	mode TEXT NOT NULL,
	identity TEXT NOT NULL,
	device_path TEXT NOT NULL,
	capacity_bytes INTEGER NOT NULL,
	lba_bytes INTEGER NOT NULL,
	master_seed TEXT NOT NULL,
	plan_text TEXT NOT NULL,
	plan_json TEXT NOT NULL,
	plan_sha256 TEXT NOT NULL,
	command_line TEXT,
	backend TEXT,
	started_wall_ns INTEGER NOT NULL,
	ended_wall_ns INTEGER,
	clock_is_virtual INTEGER NOT NULL,
	purge_method TEXT,
	purge_is_pts INTEGER NOT NULL,
	purge_evidence TEXT,
	exit_code INTEGER,
	stop_reason TEXT,
	state TEXT NOT NULL CHECK(state IN ('running', 'stopped', 'failed', 'done'))
) STRICT;

CREATE TABLE test(
	position INTEGER PRIMARY KEY,
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
	step INTEGER PRIMARY KEY,
	test TEXT NOT NULL REFERENCES test(name),
	phase TEXT NOT NULL,
	kind TEXT NOT NULL,
	planned_cells INTEGER NOT NULL,
	attempt INTEGER NOT NULL DEFAULT 0,
	started_ns INTEGER,
	elapsed_ns INTEGER,
	bytes_written INTEGER,
	outcome TEXT
) STRICT;

-- A pass of a step's loop; steps outside loops have one row with round NULL.
CREATE TABLE round(
	id INTEGER PRIMARY KEY,
	step INTEGER NOT NULL REFERENCES step(step),
	round INTEGER,
	attempt INTEGER NOT NULL,
	state TEXT NOT NULL CHECK(state IN ('open', 'valid', 'cut')),
	started_ns INTEGER,
	elapsed_ns INTEGER,
	reason TEXT
) STRICT;
CREATE UNIQUE INDEX round_key ON round(step, ifnull(round, 0), attempt);

-- From this round on a window starts afresh (after a resume).
CREATE TABLE fresh(
	step INTEGER NOT NULL REFERENCES step(step),
	first_round INTEGER NOT NULL,
	PRIMARY KEY(step, first_round)
) STRICT, WITHOUT ROWID;

CREATE TABLE cell(
	id INTEGER PRIMARY KEY,
	round_id INTEGER NOT NULL REFERENCES round(id),
	cell INTEGER NOT NULL,
	label TEXT NOT NULL,
	access TEXT,
	read_pct INTEGER,
	block_bytes INTEGER,
	threads INTEGER NOT NULL,
	queue_depth INTEGER NOT NULL,
	seed TEXT,
	valid INTEGER NOT NULL CHECK(valid IN (0, 1)),
	reason TEXT,
	started_ns INTEGER,
	elapsed_ns INTEGER,
	started_wall_ns INTEGER,
	gap_ns INTEGER NOT NULL,
	drain_ns INTEGER NOT NULL,
	drain_ios INTEGER NOT NULL,
	requested_ns INTEGER,
	requested_bytes INTEGER,
	outstanding_mean REAL,
	user_ns INTEGER,
	system_ns INTEGER,
	UNIQUE(round_id, cell)
) STRICT;

-- Figures of a cell by direction: 'read', 'write', and 'total' of both.
CREATE TABLE figure(
	cell_id INTEGER NOT NULL REFERENCES cell(id),
	dir TEXT NOT NULL CHECK(dir IN ('read', 'write', 'total')),
	ios INTEGER NOT NULL,
	bytes INTEGER NOT NULL,
	submitted INTEGER NOT NULL,
	errors INTEGER NOT NULL,
	iops REAL,
	mb_per_s REAL,
	lat_mean_ns REAL,
	lat_sum_ns TEXT NOT NULL,
	lat_min_ns INTEGER,
	lat_max_ns INTEGER,
	lat_p50_ns INTEGER,
	lat_p99_ns INTEGER,
	lat_p999_ns INTEGER,
	lat_p9999_ns INTEGER,
	lat_p99999_ns INTEGER,
	hist BLOB,
	PRIMARY KEY(cell_id, dir)
) STRICT, WITHOUT ROWID;

CREATE TABLE sample(
	cell_id INTEGER NOT NULL REFERENCES cell(id),
	second INTEGER NOT NULL,
	span_ns INTEGER NOT NULL,
	read_ios INTEGER NOT NULL,
	read_bytes INTEGER NOT NULL,
	read_lat_sum_ns INTEGER NOT NULL,
	read_lat_max_ns INTEGER NOT NULL,
	write_ios INTEGER NOT NULL,
	write_bytes INTEGER NOT NULL,
	write_lat_sum_ns INTEGER NOT NULL,
	write_lat_max_ns INTEGER NOT NULL,
	PRIMARY KEY(cell_id, second)
) STRICT, WITHOUT ROWID;

CREATE TABLE io_error(
	id INTEGER PRIMARY KEY,
	cell_id INTEGER NOT NULL REFERENCES cell(id),
	at_ns INTEGER NOT NULL,
	dir TEXT NOT NULL CHECK(dir IN ('read', 'write')),
	offset_bytes INTEGER NOT NULL,
	length_bytes INTEGER NOT NULL,
	got_bytes INTEGER NOT NULL,
	errno INTEGER NOT NULL
) STRICT;

CREATE TABLE steady(
	step INTEGER NOT NULL REFERENCES step(step),
	track TEXT NOT NULL,
	last_round INTEGER NOT NULL,
	window INTEGER NOT NULL,
	metric TEXT NOT NULL,
	read_pct INTEGER,
	block_bytes INTEGER,
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
	range_ok INTEGER NOT NULL,
	slope_ok INTEGER NOT NULL,
	boundary INTEGER NOT NULL,
	steady INTEGER NOT NULL,
	PRIMARY KEY(step, track, last_round)
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
	at_ns INTEGER NOT NULL,
	wall_ns INTEGER NOT NULL,
	step INTEGER,
	round INTEGER,
	cell INTEGER,
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
SELECT step, test, phase, kind, started_ns, elapsed_ns, bytes_written, outcome FROM step;

CREATE VIEW v_rounds AS
SELECT r.step, s.test, s.phase, r.round, r.attempt, r.state, r.started_ns, r.elapsed_ns,
	(SELECT count(*) FROM cell c WHERE c.round_id = r.id) AS cells,
	EXISTS(SELECT 1 FROM fresh f WHERE f.step = r.step AND f.first_round = r.round) AS after_gap,
	r.reason
FROM round r JOIN step s USING(step)
WHERE r.round IS NOT NULL;

-- every stored cell, whatever became of its round
CREATE VIEW v_all_cells AS
SELECT c.id AS cell_id, r.step, s.test, s.phase, r.round, r.attempt, r.state AS round_state, c.cell,
	c.label, c.access,
	CASE WHEN c.read_pct >= 0 THEN c.read_pct || '/' || (100 - c.read_pct) END AS rw_mix,
	c.read_pct, c.block_bytes, c.threads, c.queue_depth, c.seed,
	c.started_ns, c.elapsed_ns, c.started_wall_ns, c.gap_ns, c.drain_ns, c.drain_ios,
	c.requested_ns, c.requested_bytes, c.outstanding_mean, c.user_ns, c.system_ns,
	t.ios, t.bytes, t.submitted, t.errors, t.iops, t.mb_per_s, t.lat_mean_ns,
	t.lat_min_ns, t.lat_p50_ns, t.lat_p99_ns, t.lat_p999_ns, t.lat_p9999_ns, t.lat_p99999_ns,
	t.lat_max_ns,
	a.ios AS read_ios, a.bytes AS read_bytes, a.submitted AS read_submitted,
	a.errors AS read_errors, a.iops AS read_iops, a.mb_per_s AS read_mb_per_s,
	a.lat_mean_ns AS read_lat_mean_ns, a.lat_p99999_ns AS read_lat_p99999_ns,
	a.lat_max_ns AS read_lat_max_ns,
	b.ios AS write_ios, b.bytes AS write_bytes, b.submitted AS write_submitted,
	b.errors AS write_errors, b.iops AS write_iops, b.mb_per_s AS write_mb_per_s,
	b.lat_mean_ns AS write_lat_mean_ns, b.lat_p99999_ns AS write_lat_p99999_ns,
	b.lat_max_ns AS write_lat_max_ns,
	c.valid, c.reason
FROM cell c
JOIN round r ON r.id = c.round_id
JOIN step s ON s.step = r.step
JOIN figure t ON t.cell_id = c.id AND t.dir = 'total'
JOIN figure a ON a.cell_id = c.id AND a.dir = 'read'
JOIN figure b ON b.cell_id = c.id AND b.dir = 'write';

-- the cells that count: of valid rounds, and of the last attempt outside loops
CREATE VIEW v_cells AS
SELECT * FROM v_all_cells WHERE round_state = 'valid';

CREATE VIEW v_cut_cells AS
SELECT * FROM v_all_cells WHERE round_state <> 'valid';

CREATE VIEW v_samples AS
SELECT v.step, v.round, v.cell, p.second, p.span_ns,
	(p.read_ios + p.write_ios) * 1e9 / p.span_ns AS iops,
	(p.read_bytes + p.write_bytes) * 1e3 / p.span_ns AS mb_per_s,
	CASE WHEN p.read_ios + p.write_ios > 0 THEN
		(p.read_lat_sum_ns + p.write_lat_sum_ns) * 1.0 / (p.read_ios + p.write_ios) END
		AS lat_mean_ns,
	max(p.read_lat_max_ns, p.write_lat_max_ns) AS lat_max_ns,
	p.read_ios, p.write_ios, p.read_bytes, p.write_bytes
FROM sample p JOIN v_cells v USING(cell_id);

CREATE VIEW v_steady AS
SELECT y.step, s.test, y.track, y.metric,
	CASE WHEN y.read_pct >= 0 THEN y.read_pct || '/' || (100 - y.read_pct) END AS rw_mix,
	y.block_bytes, y.last_round, y.window, y.average, y.minimum, y.maximum, y.range, y.range_pct,
	y.slope, y.intercept, y.slope_excursion, y.slope_excursion_pct, y.r,
	y.range_limit, y.slope_limit, y.range_ok, y.slope_ok, y.boundary, y.steady, y.valid
FROM steady y JOIN step s USING(step);

-- mean over the rounds of the last judged window
CREATE VIEW v_iops_matrix AS
SELECT v.test, v.step, v.block_bytes, v.rw_mix, v.threads, v.queue_depth,
	CASE WHEN min(v.valid) = 1 THEN avg(v.iops) END AS iops, min(v.reason) AS reason
FROM v_cells v
JOIN (SELECT step, max(last_round) AS last_round, max(window) AS window FROM steady GROUP BY step) w
	ON w.step = v.step
WHERE v.round > w.last_round - w.window AND v.round <= w.last_round
GROUP BY v.step, v.cell;

CREATE VIEW v_events AS SELECT * FROM event ORDER BY id;

CREATE VIEW v_deviations AS SELECT * FROM deviation ORDER BY id;
