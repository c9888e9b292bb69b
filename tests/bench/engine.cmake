# Not run by ctest: see tests/bench/bench_engine.sh.
add_executable(bench_engine ${CMAKE_SOURCE_DIR}/tests/bench/bench_engine.c)
target_link_libraries(bench_engine PRIVATE pts_core pts_base)
set_target_properties(bench_engine PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)

add_executable(bench_sim_ftl ${CMAKE_SOURCE_DIR}/tests/bench/bench_sim_ftl.c)
target_link_libraries(bench_sim_ftl PRIVATE pts_sim pts_base)
set_target_properties(bench_sim_ftl PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
