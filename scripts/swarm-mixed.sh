#!/usr/bin/env bash
# Starts a server with all doors and the console on free ports, runs a mixed swarm of clients against it, and prints the
# results:
# scripts/swarm-mixed.sh RCCE RS BEDROCK DURATION [flags of `truestep swarm mixed`], with the number of clients of each door.
# The environment variable BIN names a truestep binary; without it the script builds one. DATA names the data folder, which is
# not removed; without it the script uses a temporary one.
set -euo pipefail
cd "$(dirname "$0")/.."
rcce=$1 rs=$2 bedrock=$3 duration=$4
shift 4
for name in "${!TRUESTEP_@}"; do unset "$name"; done # settings of another server
dir=$(mktemp -d)
data=${DATA:-$dir/data}
server=
stop() {
	[ -z "$server" ] || kill -INT "$server" 2>/dev/null || true
	[ -z "$server" ] || wait "$server" 2>/dev/null || true
	rm -rf "$dir"
}
trap stop EXIT
if [ -n "${BIN:-}" ]; then cp "$BIN" "$dir/truestep"; else go build -trimpath -o "$dir/truestep" ./cmd/truestep; fi
any=127.0.0.1:0
"$dir/truestep" serve --data-dir "$data" --rcce $any --rs $any --bedrock $any --console $any --metrics $any >"$dir/out" 2>"$dir/log" &
server=$!
for _ in $(seq 100); do
	grep -q '^ready' "$dir/out" && break
	sleep 0.1
done
grep -q '^ready' "$dir/out" || { cat "$dir/log" >&2; exit 1; }
address() { grep "^  $1 " "$dir/out" | grep -o '127\.0\.0\.1:[0-9]*' | head -1; }
status=0
"$dir/truestep" swarm mixed --rcce "$rcce" --rs "$rs" --bedrock "$bedrock" --duration "$duration" \
	--rcce-addr "$(address rcce)" --rs-addr "$(address rs)" --bedrock-addr "$(address bedrock)" \
	--public-key "$data/rs-public.txt" --console "$(grep -o 'http://[^ ]*#token=[^ ]*' "$dir/out" | head -1)" "$@" || status=$?
echo
echo "server, busiest second:"
grep ' players ' "$dir/out" | sort -k1,1n -s | tail -1
echo "server, processor time: $(awk '{print ($14 + $15) / 100 " s"}' "/proc/$server/stat" 2>/dev/null || echo unknown)"
exit $status
