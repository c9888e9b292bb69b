# The engine's tests share tests/unit/engine_fixture.c.
function(pts_engine_test name)
	pts_test(${name} SOURCES ${CMAKE_SOURCE_DIR}/tests/unit/${name}.c
		${CMAKE_SOURCE_DIR}/tests/unit/engine_fixture.c
		USES core sim base judge LIBS PkgConfig::JANSSON PkgConfig::LIBURING Threads::Threads m
		LABELS unit engine ${ARGN})
	target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests/unit)
endfunction()

pts_engine_test(test_engine_draw)
pts_engine_test(test_engine_sequential)
pts_engine_test(test_engine_payload)
pts_engine_test(test_engine_window)
pts_engine_test(test_engine_errors)
pts_engine_test(test_engine_uring)
pts_engine_test(test_engine_life)
pts_engine_test(test_engine_sim_ftl)
foreach(name sim sim_ways sim_faults)
	pts_engine_test(test_engine_${name})
	target_sources(test_engine_${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests/unit/engine_sim_fixture.c)
endforeach()
