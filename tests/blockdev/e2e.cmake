# The program as its user has it, on loop devices. The helpers read stores and devices.
add_executable(storeq ${CMAKE_SOURCE_DIR}/tests/blockdev/storeq.c)
target_link_libraries(storeq PRIVATE PkgConfig::SQLITE3)
add_executable(lbas ${CMAKE_SOURCE_DIR}/tests/blockdev/lbas.c)
set_target_properties(storeq lbas PROPERTIES
	RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)

set(e2e ${CMAKE_SOURCE_DIR}/tests/blockdev)
foreach(sector 512 4096)
	pts_script_test(e2e_run_iops_${sector} "${e2e}/run_iops.sh;${sector}"
		LABELS blockdev e2e TIMEOUT 600)
endforeach()
pts_script_test(e2e_coverage ${e2e}/coverage.sh LABELS blockdev e2e)
pts_script_test(e2e_rwmix ${e2e}/rwmix.sh LABELS blockdev e2e)
pts_script_test(e2e_resume_stop ${e2e}/resume_stop.sh LABELS blockdev e2e)
pts_script_test(e2e_resume_kill ${e2e}/resume_kill.sh LABELS blockdev e2e)
pts_script_test(e2e_vanish ${e2e}/vanish.sh LABELS blockdev e2e)
