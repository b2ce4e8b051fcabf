#!/usr/bin/env bash
# Runs every fuzz target of the module for the given time each, in as many worker processes as there are CPUs or are given:
# scripts/fuzz.sh 30s 1
set -euo pipefail
cd "$(dirname "$0")/.."
time=${1:-10s}
workers=${2:+-test.parallel=$2}
minimize=100x # executions to minimise one input; the default of 60 s per input is most of the time of a run
count=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cache=$(go env GOCACHE)/fuzz

# The test program of a package is built once for all its targets; go test would link it anew for each.
while read -r package dir; do
	grep -qs '^func Fuzz' "$dir"/*_test.go || continue
	go test -c -fuzz . -o "$work/test" "$package"
	for target in $(cd "$dir" && "$work/test" -test.list '^Fuzz'); do
		echo "fuzz $package $target for $time"
		if ! (cd "$dir" && "$work/test" -test.run '^$' -test.fuzz "^$target\$" -test.fuzztime "$time" $workers -test.fuzzminimizetime "$minimize" -test.fuzzcachedir "$cache/$package") </dev/null >"$work/log" 2>&1; then
			# A target whose time is up while an input is tried fails now and then; a finding names its input.
			if ! grep -q 'context deadline exceeded' "$work/log" || grep -qE 'Failing input|panic' "$work/log"; then
				cat "$work/log"
				exit 1
			fi
		fi
		echo "  $(grep -o 'execs: [0-9]*' "$work/log" | tail -n 1)"
		count=$((count + 1))
	done
done < <(go list -f '{{.ImportPath}} {{.Dir}}' ./...)
echo "fuzz: $count targets, no failure"
