/*
 * A workload and its streams: access patterns with exact shares. Read anew for each use, since
 * what its $references mean may depend on a for_each around the step.
 */
#include <string.h>

#include "spec_internal.h"

struct pair {
	uint64_t first, second; /* offsets as the key table says for size, zone and region */
};

static void check_sum(struct spec_reader *r, const struct spec_node *node, const char *what,
		      uint64_t sum)
{
	char text[48];

	if (sum == SPEC_SHARE_WHOLE)
		return;
	spec_share_text(sum, text, sizeof(text));
	spec_fault_node(r, node, "%s sum to %s, %s than 100%%", what, text,
			sum < SPEC_SHARE_WHOLE ? "less" : "more");
}

/* A list of blocks with two exact values each; NULL after a fault. */
static struct pair *read_pairs(struct spec_map *map, const char *key, enum spec_context context,
			       unsigned *ret_count)
{
	struct spec_reader *r = map->r;
	const char *path = spec_path(r, "%s.%s", map->path, key);
	struct spec_source source = map->source;
	struct spec_node *list = spec_list_open(r, spec_map_get(map, key), path, &source);
	unsigned before = r->fault_seen;
	struct pair *pairs;

	*ret_count = 0;
	if (!list)
		return NULL;
	pairs = PTS_ARENA_ARRAY(r->arena, struct pair, list->count);
	for (unsigned i = 0; i < list->count; i++) {
		struct spec_map entry;

		if (spec_map_open(r, context, list->values[i], spec_path(r, "%s[%u]", path, i),
				  &source, &entry))
			spec_map_fill(&entry, context, &pairs[i]);
	}
	*ret_count = list->count;
	return r->fault_seen == before ? pairs : NULL;
}

static void read_sizes(struct spec_map *map, const char *key, struct spec_stream *stream,
		       unsigned side)
{
	unsigned count;
	struct pair *pairs = read_pairs(map, key, SPEC_IN_SIZE, &count);
	struct spec_node *node = spec_map_get(map, key);
	uint64_t sum = 0;

	if (!pairs)
		return;
	stream->sizes[side] = PTS_ARENA_ARRAY(map->r->arena, struct spec_size, count);
	stream->size_count[side] = count;
	for (unsigned i = 0; i < count; i++) {
		sum += pairs[i].second;
		stream->sizes[side][i].block_bytes = pairs[i].first;
		stream->sizes[side][i].share =
			(double)pairs[i].second / (double)SPEC_SHARE_WHOLE;
		for (unsigned j = 0; j < i; j++)
			if (pairs[j].first == pairs[i].first)
				spec_fault_node(map->r, node, "%s: a size stands twice", key);
	}
	check_sum(map->r, node, "the shares", sum);
}

static void read_zones(struct spec_map *map, struct spec_stream *stream)
{
	unsigned count;
	struct pair *pairs = read_pairs(map, "zones", SPEC_IN_ZONE, &count);
	uint64_t span = 0, access = 0;

	if (!pairs)
		return;
	stream->zones = PTS_ARENA_ARRAY(map->r->arena, struct spec_zone, count);
	stream->zone_count = count;
	for (unsigned i = 0; i < count; i++) {
		span += pairs[i].first;
		access += pairs[i].second;
		stream->zones[i].span_share = (double)pairs[i].first / (double)SPEC_SHARE_WHOLE;
		stream->zones[i].access_share =
			(double)pairs[i].second / (double)SPEC_SHARE_WHOLE;
	}
	check_sum(map->r, spec_map_get(map, "zones"), "the spans", span);
	check_sum(map->r, spec_map_get(map, "zones"), "the accesses", access);
}

static void read_region(struct spec_map *map, struct spec_stream *stream)
{
	struct spec_node *node = spec_map_get(map, "region");
	struct pair region = {0, SPEC_SHARE_WHOLE};
	struct spec_map block;

	if (node &&
	    spec_map_open(map->r, SPEC_IN_REGION, node,
			  spec_path(map->r, "%s.region", map->path), &map->source, &block))
		spec_map_fill(&block, SPEC_IN_REGION, &region);
	if (region.first + region.second > SPEC_SHARE_WHOLE && node)
		spec_fault_node(map->r, node, "the region ends beyond the active range");
	stream->region_start = (double)region.first / (double)SPEC_SHARE_WHOLE;
	stream->region_share = (double)region.second / (double)SPEC_SHARE_WHOLE;
}

/* block_size, or sizes, or read_sizes with write_sizes; an axis may give it later. */
static void read_blocks(struct spec_map *map, struct spec_stream *stream)
{
	struct spec_node *one = spec_map_get(map, "block_size"),
			 *both = spec_map_get(map, "sizes");
	struct spec_node *reads = spec_map_get(map, "read_sizes");
	struct spec_node *writes = spec_map_get(map, "write_sizes");

	if (!!one + !!both + (reads || writes) > 1) {
		spec_fault_node(
			map->r, one ? one : both,
			"block_size, sizes, and read_sizes with write_sizes exclude one "
			"another");
		return;
	}
	if (one) {
		struct spec_size *size = PTS_ARENA_NEW(map->r->arena, struct spec_size);

		size->share = 1;
		if (spec_map_value(map, spec_key_row(SPEC_IN_PATTERN, "block_size"), one,
				   &size->block_bytes)) {
			stream->sizes[0] = size;
			stream->size_count[0] = 1;
		}
	}
	if (!reads != !writes)
		spec_fault_node(map->r, reads ? reads : writes,
				"read_sizes and write_sizes go together");
	if (both || reads)
		read_sizes(map, both ? "sizes" : "read_sizes", stream, 0);
	if (writes)
		read_sizes(map, "write_sizes", stream, 1);
}

static void read_pattern(struct spec_map *map, struct spec_stream *stream)
{
	struct spec_node *mix = spec_map_get(map, "rw_mix"),
			 *zones = spec_map_get(map, "zones");

	spec_map_fill(map, SPEC_IN_PATTERN, stream);
	if (mix)
		stream->has_read_pct = spec_map_value(
			map, spec_key_row(SPEC_IN_PATTERN, "rw_mix"), mix, &stream->read_pct);
	read_blocks(map, stream);
	read_region(map, stream);
	if (zones)
		read_zones(map, stream);
	if (zones && stream->random_share == 0)
		spec_fault_node(map->r, zones, "zones are for random access");
	if (spec_map_get(map, "align") && stream->random_share == 0)
		spec_fault_node(map->r, spec_map_get(map, "align"),
				"align is for random access");
	if (stream->rate_iops > 0 && stream->arrivals == SPEC_CLOSED_LOOP) {
		if (spec_map_get(map, "arrivals"))
			spec_fault_node(map->r, spec_map_get(map, "arrivals"),
					"a rate is an open loop: exponential or constant");
		stream->arrivals = SPEC_EXPONENTIAL;
	}
}

/* A stream of several says its whole pattern: no axis and no step can mean one of them. */
static void check_stream(struct spec_map *map, const struct spec_stream *stream, bool weighted)
{
	if (!stream->has_read_pct && !spec_map_get(map, "rw_mix"))
		spec_fault_node(map->r, map->node,
				"a stream of several lacks the key 'rw_mix'");
	if (!spec_map_get(map, "block_size") && !spec_map_get(map, "sizes") &&
	    !spec_map_get(map, "read_sizes"))
		spec_fault_node(map->r, map->node,
				"a stream of several lacks the key 'block_size' (or sizes)");
	if (weighted == (spec_map_get(map, "rate") != NULL))
		spec_fault_node(map->r, map->node, "a stream has a weight or a rate%s",
				weighted ? ", not both" : "");
}

static void read_streams(struct spec_map *map, struct spec_workload *work)
{
	struct spec_reader *r = map->r;
	const char *path = spec_path(r, "%s.streams", map->path);
	struct spec_source source = map->source;
	struct spec_node *list = spec_list_open(r, spec_map_get(map, "streams"), path, &source);
	unsigned weights = 0, before = r->fault_seen;
	uint64_t sum = 0;

	if (!list)
		return;
	work->streams = PTS_ARENA_ARRAY(r->arena, struct spec_stream, list->count);
	work->stream_count = list->count;
	for (unsigned i = 0; i < list->count; i++) {
		struct spec_stream *stream = &work->streams[i];
		struct spec_map entry;
		uint64_t units = 0;

		if (!spec_map_open(r, SPEC_IN_STREAM, list->values[i],
				   spec_path(r, "%s[%u]", path, i), &source, &entry))
			continue;
		read_pattern(&entry, stream);
		spec_map_fill(&entry, SPEC_IN_STREAM, stream);
		if (spec_map_get(&entry, "weight") &&
		    spec_map_value(&entry, spec_key_row(SPEC_IN_STREAM, "weight"),
				   spec_map_get(&entry, "weight"), &units))
			weights++;
		stream->weight = (double)units / (double)SPEC_SHARE_WHOLE;
		sum += units;
		check_stream(&entry, stream, units > 0);
		for (unsigned j = 0; j < i && stream->name; j++)
			if (work->streams[j].name &&
			    strcmp(work->streams[j].name, stream->name) == 0)
				spec_fault_node(r, list->values[i],
						"stream name %s is used twice",
						spec_quoted(r, stream->name));
	}
	if (weights && r->fault_seen == before)
		check_sum(r, list, "the weights", sum);
}

static void refuse_pattern(struct spec_map *map)
{
	for (const struct spec_key_row *row = spec_key_next(SPEC_IN_PATTERN, NULL); row;
	     row = spec_key_next(SPEC_IN_PATTERN, row)) {
		const struct spec_node *key = spec_node_key(map->node, row->name);

		if (key)
			spec_fault_node(
				map->r, key,
				"%s belongs into the streams, this workload has several",
				row->name);
	}
}

static void check_workload(struct spec_map *map, const struct spec_workload *work)
{
	struct spec_node *segments = spec_map_get(map, "segments");
	struct spec_node *share = spec_map_get(map, "segment_share");

	if (!segments != !share)
		spec_fault_node(map->r, segments ? segments : share,
				"segments and segment_share go together");
	if (work->stream_count == 1 && work->streams[0].random_share == 1 &&
	    work->carry_position)
		spec_fault_node(map->r, spec_map_get(map, "carry_position"),
				"carry_position is for sequential access");
}

static void read_body(struct spec_reader *r, struct spec_node *node, const char *name,
		      struct spec_work_use *use)
{
	unsigned before = r->fault_seen;
	struct spec_map map;

	use->node = node;
	use->work.name = name;
	use->work.where = spec_where_of(r, node);
	if (!spec_map_open(r, SPEC_IN_WORKLOAD, node, spec_path(r, "workloads.%s", name), NULL,
			   &map))
		return;
	spec_map_fill(&map, SPEC_IN_WORKLOAD, &use->work);
	use->single = !spec_map_get(&map, "streams");
	if (use->single) {
		use->work.streams = PTS_ARENA_NEW(r->arena, struct spec_stream);
		use->work.stream_count = 1;
		use->work.streams[0].name = name;
		use->work.streams[0].weight = 1;
		read_pattern(&map, use->work.streams);
		if (use->work.streams[0].rate_iops > 0)
			use->work.streams[0].weight = 0;
	} else {
		refuse_pattern(&map);
		read_streams(&map, &use->work);
	}
	check_workload(&map, &use->work);
	use->ok = r->fault_seen == before;
}

bool spec_workload_read(struct spec_reader *r, const struct spec_item *which,
			struct spec_work_use *ret_use)
{
	struct spec_node *all = r->workloads;
	const char **names;

	memset(ret_use, 0, sizeof(*ret_use));
	r->workload_by_param |= which->param != NULL;
	for (unsigned i = 0; all && i < all->count; i++) {
		if (strcmp(all->keys[i]->text, which->text) != 0)
			continue;
		r->workload_used[i] = true;
		read_body(r, all->values[i], which->text, ret_use);
		return ret_use->ok;
	}
	names = PTS_ARENA_ARRAY(r->arena, const char *, (all ? all->count : 0) + 1);
	for (unsigned i = 0; all && i < all->count; i++)
		names[i] = all->keys[i]->text;
	spec_fault_item(r, which, "unknown workload %s%s", spec_quoted(r, which->text),
			spec_meant(r, pts_nearest(which->text, names, all ? all->count : 0)));
	return false;
}

void spec_workloads_open(struct spec_reader *r, struct spec_node *node)
{
	if (!node)
		return;
	if (node->kind != SPEC_NODE_MAP) {
		spec_fault_node(r, node, "workloads want a block of keys, not %s",
				spec_node_what(node));
		return;
	}
	r->workloads = node;
	r->workload_used = PTS_ARENA_ARRAY(r->arena, bool, node->count + 1);
	for (unsigned i = 0; i < node->count; i++)
		if (!spec_name_ok(node->keys[i]->text))
			spec_fault_node(
				r, node->keys[i],
				"%s is no name of a workload: small letters, digits and _",
				spec_quoted(r, node->keys[i]->text));
}

/* Workloads that a parameter may choose are checked too; others must be used. */
void spec_workloads_finish(struct spec_reader *r)
{
	bool clean = !r->fault_count; /* else it may be unused as a consequence */

	for (unsigned i = 0; r->workloads && i < r->workloads->count; i++) {
		struct spec_node *key = r->workloads->keys[i];
		struct spec_work_use use = {0};

		if (r->workload_used[i])
			continue;
		if (r->workload_by_param || !clean)
			read_body(r, r->workloads->values[i], key->text, &use);
		else
			spec_fault_node(r, key, "workload %s is used by no step",
					spec_quoted(r, key->text));
	}
}
