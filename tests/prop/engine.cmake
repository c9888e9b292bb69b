pts_test(prop_engine_jobs SOURCES ${CMAKE_SOURCE_DIR}/tests/prop/prop_engine_jobs.c
	USES core base LIBS m LABELS prop engine)
