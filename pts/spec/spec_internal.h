/*
 * The reader's own types, shared by the files of this room: nodes with places, faults, the key
 * table, blocks, parameters. No other room includes it.
 */
#ifndef SPEC_INTERNAL_H
#define SPEC_INTERNAL_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pts_arena.h"
#include "pts_text.h"
#include "spec.h"

/* Limits of the reader against hostile or broken files; none is the standard's. */
enum {
	SPEC_FILE_MOST = 1 << 20,
	SPEC_LINE_MOST = 4096,
	SPEC_NODES_MOST = 10000,
	SPEC_DEPTH_MOST = 32,
	SPEC_ANCHORS_MOST = 500,
	SPEC_STEPS_MOST = 1000,
	SPEC_CELLS_MOST = 10000,
	SPEC_VALUES_MOST = 256,
	SPEC_LOOPS_MOST = 4,
	SPEC_WORK_MOST = 100000, /* blocks and lists read, for_each unrolled */
	SPEC_TEXT_MOST = 4000,
	SPEC_NAME_MOST = 100,
	SPEC_FAULTS_SHOWN = 20,
	SPEC_FAULTS_KEPT = 200,
	SPEC_WHY_ROOM = 400,
};

/* Offset of a key that its reader fetches by itself. */
#define SPEC_NO_PLACE ((size_t)-1)

/* 100 % in the exact arithmetic of shares: units of 10^-9 %. */
#define SPEC_SHARE_WHOLE 100000000000ull

enum spec_node_kind {
	SPEC_NODE_TEXT,
	SPEC_NODE_LIST,
	SPEC_NODE_MAP,
};

struct spec_node {
	enum spec_node_kind kind;
	const char *text;          /* TEXT */
	bool empty;                /* TEXT: nothing was written */
	struct spec_node **keys;   /* MAP */
	struct spec_node **values; /* MAP, LIST */
	unsigned count;
	unsigned line, column;             /* from 1 */
	unsigned alias_line, alias_column; /* reached through the alias there; 0: no */
	bool cited;                        /* already in the citations */
};

struct spec_fault {
	unsigned line, column; /* 0: of the command line */
	unsigned order;
	const char *text; /* the whole line */
};

enum spec_type {
	SPEC_TYPE_TEXT, /* const char * */
	SPEC_TYPE_NAME, /* const char *, one short line */
	SPEC_TYPE_BOOL,
	SPEC_TYPE_COUNT,  /* unsigned */
	SPEC_TYPE_BYTES,  /* uint64_t */
	SPEC_TYPE_TIME,   /* uint64_t ns */
	SPEC_TYPE_SHARE,  /* double */
	SPEC_TYPE_EXACT,  /* uint64_t in units of SPEC_SHARE_WHOLE */
	SPEC_TYPE_RW_MIX, /* unsigned read % */
	SPEC_TYPE_AMOUNT, /* struct pts_amount */
	SPEC_TYPE_ACCESS, /* double random share */
	SPEC_TYPE_RATE,   /* double IOPS */
	SPEC_TYPE_SPEED,  /* struct spec_speed */
	SPEC_TYPE_ENUM,   /* an enum: the index of the word */
	SPEC_TYPE_WORD,   /* const char *: one of the words */
	SPEC_TYPE_BLOCK,  /* a mapping; its own context */
	SPEC_TYPE_LIST,   /* a list; the reader's business */
	SPEC_TYPES,
};

enum spec_context {
	SPEC_IN_FILE,
	SPEC_IN_MODE,
	SPEC_IN_SOURCE,
	SPEC_IN_VALUE,
	SPEC_IN_PARAMETER,
	SPEC_IN_PATTERN,
	SPEC_IN_WORKLOAD,
	SPEC_IN_STREAM,
	SPEC_IN_SIZE,
	SPEC_IN_ZONE,
	SPEC_IN_REGION,
	SPEC_IN_STEP,
	SPEC_IN_WORK,
	SPEC_IN_PURGE,
	SPEC_IN_LOAD,
	SPEC_IN_UNTIL,
	SPEC_IN_SAMPLED,
	SPEC_IN_ROUNDS,
	SPEC_IN_AXIS,
	SPEC_IN_STEADY,
	SPEC_IN_TRACK,
	SPEC_IN_IDLE,
	SPEC_IN_CYCLE,
	SPEC_IN_CHOOSE,
	SPEC_IN_POINT,
	SPEC_IN_CURVE,
	SPEC_IN_SEARCH,
	SPEC_IN_FOR_EACH,
	SPEC_IN_PAGE,
	SPEC_IN_CONVERGENCE,
	SPEC_IN_WINDOW,
	SPEC_IN_MATRIX_TABLE,
	SPEC_IN_MATRIX_LINES,
	SPEC_IN_MATRIX_COLUMNS,
	SPEC_IN_CELL_BARS,
	SPEC_IN_TIMELINE,
	SPEC_IN_HISTOGRAM,
	SPEC_IN_RECOVERY,
	SPEC_IN_ABOUT,
	SPEC_IN_ASSUME,
	SPEC_IN_ASSUME_CELL,
	SPEC_CONTEXTS,
};

enum {
	SPEC_KEY_REQUIRED = 1 << 0,
	SPEC_KEY_STANDARD =
		1 << 1, /* the standard fixes it: wants a source in a file that names one */
	SPEC_KEY_SECTORS = 1 << 2, /* a multiple of 512 bytes */
};

struct spec_key_row {
	enum spec_context context;
	const char *name;
	enum spec_type type;
	unsigned flags;
	size_t offset; /* in the struct that the context fills */
	uint64_t least, most;
	const char *range;        /* of least and most, for people */
	const char *const *words; /* ENUM, WORD: NULL-terminated */
	const char *standard;     /* default text; NULL: none */
	const char *help;
};

/* A context: its name, the context whose keys it has too, and whether it may carry a source. */
struct spec_context_row {
	const char *name;
	enum spec_context parent; /* itself: none */
	bool sourced;
	const char *what; /* "a step 'load'" */
};

struct spec_key_part {
	const struct spec_key_row *rows;
	unsigned count;
};
extern const struct spec_context_row spec_context_rows[SPEC_CONTEXTS];
extern const char *const spec_rule_words[],
	*const spec_metric_words[], *const spec_axis_words[], *const spec_step_words[];
extern const char *const spec_basis_words[], *const spec_binding_words[],
						     *const spec_page_words[];

/* The row of a key in a context or its parents; NULL if there is none. */
const struct spec_key_row *spec_key_row(enum spec_context context, const char *name);
/* Calls for each row of a context (not its parents). */
const struct spec_key_row *spec_key_next(enum spec_context context,
					 const struct spec_key_row *after);
/* The nearest key name in the context, for "did you mean"; NULL if none is near. */
const char *spec_key_nearest(enum spec_context context, const char *name);

struct spec_param_entry;

/* One scalar where it is used: its text, where it stands, and what says so. */
struct spec_item {
	const char *text;
	struct spec_node *node;         /* place in the file */
	struct spec_param_entry *param; /* it came by $name; NULL: literal */
	unsigned index;                 /* in a list parameter */
	bool wrapped;                   /* {value: ..., clause: ...} */
	struct spec_source source;
};

struct spec_param_entry {
	struct spec_param pub;
	struct spec_node *key, *node;
	const char *path;
	bool is_list;
	struct spec_item *standard, *effective;
	unsigned standard_count, effective_count;
	const struct spec_override *set; /* NULL: as the file says */
	bool used;
};

/* A for_each variable while its children are read. */
struct spec_loop {
	const char *name;
	struct spec_item item;
	bool used;
	struct spec_loop *outer;
};

struct spec_reader {
	struct pts_arena *arena;
	struct spec *spec;
	const char *file;
	const struct spec_options *options;
	struct spec_node *workloads; /* NULL: none */
	bool *workload_used;         /* by index in it */
	bool steps_full;
	bool axes_ok, steps_ok; /* read without a fault: what refers to them can be checked */
	bool workload_by_param; /* some step names its workload by $parameter */
	struct spec_param_entry **params;
	unsigned param_count;
	struct spec_loop *loop; /* innermost */
	unsigned loop_depth;
	unsigned work; /* against SPEC_WORK_MOST */
	struct spec_fault *faults;
	unsigned fault_count, fault_room, fault_seen, file_faults;
	unsigned param_room, page_room, citation_room;
	struct spec_step **named; /* every step incl. those before rounds, for references */
	unsigned named_count, named_room;
};

/* spec_fault.c */
void spec_fault_place(struct spec_reader *r, unsigned line, unsigned column, const char *fmt,
		      ...) __attribute__((format(printf, 4, 5)));
void spec_fault_node(struct spec_reader *r, const struct spec_node *node, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* At the item's place, or naming the --set that it came from. */
void spec_fault_item(struct spec_reader *r, const struct spec_item *item, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void spec_fault_set(struct spec_reader *r, const struct spec_override *set, const char *fmt,
		    ...) __attribute__((format(printf, 3, 4)));
/* Sorted, bounded, each once; 0 or -EINVAL with *err set. */
int spec_fault_report(struct spec_reader *r, struct pts_err *err);
/* The text in quotes, made printable and cut to a bearable length; lives in the arena. */
const char *spec_quoted(struct spec_reader *r, const char *text);
/* ", did you mean 'x'?" or "". */
const char *spec_meant(struct spec_reader *r, const char *nearest);

/* Grows an array of the arena so that one more element fits; returns it. */
void *spec_grow(struct spec_reader *r, void *array, unsigned count, unsigned *room,
		size_t size);
/* printf into the arena: paths. */
#define spec_path(r, ...) ((const char *)pts_arena_printf((r)->arena, __VA_ARGS__))
struct spec_where spec_where_of(const struct spec_reader *r, const struct spec_node *node);

/* spec_scan.c: bytes before YAML sees them. False if anything is wrong. */
bool spec_scan(struct spec_reader *r, const char *text, size_t bytes);
/* spec_node.c: the tree of a text; NULL after faults. */
struct spec_node *spec_node_load(struct spec_reader *r, const char *text, size_t bytes);
struct spec_node *spec_node_get(const struct spec_node *map, const char *key);
struct spec_node *spec_node_key(const struct spec_node *map, const char *key);
const char *spec_node_what(const struct spec_node *node); /* "a list" */

/* spec_value.c: text -> typed value. False with the reason in why. */
bool spec_value_parse(const struct spec_key_row *row, const char *text, void *out,
		      char why[SPEC_WHY_ROOM]);
size_t spec_value_size(enum spec_type type);
/* Exact "67.5%" -> units; false if it is none or has more than nine decimals. */
bool spec_share_units(const char *text, uint64_t *ret_units);
void spec_share_text(uint64_t units, char *text, size_t room);

/* spec_map.c */
struct spec_map {
	struct spec_reader *r;
	struct spec_node *node;
	enum spec_context context;
	const char *path;
	struct spec_source source; /* what a plain value in it inherits */
};
/* Counts work done; false, with a fault, when for_each makes too much of it. */
bool spec_work_left(struct spec_reader *r, const struct spec_node *node);
/* Checks the keys of a block. inherited may be NULL. False if it is no mapping. An empty value
 * counts as an empty block. */
bool spec_map_open(struct spec_reader *r, enum spec_context context, struct spec_node *node,
		   const char *path, const struct spec_source *inherited,
		   struct spec_map *ret_map);
/* Types every simple key of one context into base; defaults; faults for required ones. */
void spec_map_fill(struct spec_map *map, enum spec_context context, void *base);
/* Some key is unknown: what seems missing may be the same fault. */
bool spec_map_odd(const struct spec_map *map);
struct spec_node *spec_map_get(const struct spec_map *map, const char *key);
/* {value: x, clause: ...} -> x; *source becomes its source. NULL after a fault. */
struct spec_node *spec_unwrap(struct spec_reader *r, struct spec_node *node, const char *path,
			      struct spec_source *source, bool *ret_wrapped);
/* One scalar, $references resolved. */
bool spec_item_read(struct spec_reader *r, struct spec_node *node, const char *path,
		    const struct spec_source *inherited, struct spec_item *ret_item);
/* A list of scalars, or a $list. NULL and a count of 0 after a fault. */
struct spec_item *spec_items_read(struct spec_reader *r, struct spec_node *node,
				  const char *path, const struct spec_source *inherited,
				  unsigned *ret_count);
/* Types one item by a row; cites and checks its source; marks an overridden parameter. */
bool spec_item_parse(struct spec_reader *r, const struct spec_key_row *row,
		     const struct spec_item *item, const char *path, void *out);
/* Typed scalar of a key that the map has. */
bool spec_map_value(struct spec_map *map, const struct spec_key_row *row,
		    struct spec_node *node, void *out);
/* A list value that may be wrapped or aliased: the items' block. NULL after a fault. */
struct spec_node *spec_list_open(struct spec_reader *r, struct spec_node *node,
				 const char *path, struct spec_source *source);
void spec_cite(struct spec_reader *r, struct spec_node *node, const char *path,
	       const char *value, const struct spec_source *source);

/* spec_param.c */
void spec_params_read(struct spec_reader *r, struct spec_node *modes,
		      struct spec_node *parameters);
void spec_params_finish(struct spec_reader *r); /* unused ones; fills spec->params */
bool spec_ref_resolve(struct spec_reader *r, struct spec_node *node, const char *name,
		      struct spec_item **ret_items, unsigned *ret_count,
		      struct spec_param_entry **ret_param);
/* "{name}" in a text -> value of the variable or parameter. NULL after a fault. */
const char *spec_fill_in(struct spec_reader *r, struct spec_node *node, const char *text);
bool spec_name_ok(const char *name);

/* spec_workload.c: one workload by name for one use. which is the place of the name. */
struct spec_work_use {
	struct spec_workload work;
	struct spec_node *node;
	bool single; /* one stream, written without `streams` */
	bool ok;
};
bool spec_workload_read(struct spec_reader *r, const struct spec_item *which,
			struct spec_work_use *ret_use);
void spec_workloads_finish(struct spec_reader *r);
void spec_workloads_open(struct spec_reader *r, struct spec_node *node);

/* spec_step.c */
struct spec_step_row {
	struct spec_step s;
	const char *workload;
	unsigned threads, queue_depth, read_pct;
	uint64_t block_bytes;
};
void spec_steps_read(struct spec_reader *r, struct spec_node *list, const char *path,
		     struct spec_step **ret_steps, unsigned *ret_count);
struct spec_step *spec_step_find(struct spec_reader *r, const char *name);
const char *spec_step_nearest(struct spec_reader *r, const char *name);
const struct spec_axis *spec_step_axis(const struct spec_step *step, enum spec_axis_kind kind);
bool spec_axis_has(const struct spec_axis *axis, uint64_t value);

/* Calls fn for each value of a for_each with the variable bound. */
typedef void (*spec_loop_fn)(struct spec_reader *r, struct spec_node *children,
			     const char *path, void *ctx);
void spec_for_each(struct spec_reader *r, struct spec_node *node, const char *path,
		   const char *children, spec_loop_fn fn, void *ctx);

/* spec_work.c: workload, step keys and axes together give each value exactly once (checked only
 * if `whole`: the step's own keys and axes are free of faults). */
void spec_step_work(struct spec_map *map, struct spec_step_row *row, bool whole);

/* spec_steady.c */
void spec_axes_read(struct spec_map *map, struct spec_step *step);
void spec_steady_read(struct spec_map *outer, struct spec_step *step);
/* The axis keys of a block: track, point (cited), where (not). */
void spec_axis_keys(struct spec_map *map, bool cited, bool has[SPEC_AXES],
		    uint64_t value[SPEC_AXES]);
/* path NULL: no citation and no source wanted. */
bool spec_axis_value(struct spec_reader *r, enum spec_axis_kind kind,
		     const struct spec_item *item, const char *path, uint64_t *ret_value);
/* After max_rounds and window are known. */
void spec_window_check(struct spec_map *map, const struct spec_step *step);
/* spec_choose.c */
void spec_choose_read(struct spec_map *map, struct spec_step *step);

/* spec_page.c */
void spec_pages_read(struct spec_reader *r, struct spec_node *list);

#endif
