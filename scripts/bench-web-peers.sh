#!/usr/bin/env bash
# Measures the bytes of the web protocol, naia and Colyseus for the same crowds at the interfaces of network namespaces, over the same
# relay: docs/benchmarks/web.md, "Others". Needs Linux, root, Node 20 and Rust; 48 runs of about 17 s. Arguments are passed to
# bench/peers/web/measure, such as --scenes vale. CARGO_TARGET_DIR keeps what cargo builds.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/" ./bench/peers/web/measure ./bench/peers/web/truestep
(cd bench/peers/web/colyseus && npm ci --no-audit --no-fund --silent)
target=${CARGO_TARGET_DIR:-$work/naia}
(cd bench/peers/web/naia && cargo build --release --locked --quiet --jobs "${CARGO_JOBS:-1}" --target-dir "$target")
"$work/measure" --truestep "$work/truestep" --naia "$target/release/truestep-peer-naia" --colyseus "$PWD/bench/peers/web/colyseus" "$@"
