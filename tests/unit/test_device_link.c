/* The link's limit and verdict: the cases of the fixture, and all ways to be below the best. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "device_link.h"
#include "pts_text.h"

static void copy(char *text, size_t room, const json_t *object, const char *key)
{
	const char *value = json_string_value(json_object_get(object, key));

	snprintf(text, room, "%s", value ? value : "");
}

static double rate(const json_t *one, const char *key)
{
	json_t *value = json_object_get(one, key);

	return value ? json_number_value(value) : 0;
}

static void same_limit(const json_t *expected, const char *key, double got)
{
	const char *text = json_string_value(json_object_get(expected, key));
	char mine[32];

	if (!text)
		return;
	snprintf(mine, sizeof(mine), "%.4f", got);
	assert_string_equal(mine, text);
}

static void one_case(const json_t *one)
{
	const json_t *sysfs = json_object_get(one, "sysfs");
	const json_t *expected = json_object_get(one, "expected");
	const char *verdict = json_string_value(json_object_get(expected, "verdict"));
	struct device_facts facts = {0};
	struct device_link link;
	double read = rate(one, "measured_read_MB_s");

	copy(facts.link_speed, sizeof(facts.link_speed), sysfs, "current_link_speed");
	copy(facts.link_width, sizeof(facts.link_width), sysfs, "current_link_width");
	copy(facts.link_speed_max, sizeof(facts.link_speed_max), sysfs, "max_link_speed");
	copy(facts.link_width_max, sizeof(facts.link_width_max), sysfs, "max_link_width");
	if (!read)
		read = rate(one, "measured_MB_s");
	device_link_judge(&facts, read, rate(one, "measured_write_MB_s"), &link);
	same_limit(expected, "link_limit_MB_s_before_protocol", link.limit_mb_per_s);
	same_limit(expected, "best_limit_MB_s", link.best_mb_per_s);
	/* the fixture's verdict goes on with words of its own */
	if (strncmp(verdict, device_link_state_text(link.state),
		    strlen(device_link_state_text(link.state))) != 0)
		fail_msg("%s: %s, not %s", json_string_value(json_object_get(one, "id")),
			 device_link_state_text(link.state), verdict);
	assert_int_equal(link.text[0] == '\0',
			 link.state == DEVICE_LINK_OK || link.state == DEVICE_LINK_UNKNOWN);
}

static void fixture(void **state)
{
	json_t *all = json_load_file(PTS_FIXTURES "/pcie-link.json", 0, NULL), *one;
	size_t i;

	(void)state;
	assert_true(json_array_size(json_object_get(all, "cases")) >= 7);
	json_array_foreach(json_object_get(all, "cases"), i, one) one_case(one);
	json_decref(all);
}

static void limits(void **state)
{
	static const struct {
		const char *speed, *width, *limit;
	} known[] = {
		{"2.5 GT/s PCIe", "1", "250.0000"},
		{"5.0 GT/s PCIe", "2", "1000.0000"},
		{"5 GT/s", "4", "2000.0000"},
		{"8.0 GT/s PCIe", "1", "984.6154"},
		{"16.0 GT/s PCIe", "4", "7876.9231"},
		{"32.0 GT/s PCIe", "4", "15753.8462"},
		{"64.0 GT/s PCIe", "4", "32000.0000"},
		{"6.0 Gbps", "1", "600.0000"},
		{"3.0 Gbps", "1", "300.0000"},
		{"Unknown", "4", "0.0000"},
		{"Unknown speed", "4", "0.0000"},
		{"16.0 GT/s PCIe", "0", "0.0000"},
		{"16.0 GT/s PCIe", "255", "0.0000"},
		{"16.0 GT/s PCIe", "", "0.0000"},
		{"", "", "0.0000"},
		{"8..0 GT/s PCIe", "4", "0.0000"},
		{"480 Mbit/s", "1", "0.0000"},
		{"8.0 GT/s PCIe", "4x", "0.0000"},
		{"99999999999999999999 GT/s", "4", "0.0000"},
	};
	char text[32];

	(void)state;
	for (unsigned i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		snprintf(text, sizeof(text), "%.4f",
			 device_link_limit(known[i].speed, known[i].width));
		assert_string_equal(text, known[i].limit);
	}
}

/* B40: speed and width at their best or below, in a good slot or in one that is the reason. */
static void eight_ways(void **state)
{
	struct device_link link;

	(void)state;
	for (unsigned way = 0; way < 8; way++) {
		bool slow = way & 1, narrow = way & 2, poor_slot = way & 4;
		const char *speed = slow ? "8.0 GT/s PCIe" : "16.0 GT/s PCIe";
		const char *width = narrow ? "2" : "4";
		struct device_facts facts = {
			.link_speed_max = "16.0 GT/s PCIe",
			.link_width_max = "4",
		};

		snprintf(facts.link_speed, sizeof(facts.link_speed), "%s", speed);
		snprintf(facts.link_width, sizeof(facts.link_width), "%s", width);
		snprintf(facts.slot_speed_max, sizeof(facts.slot_speed_max), "%s",
			 poor_slot ? speed : "32.0 GT/s PCIe");
		snprintf(facts.slot_width_max, sizeof(facts.slot_width_max), "%s",
			 poor_slot ? width : "16");
		device_link_judge(&facts, 0, 0, &link);
		assert_int_equal(link.state,
				 slow || narrow ? DEVICE_LINK_DOWNGRADED : DEVICE_LINK_OK);
		assert_int_equal(link.is_slot_the_limit, poor_slot && (slow || narrow));
	}
}

/* A fast slot with few lanes can be as good as the drive in MB/s and still be the reason. */
static void narrow_fast_slot(void **state)
{
	struct device_facts facts = {.link_speed = "16.0 GT/s PCIe",
				     .link_width = "2",
				     .link_speed_max = "16.0 GT/s PCIe",
				     .link_width_max = "4",
				     .slot_speed_max = "32.0 GT/s PCIe",
				     .slot_width_max = "2"};
	struct device_link link;

	(void)state;
	device_link_judge(&facts, 0, 0, &link);
	assert_int_equal(link.state, DEVICE_LINK_DOWNGRADED);
	assert_true(link.is_slot_the_limit);
}

static void writes_have_a_limit_too(void **state)
{
	struct device_facts facts = {.link_speed = "6.0 Gbps",
				     .link_width = "1",
				     .link_speed_max = "6.0 Gbps",
				     .link_width_max = "1"};
	struct device_link link;

	(void)state;
	device_link_judge(&facts, 550, 600, &link);
	assert_int_equal(link.state, DEVICE_LINK_OK); /* equal is possible */
	device_link_judge(&facts, 550, 600.1, &link);
	assert_int_equal(link.state, DEVICE_LINK_IMPOSSIBLE);
	assert_non_null(strstr(link.text, "writes of 600.1 MB/s"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fixture),
		cmocka_unit_test(limits),
		cmocka_unit_test(eight_ways),
		cmocka_unit_test(narrow_fast_slot),
		cmocka_unit_test(writes_have_a_limit_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
