#!/usr/bin/env bash
# Measures the bytes that other libraries send for the same crowds as truestep bench web: Colyseus (needs Node 20) and naia
# (needs Rust), each with one client that sees all actors. The sources are in bench/peers/web. Each measurement takes 12 s.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/truestep" ./cmd/truestep
(cd bench/peers/web/colyseus && npm install --no-audit --no-fund --silent)
(cd bench/peers/web/naia && cargo build --release --locked --quiet --target-dir "${CARGO_TARGET_DIR:-$work/naia}")
naia=${CARGO_TARGET_DIR:-$work/naia}/release/truestep-peer-naia
for scene in "vale 20" "wander 60" "asteroids 30"; do
	read -r name hz <<<"$scene"
	go run ./bench/peers/web/motion -scene "$name" >"$work/$name.jsonl"
	for line in "0 0" "100 0.05"; do
		read -r rtt loss <<<"$line"
		echo "$name, $hz Hz, round trip $rtt ms, loss $loss"
		"$work/truestep" bench web --scene "$name" --rtt "${rtt}ms" --loss "$loss" --json
		"$naia" "$work/$name.jsonl" "$hz" "$rtt" "$loss"
		[ "$loss" != 0 ] || (cd bench/peers/web/colyseus && node run.mjs "$work/$name.jsonl" "$hz" "$rtt")
	done
	(cd bench/peers/web/colyseus && node run.mjs "$work/$name.jsonl" "$hz" 100) # without loss, because TCP would only delay lost data
done
