#!/usr/bin/env bats
# The manual pages and --help are one story: the examples run, the usage is the
# SYNOPSIS, the options are the same everywhere.
load helper

# each_command CHECK: run CHECK COMMAND PAGE for every command, to the end.
each_command() {
	local c status=0
	for c in $(commands); do
		"$1" "$c" "$TOP/man/$c.1" || status=1
	done
	return "$status"
}

@test "the examples in the manual and the README print what is shown" {
	status=0
	for page in "$TOP"/man/*.[157] "$TOP/README.md"; do
		man_examples "$page" || status=1
	done
	[ "$status" -eq 0 ]
}

# One named streams that the log does not have, one gave pkgroup a file.
@test "examples whose output is not shown run on the sample logs" {
	tail() { cat "${@: -1}"; }
	cd "$BATS_TEST_TMPDIR"
	cp "$TOP"/man/samples/*.ndjson .
	n=0
	for page in "$TOP"/man/*.[157]; do
		rm -rf others && mkdir others
		"$TOP/tests/manual.py" others "$page" others
		for example in others/*; do
			[ -e "$example" ] || continue
			! grep -q tplot "$example" ||
				command -v gnuplot >/dev/null || continue
			n=$((n + 1))
			(set -o pipefail && eval "$(<"$example")") >out 2>err ||
				{ cat "$example" err; return 1; }
			! grep -vE ': warning: [0-9]+ late tuples?' err ||
				{ cat "$example"; return 1; }
		done
	done
	[ "$n" -ge 9 ]
}

@test "the topologies in storm(7) are those that run" {
	for name in rolling-top-words block-rolling-top-words; do
		begin=$(head -n 1 "$TOP/tests/storm/$name.yaml")
		sed -n "/^$begin/,/^\.Ed/{/^\.Ed/!p}" "$TOP/man/storm.7" |
			same 'storm(7)' - "$TOP/tests/storm/$name.yaml"
	done
}

usage_is_synopsis() {
	same "usage of $1, against its SYNOPSIS" <(synopsis "$2") <(usage "$1")
}

@test "each usage line is the page's SYNOPSIS" {
	each_command usage_is_synopsis
}

options_are_described() {
	same "options of $1, against its page" <(page_options "$2") \
	    <(help_options "$1")
}

@test "each page describes the options that --help lists, and no others" {
	each_command options_are_described
}

# completion_offers SHELL COMMAND: the options that the shell would offer.
completion_offers() {
	case $1 in
	bash)
		COMP_WORDS=("$2" -) COMP_CWORD=1 COMPREPLY=()
		_tupletools "$2" - "$2"
		printf '%s\n' "${COMPREPLY[@]}"
		;;
	zsh)
		zsh -fc 'fpath=(${1%/*}) service=$2
		    _arguments() { print -rl -- ${@:#-[sS]} }
		    autoload -U _tupletools && _tupletools' \
		    zsh "$BUILD/share/zsh/site-functions/_tupletools" "$2" |
			sed -nE 's/^\*(-[a-z]|-[A-Z]|--[a-z-]*[a-z])[-+=]*\[.*/\1/p'
		;;
	fish)
		HOME=$PWD fish --no-config -c "
		    source $BUILD/share/fish/vendor_completions.d/$2.fish
		    complete -C '$2 -'; complete -C '$2 --'" | sed 's/\t.*//; s/=$//'
		;;
	esac | sort -u
}

completion_is_help() {
	same "completion of $1 in $SHELL_TRIED, against its --help" \
	    <(help_options "$1") <(completion_offers "$SHELL_TRIED" "$1")
}

@test "completion in bash offers the options that --help lists, and no others" {
	# shellcheck source=/dev/null
	source "$BUILD/share/bash-completion/completions/tupletools"
	SHELL_TRIED=bash each_command completion_is_help
}

@test "completion in zsh offers the options that --help lists, and no others" {
	type zsh >/dev/null || skip "no zsh"
	zsh -n "$BUILD/share/zsh/site-functions/_tupletools"
	SHELL_TRIED=zsh each_command completion_is_help
}

@test "completion in fish offers the options that --help lists, and no others" {
	type fish >/dev/null || skip "no fish"
	SHELL_TRIED=fish each_command completion_is_help
}

@test "completion offers nothing of its own where no option is begun" {
	# shellcheck source=/dev/null
	source "$BUILD/share/bash-completion/completions/tupletools"
	COMP_WORDS=(tally x data) COMP_CWORD=2 COMPREPLY=()
	_tupletools tally data x
	[ "${#COMPREPLY[@]}" -eq 0 ]
}

# offers EXPECTED WORD...: what bash has for the last word of a line, which it
# takes apart at '='.
offers() {
	local expected=$1
	shift
	COMP_WORDS=("$@")
	COMP_CWORD=$(($# - 1))
	COMPREPLY=()
	# Of a = alone bash says that no word is begun.
	_tupletools "$1" "${COMP_WORDS[COMP_CWORD]#=}" \
	    "${COMP_WORDS[COMP_CWORD - 1]}"
	[ "${COMPREPLY[*]}" = "$expected" ]
}

@test "completion offers the words that an option takes" {
	# shellcheck source=/dev/null
	source "$BUILD/share/bash-completion/completions/tupletools"
	offers 'report skip stop' tally --on-error ''
	offers skip tally --on-error = sk
	offers 'report skip stop' tally --on-error =
	offers fail sjoin -d f
	offers 'w d' pkgroup --choices ''
	offers 'line tick' pkgroup --merge ''
	offers 'auto always' tview --color = a
	offers 'auto always never' tview --color =
	# A word behind --color is a file.
	offers '' tview --color a
	offers '' tally --key = s
	# Behind -- stands a file, or a command.
	offers '' topn -n 5 -- --k
	offers --key topn -n 5 --k
	[ "$(grep -c 'auto s ms us ns' \
	    "$BUILD/share/zsh/site-functions/_tupletools")" -ge 4 ]
	if type fish >/dev/null; then
		HOME=$PWD fish --no-config -c "
		    source $BUILD/share/fish/vendor_completions.d/tview.fish
		    complete -C 'tview --color='; complete -C 'tview --format m'" \
		    >offered
		sed 's/\t.*//' offered | diff - <(printf '%s\n' --color=always \
		    --color=auto --color=never markdown)
	fi
}

@test "completion in zsh and fish knows which options take a file" {
	grep -qx "complete -c tally -l state -rF -d '.*'" \
	    "$BUILD/share/fish/vendor_completions.d/tally.fish"
	grep -qx "complete -c tally -s k -l key -x -d '.*'" \
	    "$BUILD/share/fish/vendor_completions.d/tally.fish"
	sed '/^tally)/,/;;$/!d' "$BUILD/share/zsh/site-functions/_tupletools" \
	    >tally
	grep -qF ":FILE:_files'" <(grep -F -- '--state=[' tally)
	grep -qF "]:FIELDS: '" <(grep -F -- '-k+[' tally)
}
