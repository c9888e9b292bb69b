#!/bin/sh
# report.html in a browser: the script does what it should, the page reads the same without it, a
# phone's width is enough, and each page of it is one page of paper with its head.
. tests/cli/lib.sh

chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || {
	echo "skipped: no Chromium to look at report.html with (package chromium)"
	exit 77
}

browse() { # browse ARGUMENT...: headless, with a profile of its own
	timeout 300 "$chromium" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage \
		--no-first-run --disable-extensions --user-data-dir="$work/profile" \
		--allow-file-access-from-files "$@" 2>"$work/log"
}

# a drive of 4096 byte blocks has cells that can't run
expect_whole run iops --mode enterprise --device sim:4kn,seed=1 --destroy sim:4kn:1 --seed 1 \
	--out "$work/run" --progress none --set cell_time=1s --set max_rounds=5
expect 0 report "$work/run" --format html --out "$work" --quiet

cp tests/html/driver.html "$work/"
{
	cat tests/html/units.html
	sed -n '/^<script>/,/^<\/script>/p' "$work/report.html"
} >"$work/units.html"
browse --virtual-time-budget=60000 --dump-dom "file://$work/driver.html" >"$work/dom"
sed -n '/<pre id="result">/,/<\/pre>/p' "$work/dom" | sed 's/<[^>]*>//g' >"$work/seen"
if grep -q '^END' "$work/seen"; then
	grep '^FAIL' "$work/seen" && bad=1
	seen=$(grep -c '^ok' "$work/seen")
	[ "$seen" -gt 40 ] || fail "only $seen checks were made"
else
	tail -n 5 "$work/log"
	fail "the driver did not come to its end"
fi

command -v pdftotext >/dev/null || {
	echo "not looked at: the printed page (no pdftotext, package poppler-utils)"
	exit $bad
}
# plots with tables below them, a long summary
expect_whole run hir --mode enterprise --device sim:4kn,seed=1 --destroy sim:4kn:1 --seed 1 \
	--out "$work/hir" --progress none --set max_rounds=5 --set sample_load=1min \
	--set repeats=6 --set baseline_time=1min

# print RUN PAPER: each page of the report is one sheet, with its head
print() {
	expect 0 report "$work/$1" --format html --paper "$2" --out "$work/$1.$2" --quiet
	browse --no-pdf-header-footer --print-to-pdf="$work/print.pdf" \
		"file://$work/$1.$2/report.html" >/dev/null
	sections=$(grep -c '<section ' "$work/$1.$2/report.html")
	pages=$(pdfinfo "$work/print.pdf" | sed -n 's/^Pages: *//p')
	[ "${pages:-0}" -eq $((sections + 1)) ] ||
		fail "$1, $2: $sections pages and the contents take ${pages:-no} sheets"
	page=2
	while [ "$page" -le "${pages:-0}" ]; do
		pdftotext -f $page -l $page -layout "$work/print.pdf" "$work/text"
		says "$work/text" "SNIA Solid State Storage"
		says "$work/text" "page $((page - 1)) of $sections"
		says "$work/text" "Device under test"
		! grep -q 'Turn this plot' "$work/text" || fail "$1, $2: a button in print"
		page=$((page + 1))
	done
}

for paper in a4 letter; do
	print run $paper
	print hir $paper
done
exit $bad
