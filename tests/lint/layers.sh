#!/bin/sh
# Each external library lives in the room that ARCHITECTURE.md names. (Includes between rooms are
# the compiler's business: pts_module() gives a room only the include paths it lists.)
cd "$(dirname "$0")/../.." || exit 1
bad=0

report() { # report TITLE HITS
	[ -z "$2" ] || { printf '%s:\n%s\n' "$1" "$2"; bad=1; }
}

# only HEADER-REGEX FILE-REGEX: no file but those may include such a header
only() {
	report "may only stand in $2" "$(grep -rnE "^[[:space:]]*#[[:space:]]*include[[:space:]]*[<\"]($1)" \
		--include='*.c' --include='*.h' pts engine report | grep -vE "^($2)")"
}

# in_code REGEX FOLDER...: matches outside comment lines
in_code() {
	regex=$1
	shift
	grep -rnE "$regex" --include='*.c' "$@" | grep -vE ':[0-9]+:[[:space:]]*(/?\*|//)'
}

only 'liburing|linux/io_uring' 'engine/core/engine_uring[a-z_]*\.[ch]'
only 'libnvme' 'engine/device/device_nvme\.c'
only 'scsi/sg_' 'engine/device/device_(scsi|ata)\.c'
only 'libmount|blkid' 'engine/device/device_guard[a-z_]*\.c'
only 'sqlite3' 'pts/store/[a-z_]*\.[ch]'
only 'yaml' 'pts/spec/[a-z_]*\.[ch]'
only 'sodium' 'pts/base/[a-z_]*\.c'

report 'gnuplot is started by report/ alone' \
	"$(in_code 'exec[a-z]*\(.*gnuplot|popen\(|system\(' pts engine)"
report 'only the CLI prints' \
	"$(in_code '(^|[^f_a-z])(printf|puts|putchar|perror)[[:space:]]*\(|\b(stdout|stderr)\b' \
		pts/base pts/spec pts/plan pts/judge pts/store pts/run pts/verify engine report)"
report 'the judge allocates, reads or looks at a clock' \
	"$(in_code '\b(malloc|calloc|realloc|free|open|read|write|fopen|time|clock_gettime|pts_now_ns)[[:space:]]*\(' pts/judge)"
report 'numbers never follow a locale' "$(in_code 'setlocale[[:space:]]*\(' pts engine report)"
report 'the run and the CLI know no SQL' \
	"$(in_code '"(SELECT|INSERT|UPDATE|DELETE|CREATE|PRAGMA) ' pts/run pts/cli pts/verify report)"
exit $bad
