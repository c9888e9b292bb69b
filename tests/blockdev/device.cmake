pts_test(test_device_loop SOURCES ${CMAKE_SOURCE_DIR}/tests/blockdev/test_device_loop.c
	USES device base LABELS blockdev device)
pts_script_test(device_guard ${CMAKE_SOURCE_DIR}/tests/blockdev/guard.sh LABELS blockdev device)
