# The model drive, from its files to whole runs.
pts_test(test_device_sim SOURCES ${CMAKE_SOURCE_DIR}/tests/unit/test_device_sim.c
	USES device sim base LABELS unit device sim)
pts_test(test_spec_drive SOURCES ${CMAKE_SOURCE_DIR}/tests/unit/test_spec_drive.c
	USES spec base LABELS unit spec sim)
pts_test(test_sim_state SOURCES ${CMAKE_SOURCE_DIR}/tests/unit/test_sim_state.c
	${CMAKE_SOURCE_DIR}/pts/cli/cli_sim.c USES sim spec device base LABELS unit sim)
target_include_directories(test_sim_state PRIVATE ${CMAKE_SOURCE_DIR}/pts/cli)
pts_script_test(sim_run ${CMAKE_SOURCE_DIR}/tests/sim/run_sim.sh LABELS sim e2e TIMEOUT 600)
pts_script_test(sim_resume ${CMAKE_SOURCE_DIR}/tests/sim/resume_model.sh LABELS sim e2e TIMEOUT 600)

# Every line of the table of verdicts is a test of its own.
file(STRINGS ${CMAKE_CURRENT_SOURCE_DIR}/sim/verdicts.txt verdicts REGEX "^[^#]")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
	${CMAKE_CURRENT_SOURCE_DIR}/sim/verdicts.txt)
foreach(line ${verdicts})
	string(REGEX MATCHALL "[^ ]+" words "${line}")
	list(GET words 0 1 2 key)
	list(JOIN key "_" key)
	string(REPLACE "-" "_" key "${key}")
	pts_script_test(sim_verdict_${key} "${CMAKE_SOURCE_DIR}/tests/sim/verdict.sh;${words}"
		LABELS sim e2e TIMEOUT 900)
endforeach()
pts_script_test(sim_sampled ${CMAKE_SOURCE_DIR}/tests/sim/sampled.sh LABELS sim e2e TIMEOUT 600)
pts_script_test(sim_programme ${CMAKE_SOURCE_DIR}/tests/sim/programme.sh LABELS sim e2e TIMEOUT 900)
pts_script_test(sim_demand ${CMAKE_SOURCE_DIR}/tests/sim/demand.sh LABELS sim e2e TIMEOUT 900)

# Every model that ships is planned and run; IOPS, the longest, where it costs little.
file(GLOB models CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/specs/drives/*.yaml)
foreach(model ${models})
	cmake_path(GET model STEM model)
	string(REPLACE "-" "_" key "${model}")
	set(programmes tp,lat,wsat)
	set(mode enterprise)
	if(model STREQUAL 4kn)
		set(programmes iops,${programmes},dirth)
	elseif(model STREQUAL enterprise-small)
		set(programmes iops,${programmes})
	elseif(model MATCHES "^client-")
		set(mode client)
	endif()
	if(model MATCHES "^(4kn|slow-to-steady|throttling|client-slc)$")
		pts_script_test(sim_plan_fixed_${key} "${CMAKE_SOURCE_DIR}/tests/sim/plan_fixed.sh;${model}"
			LABELS sim e2e TIMEOUT 600)
	endif()
	pts_script_test(sim_plan_truth_${key}
		"${CMAKE_SOURCE_DIR}/tests/sim/plan_truth.sh;${model};${mode};${programmes}"
		LABELS sim e2e TIMEOUT 900)
endforeach()
pts_script_test(sim_report ${CMAKE_SOURCE_DIR}/tests/sim/report_suite.sh LABELS sim e2e report TIMEOUT 600)
