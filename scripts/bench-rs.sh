#!/usr/bin/env bash
# Measures everything that docs/benchmarks/rs.md quotes: COUNT runs each (default 5) with benchstat. With --peers it
# measures rsprot and Truestep instead, one after the other, with the load that rsprot publishes, and prints ratios.
set -euo pipefail
cd "$(dirname "$0")/.."
count=${COUNT:-5}
out=$(mktemp)
trap 'rm -f "$out" "$out.peer" "$out.log"' EXIT

echo "machine: $(nproc) cores, $(awk -F': *' '/model name/ {print $2; exit}' /proc/cpuinfo 2>/dev/null || uname -m), $(uname -sr), $(go version)"
echo

# ours THREADS prints the ms per cycle of both profiles.
ours() {
	go test -run '^$' -bench "BenchmarkPlayerInfo/rsprot/.*/.*/workers=$1\$" -benchtime "${BENCHTIME:-10s}" -count 3 ./proto/rs | tee -a "$out" |
		awk -v t="$1" '/^Benchmark/ { split($1, part, "/"); for (i = 1; i <= NF; i++) if ($i == "ms/cycle") { sum[part[4]] += $(i-1); n[part[4]]++ } }
			END { for (p in sum) printf "truestep %s threads=%s ms/cycle=%.2f runs=%d\n", p, t, sum[p] / n[p], n[p] }' | sort
}

if [ "${1:-}" = --peers ]; then
	for threads in 1 2; do
		ours "$threads" | tee -a "$out.peer"
		if ! THREADS=$threads bench/peers/rsprot/run.sh >"$out" 2>"$out.log"; then
			tail -n 5 "$out.log" >&2
			echo "rsprot could not be built or run here. Its own figures, of another machine (Ryzen 3950X, JDK 8): 170.2 ms on one thread, 11.5 ms on 32"
			exit 1
		fi
		grep -o 'rsprot .*' "$out" | tee -a "$out.peer" # without the colours of Maven
	done
	echo
	awk '{ for (i = 1; i <= NF; i++) { if ($i ~ /^threads=/) t = substr($i, 9); if ($i ~ /^ms\/cycle=/) v = substr($i, 10) + 0 }
		if ($1 == "truestep") ours[t, $2] = v; else theirs[t] = v }
		END { for (k in ours) { split(k, p, SUBSEP); printf "threads=%s %s: rsprot %.1f ms, truestep %.1f ms, %.1f times faster\n", p[1], p[2], theirs[p[1]], ours[k], theirs[p[1]] / ours[k] } }' "$out.peer" | sort
	exit
fi

go test -run '^$' -count "$count" -bench 'BenchmarkPlayerInfo|BenchmarkApply|BenchmarkAppendInfo|BenchmarkPathStep|BenchmarkStartPath|BenchmarkTiles|BenchmarkCycle' \
	./proto/rs ./sim/move ./interest ./gateway/rs | tee "$out" | grep '^Benchmark' || true
echo
go tool -modfile=tools/go.mod benchstat "$out"
