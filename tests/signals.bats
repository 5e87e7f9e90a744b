#!/usr/bin/env bats
# Live: rows as they are due, and what signals do.  Nothing here naps; what is
# to come is read with a limit that only a broken command reaches.
# Each test has its own pid:
# shellcheck disable=SC2030,SC2031
load helper

LIMIT=60 # seconds

# start COMMAND...: run it as a foreground job would run, its stdin from
# descriptor 4, its stdout to 5, its stderr to 6.  When this is back it reads.
start() {
	rm -f in out err
	mkfifo in out err
	# A shell lets its background jobs ignore SIGINT, Python itself SIGPIPE,
	# and nohup SIGHUP.
	python3 -c 'import os, signal, sys
for number in signal.SIGINT, signal.SIGPIPE, signal.SIGHUP:
    signal.signal(number, signal.SIG_DFL)
command = sys.argv[1:]
if command[0] != "spout":
    command[1:1] = ["--on-error", "skip"]
os.execvp(command[0], command)' "$@" <in >out 2>err 3>&- 4>&- 5>&- 6>&- &
	pid=$!
	exec 4>in 5<out 6<err
	is_ready "$1"
}

# is_ready COMMAND: wait for its complaint about a first line.
is_ready() {
	[ "$1" = spout ] || {
		echo ready >&4
		IFS= read -r -t "$LIMIT" said <&6
		[[ $said == *"1:1: expected an object, got 'r'" ]]
	}
}

# finish STATUS [LINE...]: close its stdin, and compare what it still says and
# its status.
finish() {
	local want=$1 status=0
	shift
	exec 4>&-
	ends "$want" "$@"
}

# ends STATUS [LINE...]: the same with stdin left open.
ends() {
	local want=$1 status=0
	shift
	timeout "$LIMIT" cat <&5 >rest
	same 'the rest of stdout' <([ $# -eq 0 ] || printf '%s\n' "$@") rest
	wait "$pid" || status=$?
	echo "status $status, $want wanted"
	[ "$status" -eq "$want" ]
	exec 4>&- 5>&- 6>&-
}

# row: the next line of stdout is in $row.
row() {
	IFS= read -r -t "$LIMIT" row <&5
}

# counters: ask for them; they show too that all signals before have come.
counters() {
	kill -USR1 "$pid" || return
	IFS= read -r -t "$LIMIT" counters <&6
}

# until_lines N: wait until the command has read so many after the first.
until_lines() {
	local i
	for ((i = 0; i < 1000; i++)); do
		counters || return
		[ "$(jq .lines <<<"$counters")" -le "$1" ] || return 0
	done
	return 1
}

# is ROW FILTER: whether jq finds it so.
is() {
	jq -e "$2" <<<"$1" || { echo "$1 is not $2"; return 1; }
}

# first_row SECONDS COMMAND...: start it and send it a tuple; its first row, of a
# window of so many seconds, is in $row.  Where the tuple came after the first
# slot, because something stood still, the window is longer: then once more.
first_row() {
	local seconds=$1
	shift
	for _ in 1 2 3 4 5; do
		begin=${EPOCHREALTIME/.}
		start "$@"
		echo '{"word":"a"}' >&4
		row
		is "$row" ".window_seconds > $seconds" || return 0
		exec 4>&- 5>&- 6>&-
		wait "$pid" || :
	done
	return 1
}

@test "a live pipe shows its first row when the first window is due" {
	first_row 1 rollcount -k word -w 2s -e 1s
	[ $((${EPOCHREALTIME/.} - begin)) -ge 1000000 ]
	is "$row" '.word == "a" and .count == 1 and .window_seconds == 1'
	[[ $row == '{"word":"a","count":1,"window_end":'*',"window_seconds":1}' ]]
	exec 5<&-
}

@test "by arrival time the window grows, slides on, and lets its keys go" {
	first_row 0.5 rollcount -k word -w 1s -e 500ms -T
	is "$row" '.count == 1 and .window_seconds == 0.5'
	end=$(jq .window_end <<<"$row")
	row
	is "$row" ".__tick == $end"
	row
	is "$row" ".count == 1 and .window_seconds == 1 and .window_end == $end + 500"
	row
	row
	is "$row" ".count == 0 and .window_seconds == 1 and .window_end == $end + 1000"
	row
	finish 0
}

@test "by arrival time the end of input shows the window so far" {
	begin=$((${EPOCHREALTIME/.} / 1000))
	start rollcount -k word -w 3h -e 1h -T
	echo '{"word":"a"}' >&4
	until_lines 1
	end=$((${EPOCHREALTIME/.} / 1000))
	exec 4>&-
	row
	now=$((${EPOCHREALTIME/.} / 1000))
	is "$row" ".count == 1 and .window_end <= $now and .window_end >= $end"
	is "$row" ".window_seconds >= 0 and .window_seconds * 1000 <= $now - $begin"
	end=$(jq .window_end <<<"$row")
	finish 0 "{\"__tick\":$end}"
}

@test "each row is there when nothing more is to be read for it" {
	start rollcount -k word -t ts -w 1s -e 1s --rejects bad --late late
	printf '{"word":"a","ts":5}\n{"word":"a","ts":6}\nx\n{"word":"b","ts":1}\n' >&4
	IFS= read -r -t "$LIMIT" said <&6
	row
	[ "$row" = '{"word":"a","count":1,"window_end":6000,"window_seconds":1}' ]
	until_lines 4
	[ "$(tail -n 1 bad)" = x ]
	[ "$(cat late)" = '{"word":"b","ts":1}' ]
	finish 0 '{"word":"a","count":1,"window_end":7000,"window_seconds":1}'
	start topn -k k -v v
	printf '{"k":1,"v":1}\n{"__tick":5}\n{"k":2' >&4
	row
	[ "$row" = '{"rank":1,"k":1,"v":1}' ]
	echo ',"v":2}' >&4
	finish 0 '{"rank":1,"k":2,"v":2}'
}

@test "a first line too short for a BOM is heeded when it is there" {
	mkfifo in err
	topn -v v <in 2>err 3>&- &
	pid=$!
	exec 4>in 6<err
	echo x >&4
	IFS= read -r -t "$LIMIT" said <&6
	[ "$said" = "topn: stdin:1:1: expected an object, got 'x'" ]
	exec 4>&- 6<&-
	wait "$pid" || [ "$?" -eq 1 ]
}

@test "topn -e shows the ranking so far" {
	start topn -k k -v v -e 100ms -T
	echo '{"k":1,"v":1}' >&4
	row
	# An early tick may have found nothing yet.
	while [[ $row == '{"__tick":'* ]]; do row; done
	[ "$row" = '{"rank":1,"k":1,"v":1}' ]
	row
	[[ $row == '{"__tick":'*'}' ]]
	row
	[ "$row" = '{"rank":1,"k":1,"v":1}' ]
	exec 5<&-
}

# interrupted SIGNAL STATUS
interrupted() {
	start rollcount -k word -w 60s -e 60s
	printf '{"word":"a"}\n{"word":"b"}\n{"word":"a"}\n' >&4
	until_lines 3
	kill -"$1" "$pid"
	row
	is "$row" '.word == "a" and .count == 2 and .window_seconds < 60'
	row
	is "$row" '.word == "b" and .count == 1'
	ends "$2"
}

# At the end of a terminal what was open was lost.
@test "SIGINT, SIGTERM and SIGHUP emit what is open, and end by the signal" {
	interrupted INT 130
	interrupted TERM 143
	interrupted HUP 129
	# What is in a state is complete, with all that had been read.
	start rollcount -k word -w 60s -e 60s -t t --state s
	printf '{"word":"a","t":%d}\n' 1000000000 1000000001 >&4
	until_lines 2
	kill -HUP "$pid"
	ends 129
	[ "$(rollcount --on-error skip -k word -w 60s -e 60s -t t --state s --final </dev/null | jq .count)" -eq 2 ]
	python3 -c 'import signal, subprocess
p = subprocess.Popen(["topn", "-v", "v"], stdin=subprocess.PIPE,
                     stdout=subprocess.PIPE, stderr=subprocess.PIPE)
p.stdin.write(b"x\n{\"v\":1}\n")
p.stdin.flush()
p.stderr.readline()
p.terminate()
assert p.stdout.read() == b"{\"rank\":1,\"v\":1}\n"
assert p.wait(60) == -signal.SIGTERM, p.returncode'
}

@test "after the first signal what is in the pipe is used, and what comes" {
	for _ in 1 2 3; do
		start topn -k k -v v
		kill -STOP "$pid"
		echo '{"k":1,"v":1}' >&4
		kill -TERM "$pid"
		echo '{"k":2,"v":2}' >&4
		begin=${EPOCHREALTIME/.}
		kill -CONT "$pid"
		counters
		echo '{"k":3,"v":3}' >&4 || :
		# Well within the second that it has, else something else has run.
		[ $((${EPOCHREALTIME/.} - begin)) -ge 500000 ] || break
		exec 4>&- 5>&- 6>&-
		wait "$pid" || :
	done
	finish 143 '{"rank":1,"k":3,"v":3}' '{"rank":2,"k":2,"v":2}' \
	    '{"rank":3,"k":1,"v":1}'
}

@test "an input that goes on without end is read for a second at the most" {
	mkfifo out err
	# The first tuple comes with it: yes may be slow to begin.
	{ printf 'ready\n{"word":"a","ts":0}\n'; yes '{"word":"a","ts":0}'; } |
		rollcount -k word -t ts -w 1s -e 1s >out 2>err 3>&- 5>&- &
	pid=$!
	exec 5<out 6<err
	IFS= read -r -t "$LIMIT" said <&6
	kill -TERM "$pid"
	row
	is "$row" '.word == "a" and .window_end == 1000'
	ends 143
}

@test "streams that go on without end leave time for the clock and signals" {
	echo '{"id":2,"ts":0}' >b
	mkfifo out err
	# Of those that have a thread one was always ready, and nobody looked up.
	{ echo ready; yes '{"id":1,"ts":0}'; } |
		sjoin -k id -t ts -d replace a=/dev/stdin b=b \
		    >out 2>err 3>&- 5>&- &
	pid=$!
	exec 5<out 6<err
	IFS= read -r -t "$LIMIT" said <&6
	for _ in 1 2 3; do
		counters
		is "$counters" '.command == "sjoin"'
	done
	kill -TERM "$pid"
	ends 143
}

@test "the second signal ends it at once" {
	start rollcount -k word -w 60s -e 60s
	echo '{"word":"a"}' >&4
	until_lines 1
	# Two of a kind could be made one.  They come at once, as the second that
	# the first one leaves may be over before the other is sent.
	kill -STOP "$pid"
	kill -TERM "$pid"
	kill -INT "$pid"
	kill -CONT "$pid"
	timeout "$LIMIT" cat <&5 >rest
	[ ! -s rest ]
	status=0
	wait "$pid" || status=$?
	[ "$status" -eq 130 ] || [ "$status" -eq 143 ]
}

@test "with -i nothing open is emitted at a signal" {
	for time in '' '-t ts'; do
		# shellcheck disable=SC2086
		start rollcount -k word -w 2s -e 1s -iT $time
		printf '{"word":"a","ts":0}\n{"__tick":1000}\n{"word":"a","ts":1}\n' >&4
		row
		[ "$(jq .count <<<"$row")" -eq 1 ]
		row
		[ "$row" = '{"__tick":1000}' ]
		until_lines 3
		kill -INT "$pid"
		ends 130
	done
}

@test "an ignored SIGINT or SIGHUP stays ignored" {
	rm -f in out err
	mkfifo in out err
	nohup topn --on-error skip -k k -v v <in >out 2>err 3>&- &
	pid=$!
	exec 4>in 5<out 6<err
	is_ready topn
	echo '{"k":1,"v":1}' >&4
	until_lines 1
	kill -INT "$pid"
	kill -INT "$pid"
	kill -HUP "$pid"
	kill -HUP "$pid"
	counters
	echo '{"k":2,"v":2}' >&4
	finish 0 '{"rank":1,"k":2,"v":2}' '{"rank":2,"k":1,"v":1}'
}

@test "SIGUSR1 shows the counters, and all goes on" {
	start topn -k k -v v
	printf '{"k":1,"v":1}\n\n{"k":2,"v":1}\n{"k":' >&4
	until_lines 3
	is "$counters" '.command == "topn" and .lines == 4 and .blank == 1 and
	    .live_keys == 2 and .emitted == 0 and .bytes == 40 and .rejects == 1 and .seconds >= 0'
	printf '2,"v":0}\n' >&4
	until_lines 4
	is "$counters" '.live_keys == 1'
	finish 0 '{"rank":1,"k":1,"v":1}'
	for rate in 100 0; do
		start spout words -r "$rate"
		row
		kill -USR1 "$pid"
		# It may be busy writing when it is asked.
		# Not under timeout(1), which leaves it behind if it is ended as it
		# has just started it.
		cat <&5 >/dev/null 3>&- &
		reader=$!
		IFS= read -r -t "$LIMIT" counters <&6
		is "$counters" '.command == "spout" and .emitted > 0'
		kill "$reader"
		exec 5<&-
		wait "$pid" || [ "$?" -eq 141 ]
	done
}

@test "no signal is lost between looking and waiting" {
	python3 -c 'import os, signal, subprocess, time
p = subprocess.Popen(["rollcount", "-k", "k"], stdin=subprocess.PIPE,
                     stderr=subprocess.PIPE, bufsize=0)
p.stdin.write(b"ready\n")
os.read(p.stderr.fileno(), 4096)
os.set_blocking(p.stderr.fileno(), False)

def answered():
    try:
        return os.read(p.stderr.fileno(), 4096)
    except BlockingIOError:
        return b""

end = time.monotonic() + 1.5
while time.monotonic() < end:
    p.send_signal(signal.SIGUSR1)
    limit = time.monotonic() + 60
    # Once it has answered it is about to wait: so no pause here either.
    while not answered():
        assert time.monotonic() < limit, "a SIGUSR1 was not answered"
p.stdin.close()
assert p.wait(60) == 1'
}

@test "a reader that goes away ends an idle filter quietly" {
	for command in 'rollcount -k k' 'topn -v v' 'spout words -r 0.001'; do
		# shellcheck disable=SC2086
		start $command
		[[ $command != spout* ]] || row
		counters
		exec 5<&-
		IFS= read -r -t "$LIMIT" said <&6 || [ $? -eq 1 ]
		[ -z "$said" ]
		status=0
		wait "$pid" || status=$?
		[ "$status" -eq 141 ]
	done
}

# kept_is FILE: wait until the rejects are the same.  What has been complained
# of, or sent, may not be there yet when the counters are asked for.
kept_is() {
	local end=$((SECONDS + LIMIT))
	until cmp -s kept "$1" || [ $SECONDS -ge $end ]; do
		counters
	done
	cmp kept "$1"
}

# Two writers of one file tore it.
@test "a bad line that is too long is kept whole, or not yet" {
	start topn -v v --max-line 10 --rejects kept
	echo ready >before
	kept_is before
	printf '%0100d' 7 >&4
	counters
	counters
	cmp kept before
	echo 8 >&4
	{ cat before && printf '%0100d8\n' 7; } >after
	kept_is after
	finish 0
}

@test "a part of a line that is too long, and what others have meanwhile" {
	many() {
		head -c 200000 /dev/zero | tr '\0' "$1"
	}
	goes_on() { # until all of the part has been read
		timeout "$LIMIT" python3 -c 'import array, fcntl, termios
waiting = array.array("i", [1])
while waiting[0] != 0:
    fcntl.ioctl(5, termios.FIONREAD, waiting)'
	}
	mkfifo p q
	sjoin -k k --max-line 1K --rejects kept a=p b=q &
	exec 5>p 7>q
	many x >&5
	goes_on
	{ many z && echo; } >&7
	soon kept 2
	many x >&5
	goes_on
	echo bad >&7
	soon kept 4
	many x >&5
	exec 5>&- 7>&-
	wait $! || true
	printf '%s\n' x z x bad x | same kept - <(tr -s xz <kept)
}

# A signal that is ignored ended it all the same.
@test "a reader that goes away is an error where SIGPIPE is ignored" {
	python3 -c 'import os, signal, subprocess
signal.signal(signal.SIGPIPE, signal.SIG_IGN)
read, write = os.pipe()
p = subprocess.Popen(["topn", "-v", "v"], stdin=subprocess.PIPE, stdout=write,
                     stderr=subprocess.PIPE, restore_signals=False)
os.close(write)
os.close(read)
assert p.stderr.read() == b"topn: stdout: Broken pipe\n"
assert p.wait(60) == 2, p.returncode'
}

@test "so does the other end of a socket" {
	python3 -c 'import signal, socket, subprocess
ours, theirs = socket.socketpair()
p = subprocess.Popen(["topn", "-v", "v"], stdin=subprocess.PIPE, stdout=theirs,
                     stderr=subprocess.PIPE)
theirs.close()
p.stdin.write(b"{\"v\":1}\n{\"__tick\":1}\n")
p.stdin.flush()
assert ours.recv(100) == b"{\"rank\":1,\"v\":1}\n"
ours.close()
assert p.wait(60) == -signal.SIGPIPE, p.returncode
assert p.stderr.read() == b""'
}

@test "a FIFO that nobody writes to holds nothing up" {
	mkfifo later
	start rollcount -k word -w 1s -e 500ms - later
	echo '{"word":"a"}' >&4
	exec 4>&-
	row
	is "$row" '.word == "a" and .count == 1'
	echo '{"word":"b"}' >later
	while row && is "$row" '.word == "a"'; do :; done
	is "$row" '.word == "b" and .count == 1'
	timeout "$LIMIT" cat <&5 >rest
	wait "$pid"
	start topn -v v - later
	exec 4>&-
	counters
	kill -INT "$pid"
	ends 130
}

# It kept the rows until the pipe had ended, heeded the second signal only, and
# ended at once where nobody wrote to the pipe yet.
@test "a spout passes on what a pipe has, and ends at a signal" {
	mkfifo later
	start spout file later
	exec 7>later
	echo '{"word":"a"}' >&7
	row
	[ "$row" = '{"word":"a"}' ]
	kill -INT "$pid"
	ends 130
	exec 7>&-
	start spout file later
	echo '{"word":"b"}' >later
	row
	[ "$row" = '{"word":"b"}' ]
	finish 0
}

@test "a signal to a pipeline leaves nothing out" {
	timeout "$LIMIT" python3 -c 'import json, os, signal, subprocess
# Where this runs in the background it is ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
tries = []
def leaves_nothing_out():
    p = subprocess.Popen(["bash", "-c", """spout words -r 2000 --stats=made |
        rollcount -k word -w 60s -e 500ms -T | topn -k word -v count -T"""],
        stdout=subprocess.PIPE, start_new_session=True, text=True)
    p.stdout.readline()
    os.killpg(p.pid, signal.SIGINT)
    batches = [[]]
    for line in p.stdout:
        row = json.loads(line)
        if "__tick" in row:
            batches.append([])
        else:
            batches[-1].append(row["count"])
    assert p.wait() in (-signal.SIGINT, 130), p.returncode
    made = json.load(open("made"))["emitted"]
    tries.append((made, batches))
    return batches[-1] == [] and sum(batches[-2]) == made and \
        len(batches[-2]) == 5
# One that stands still for a second is not waited for: then it is asked again.
assert any(leaves_nothing_out() for i in range(3)), tries'
}

# Each counted its second from the signal: when tally wrote, all others had gone.
@test "the rows at the end of a pipeline whose source goes on are written" {
	timeout "$LIMIT" python3 -c 'import os, signal, subprocess
def catches(child):
    status = dict(line.split(":\t") for line in open(f"/proc/{child}/status"))
    return status["Name"] != "bash\n" and int(status["SigCgt"], 16) & 2
def are_ready(pid):
    found = open(f"/proc/{pid}/task/{pid}/children").read().split()
    return len(found) == 3 and all(map(catches, found))
def row():
    p = subprocess.Popen(["bash", "-c",
        "tally -k k | keep --on-error skip \"count > 0\" | topn -v count; :"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        start_new_session=True)
    p.stdin.write(b"{\"k\":1}\nx\n")
    p.stdin.flush()
    p.stderr.readline()
    while not are_ready(p.pid):
        pass
    os.killpg(p.pid, signal.SIGINT)
    return p.stdout.read()
# A process that ends gives up its lock a moment before its end of the pipe, and
# a machine may stand still for a second: then it is asked again.
want = b"{\"rank\":1,\"k\":1,\"count\":1}\n"
assert any(row() == want for i in range(3))'
}

# pkgroup sent them what they had already: their second one.
@test "what workers have is written after a signal to all" {
	timeout "$LIMIT" python3 -c 'import os, signal, subprocess
for number in signal.SIGTERM, signal.SIGINT:
    p = subprocess.Popen(["pkgroup", "-n", "2", "-g", "shuffle", "--", "tally",
        "-k", "k"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, start_new_session=True)
    p.stdin.write(b"{\"k\":1}\n{\"k\":1}\n{\"x\":1}\n{\"x\":1}\n")
    p.stdin.flush()
    p.stderr.readline()
    p.stderr.readline()
    os.killpg(p.pid, number)
    rows = p.stdout.read()
    assert rows == 2 * b"{\"k\":1,\"count\":1}\n", rows
    assert p.wait() == -number, p.returncode'
}

# What had been read, and the tuple in hand, was dropped.
@test "after a signal what waits for a silent pipe is used" {
	rm -f a b err
	mkfifo a b err
	keep --on-error skip -t t --interleave --idle 1h k a b >rows 2>err &
	exec 6<err 4>a 7>b
	printf 'x\n{"k":1,"t":1}\n{"k":2,"t":2}\n' >&4
	IFS= read -r -t "$LIMIT" <&6
	kill $!
	status=0
	wait $! || status=$?
	[ "$status" = 143 ]
	[ "$(wc -l <rows)" = 2 ]
	exec 4>&- 7>&- 6<&-
}

# With threads the first file was asked whether its writer goes on: it was gone,
# which put the end off each second.
@test "of several files the one that is read is asked to end" {
	seq 1 100000 | sed 's/.*/{"k":&}/' >many
	rm -f slow
	mkfifo slow
	keep --threads 2 'k > 0' - slow < <(cat many) >rows &
	exec 4>slow
	soon rows 100000
	kill $!
	timeout "$LIMIT" tail --pid=$! -f /dev/null
	exec 4>&-
	status=0
	wait $! || status=$?
	[ "$status" = 143 ]
}

# As timeout(1) does it: the second came at once, and nothing was written.
@test "the same signal twice at once counts as one" {
	timeout "$LIMIT" python3 -c 'import os, signal, subprocess, time
right = 0
for i in range(5):
    took = 1
    while took > 0.005: # else something else has run in between
        p = subprocess.Popen(["tally", "-k", "k"], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        p.stdin.write(b"{\"k\":1}\nx\n")
        p.stdin.flush()
        p.stderr.readline()
        begin = time.monotonic()
        p.terminate()
        while time.monotonic() < begin + 0.0005:
            pass
        p.terminate()
        took = time.monotonic() - begin
        p.stdin.close()
        rows = p.stdout.read()
        assert p.wait() == -signal.SIGTERM, p.returncode
    right += rows == b"{\"k\":1,\"count\":1}\n"
# One that did not run for a while between them had them one after the other.
assert right >= 3, (right, rows)'
}

# The system spares it what would end another process.
@test "the second signal ends the first process of a container, too" {
	unshare -pf true 2>/dev/null || skip 'no namespaces here'
	timeout "$LIMIT" python3 -c 'import os, signal, subprocess
p = subprocess.Popen(["unshare", "-pf", "tally", "-k", "k"],
    stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
p.stdin.write(b"{\"k\":1}\nx\n")
p.stdin.flush()
p.stderr.readline()
tally = int(open(f"/proc/{p.pid}/task/{p.pid}/children").read())
# Both come at once, in either order.
for number in signal.SIGSTOP, signal.SIGTERM, signal.SIGINT, signal.SIGCONT:
    os.kill(tally, number)
rows = p.stdout.read()
assert rows == b"" and p.wait() in (130, 143), (rows, p.returncode)'
}

@test "spout keeps its rate" {
	begin=${EPOCHREALTIME/.}
	[ "$(spout words -n 6 -r 10 | wc -l)" -eq 6 ]
	# After the last it waited as for another one.
	[ "$(timeout 60 spout words -n 1 -r 0.001 | wc -l)" -eq 1 ]
	# The sixth comes half a second after the first.
	[ $((${EPOCHREALTIME/.} - begin)) -ge 500000 ]
	start spout words -r 0.001
	row
	kill -TERM "$pid"
	ends 143
}

# waits: the last background job has its handlers, and sleeps.
waits() {
	local caught=0 state=
	pid=$!
	until ((0x$caught & 0x200)) && [ "$state" = S ]; do
		caught=$(awk '$1 == "SigCgt:" { print $2 }' "/proc/$pid/status")
		state=$(awk '$1 == "State:" { print $2 }' "/proc/$pid/status")
	done
}

# A signal was taken for an error of the FIFO, with status 2.
@test "a command that waits for the reader of its output heeds signals" {
	echo '{"k":1}' >in
	mkfifo fifo
	tally -k k --output fifo in 3>&- &
	waits
	kill -USR1 "$pid"
	timeout "$LIMIT" cat fifo >got
	wait "$pid"
	[ "$(cat got)" = '{"k":1,"count":1}' ]
	for option in --rejects --stats; do
		tally -k k "$option=fifo" in 3>&- &
		waits
		kill -TERM "$pid"
		status=0
		wait "$pid" || status=$?
		[ "$status" = 143 ]
	done
}

# There was nobody yet who would have looked at the signal.
@test "SIGTERM before the setup message of Storm" {
	mkfifo in
	keep --multilang a <in &
	pid=$!
	exec 9>in
	until [ "$(awk '/^SigCgt/ {print $2}' "/proc/$pid/status")" != 0000000000000000 ]; do :; done
	kill -TERM "$pid"
	rc=0
	wait "$pid" || rc=$?
	exec 9>&-
	[ "$rc" -eq 143 ]
}
