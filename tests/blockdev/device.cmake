foreach(name loop purge)
	pts_test(test_device_${name} SOURCES
		${CMAKE_SOURCE_DIR}/tests/blockdev/test_device_${name}.c
		${CMAKE_SOURCE_DIR}/tests/blockdev/device_loop.c
		USES device base LABELS blockdev device)
endforeach()
pts_script_test(device_guard ${CMAKE_SOURCE_DIR}/tests/blockdev/guard.sh LABELS blockdev device)
