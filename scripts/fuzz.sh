#!/usr/bin/env bash
# Runs every fuzz target of the module for the given time each: scripts/fuzz.sh 30s
set -euo pipefail
cd "$(dirname "$0")/.."
time=${1:-10s}
count=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT
for package in $(go list ./...); do
	for target in $(go test -list '^Fuzz' "$package" | grep '^Fuzz' || true); do
		echo "fuzz $package $target for $time"
		go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" "$package" >"$log" 2>&1 || {
			cat "$log"
			exit 1
		}
		count=$((count + 1))
	done
done
echo "fuzz: $count targets, no failure"
