pts_test(prop_base_quantities SOURCES ${CMAKE_SOURCE_DIR}/tests/prop/prop_base_quantities.c
	USES base LIBS m LABELS prop base)
pts_test(prop_base_hist SOURCES ${CMAKE_SOURCE_DIR}/tests/prop/prop_base_hist.c
	USES base LIBS m LABELS prop base)
