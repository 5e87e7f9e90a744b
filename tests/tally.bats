#!/usr/bin/env bats
load helper

@test "golden tally" {
	golden tally
}

@test "the dot of a path is not in the name of its aggregate" {
	run -0 tally -a 'sum:.n,max:.a.b' <<<'{"n":2,"a":{"b":3}}'
	[ "$output" = '{"sum_n":2,"max_a.b":3}' ]
}

@test "a name that was a file in the last run may be a pipe in this" {
	echo '{"k":"a"}' >x
	tally -k k --state s.db x
	rm x
	mkfifo x
	echo '{"k":"b"}' >x &
	tally -k k --state s.db x >out
	[ "$(tally -k k --state s.db --dump | jq -c '[.k,.count]' | paste -sd' ')" = \
	    '["a",1] ["b",1]' ]
}

# So many are looked up by a hash, and in another way than a few.
@test "many fields whose names are much alike are told apart, in lines of any kind" {
	python3 - <<-'END'
	import json, random
	r = random.Random(1)
	with open("in", "w") as f:
	    for n in range(40):
	        names = [f"f{i}" for i in range(900)] + ["", "long_name_of_a_field_" * 4]
	        r.shuffle(names)
	        row = {name: f"{n}.{name}" for name in names}
	        line = json.dumps(row, separators=[(",", ":"), (", ", ": "), (" ,\t", " : ")][n % 3])
	        if n % 4 == 1:  # an escape in a name, and a name twice
	            line = line.replace('"f750"', r'"\u0066750"')
	            line = '{"f751":"old",' + line[1:]
	        if n % 8 == 2:  # longer than what is indexed
	            line = line[:-1] + ',"x":"' + "y" * 70000 + '"}'
	        print(line, file=f)
	END
	fields=$(printf 'f%d,' {700..799})f1,f12
	tally -c -k "$fields" in | jq -c 'del(.count)' >got
	jq -c "{$fields}" in >want
	cmp got want
}

# Up to 64 numbers are kept as they are; the first may all be one.
@test "quantiles of a state go on, of few numbers and of many" {
	local what=p50=p50:x,p10=p10:y,p99=p99:y
	echo '{"x":7,"y":0.5}' >last
	for n in 1 2 3 63 64 65 300; do
		seq "$n" | sed 's/.*/{"x":7,"y":&}/' >in
		tally -a "$what" in last >want
		tally -a "$what" --state "s$n" in >got
		tally -a "$what" --state "s$n" last | same "$n and one" want -
	done
}
