pts_test(prop_plan_engine SOURCES ${CMAKE_SOURCE_DIR}/tests/prop/prop_plan_engine.c
	${CMAKE_SOURCE_DIR}/tests/unit/plan_fixture.c
	USES plan spec core base LIBS PkgConfig::JANSSON Threads::Threads m LABELS prop plan)
target_include_directories(prop_plan_engine PRIVATE ${CMAKE_SOURCE_DIR}/tests/unit)
