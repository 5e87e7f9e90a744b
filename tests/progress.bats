#!/usr/bin/env bats
# --progress: the bar leaves nothing behind on the terminal.
load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	python3 -c 'import pty; pty.openpty()' 2>/dev/null || skip 'no terminal'
	spout words -n 60000 >in
}

# screen COMMAND: what it leaves on a terminal of 40 columns, which is too
# narrow for the bar, with the bar drawn at least once.
screen() {
	timeout 300 python3 "$TOP/tests/screen.py" 40 "$1" >screen
	grep -q ' keys' written
}

# clean FILE: the screen has these lines, and the cursor stands below them.
clean() {
	{ fold -w 40 "$1" && printf '\n0\n'; } | same screen - screen
}

# The row of a later command was appended to its text.
@test "at the end the bar is gone" {
	screen 'tally -k word --output rows --progress in'
	{ echo && echo 0; } | same screen - screen
	tally -k word in >want
	screen 'tally -k word --progress in | cat'
	clean want
}

# The first row of a block was appended to it.
@test "rows on the terminal have lines of their own" {
	rollcount -k word -t ts -w 1s -T in >want
	screen 'rollcount -k word -t ts -w 1s -T --progress in'
	clean want
}

# Only those about bad lines had one.
@test "messages have lines of their own" {
	head -n 5 in >bad
	echo x >>bad
	{
		echo "tally: bad:6:1: expected an object, got 'x'"
		tally -k word in
		echo 'tally: rows: No space left on device'
	} >want
	ln -s /dev/full rows
	screen 'tally -k word --progress --output rows bad in'
	sed -i 2,6d want
	clean want
}

@test "a dumb terminal has no bar" {
	timeout 300 python3 "$TOP/tests/screen.py" 40 \
	    'TERM=dumb tally -k word --output rows --progress in' >/dev/null
	run ! grep -q ' keys' written
}

@test "where stderr is no terminal there is no bar" {
	tally -k word --progress in 2>err >out
	[ ! -s err ]
}
