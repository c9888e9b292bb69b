# What a compiler does not see: format, static analysis, the room table, words, sizes.
foreach(lint format layers sizes words forbidden)
	pts_script_test(lint_${lint} ${CMAKE_SOURCE_DIR}/tests/lint/${lint}.sh LABELS lint)
endforeach()
pts_script_test(lint_static ${CMAKE_SOURCE_DIR}/tests/lint/static.sh LABELS lint TIMEOUT 900)
