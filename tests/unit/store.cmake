# The tests of store and verify: synthetic runs (synth_store.c) of real plans.
function(pts_store_test name)
	cmake_parse_arguments(S "" "TIMEOUT;FOLDER" "" ${ARGN})
	if(NOT S_TIMEOUT)
		set(S_TIMEOUT 300)
	endif()
	if(NOT S_FOLDER)
		set(S_FOLDER unit)
	endif()
	set(unit ${CMAKE_SOURCE_DIR}/tests/unit)
	pts_test(${name} SOURCES ${CMAKE_SOURCE_DIR}/tests/${S_FOLDER}/${name}.c
		${unit}/store_fixture.c ${unit}/synth_store.c ${unit}/synth_judge.c ${unit}/plan_fixture.c
		USES verify store judge plan spec base
		LIBS PkgConfig::SQLITE3 PkgConfig::JANSSON m LABELS ${S_FOLDER} store
		TIMEOUT ${S_TIMEOUT})
	target_include_directories(${name} PRIVATE ${unit})
endfunction()

pts_store_test(test_verify_sound)
pts_store_test(prop_verify_digit FOLDER prop)
pts_store_test(test_store_write)
pts_store_test(test_store_hostile)
