#!/usr/bin/env bats
# SingleJoinExample: genders feed ascending, ages descending, joined by id.
load ../helper
set -o pipefail

genders() {
	jq -cn 'range(10) | {id: ., gender: ["male", "female"][. % 2]}'
}

ages() {
	jq -cn 'range(9; -1; -1) | {id: ., age: (. + 20)}'
}

rows() {
	jq -cn 'range(9; -1; -1) |
	    {gender: ["male", "female"][. % 2], age: (. + 20)}'
}

@test "one feed after the other, in one pipe: ten rows in the order of the ages" {
	{ genders | jq -c '{stream: "gender"} + .'
	ages | jq -c '{stream: "age"} + .'; } |
		sjoin -k id -w 30s -o gender,age -s stream gender age |
		same rows <(rows) -
}

@test "two feeds side by side: the ten rows" {
	sjoin -k id -w 30s -o gender,age gender=<(genders) age=<(ages) |
		sort | same rows <(rows | sort) -
}

@test "the joined rows are tuples for the next command" {
	sjoin -k id -w 30s -o gender,age gender=<(genders) age=<(ages) |
		topn -n 1 -v age | same oldest - <(
		echo '{"rank":1,"gender":"female","age":29}')
}
