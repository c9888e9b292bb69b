foreach(name test_base_text test_base_units test_base_hist test_base_locale test_base_small)
	pts_test(${name} SOURCES ${CMAKE_SOURCE_DIR}/tests/unit/${name}.c
		USES base LIBS PkgConfig::JANSSON m LABELS unit base)
endforeach()
