# Parts of the command line that need no program around them. The CLI is no library: its files
# are compiled into the tests.
pts_test(test_cli_line SOURCES ${CMAKE_SOURCE_DIR}/tests/unit/test_cli_line.c
	${CMAKE_SOURCE_DIR}/pts/cli/cli_progress_line.c ${CMAKE_SOURCE_DIR}/pts/cli/cli_out.c
	USES base run plan spec LABELS unit cli)
pts_test(test_cli_csv SOURCES ${CMAKE_SOURCE_DIR}/tests/unit/test_cli_csv.c
	${CMAKE_SOURCE_DIR}/pts/cli/cli_csv.c USES base LABELS unit cli)
foreach(name test_cli_line test_cli_csv)
	target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/pts/cli)
endforeach()
