#!/usr/bin/env bash
# Starts a server on a free port with a temporary data folder, lets so many clients at it, and prints what both say:
# scripts/swarm.sh CLIENTS DURATION [flags of `truestep swarm rcce`]
set -euo pipefail
cd "$(dirname "$0")/.."
clients=$1 duration=$2
for name in "${!TRUESTEP_@}"; do unset "$name"; done # settings of another server
shift 2
dir=$(mktemp -d)
server=
stop() {
	[ -z "$server" ] || kill -INT "$server" 2>/dev/null || true
	[ -z "$server" ] || wait "$server" 2>/dev/null || true
	rm -rf "$dir"
}
trap stop EXIT
go build -trimpath -o "$dir/truestep" ./cmd/truestep
"$dir/truestep" serve --data-dir "$dir/data" --rcce 127.0.0.1:0 --rs off --bedrock off --metrics off --rcce-max-peers 5000 \
	>"$dir/out" 2>"$dir/log" &
server=$!
for _ in $(seq 100); do
	grep -q '^ready' "$dir/out" && break
	sleep 0.1
done
grep -q '^ready' "$dir/out" || { cat "$dir/log" >&2; exit 1; }
address=$(grep -o '127\.0\.0\.1:[0-9]*' "$dir/out" | head -1)
status=0
"$dir/truestep" swarm rcce --server "$address" --clients "$clients" --duration "$duration" "$@" || status=$?
echo
echo "server, busiest second and the last five of play:"
grep ' players ' "$dir/out" | sort -k1,1n -s | tail -1
grep ' players ' "$dir/out" | awk -v n="$clients" '$1 >= n * 0.95' | tail -5
echo "server, processor time: $(awk '{print ($14 + $15) / 100 " s"}' "/proc/$server/stat" 2>/dev/null || echo unknown)"
exit $status
