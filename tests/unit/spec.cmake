foreach(name test_spec_faults test_spec_faults_more test_spec_bytes test_spec_files
		test_spec_truth test_spec_find test_spec_keys test_spec_assume
		test_spec_golden)
	pts_test(${name} SOURCES ${CMAKE_SOURCE_DIR}/tests/unit/${name}.c
		USES spec base LABELS unit spec LIBS PkgConfig::JANSSON)
endforeach()
