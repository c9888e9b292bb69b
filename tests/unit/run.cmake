# The run's tests share tests/unit/run_fixture.c: runs of small specs on files of their own.
foreach(name test_run_whole test_run_refuse test_run_stop test_run_resume test_run_broken)
	pts_test(${name} SOURCES ${CMAKE_SOURCE_DIR}/tests/unit/${name}.c
		${CMAKE_SOURCE_DIR}/tests/unit/run_fixture.c
		USES run verify plan spec judge store core device base
		LIBS PkgConfig::SQLITE3 Threads::Threads m LABELS unit run)
	target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests/unit)
endforeach()
