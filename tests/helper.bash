# shellcheck shell=bash
# What every bats file loads: `load helper` (from a subfolder `load ../helper`).
# Each test starts in an empty folder of its own with the commands in PATH.

# The repository's root; tests/run sets the rest, these are for a lone bats.
TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
BUILD=${TUPLETOOLS_BUILD:-$TOP/build}
PATH=${TUPLETOOLS_BIN:-$BUILD/bin}:$PATH
DATA=${TUPLETOOLS_DATA:-$TOP/../shared/data}
export LC_ALL=C.UTF-8 TZ=UTC
bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

# commands: the name of each command.
commands() {
	(cd "$TOP/cmd" && printf '%s\n' *.c | sed 's/\.c$//')
}

# data FILE...: skip the test unless these real inputs are in the folder $DATA.
data() {
	local file
	for file; do
		[ -e "$DATA/$file" ] || skip "no $file"
	done
}

# can_fault: skip the test unless calls can be let fail.
can_fault() {
	[[ $BUILD != *-san* ]] || skip "sanitizers do not like to be preloaded"
	[ -e "$BUILD/tests/faults/faults.so" ] || skip "make check builds it"
}

# can_fault_all: and the test too if gcov's own calls at the end would fail.
can_fault_all() {
	[[ $BUILD != *-coverage* ]] || skip "gcov's own calls would fail"
}

# faulty FAULT COMMAND...: run it with a fault as tests/faults/faults.c has it.
faulty() {
	head -c 4096 /dev/zero >counts
	timeout -k 5 60 env FAULT_COUNTS=counts FAULT="$1" \
	    LD_PRELOAD="$BUILD/tests/faults/faults.so" "${@:2}"
}

# squeeze: standard input on one line, white space made single blanks.
squeeze() {
	tr -s '[:space:]' ' ' | sed 's/^ //; s/ $//'
	echo
}

# soon FILE LINES: wait until the file has so many lines, for a minute at most.
soon() {
	local i
	for ((i = 0; i < 6000; i++)); do
		if [ -e "$1" ] && [ "$(wc -l <"$1")" -ge "$2" ]; then
			return
		fi
		sleep 0.01
	done
	echo "no $2 lines in $1:"
	cat "$1"
	return 1
}

# committed QUERY WANT: wait, for a minute at most, until a commit has left that
# in s.db.  Who asks before there is a state makes an empty file, and then takes
# the log of the state for one that was left over.
committed() {
	local i got
	for ((i = 0; i < 6000; i++)); do
		if [ -s s.db ] && got=$(sqlite3 s.db "$1" 2>&1) && [ "$got" = "$2" ]; then
			return
		fi
		sleep 0.01
	done
	echo "$1: $got"
	return 1
}

# same LABEL WANT GOT: whether two files are alike; shows how they differ.
same() {
	local differs
	differs=$(diff -u --label "$1: expected" --label "$1: got" "$2" "$3") ||
		{ echo "$differs"; return 1; }
}

# golden COMMAND: run every case in tests/golden/COMMAND.  A case is a folder:
#	why	what the case is there for, or the story of a mistake
#	args	the arguments, as one line for the shell
#	in	standard input (else none)
#	out	standard output wanted
#	err	standard error wanted (else nothing may be said)
#	rc	exit status wanted (else 0)
#	want/	files that the command must leave, besides (side outputs)
# It runs in a copy of the folder, so arguments can name files beside args.
golden() {
	local folder status=0
	for folder in "$TOP/tests/golden/$1"/*/; do
		golden_case "$1" "$folder" || status=1
	done
	return "$status"
}

golden_case() (
	label=golden/$1/$(basename "$2")
	mkdir -p "$BATS_TEST_TMPDIR/$label" || exit
	cd "$BATS_TEST_TMPDIR/$label" || exit
	cp -R "$2." . && eval "set -- $1 $(<args)" || exit
	[ -e rc ] || echo 0 >rc
	got=0
	"$@" <"$(either in)" >.out 2>.err || got=$?
	echo "$got" >.rc
	status=0
	for file in out err rc; do
		same "$label/$file" "$(either "$file")" ".$file" || status=1
	done
	for file in want/*; do
		[ ! -e "$file" ] || same "$label/$file" "$file" \
		    "$(either "${file#want/}")" || status=1
	done
	exit "$status"
)

# either FILE: its name, or that of the empty file.
either() {
	if [ -e "$1" ]; then echo "$1"; else echo /dev/null; fi
}

# man_examples PAGE: run what the page (or README.md) shows, in order, in one
# folder that has only the samples, and compare what is printed.  See manual.py
# for the form.
man_examples() {
	local here example status=0
	here=$(mktemp -d -p "$BATS_TEST_TMPDIR")
	cp "$TOP"/man/samples/* "$here" || return
	python3 "$TOP/tests/manual.py" examples "$1" "$here/.examples" || return
	for example in "$here"/.examples/*; do
		[ -d "$example" ] || continue
		(cd "$here" && bash "$example/command" </dev/null \
		    >"$example/got" 2>"$example/err") || true
		same "${1##*/}" "$example/out" "$example/got" && continue
		sed '1s/^/  $ /; 2,$s/^/    /' "$example/command"
		cat "$example/err"
		status=1
	done
	return "$status"
}

# synopsis PAGE: its SYNOPSIS on one line.
synopsis() {
	python3 "$TOP/tests/manual.py" synopsis "$1"
}

# usage COMMAND: the usage of its --help, without the word, on one line.
usage() {
	"$1" --help </dev/null | sed -n '1s/^usage: //; /^$/q; p' | squeeze
}

# page_options PAGE, help_options COMMAND: the options each one lists, sorted.
page_options() {
	python3 "$TOP/tests/manual.py" options "$1" | sort -u
}

help_options() {
	"$1" --help </dev/null | sed -nE 's/^(  |      )(-.*)/\2/p' |
		sed -E 's/[[:blank:]]{2,}.*//' | tr -s ', =[' '\n' | grep '^-' |
		sort -u
}
