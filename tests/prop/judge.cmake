pts_test(prop_judge_steady SOURCES ${CMAKE_SOURCE_DIR}/tests/prop/prop_judge_steady.c
	USES judge base LIBS m LABELS prop judge)
