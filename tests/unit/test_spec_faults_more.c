/*
 * Faults of a spec, second part: a sound text with one piece replaced, and every line that the
 * reader must say about it, place and all.
 */
#include "test_spec_faults.h"

static const struct fault_case cases[] = {
	{"mode lacks a parameter", "title: T\n",
	 "title: T\n"
	 "modes: {enterprise: {max_loops: 2}, client: {}}\n",
	 "2:22: mode 'client' lacks the key 'max_loops'\n"},
	{"unknown mode", "title: T\n",
	 "title: T\n"
	 "modes: {enterprize: {}, enterprise: {}, client: {}}\n",
	 "2:9: unknown mode 'enterprize', did you mean 'enterprise'?\n"},
	{"parameter twice", "  max_rounds: 25\n",
	 "  max_rounds: 25\n"
	 "modes: {enterprise: {max_rounds: 2}, client: {max_rounds: 2}}\n",
	 "4:3: parameter 'max_rounds' is given at 5:34 already\n"
	 "5:34: max_rounds is 2, the window needs 5 rounds\n"},
	{"parameter with a bad name", "  max_rounds: 25\n",
	 "  max_rounds: 25\n"
	 "  Max: 3\n",
	 "5:3: 'Max' is no name of a parameter: small letters, digits and _\n"},
	{"parameter refers to another", "max_rounds: 25", "max_rounds: $cell_time",
	 "4:15: a parameter can't refer to another one\n"
	 "18:19: unknown reference '$max_rounds'\n"},
	{"parameter of the wrong kind", "max_rounds: 25", "max_rounds: [25, 26]",
	 "18:19: '$max_rounds' is a list, a single value is wanted\n"},
	{"tag", "title: T", "title: !!int T",
	 "1:8: tags have no meaning here, the key gives the type\n"},
	{"key that is no text", "title: T", "[title]: T", "1:1: a key must be text\n"},
	{"name of a step twice", "pages:\n",
	 "  - load: {name: rounds, workload: w, rw_mix: 0/100, block_size: 4KiB,"
	 " until: {time: 1s}}\n"
	 "pages:\n",
	 "25:11: step name 'rounds' is used twice, first in line 11\n"},
	{"until without a rule", "pages:\n",
	 "  - load: {name: l, workload: w, rw_mix: 0/100, block_size: 4KiB, unti"
	 "l: {}}\n"
	 "pages:\n",
	 "25:74: 'until' wants at least one of amount, time, latency, steady\n"},
	{"steady load without samples", "pages:\n",
	 "  - load: {name: l, workload: w, rw_mix: 0/100, block_size: 4KiB, unti"
	 "l: {steady: {window: 5, range: 20%, slope: 10%, track: [{name: b, metr"
	 "ic: iops}]}}}\n"
	 "pages:\n",
	 "25:75: a load is steady over samples: the step lacks the key 'sampled'"
	 "\n"},
	{"amount of pure reads", "pages:\n",
	 "  - load: {name: l, workload: w, rw_mix: 100/0, block_size: 4KiB, unti"
	 "l: {amount: 1x capacity}}\n"
	 "pages:\n",
	 "25:83: the workload writes nothing, the amount is never reached\n"},
	{"amount without unit", "pages:\n",
	 "  - load: {name: l, workload: w, rw_mix: 0/100, block_size: 4KiB, unti"
	 "l: {amount: 2}}\n"
	 "pages:\n",
	 "25:83: amount: '2': a unit is missing: 2x capacity, 2GiB\n"},
	{"unknown point", "pages:\n",
	 "  - load: {name: l, workload: w, at: p, rw_mix: 0/100, block_size: 4Ki"
	 "B, until: {time: 1s}}\n"
	 "pages:\n",
	 "25:38: no earlier step chooses a point 'p'\n"
	 "25:38: threads is given twice: the point has it\n"
	 "25:38: queue_depth is given twice: the point has it\n"},
	{"histogram that no step keeps", "pages:\n",
	 "  - load: {name: l, workload: w, rw_mix: 0/100, block_size: 4KiB, unti"
	 "l: {time: 1s}}\n"
	 "pages:\n"
	 "  - {kind: histogram, title: H, step: l}\n",
	 "27:39: step 'l' keeps no histogram (histogram: true)\n"},
	{"recovery without a level", "pages:\n",
	 "  - load: {name: l, workload: w, rw_mix: 0/100, block_size: 4KiB, unti"
	 "l: {time: 1s}}\n"
	 "pages:\n"
	 "  - {kind: recovery, title: R, steps: [l], y: iops}\n",
	 "27:5: a page 'recovery' lacks the key 'level'\n"},
	{"recovery to a level of nothing", "pages:\n",
	 "  - load: {name: l, workload: w, rw_mix: 0/100, block_size: 4KiB, unti"
	 "l: {time: 1s}}\n"
	 "pages:\n"
	 "  - {kind: recovery, title: R, steps: [l], y: iops, level: 0%}\n",
	 "27:60: level: '0%' is out of range: above 0% .. 100%\n"},
	{"page of a step without rounds", "pages:\n",
	 "  - load: {name: l, workload: w, rw_mix: 0/100, block_size: 4KiB, unti"
	 "l: {time: 1s}}\n"
	 "pages:\n"
	 "  - {kind: window, title: H, step: l, track: a}\n",
	 "27:36: step 'l' has no rounds\n"},
	{"axis that is not looped", "pages:\n",
	 "pages:\n"
	 "  - {kind: matrix_columns, title: H, step: rounds, x: threads, z: rw_m"
	 "ix, y: iops}\n",
	 "26:55: threads is no axis of step 'rounds'\n"},
	{"where on a value that is not there", "pages:\n",
	 "pages:\n"
	 "  - {kind: convergence, title: H, step: rounds, y: iops, where: {rw_mi"
	 "x: 50/50}}\n",
	 "26:74: axis rw_mix of step 'rounds' has no such value\n"},
	{"timeline of nothing", "pages:\n",
	 "pages:\n"
	 "  - {kind: timeline, title: H, x: time, y: iops}\n",
	 "26:5: a page 'timeline': one of step, steps and group is wanted\n"},
	{"for_each variable unused", "pages:\n",
	 "  - for_each: {variable: v, values: [1s], steps: [{idle: {name: i, tim"
	 "e: 1s}}]}\n"
	 "pages:\n",
	 "25:26: variable 'v' is used nowhere ($v or {v})\n"},
	{"for_each without its name", "pages:\n",
	 "  - for_each: {variable: v, values: [1s, 2s], steps: [{idle: {name: i,"
	 " time: $v}}]}\n"
	 "pages:\n",
	 "25:62: step name 'i' is used twice, first in line 25 (put {v} into it)"
	 "\n"},
	{"for_each value of the wrong kind", "pages:\n",
	 "  - for_each: {variable: v, values: [1s, 2], steps: [{idle: {name: 'i "
	 "{v}', time: $v}}]}\n"
	 "pages:\n",
	 "25:42: time: '2': a unit is missing: 2s, 2min\n"},
	{"for_each hides a parameter", "pages:\n",
	 "  - for_each: {variable: cell_time, values: [1s], steps: [{idle: {name"
	 ": i, time: $cell_time}}]}\n"
	 "pages:\n",
	 "25:26: a parameter has the name 'cell_time' already\n"},
	{"unknown name in a text", "title: P", "title: P {nothing}",
	 "27:12: unknown reference '$nothing'\n"},
	{"alias that holds itself", "pages:\n",
	 "labels: &l [a, *l]\n"
	 "pages:\n",
	 "25:16: the alias holds itself: its anchor is at 25:9\n"},
	{"fault behind an alias", "cell_time: {value: 60s, help: h}\n",
	 "cell_time: &v\n"
	 "    value: 60\n"
	 "    help: h\n"
	 "  copy: *v\n",
	 "4:12: cell_time: '60': a unit is missing: 60s, 60min\n"},
	{"alias to nothing", "title: T", "title: *t", "1:8: no YAML: found undefined alias\n"},
	{"weights",
	 "    access: random\n"
	 "    threads: 1",
	 "    streams:\n"
	 "      - {name: a, weight: 50%, access: random, rw_mix: 0/100, block_si"
	 "ze: 4KiB}\n"
	 "      - {name: b, weight: 49%, access: random, rw_mix: 0/100, block_si"
	 "ze: 4KiB}\n"
	 "    threads: 1",
	 "8:7: the weights sum to 99%, less than 100%\n"},
	{"control character", "title: T", "title: \"T\\x07\"",
	 "1:8: the value holds a control character\n"},
	{"sizes under 100 %",
	 "    access: random\n"
	 "    threads: 1",
	 "    access: random\n"
	 "    rw_mix: 0/100\n"
	 "    sizes: [{size: 4KiB, share: 60%}, {size: 8KiB, share: 39.999999999"
	 "%}]\n"
	 "    threads: 1",
	 "9:12: the shares sum to 99.999999999%, less than 100%\n"},
	{"sizes over 100 %",
	 "    access: random\n"
	 "    threads: 1",
	 "    access: random\n"
	 "    rw_mix: 0/100\n"
	 "    sizes: [{size: 4KiB, share: 60%}, {size: 8KiB, share: 40.000000001"
	 "%}]\n"
	 "    threads: 1",
	 "9:12: the shares sum to 100.000000001%, more than 100%\n"},
	{"share with too many decimals",
	 "    access: random\n"
	 "    threads: 1",
	 "    access: random\n"
	 "    rw_mix: 0/100\n"
	 "    sizes: [{size: 4KiB, share: 60%}, {size: 8KiB, share: 39.999999999"
	 "9%}]\n"
	 "    threads: 1",
	 "9:59: share: '39.9999999999%' is no share: a number with % and at most"
	 " nine decimals\n"},
	{"share without unit",
	 "    access: random\n"
	 "    threads: 1",
	 "    access: random\n"
	 "    rw_mix: 0/100\n"
	 "    sizes: [{size: 4KiB, share: 60%}, {size: 8KiB, share: 40}]\n"
	 "    threads: 1",
	 "9:59: share: '40': a unit is missing: 40%\n"},
	{"share of nothing",
	 "    access: random\n"
	 "    threads: 1",
	 "    access: random\n"
	 "    rw_mix: 0/100\n"
	 "    sizes: [{size: 4KiB, share: 100%}, {size: 8KiB, share: 0%}]\n"
	 "    threads: 1",
	 "9:60: share: '0%' is out of range: above 0% .. 100%\n"},
	{"size twice",
	 "    access: random\n"
	 "    threads: 1",
	 "    access: random\n"
	 "    rw_mix: 0/100\n"
	 "    sizes: [{size: 4KiB, share: 60%}, {size: 4096B, share: 40%}]\n"
	 "    threads: 1",
	 "9:12: sizes: a size stands twice\n"},
	{"zones over 100 %",
	 "    access: random\n"
	 "    threads: 1",
	 "    access: random\n"
	 "    zones: [{span: 50%, access: 50%}, {span: 51%, access: 51%}]\n"
	 "    threads: 1",
	 "8:12: the spans sum to 101%, more than 100%\n"
	 "8:12: the accesses sum to 101%, more than 100%\n"},
	{"zones of sequential access",
	 "    access: random\n"
	 "    threads: 1",
	 "    access: sequential\n"
	 "    zones: [{span: 100%, access: 100%}]\n"
	 "    threads: 1",
	 "8:12: zones are for random access\n"},
	{"block_size beside sizes",
	 "    access: random\n"
	 "    threads: 1",
	 "    access: random\n"
	 "    rw_mix: 0/100\n"
	 "    sizes: [{size: 4KiB, share: 60%}, {size: 8KiB, share: 40%}]\n"
	 "    threads: 1\n"
	 "    block_size: 4KiB",
	 "11:17: block_size, sizes, and read_sizes with write_sizes exclude one "
	 "another\n"},
	{"read_sizes alone",
	 "    access: random\n"
	 "    threads: 1",
	 "    access: random\n"
	 "    rw_mix: 0/100\n"
	 "    read_sizes: [{size: 4KiB, share: 60%}, {size: 8KiB, share: 40%}]\n"
	 "    threads: 1",
	 "9:17: read_sizes and write_sizes go together\n"},
	{"weight and rate",
	 "    access: random\n"
	 "    threads: 1",
	 "    streams:\n"
	 "      - {name: a, weight: 100%, rate: 5 IOPS, access: random, rw_mix: "
	 "0/100, block_size: 4KiB}\n"
	 "    threads: 1",
	 "8:9: a stream has a weight or a rate, not both\n"},
	{"pattern beside streams",
	 "    access: random\n"
	 "    threads: 1",
	 "    access: random\n"
	 "    streams:\n"
	 "      - {name: a, weight: 100%, access: random, rw_mix: 0/100, block_s"
	 "ize: 4KiB}\n"
	 "    threads: 1",
	 "7:5: access belongs into the streams, this workload has several\n"},
	{"axis over several streams",
	 "    access: random\n"
	 "    threads: 1",
	 "    streams:\n"
	 "      - {name: a, weight: 100%, access: random, rw_mix: 0/100, block_s"
	 "ize: 4KiB}\n"
	 "    threads: 1",
	 "16:11: rw_mix can't be given here: workload 'w' has several streams\n"
	 "17:11: block_size can't be given here: workload 'w' has several stream"
	 "s\n"},
	{"arrivals without a rate",
	 "    access: random\n"
	 "    threads: 1",
	 "    access: random\n"
	 "    threads: 1\n"
	 "    arrivals: constant",
	 "13:7: workload 'w' has arrivals but no rate, and the step gives none\n"},
	{"no access", "access: random", "access: 101% random",
	 "7:13: access: '101% random' is no access: random, sequential or as 70%"
	 " random\n"},
	{"region beyond the range",
	 "    access: random\n"
	 "    threads: 1",
	 "    access: random\n"
	 "    threads: 1\n"
	 "    region: {start: 60%, share: 50%}",
	 "9:13: the region ends beyond the active range\n"},
	{"segments alone",
	 "    access: random\n"
	 "    threads: 1",
	 "    access: random\n"
	 "    threads: 1\n"
	 "    segments: 2048",
	 "9:15: segments and segment_share go together\n"},
	{"too many decimals in a reference", "range: 20%", "range: 20.0000000001%",
	 "21:16: range: '20.0000000001%' is no share: a number with % and at mos"
	 "t nine decimals\n"},
	{"begin something else after a stop", "      steady:\n",
	 "      on_gap: round\n"
	 "      steady:\n",
	 "19:15: on_gap: 'round' is unknown here; one of step, test\n"},
	{"choose from nothing", "pages:\n",
	 "  - choose: {name: c, from: round, points: [{name: p, rule: highest, m"
	 "etric: iops}]}\n"
	 "pages:\n",
	 "25:29: no earlier step is called 'round', did you mean 'rounds'?\n"},
	{"choose a cell that is none", "pages:\n",
	 "  - choose: {name: c, from: rounds, points: [{name: p, rule: cell, rw_"
	 "mix: 50/50, block_size: 4KiB}]}\n"
	 "pages:\n",
	 "25:76: the cell is not in the axes of step 'rounds'\n"},
	{"choose a key of another rule", "pages:\n",
	 "  - choose: {name: c, from: rounds, points: [{name: p, rule: highest, "
	 "metric: iops, between: [a, b]}]}\n"
	 "pages:\n",
	 "25:85: between belongs to rule nearest_mean\n"},
	{"choose between unknown points", "pages:\n",
	 "  - choose: {name: c, from: rounds, points: [{name: p, rule: nearest_m"
	 "ean, metric: iops, between: [a, b]}]}\n"
	 "pages:\n",
	 "25:100: no earlier point is called 'a'\n"
	 "25:103: no earlier point is called 'b'\n"},
	{"curve above its range", "pages:\n",
	 "  - curve: {name: c, workload: w, rw_mix: 0/100, block_size: 4KiB, tim"
	 "e: 1s, shares: [10%, 1001%]}\n"
	 "pages:\n",
	 "25:92: shares: '1001%' is out of range: 0.1% .. 1000%\n"},
	{"before a round only loads", "      cell_time: $cell_time\n",
	 "      cell_time: $cell_time\n"
	 "      before_round: [{idle: {name: i, time: 1s}}]\n",
	 "18:23: before a round there are steps 'load' only\n"},
	{"fault behind an alias of a block", "pages:\n",
	 "  - load: &l {name: one, workload: w, rw_mix: 0/100, block_size: 4KiB,"
	 " until: {time: 1s}, hist: true}\n"
	 "  - load: *l\n"
	 "pages:\n",
	 "25:11: step name 'one' is used twice, first in line 25 (used by the al"
	 "ias at 26:11)\n"
	 "25:91: unknown key 'hist'\n"
	 "25:91: unknown key 'hist' (used by the alias at 26:11)\n"},
	{"a time too long", "60s", "31000h",
	 "3:22: cell_time: '31000h' is out of range: 1ms .. 30 days\n"},
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
