#!/usr/bin/env bats
# The rules of the tree that a glance can check.
load helper

setup() {
	cd "$TOP" || return
}

sources() {
	find cmd lib man tests -path tests/golden -prune -o -type f \( \
	    -name '*.[ch157]' -o -name '*.ba[ts]*' -o -name '*.py' \
	    -o -name run \) -print
	echo Makefile .ci/run
}

# none WHAT: fail if standard input has lines, and show them.
none() {
	local found
	found=$(cat)
	[ -z "$found" ] || { printf '%s:\n%s\n' "$1" "$found"; return 1; }
}

@test "each command has a page, a bats file and its line in the README" {
	for c in $(commands); do
		[ -e "man/$c.1" ] || { echo "no man/$c.1"; continue; }
		[ -e "tests/$c.bats" ] || echo "no tests/$c.bats"
		[ ! -d "tests/golden/$c" ] || grep -q "golden $c" "tests/$c.bats" ||
			echo "tests/$c.bats does not run golden $c"
		does=$(sed -n 's/^\.Nd //p' "man/$c.1")
		[ ${#does} -lt 60 ] || echo "man/$c.1: .Nd is ${#does} characters"
		grep -qF "| \`$c\` | $does |" README.md ||
			echo "README.md: no row | \`$c\` | $does |"
	done | none "the house of a command is incomplete"
}

@test "each golden case says why it is there" {
	for case in tests/golden/*/*/; do
		[ -s "$case/why" ] || echo "$case"
	done | none "no why"
}

@test "the arguments of each golden case are one line for the shell" {
	for case in tests/golden/*/*/; do
		[ "$(wc -l <"$case/args")" = 1 ] || echo "$case"
	done | none "not one line in args"
}

@test "a folder includes only what lies below it" {
	# window, join and grouping are side by side.
	layers='base json tuple window,join,grouping io state bolt storm run'
	diff <(tr , ' ' <<<"$layers" | xargs -n 1 | sort) \
	    <(find lib -mindepth 1 -maxdepth 1 -printf '%f\n' | sort) |
		none "not in the list of layers, or no folder"
	for file in lib/*/*.[ch]; do
		awk -v layers="$layers" '
			BEGIN {
				n = split(layers, ranks, " ")
				for (i = 1; i <= n; i++) {
					m = split(ranks[i], names, ",")
					for (j = 1; j <= m; j++)
						rank[names[j]] = i
				}
			}
			/^#include "/ {
				split(FILENAME, self, "/")
				split($2, other, /["\/]/)
				if (other[2] != self[2] &&
				    !(rank[other[2]] < rank[self[2]] &&
				    other[2] in rank))
					print FILENAME ":" FNR ": includes " $2
			}' "$file"
	done | none "includes what is not below it"
}

@test "what only Linux has is called by base alone" {
	grep -nE '_GNU_SOURCE|HAS_LINUX|__linux__|F_SETPIPE_SZ|memrchr|memmem' \
	    cmd/*.[ch] lib/*/*.[ch] | grep -v '^lib/base/' |
		none "belongs in lib/base"
}

@test "no file of C is longer than 400 lines, no function than 60" {
	wc -l cmd/*.[ch] lib/*/*.[ch] tests/*/*.[ch] |
		awk '$1 > 400 && $2 != "total" { print $2 ": " $1 " lines" }' |
		none "too long"
	awk '/^\{/ { start = FNR }
	    /^\}/ && start {
		if (FNR - start >= 60)
			print FILENAME ":" start ": " FNR - start + 1 " lines"
		start = 0
	    }' cmd/*.c lib/*/*.[ch] | none "too long"
}

@test "source is ASCII" {
	# shellcheck disable=SC2046
	LC_ALL=C grep -nP '[^\t\x20-\x7e]' $(sources) | none "not ASCII"
}

@test "nothing is left open in the source" {
	# shellcheck disable=SC2046
	grep -nE 'TO[D]O|FIX[M]E|XX[X]|\bHAC[K]\b' $(sources) | none "left open"
}

@test "no command reads, writes, opens or asks for the time by itself" {
	# A name in parentheses with a digit is a manual page: read(2).
	calls='read|write|pread|pwrite|open|openat|fopen|fread|fwrite|getline'
	calls+='|time|gettimeofday|clock\w*|nanosleep|sleep|poll'
	grep -nP "(?<![\w.>])($calls)\s*\((?!\d\))" cmd/*.c |
		none "belongs in lib/"
}

@test "no test naps: soon waits for what is to come" {
	# What kills for an hour is no test.
	grep -nwE 'sleep|usleep|nanosleep' tests/{,*/}*.bats tests/*/*.py \
	    tests/unit/*.[ch] | grep -vE '^tests/(house.bats|crash/)' |
		none "naps"
}

# A test's scratch file of 95 MB lay beside the README.
@test "the tree has its folders, a few files, and nothing large" {
	git -C "$TOP" rev-parse 2>/dev/null || skip "no git"
	git -C "$TOP" ls-files | cut -d / -f 1 | sort -u |
		grep -vxE '\.ci|\.clang-(format|tidy)|\.gitignore|LICENSE|Makefile|README\.md|cmd|lib|man|tests' |
		none "no part of the tree"
	git -C "$TOP" ls-files -z | (cd "$TOP" && xargs -0 wc -c) |
		awk '$1 > 100000 && $2 != "total"' | none "too large"
}

# make damage could not run its script.
@test "what begins with #! can be run" {
	git -C "$TOP" rev-parse 2>/dev/null || skip "no git"
	git -C "$TOP" ls-files | (cd "$TOP" && while read -r file; do
		[ -x "$file" ] || ! head -c 2 "$file" | grep -q '^#!' ||
			echo "$file"
	done) | none "not executable"
}

# A model of the random comparison had changed, its own tests had not been run.
@test "the models of the random comparison pass their tests" {
	python3 "$TOP/tests/random/model_test.py"
}
