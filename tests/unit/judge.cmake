# The judge's tests share tests/unit/judge_fixture.c: a CSV reader and comparisons.
foreach(name test_judge_steady test_judge_series test_judge_share test_judge_published test_judge_point)
	pts_test(${name} SOURCES ${CMAKE_SOURCE_DIR}/tests/unit/${name}.c
		${CMAKE_SOURCE_DIR}/tests/unit/judge_fixture.c
		USES judge base LIBS PkgConfig::JANSSON m LABELS unit judge)
	target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests/unit)
endforeach()
