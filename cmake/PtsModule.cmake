# pts_module(ROOM [HOT] SOURCES ... [USES room...] [LIBS imported...])
#
# One room = one static library pts_<room> whose folder is on the include path only of what names
# it in USES. Links are PRIVATE: a room sees the headers of exactly the rooms it lists, so an
# include that the room table forbids does not compile. Every public header (*.h without
# _internal) is compiled alone when tests are on.
#
# HOT: what runs once for every I/O is optimised in sanitized builds too, so that whole runs on
# model drives stay tests.
function(pts_module room)
	cmake_parse_arguments(M "HOT" "" "SOURCES;USES;LIBS" ${ARGN})
	add_library(pts_${room} STATIC ${M_SOURCES})
	target_include_directories(pts_${room} PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
	foreach(used ${M_USES})
		target_link_libraries(pts_${room} PRIVATE pts_${used})
	endforeach()
	if(M_LIBS)
		target_link_libraries(pts_${room} PRIVATE ${M_LIBS})
	endif()
	if(M_HOT AND PTS_SANITIZE)
		target_compile_options(pts_${room} PRIVATE -O2)
	endif()
	if(PTS_TESTS)
		pts_headers_alone(${room} "${M_USES}" "${M_LIBS}")
	endif()
endfunction()

function(pts_headers_alone room uses libs)
	file(GLOB headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.h)
	set(units "")
	foreach(header ${headers})
		get_filename_component(name ${header} NAME)
		if(name MATCHES "_internal")
			continue()
		endif()
		set(unit ${CMAKE_CURRENT_BINARY_DIR}/alone_${name}.c)
		file(CONFIGURE OUTPUT ${unit} CONTENT "#include \"${name}\"\n#include \"${name}\"\n")
		list(APPEND units ${unit})
	endforeach()
	if(units)
		add_library(alone_${room} OBJECT ${units})
		target_include_directories(alone_${room} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
		foreach(used ${uses})
			target_link_libraries(alone_${room} PRIVATE pts_${used})
		endforeach()
		if(libs)
			target_link_libraries(alone_${room} PRIVATE ${libs})
		endif()
	endif()
endfunction()

# pts_test(NAME SOURCES ... [USES room...] [LIBS imported...] [LABELS ...] [TIMEOUT s])
# A cmocka program run by ctest from the source folder; exit 77 is a skip with its reason printed.
function(pts_test name)
	cmake_parse_arguments(T "" "TIMEOUT" "SOURCES;USES;LIBS;LABELS" ${ARGN})
	add_executable(${name} ${T_SOURCES})
	foreach(used ${T_USES})
		target_link_libraries(${name} PRIVATE pts_${used})
	endforeach()
	target_link_libraries(${name} PRIVATE PkgConfig::CMOCKA ${T_LIBS})
	target_compile_definitions(${name} PRIVATE
		PTS_FIXTURES="${CMAKE_SOURCE_DIR}/tests/fixtures" PTS_SOURCE="${CMAKE_SOURCE_DIR}")
	set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
	add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
	if(NOT T_TIMEOUT)
		set(T_TIMEOUT 600) # ends a hang; says nothing about speed
	endif()
	set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT ${T_TIMEOUT}
		LABELS "${T_LABELS}")
endfunction()

# pts_script_test(NAME SCRIPT [LABELS ...] [TIMEOUT s]): a shell test; PTS holds the program.
function(pts_script_test name script)
	cmake_parse_arguments(T "" "TIMEOUT" "LABELS" ${ARGN})
	add_test(NAME ${name} COMMAND ${script} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
	if(NOT T_TIMEOUT)
		set(T_TIMEOUT 600)
	endif()
	set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT ${T_TIMEOUT}
		LABELS "${T_LABELS}" ENVIRONMENT
		"PTS=${CMAKE_BINARY_DIR}/pts;PTS_SPECS=${CMAKE_SOURCE_DIR}/specs;PTS_BUILD=${CMAKE_BINARY_DIR}")
endfunction()
