#!/usr/bin/env bash
# All end-to-end tests. Those that mostly wait run beside each other; what each has to say is shown when it has ended.
set -uo pipefail
cd "$(dirname "$0")/.."
logs=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$logs"' EXIT
failed=0

# beside TARGET... runs targets at once and shows their output one after the other.
beside() {
	local pids=() target
	for target in "$@"; do
		make --no-print-directory -o build "$target" >"$logs/$target" 2>&1 &
		pids+=($!)
	done
	local i=0
	for target in "$@"; do
		wait "${pids[$i]}" || { failed=1; echo "FAILED: make $target"; }
		i=$((i + 1))
		cat "$logs/$target"
	done
}

make --no-print-directory build || exit 1
node e2e/bedrock/setup.mjs || exit 1 # once, for the two that need it
beside e2e-rs e2e-world
beside e2e-rcce e2e-console
beside e2e-bedrock
exit $failed
