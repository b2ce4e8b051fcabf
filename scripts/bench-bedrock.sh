#!/usr/bin/env bash
# Measures everything that docs/benchmarks/bedrock.md quotes: COUNT runs each (default 5) with benchstat, and then a swarm
# of CLIENTS (default 100) real clients with encryption for DURATION (default 60s) against the real server.
set -euo pipefail
cd "$(dirname "$0")/.."
count=${COUNT:-5}
out=$(mktemp)
trap 'rm -f "$out"' EXIT

echo "machine: $(nproc) cores, $(awk -F': *' '/model name/ {print $2; exit}' /proc/cpuinfo 2>/dev/null || uname -m), $(uname -sr), $(go version)"
echo

bench() { # package, benchmarks
	go test -run '^$' -count "$count" -bench "$2" "./$1" | tee -a "$out" | grep '^Benchmark' || true
}
bench sim/move 'BenchmarkStep'
bench sim 'BenchmarkPredict'
bench client/rewind .
bench proto/raknet .
bench proto/bedrock 'PlayerAuthInput|MoveActorAbsolute|Batch|Compress|Decompress|Chunk'
bench proto/bedrock/auth .
bench gateway/bedrock .
echo
go tool -modfile=tools/go.mod benchstat "$out"
echo
DOOR=bedrock scripts/swarm.sh "${CLIENTS:-100}" "${DURATION:-60s}" --mixed --rate 10/s
