#!/usr/bin/env bash
# Measures everything that docs/benchmarks/ quotes: the hot paths ten times each with benchstat, then real clients
# against the real server on this machine. CLIENTS and DURATION change the second part; COUNT the first.
set -euo pipefail
cd "$(dirname "$0")/.."
count=${COUNT:-10}
out=$(mktemp)
trap 'rm -f "$out"' EXIT

echo "machine: $(nproc) cores, $(awk -F': *' '/model name/ {print $2; exit}' /proc/cpuinfo 2>/dev/null || uname -m), $(uname -sr), $(go version)"
echo
go test -run '^$' -count "$count" -bench 'BenchmarkStep|BenchmarkCollect|BenchmarkBroadcast|BenchmarkBatchWriter|BenchmarkJudge|BenchmarkMelee|BenchmarkGrid' \
	./sim ./sim/move ./sim/combat ./sim/geom ./interest ./proto/enet ./gateway/rcce | tee "$out" | grep '^Benchmark' || true
echo
go tool -modfile=tools/go.mod benchstat "$out"
echo
for clients in ${CLIENTS:-500 1000}; do
	scripts/swarm.sh "$clients" "${DURATION:-60s}" --walk --in-sight --ramp "${RAMP:-10/s}"
done
