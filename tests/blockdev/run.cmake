pts_script_test(run_foreign ${CMAKE_SOURCE_DIR}/tests/blockdev/foreign.sh LABELS blockdev run)
