#!/usr/bin/env bash
# Runs every fuzz target of the module for the given time each: scripts/fuzz.sh 30s
set -euo pipefail
cd "$(dirname "$0")/.."
time=${1:-10s}
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
		if ! (cd "$dir" && "$work/test" -test.run '^$' -test.fuzz "^$target\$" -test.fuzztime "$time" -test.fuzzcachedir "$cache/$package") </dev/null >"$work/log" 2>&1; then
			# A target whose time is up while an input is tried fails now and then; a finding names its input.
			if ! grep -q 'context deadline exceeded' "$work/log" || grep -qE 'Failing input|panic' "$work/log"; then
				cat "$work/log"
				exit 1
			fi
		fi
		count=$((count + 1))
	done
done < <(go list -f '{{.ImportPath}} {{.Dir}}' ./...)
echo "fuzz: $count targets, no failure"
