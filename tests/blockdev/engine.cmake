pts_test(test_engine_loop SOURCES ${CMAKE_SOURCE_DIR}/tests/blockdev/test_engine_loop.c
	${CMAKE_SOURCE_DIR}/tests/unit/engine_fixture.c
	USES core base judge LIBS Threads::Threads m LABELS blockdev engine)
target_include_directories(test_engine_loop PRIVATE ${CMAKE_SOURCE_DIR}/tests/unit)
