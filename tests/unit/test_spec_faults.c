/*
 * Faults of a spec, first part: a sound text with one piece replaced, and every line that the
 * reader must say about it, place and all.
 */
#include "test_spec_faults.h"

static const struct fault_case cases[] = {
	{"unknown key, near", "      max_rounds: $", "      max_round: $",
	 "18:7: unknown key 'max_round', did you mean 'max_rounds'?\n"},
	{"unknown key, far", "title: T\n",
	 "title: T\n"
	 "frobnicate: 1\n",
	 "2:1: unknown key 'frobnicate'\n"},
	{"unknown key in a block", "block_size: 4KiB}", "blocksize: 4KiB}",
	 "24:52: unknown key 'blocksize', did you mean 'block_size'?\n"},
	{"duplicate key", "        range: 20%\n",
	 "        range: 20%\n"
	 "        range: 20%\n",
	 "22:9: duplicate key 'range', it stands at 21:9 already\n"},
	{"missing unit, time", "60s", "60",
	 "3:22: cell_time: '60': a unit is missing: 60s, 60min\n"},
	{"missing unit, size", "4KiB, 8KiB]", "4, 8KiB]",
	 "16:24: block_size: '4': a unit is missing: 4KiB, 4B\n"},
	{"missing unit, share", "range: 20%", "range: 20",
	 "21:16: range: '20': a unit is missing: 20%\n"},
	{"no time at all", "60s", "soon",
	 "3:22: cell_time: 'soon' is no time: a number with ns, us, ms, s, min o"
	 "r h\n"},
	{"out of range, count", "queue_depth: 1", "queue_depth: 0",
	 "9:18: queue_depth: '0' is out of range: 1 .. 16384\n"},
	{"out of range, negative", "queue_depth: 1", "queue_depth: -1",
	 "9:18: queue_depth: '-1' is out of range: 1 .. 16384\n"},
	{"out of range, above", "queue_depth: 1", "queue_depth: 16385",
	 "9:18: queue_depth: '16385' is out of range: 1 .. 16384\n"},
	{"out of range, overflow", "queue_depth: 1", "queue_depth: 18446744073709551616",
	 "9:18: queue_depth: '18446744073709551616' is out of range: 1 .. 16384\n"},
	{"no whole number", "threads: 1", "threads: 1.5",
	 "8:14: threads: '1.5' is no whole number\n"},
	{"size of no whole sectors", "[4KiB, 8KiB]", "[4KiB, 1000B]",
	 "16:30: block_size: '1000B' is no multiple of 512B\n"},
	{"window above max_rounds", "max_rounds: 25", "max_rounds: 4",
	 "4:15: max_rounds is 4, the window needs 5 rounds\n"},
	{"unknown reference", "$cell_time", "$cell_tim",
	 "17:18: unknown reference '$cell_tim', did you mean 'cell_time'?\n"},
	{"unknown reference, far", "$cell_time", "$xyzzy",
	 "17:18: unknown reference '$xyzzy'\n"},
	{"unused parameter", "  max_rounds: 25\n",
	 "  max_rounds: 25\n"
	 "  other: 1\n",
	 "5:3: parameter 'other' is used nowhere ($other)\n"},
	{"unknown workload", "workload: w\n", "workload: ww\n",
	 "13:17: unknown workload 'ww', did you mean 'w'?\n"},
	{"unused workload", "  w:\n",
	 "  v: {access: random}\n"
	 "  w:\n",
	 "6:3: workload 'v' is used by no step\n"},
	{"unknown step of a page", "step: rounds", "step: round",
	 "28:11: unknown step 'round', did you mean 'rounds'?\n"},
	{"unknown track of a page", "track: a\n", "track: b\n",
	 "29:12: step 'rounds' has no track 'b', did you mean 'a'?\n"},
	{"unknown kind of page", "kind: window", "kind: windows",
	 "26:11: kind: 'windows' is unknown here, did you mean 'window'?\n"},
	{"page without kind",
	 "  - kind: window\n"
	 "    title: P",
	 "  - title: P", "26:5: a page lacks the key 'kind'\n"},
	{"key of another kind of page", "    track: a\n",
	 "    track: a\n"
	 "    rows: rw_mix\n",
	 "30:5: unknown key 'rows'\n"},
	{"unknown kind of step", "  - rounds:", "  - round:",
	 "11:5: unknown kind of step 'round', did you mean 'rounds'?\n"},
	{"R/W mix over 100", "[100/0, 0/100]", "[100/0, 0/101]",
	 "15:27: rw_mix: '0/101' sums to 101, reads/writes must sum to 100\n"},
	{"R/W mix under 100", "rw_mix: 0/100, b", "rw_mix: 0/99, b",
	 "24:45: rw_mix: '0/99' sums to 99, reads/writes must sum to 100\n"},
	{"no R/W mix", "[100/0, 0/100]", "[100/0, 50%]",
	 "15:27: rw_mix: '50%' is no R/W mix: reads/writes in %, as 65/35\n"},
	{"tracked cell not in the axes", "block_size: 4KiB}", "block_size: 16KiB}",
	 "24:64: the tracked cell is not in the axes: block_size has no '16KiB'\n"},
	{"track of two cells", "rw_mix: 0/100, block_size: 4KiB}", "rw_mix: 0/100}",
	 "24:13: the track lacks the key 'block_size': the axis has 2 values\n"},
	{"track on no axis", "metric: iops,", "metric: iops, threads: 2,",
	 "24:46: the tracked cell is not in the axes: threads has no '2'\n"},
	{"unknown metric", "metric: iops", "metric: iop",
	 "24:31: metric: 'iop' is unknown here, did you mean 'iops'?\n"},
	{"axis twice", "        - block_size: [4KiB, 8KiB]\n",
	 "        - block_size: [4KiB, 8KiB]\n"
	 "        - block_size: [4KiB]\n",
	 "17:11: axis block_size stands twice\n"},
	{"value twice in an axis", "[4KiB, 8KiB]", "[4KiB, 4096B]",
	 "16:30: '4096B' stands twice in the axis\n"},
	{"axis and workload give the same", "    threads: 1\n",
	 "    threads: 1\n"
	 "    block_size: 4KiB\n",
	 "17:11: block_size is given twice: the workload has it too\n"},
	{"nothing gives it", "    queue_depth: 1\n", "",
	 "11:7: nothing gives a queue_depth: neither workload 'w', nor the step,"
	 " nor an axis\n"},
	{"step and workload give the same", "      workload: w\n",
	 "      workload: w\n"
	 "      threads: 2\n",
	 "14:16: threads is given twice: workload 'w' (line 7) has it too\n"},
	{"required key", "        slope: 10%\n", "", "20:9: 'steady' lacks the key 'slope'\n"},
	{"required block", "      name: rounds\n", "",
	 "12:7: a step 'rounds' lacks the key 'name'\n"},
	{"second document", "    track: a\n",
	 "    track: a\n"
	 "---\n"
	 "title: U\n",
	 "30:1: a second document: one file holds one spec\n"},
	{"tab", "    access: random", "\taccess: random",
	 "7:1: a tab: YAML is indented with blanks\n"},
	{"no YAML", "title: T", "title: [T",
	 "2:11: no YAML: did not find expected ',' or ']' (while parsing a flow "
	 "sequence, line 1)\n"},
	{"list where a value is wanted", "window: 5", "window: [5]",
	 "20:17: a single value is wanted, not a list\n"},
	{"block where a value is wanted", "window: 5", "window: {clause: a, basis: choice}",
	 "20:17: a value is wanted, not a block of keys (a value with its source"
	 " is {value: ..., clause: ..., basis: ...})\n"},
	{"value where a block is wanted",
	 "      steady:\n"
	 "        window: 5\n",
	 "      steady: 5\n"
	 "      steadi:\n"
	 "        window: 5\n",
	 "19:15: 'steady' wants a block of keys, not a single value\n"
	 "20:7: unknown key 'steadi', did you mean 'steady'?\n"},
	{"value where a list is wanted",
	 "axes:\n"
	 "        - rw_mix: [100/0, 0/100]\n"
	 "        - block_size: [4KiB, 8KiB]\n",
	 "axes: rw_mix\n", "14:13: a list is wanted, not a single value\n"},
	{"empty value", "window: 5",
	 "window:", "20:16: a single value is wanted, not nothing\n"},
	{"empty list", "[4KiB, 8KiB]", "[]", "16:23: the list is empty (1 .. 256)\n"},
	{"clause without basis", "{value: 60s,", "{value: 60s, clause: \"1\",",
	 "3:27: a clause wants its basis: confirmed, implemented or choice\n"},
	{"basis without clause", "{value: 60s,", "{value: 60s, basis: choice,",
	 "3:27: a basis wants its clause\n"},
	{"unknown basis", "{value: 60s,", "{value: 60s, clause: \"1\", basis: sure,",
	 "3:47: basis: 'sure' is unknown here; one of confirmed, implemented, ch"
	 "oice\n"},
	{"a standard wants sources", "title: T\n",
	 "title: T\n"
	 "standard: S\n"
	 "modes: {enterprise: {revision: a}, client: {revision: b}}\n",
	 "5:22: cell_time: the file names a standard, this value wants a clause "
	 "and a basis\n"
	 "6:15: max_rounds: the file names a standard, this value wants a clause"
	 " and a basis\n"
	 "9:13: access: the file names a standard, this value wants a clause and"
	 " a basis\n"
	 "10:14: threads: the file names a standard, this value wants a clause a"
	 "nd a basis\n"
	 "11:18: queue_depth: the file names a standard, this value wants a clau"
	 "se and a basis\n"
	 "17:20: rw_mix: the file names a standard, this value wants a clause an"
	 "d a basis\n"
	 "17:27: rw_mix: the file names a standard, this value wants a clause an"
	 "d a basis\n"
	 "18:24: block_size: the file names a standard, this value wants a claus"
	 "e and a basis\n"
	 "18:30: block_size: the file names a standard, this value wants a claus"
	 "e and a basis\n"
	 "22:17: window: the file names a standard, this value wants a clause an"
	 "d a basis\n"
	 "23:16: range: the file names a standard, this value wants a clause and"
	 " a basis\n"
	 "24:16: slope: the file names a standard, this value wants a clause and"
	 " a basis\n"
	 "26:31: metric: the file names a standard, this value wants a clause an"
	 "d a basis\n"
	 "26:45: rw_mix: the file names a standard, this value wants a clause an"
	 "d a basis\n"
	 "26:64: block_size: the file names a standard, this value wants a claus"
	 "e and a basis\n"},
	{"a standard wants modes", "title: T\n",
	 "title: T\n"
	 "standard: S\n",
	 "2:1: the file names a standard: it lacks the key 'modes'\n"
	 "4:22: cell_time: the file names a standard, this value wants a clause "
	 "and a basis\n"
	 "5:15: max_rounds: the file names a standard, this value wants a clause"
	 " and a basis\n"
	 "8:13: access: the file names a standard, this value wants a clause and"
	 " a basis\n"
	 "9:14: threads: the file names a standard, this value wants a clause an"
	 "d a basis\n"
	 "10:18: queue_depth: the file names a standard, this value wants a clau"
	 "se and a basis\n"
	 "16:20: rw_mix: the file names a standard, this value wants a clause an"
	 "d a basis\n"
	 "16:27: rw_mix: the file names a standard, this value wants a clause an"
	 "d a basis\n"
	 "17:24: block_size: the file names a standard, this value wants a claus"
	 "e and a basis\n"
	 "17:30: block_size: the file names a standard, this value wants a claus"
	 "e and a basis\n"
	 "21:17: window: the file names a standard, this value wants a clause an"
	 "d a basis\n"
	 "22:16: range: the file names a standard, this value wants a clause and"
	 " a basis\n"
	 "23:16: slope: the file names a standard, this value wants a clause and"
	 " a basis\n"
	 "25:31: metric: the file names a standard, this value wants a clause an"
	 "d a basis\n"
	 "25:45: rw_mix: the file names a standard, this value wants a clause an"
	 "d a basis\n"
	 "25:64: block_size: the file names a standard, this value wants a claus"
	 "e and a basis\n"},
};

static void each_fault_has_its_place(void **state)
{
	(void)state;
	check_fault_cases(cases, sizeof(cases) / sizeof(cases[0]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_fault_has_its_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
