#!/bin/sh
# Every C file is as clang-format writes it.
cd "$(dirname "$0")/../.." || exit 1
find pts engine report tests \( -name '*.c' -o -name '*.h' \) -print0 |
	xargs -0 clang-format --dry-run -Werror
