# The device room's tests share tests/unit/device_fake.c.
function(pts_device_test name)
	pts_test(${name} SOURCES ${CMAKE_SOURCE_DIR}/tests/unit/${name}.c
		${CMAKE_SOURCE_DIR}/tests/unit/device_fake.c
		USES device base LIBS PkgConfig::JANSSON LABELS unit device)
endfunction()

pts_device_test(test_device_facts)
pts_device_test(test_device_link)
pts_device_test(test_device_guard)
pts_device_test(test_device_path)
pts_device_test(test_device_garbage)
