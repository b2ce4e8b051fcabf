#!/usr/bin/env bash
# Runs every fuzz target of the module for the given time, as in scripts/fuzz.sh 30s. By default the targets run one after the other,
# each on all CPUs. A second argument N, as in scripts/fuzz.sh 1s 2, runs the targets of N packages at the same time, each on
# one CPU. Further arguments select the packages: scripts/fuzz.sh 1s 2 ./proto/...
set -euo pipefail
cd "$(dirname "$0")/.."
time=${1:-10s}
lanes=${2:-1}
[ $# -gt 2 ] || set -- "$time" "${2:-}" ./...
workers=${2:+-test.parallel=1}
minimize=100x # executions to minimise one input; with the default of 60 s per input, a run would mostly minimise
work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$work"' EXIT
cache=$(go env GOCACHE)/fuzz

# fuzz_package PACKAGE FOLDER runs the targets of a package. Its test program is built once for all of them; go test would link it
# anew for each.
fuzz_package() {
	local program=$work/${1//\//_} target
	go test -c -fuzz . -o "$program" "$1"
	for target in $(cd "$2" && "$program" -test.list '^Fuzz'); do
		if ! (cd "$2" && "$program" -test.run '^$' -test.fuzz "^$target\$" -test.fuzztime "$time" $workers -test.fuzzminimizetime "$minimize" -test.fuzzcachedir "$cache/$1") </dev/null >"$program.log" 2>&1; then
			# A target sometimes fails only because its time ends while an input runs. A real finding names its input.
			if ! grep -q 'context deadline exceeded' "$program.log" || grep -qE 'Failing input|panic' "$program.log"; then
				cat "$program.log"
				return 1
			fi
		fi
		echo "fuzz $1 $target for $time, $(grep -o 'execs: [0-9]*' "$program.log" | tail -n 1)" | tee -a "$work/done"
	done
	rm "$program"
}

packages=()
while read -r package dir; do
	grep -qs '^func Fuzz' "$dir"/*_test.go || continue
	while [ "$(jobs -rp | wc -l)" -ge "$lanes" ]; do wait -n || true; done # the status is read below
	fuzz_package "$package" "$dir" &
	packages+=($!)
done < <(go list -f '{{.ImportPath}} {{.Dir}}' "${@:3}")
for job in "${packages[@]}"; do wait "$job" || failed=1; done
[ -z "${failed:-}" ] || exit 1
echo "fuzz: $(wc -l <"$work/done") targets, no failure"
