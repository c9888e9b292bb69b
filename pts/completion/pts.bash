# Bash completion for pts(1). It asks the program itself (`pts __complete [COMMAND]`), so that it
# can't fall behind the tables of commands and options.

# _pts_value ARGUMENT WORD: what may stand where the help says ARGUMENT
_pts_value() {
	case $1 in
	FILE*) mapfile -t COMPREPLY < <(compgen -f -- "$2") ;;
	*'|'*) mapfile -t COMPREPLY < <(compgen -W "${1//|/ }" -- "$2") ;;
	SPEC*) mapfile -t COMPREPLY < <(
		compgen -W "$("${COMP_WORDS[0]}" list 2>/dev/null | cut -d ' ' -f 1)" -- "$2"
		compgen -f -X '!*.yaml' -- "$2"
		compgen -d -- "$2") ;;
	DEV) mapfile -t COMPREPLY < <(compgen -f -- "${2:-/dev/}") ;;
	DIR*) mapfile -t COMPREPLY < <(compgen -d -- "$2") ;;
	LIST) mapfile -t COMPREPLY < <(compgen -W "html pdf csv json text md html,pdf" -- "$2") ;;
	METHOD) mapfile -t COMPREPLY < <(compgen -W "auto discard zeroes none" -- "$2") ;;
	keys*) mapfile -t COMPREPLY < <(compgen -W keys -- "$2") ;;
	*) COMPREPLY=() ;;
	esac
}

_pts() {
	local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
	local command=${COMP_WORDS[1]} synopsis option argument
	local options=()

	COMPREPLY=()
	if [ "$COMP_CWORD" -eq 1 ]; then
		mapfile -t COMPREPLY < <(compgen -W \
			"$("${COMP_WORDS[0]}" __complete 2>/dev/null) help --help --version" -- "$word")
		return
	fi
	[ "$command" != help ] || command=
	# "--name=value" reaches us as three words
	[ "$before" != = ] || before=${COMP_WORDS[COMP_CWORD - 2]}
	[ "$word" != = ] || { word= before=${COMP_WORDS[COMP_CWORD - 1]}; }
	{
		read -r synopsis
		while read -r option argument; do
			options+=("$option")
			if [ "$option" = "$before" ] && [ -n "$argument" ]; then
				_pts_value "$argument" "$word"
				return
			fi
		done
	} < <("${COMP_WORDS[0]}" __complete ${command:+"$command"} 2>/dev/null)
	if [ -z "$command" ]; then
		mapfile -t COMPREPLY < <(compgen -W "$synopsis ${options[*]}" -- "$word")
	elif [[ $word == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "${options[*]}" -- "$word")
	else
		_pts_value "${synopsis%% *}" "$word"
	fi
}

complete -o filenames -o bashdefault -F _pts pts
