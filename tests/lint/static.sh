#!/bin/sh
# Static analysis of the program's sources: cppcheck, and clang-tidy's bug-finding checks.
cd "$(dirname "$0")/../.." || exit 1
bad=0
sources=$(find pts engine report -name '*.c')
includes=$(find pts engine report -type d | sed 's/^/-I/')
# shellcheck disable=SC2086
cppcheck --quiet --std=c11 --language=c -j "$(nproc)" --error-exitcode=1 --inline-suppr \
	--enable=warning,performance,portability --suppress=missingIncludeSystem \
	--suppress=unknownMacro -D_GNU_SOURCE -DPTS_VERSION='"0"' $includes $sources || bad=1
checks='-*,clang-analyzer-*,bugprone-*'
# valist: clang-tidy 14 takes every va_list behind glibc's va_start for uninitialized
checks="$checks,-clang-analyzer-valist.*"
checks="$checks,-bugprone-easily-swappable-parameters,-bugprone-reserved-identifier"
checks="$checks,-bugprone-narrowing-conversions,-bugprone-branch-clone"
checks="$checks,-bugprone-implicit-widening-of-multiplication-result"
checks="$checks,-bugprone-assignment-in-if-condition"
checks="$checks,-clang-analyzer-security.insecureAPI.DeprecatedOrUnsafeBufferHandling"
printf '%s\n' "$sources" |
	xargs -P "$(nproc)" -n 6 clang-tidy --quiet -p "$PTS_BUILD" --checks="$checks" \
		>"$PTS_BUILD/tidy.log" 2>/dev/null
grep -E '(warning|error):' "$PTS_BUILD/tidy.log" && bad=1
exit $bad
