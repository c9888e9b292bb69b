# Tests of the command line: shell scripts over the program and small helpers in C.
set(schemacheck_more ${CMAKE_SOURCE_DIR}/tests/unit/json_schema.c)
foreach(helper jsonq judge_oracle schemacheck)
	add_executable(${helper} ${CMAKE_SOURCE_DIR}/tests/cli/${helper}.c ${${helper}_more})
	target_include_directories(${helper} PRIVATE ${CMAKE_SOURCE_DIR}/tests/unit)
	target_link_libraries(${helper} PRIVATE PkgConfig::JANSSON m)
	set_target_properties(${helper} PROPERTIES
		RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
endforeach()
foreach(script usage help man completion check info plan judge stimulus terminal)
	pts_script_test(cli_${script} ${CMAKE_SOURCE_DIR}/tests/cli/${script}.sh LABELS cli)
endforeach()
foreach(script e2e_file stop_resume resume_line guard)
	pts_script_test(cli_${script} ${CMAKE_SOURCE_DIR}/tests/cli/${script}.sh LABELS cli e2e
		TIMEOUT 600)
endforeach()
