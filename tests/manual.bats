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

@test "the topology in storm(7) is the one that runs" {
	sed -n '/^# RollingTopWords/,/^\.Ed/{/^\.Ed/!p}' "$TOP/man/storm.7" |
		same 'storm(7)' - "$TOP/tests/storm/rolling-top-words.yaml"
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

completion_offers_options() {
	COMPREPLY=()
	_tupletools "$1" - "$1"
	same "completion of $1, against its --help" <(help_options "$1") \
	    <(printf '%s\n' "${COMPREPLY[@]}" | sort -u)
}

@test "completion offers the options that --help lists, and no others" {
	# shellcheck source=/dev/null
	source "$BUILD/share/bash-completion/completions/tupletools"
	each_command completion_offers_options
}

@test "completion offers nothing of its own where no option is begun" {
	# shellcheck source=/dev/null
	source "$BUILD/share/bash-completion/completions/tupletools"
	COMPREPLY=()
	_tupletools "$(commands | head -n 1)" data x
	[ "${#COMPREPLY[@]}" -eq 0 ]
}
