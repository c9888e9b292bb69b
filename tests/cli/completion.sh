#!/usr/bin/env bash
# The completion script, driven as bash drives it, over every command and option of the tables.
. tests/cli/lib.sh
. pts/completion/pts.bash

# complete_words WORD...: what is offered for the last word
complete_words() {
	COMP_WORDS=("$PTS" "$@")
	COMP_CWORD=$#
	COMPREPLY=()
	_pts
	printf '%s\n' "${COMPREPLY[@]}"
}

# offers TEXT WORD...
offers() {
	local wanted=$1
	shift
	complete_words "$@" | grep -qxF -- "$wanted" || fail "'$wanted' is not offered after: $*"
}

mapfile -t commands < <("$PTS" __complete)
[ ${#commands[@]} -gt 10 ] || fail "only ${#commands[@]} commands"
for command in "${commands[@]}"; do
	offers "$command" "${command:0:2}"
	while read -r option argument; do
		offers "$option" "$command" "$option"
		offers "$option" "$command" --
		case $argument in
		FILE*) ;;
		*'|'*) for word in ${argument//|/ }; do
			offers "$word" "$command" "$option" ""
			offers "$word" "$command" "$option" = "${word:0:1}"
		done ;;
		esac
	done < <("$PTS" __complete "$command" | sed 1d)
done
cd "$work" || exit 1
mkdir folder
touch file.yaml rounds.csv
cd folder && cd .. || exit 1
offers folder status fol
offers folder run iops --out fol
offers file.yaml check fil
offers file.yaml run iops --about fil
offers file.yaml plan iops --assume fil
offers folder plan iops --assume fol
offers rounds.csv judge --series rou
offers iops plan io
offers keys spec k
offers --set run iops --se
offers html report run --format h
offers discard plan iops --purge d
offers run help ru
complete_words run --set cell_time= | grep -q . && fail "something is offered for a free text"
exit $bad
