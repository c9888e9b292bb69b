/*
 * The model drive's state as one piece of memory: what a snapshot holds, what is checked before
 * one is taken over. It must not know where snapshots are kept.
 */
#include "sim_drive_internal.h"

#include <math.h>
#include <string.h>

#include "pts_hash.h"

#define MAGIC    0x0a445653535450ffull /* no text, and another number on another byte order */
#define VERSION  1
#define TIME_END (UINT64_MAX / 4)
#define LANES    4

/* ---- sums ------------------------------------------------------------------------------ */

static uint64_t mix(uint64_t sum, uint64_t word)
{
	sum = (sum ^ word) * 0x9e3779b97f4a7c15ull;
	return sum ^ sum >> 29;
}

/*
 * A sum against damage, not against malice; four lanes, because one would cost as much as the
 * writing. A word that changes alters its lane (the steps are bijections), and so the sum.
 */
static uint64_t sum_of(uint64_t sum, const void *data, size_t bytes)
{
	uint64_t lane[LANES] = {sum, sum + 1, sum + 2, sum + 3}, tail[LANES] = {0};
	const unsigned char *at = data;
	size_t left = bytes;

	for (; left >= sizeof(lane); left -= sizeof(lane), at += sizeof(lane)) {
		uint64_t word[LANES];

		memcpy(word, at, sizeof(word));
		for (unsigned i = 0; i < LANES; i++)
			lane[i] = mix(lane[i], word[i]);
	}
	memcpy(tail, at, left);
	sum = bytes;
	for (unsigned i = 0; i < LANES; i++)
		sum = mix(sum, mix(lane[i], tail[i]));
	return sum;
}

static uint64_t model_hash(const struct sim_model *model)
{
	return sum_of(0, model, sizeof(*model));
}

/* Of the pieces, wherever they lie, and of the header up to its checksum. */
static uint64_t checksum(const struct sim_header *header,
			 const struct sim_piece pieces[SIM_DRIVE_PIECES])
{
	uint64_t sum = sum_of(0, header, offsetof(struct sim_header, checksum));

	for (unsigned i = 0; i < SIM_DRIVE_PIECES; i++)
		sum = sum_of(sum, pieces[i].data, pieces[i].bytes);
	return sum;
}

/* ---- out ------------------------------------------------------------------------------- */

static void pieces_of(const struct sim_drive *drive, struct sim_piece pieces[SIM_DRIVE_PIECES])
{
	pieces[0] = (struct sim_piece){drive, SIM_KEPT_BYTES};
	pieces[1] = (struct sim_piece){drive->memory, drive->memory_bytes};
	pieces[2].data = sim_ftl_state(drive->ftl, &pieces[2].bytes);
}

static size_t bytes_of(const struct sim_piece pieces[SIM_DRIVE_PIECES])
{
	size_t bytes = 0;

	for (unsigned i = 0; i < SIM_DRIVE_PIECES; i++)
		bytes += pieces[i].bytes;
	return bytes;
}

size_t sim_drive_snapshot_bytes(const struct sim_drive *drive)
{
	struct sim_piece pieces[SIM_DRIVE_PIECES];

	pieces_of(drive, pieces);
	return sizeof(struct sim_header) + bytes_of(pieces);
}

void sim_drive_snapshot(const struct sim_drive *drive, struct sim_header *ret_header,
			struct sim_piece ret_pieces[SIM_DRIVE_PIECES])
{
	pieces_of(drive, ret_pieces);
	memset(ret_header, 0, sizeof(*ret_header));
	ret_header->magic = MAGIC;
	ret_header->version = VERSION;
	ret_header->model_hash = model_hash(&drive->model);
	ret_header->seed = drive->seed;
	ret_header->capacity_bytes = drive->model.capacity_bytes;
	ret_header->state_bytes = bytes_of(ret_pieces);
	memcpy(ret_header->model, drive->model.name, sizeof(ret_header->model));
	ret_header->checksum = checksum(ret_header, ret_pieces);
}

/* ---- in -------------------------------------------------------------------------------- */

enum sim_fault sim_header_check(const struct sim_drive *drive, const void *snapshot,
				size_t bytes)
{
	struct sim_header header;

	if (bytes < sizeof(header))
		return SIM_FAULT_FOREIGN;
	memcpy(&header, snapshot, sizeof(header));
	if (header.magic != MAGIC)
		return SIM_FAULT_FOREIGN;
	if (header.version != VERSION)
		return SIM_FAULT_VERSION;
	if (header.model_hash != model_hash(&drive->model) ||
	    header.capacity_bytes != drive->model.capacity_bytes)
		return SIM_FAULT_MODEL;
	return header.seed == drive->seed ? SIM_FAULT_NONE : SIM_FAULT_SEED;
}

/* Numbers that an I/O adds to or counts by. */
static bool numbers_hold(const struct sim_drive *drive)
{
	const uint64_t times[] = {drive->now_ns,     drive->command_busy, drive->read_busy,
				  drive->write_busy, drive->work_until,   drive->idle_until,
				  drive->heat_at,    drive->heat_busy,    drive->read_ns};
	uint64_t ring = drive->buffer_per_die ? drive->buffer_per_die : 1;
	bool hold = isfinite(drive->celsius) && drive->pace >= 1 && drive->pace < 1e6 &&
		    drive->heat_at <= drive->now_ns &&
		    drive->submitted < TIME_END >> SIM_SLOT_BITS;

	for (unsigned i = 0; i < sizeof(times) / sizeof(times[0]); i++)
		hold = hold && times[i] < TIME_END;
	for (uint32_t i = 0; hold && i < drive->model.dies; i++) {
		const struct sim_die *die = &drive->die[i];

		hold = die->ring_at < ring && die->write_busy < TIME_END &&
		       die->read_busy < TIME_END && die->debt_ns < TIME_END;
	}
	for (uint32_t i = 0; hold && i < drive->model.channels; i++)
		hold = drive->channel_busy[i] < TIME_END;
	for (uint64_t i = 0; hold && i < (uint64_t)drive->buffer_per_die * drive->model.dies;
	     i++)
		hold = drive->ring[i] < TIME_END;
	return hold;
}

static bool take(struct sim_drive *drive, const unsigned char *at,
		 const struct sim_header *header)
{
	struct sim_piece pieces[SIM_DRIVE_PIECES];

	pieces_of(drive, pieces);
	for (unsigned i = 0; i < SIM_DRIVE_PIECES; i++) {
		pieces[i].data = at;
		at += pieces[i].bytes;
	}
	if (checksum(header, pieces) != header->checksum)
		return false;
	memcpy(drive, pieces[0].data, pieces[0].bytes);
	memcpy(drive->memory, pieces[1].data, pieces[1].bytes);
	return numbers_hold(drive) &&
	       sim_ftl_restore(drive->ftl, pieces[2].data, pieces[2].bytes) == 0;
}

enum sim_fault sim_drive_restore(struct sim_drive *drive, const void *snapshot, size_t bytes)
{
	enum sim_fault fault = sim_header_check(drive, snapshot, bytes);
	struct sim_piece pieces[SIM_DRIVE_PIECES];
	struct sim_header header;

	if (fault)
		return fault;
	memcpy(&header, snapshot, sizeof(header));
	pieces_of(drive, pieces);
	sim_drive_forget(drive);
	if (header.state_bytes == bytes_of(pieces) &&
	    bytes == sizeof(header) + header.state_bytes &&
	    take(drive, (const unsigned char *)snapshot + sizeof(header), &header))
		return SIM_FAULT_NONE;
	memset(drive, 0, SIM_KEPT_BYTES);
	memset(drive->memory, 0, drive->memory_bytes);
	sim_ftl_reset(drive->ftl);
	sim_drive_begin(drive);
	return SIM_FAULT_DAMAGED;
}

void sim_drive_power_on(struct sim_drive *drive)
{
	if (drive->now_ns < drive->work_until)
		drive->now_ns = drive->work_until;
	drive->now_ns += PTS_NS_PER_S;
	drive->idle_until = drive->now_ns;
	sim_drive_forget(drive);
}
