pts_test(test_device_loop SOURCES ${CMAKE_SOURCE_DIR}/tests/blockdev/test_device_loop.c
	USES device base LABELS blockdev device)
