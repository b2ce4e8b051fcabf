#!/usr/bin/env bash
# Starts a server on a free port with a temporary data folder, runs a swarm of clients against it, and prints the results of both:
# scripts/swarm.sh CLIENTS DURATION [flags of `truestep swarm DOOR`]
# The environment variable DOOR selects the door, rcce by default: DOOR=bedrock scripts/swarm.sh 100 60s --mixed
# The variable SERVE adds flags of `truestep serve`: SERVE='--tape off' scripts/swarm.sh 1000 60s
set -euo pipefail
cd "$(dirname "$0")/.."
clients=$1 duration=$2 door=${DOOR:-rcce}
read -ra serve <<<"${SERVE:-}"
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
case $door in
rcce) doors=(--rcce 127.0.0.1:0 --rs off --bedrock off --rcce-max-peers 5000 --metrics off) flags=() ;;
bedrock) doors=(--rcce off --rs off --bedrock 127.0.0.1:0 --metrics 127.0.0.1:0) ;;
*) echo "DOOR=$door: must be rcce or bedrock" >&2 && exit 2 ;;
esac
"$dir/truestep" serve --data-dir "$dir/data" --console off --web off "${doors[@]}" "${serve[@]}" >"$dir/out" 2>"$dir/log" &
server=$!
for _ in $(seq 100); do
	grep -q '^ready' "$dir/out" && break
	sleep 0.1
done
grep -q '^ready' "$dir/out" || { cat "$dir/log" >&2; exit 1; }
address=$(grep "^  $door " "$dir/out" | grep -o '127\.0\.0\.1:[0-9]*')
[ "$door" = rcce ] || flags=(--metrics "$(grep '^  metrics ' "$dir/out" | grep -o '127\.0\.0\.1:[0-9]*')")
status=0
"$dir/truestep" swarm "$door" --server "$address" "${flags[@]}" --clients "$clients" --duration "$duration" "$@" || status=$?
echo
echo "server, busiest second and the last five of play:"
grep ' players ' "$dir/out" | sort -k1,1n -s | tail -1
grep ' players ' "$dir/out" | awk -v n="$clients" '$1 >= n * 0.95' | tail -5
echo "server, processor time: $(awk '{print ($14 + $15) / 100 " s"}' "/proc/$server/stat" 2>/dev/null || echo unknown)"
exit $status
