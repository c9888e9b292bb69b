# The plan's tests share tests/unit/plan_fixture.c.
function(pts_plan_test name)
	pts_test(${name} SOURCES ${CMAKE_SOURCE_DIR}/tests/unit/${name}.c
		${CMAKE_SOURCE_DIR}/tests/unit/plan_fixture.c
		USES plan spec base LIBS PkgConfig::JANSSON LABELS unit plan)
	target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests/unit)
endfunction()

pts_plan_test(test_plan_geometry)
pts_plan_test(test_plan_small)
pts_plan_test(test_plan_time)
pts_plan_test(test_plan_assume)
pts_plan_test(test_plan_deviations)
pts_plan_test(test_plan_runnable)
pts_plan_test(test_plan_text)
pts_plan_test(test_plan_json)
