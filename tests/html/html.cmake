# report.html in a real browser, where there is one.
pts_script_test(html_report ${CMAKE_SOURCE_DIR}/tests/html/report_html.sh LABELS report TIMEOUT 900)
