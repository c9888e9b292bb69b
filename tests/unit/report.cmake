# The report's tests; all but test_report_store read a store in memory: a whole IOPS run
# (report_fake_store.c) or a few rows of the test's own (report_table_store.c).
function(pts_report_test name)
	cmake_parse_arguments(R "" "" "SOURCES;USES" ${ARGN})
	list(TRANSFORM R_SOURCES PREPEND ${CMAKE_SOURCE_DIR}/tests/unit/)
	pts_test(${name} SOURCES ${CMAKE_SOURCE_DIR}/tests/unit/${name}.c ${R_SOURCES}
		USES report store base ${R_USES} LIBS PkgConfig::JANSSON m LABELS unit report)
	target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests/unit)
endfunction()

pts_report_test(test_report_escape)
pts_report_test(test_report_plots SOURCES report_scratch.c)
foreach(name test_report_write test_report_states test_report_csv
	test_report_json test_report_markdown)
	pts_report_test(${name} SOURCES report_scratch.c report_render.c report_fake_store.c
		json_schema.c
		USES judge)
endforeach()
foreach(name test_report_timeline test_report_histogram test_report_kinds)
	pts_report_test(${name} SOURCES report_table_store.c)
endforeach()
pts_report_test(test_report_store SOURCES report_scratch.c json_schema.c USES spec plan judge)
