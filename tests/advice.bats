#!/usr/bin/env bats
# Advice, which a person at a terminal gets, and a log or a mail does not.
load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	python3 -c 'import pty; pty.openpty()' 2>/dev/null || skip 'no terminal'
}

# advises ADVICE COMMAND: on a terminal the command gives it, once; with -q, or
# where standard error is no terminal, it does not.
advises() {
	on_terminal "$2"
	[ "$(grep -cxF -- "${2%% *}: $1" screen)" -eq 1 ] || {
		echo "expected: $1"
		cat screen
		return 1
	}
	quiet_about "$1" "$2 -q"
	sh -c "$2" 2>err >out || true
	! grep -F -- "$1" err
}

# quiet_about ADVICE COMMAND: on a terminal the command, which is no misuse, does
# not give it.
quiet_about() {
	on_terminal "$2"
	! grep -F -e "$1" -e 'usage: ' screen
}

on_terminal() {
	timeout 60 python3 "$TOP/tests/screen.py" 200 "$1" >screen
}

@test "a field that some tuples lack" {
	printf '{"k":%d}\n' 1 2 >in
	echo '{"n":3}' >>in
	advises "'k?' in place of 'k' takes tuples that lack it, as null" \
	    'tally -k k in'
	advises "keep 'k' in front of it leaves out the tuples that lack it" \
	    'topn -v k in'
	# Not where nothing has it, or it may be missing.
	quiet_about 'in place' 'tally -k q in'
	quiet_about 'in place' 'tally -k k? in'
}

@test "times that are not read" {
	printf '{"t":"%s"}\n' 2026-05-01 '1 May 2026' '3 May 2026' >in
	advises 'tuple(5) lists the times that are read; --time-format reads others' \
	    'rollcount -t t -w 1d in'
	quiet_about 'tuple(5)' "rollcount -t t -w 1d --time-format '%d %b %Y' in"
	# Which has no such option.
	quiet_about time-format 'tplot -x t -y t in'
}

@test "a clock that is far ahead" {
	printf '{"t":"20%d-01-01T00:00:%02dZ"}\n' 26 1 66 1 26 2 >in
	advises 'if one clock is ahead, --max-ahead 1h leaves out the tuples with its time' \
	    'rollcount -t t -w 1s in'
	quiet_about 'max-ahead' 'rollcount -t t -w 1s --max-ahead 1h in'
	run ! rollcount -t t -w 1s --no-zeros --max-ahead 1h -q in
	[ "${#lines[@]}" -eq 2 ]
	printf '{"t":"2026-01-01T00:%02d:00Z"}\n' 9 1 >in
	quiet_about 'max-ahead' 'rollcount -t t -w 1s in'
}

@test "whole files without -t" {
	local want='without -t, tuples have the time at which they were read; -t PATH takes their own'
	echo '{"k":1}' >in
	for command in 'rollcount -k k -w 1s' 'sessions -k k'; do
		advises "$want" "$command in"
		advises "$want" "$command <in"
		# A pipe may be written to while it is read.
		quiet_about "$want" "cat in | $command"
		quiet_about "$want" "$command /dev/null"
	done
	quiet_about "$want" 'rollcount -k k -i -w 1s in'
	quiet_about "$want" 'sjoin -k k a=in b=in'
	quiet_about "$want" 'tally -k k in'
}

@test "duplicates of a join, which its rows do not show" {
	printf '{"x":"%s","k":1}\n' a a b >in
	advises '1 tuple failed as a duplicate of its key; -m joins it, too' \
	    'sjoin -k k -s x a b <in'
	for option in '-d replace' -m '--expired out'; do
		quiet_about duplicate "sjoin -k k -s x $option a b <in"
	done
	printf '{"x":"%s","k":1}\n' a a a b >in
	advises '2 tuples failed as duplicates of their key; -m joins them, too' \
	    'sjoin -k k -s x a b <in'
	printf '{"x":"%s","k":1}\n' a b a b >in
	quiet_about duplicate 'sjoin -k k -s x a b <in'
}

@test "a misspelled field of a condition, which need not be there" {
	echo '{"user":"ann"}' >in
	advises "no tuple has 'usr'; did you mean 'user'?" "keep usr in"
	advises "no tuple has 'usr'; did you mean 'user'?" "keep '!usr || usr' in"
	quiet_about 'no tuple has' "keep error in"
	# One that is compared is named anyway, and once.
	on_terminal "keep 'usr && usr == 1' in"
	[ "$(grep -c "no tuple has 'usr'" screen)" -eq 1 ]
	run -0 keep 'level && level == 1' in
	[ "$output" = "keep: no tuple has 'level'" ]
}

@test "a file in the place of the condition" {
	echo '{"a":1}' >a.ndjson
	cp a.ndjson a
	for file in a.ndjson ./a "$PWD/a"; do
		run -2 keep "$file" </dev/null
		[ "${lines[0]}" = "keep: a CONDITION is required before '$file'" ]
	done
	# A name alone is more often a field.
	run -0 keep a <a.ndjson
	[ "$output" = '{"a":1}' ]
	run -0 keep a.b a
}
