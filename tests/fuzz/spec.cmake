# fuzz_spec FILE|FOLDER... replays a corpus with any compiler; with PTS_FUZZ (clang) it is a libFuzzer
# target: build/fuzz/tests/fuzz_spec -max_len=20000 NEW-CORPUS specs tests/fuzz/seeds-spec
add_executable(fuzz_spec ${CMAKE_SOURCE_DIR}/tests/fuzz/fuzz_spec.c)
target_link_libraries(fuzz_spec PRIVATE pts_spec pts_base)
set_target_properties(fuzz_spec PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
if(PTS_FUZZ)
	target_compile_definitions(fuzz_spec PRIVATE PTS_LIBFUZZER)
	target_link_options(fuzz_spec PRIVATE -fsanitize=fuzzer)
	foreach(room spec base)
		target_compile_options(pts_${room} PRIVATE -fsanitize=fuzzer-no-link)
	endforeach()
else()
	add_test(NAME fuzz_spec COMMAND fuzz_spec --mutate 3000 specs tests/golden/spec
		tests/fuzz/seeds-spec WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
	set_tests_properties(fuzz_spec PROPERTIES TIMEOUT 300 LABELS "fuzz;spec")
endif()
