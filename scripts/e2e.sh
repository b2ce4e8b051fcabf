#!/usr/bin/env bash
# All end-to-end tests. They wait more than they work, so two run at a time; what each has to say is shown when it has
# ended.
set -uo pipefail
cd "$(dirname "$0")/.."
logs=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$logs"' EXIT

# lane TARGET... runs targets one after the other; it fails if one does.
lane() {
	local target failed=0
	trap 'kill $! 2>/dev/null; exit 1' TERM
	for target in "$@"; do
		make --no-print-directory -o build "$target" >"$logs/$target" 2>&1 &
		wait $! || {
			failed=1
			echo "FAILED: make $target"
		}
		cat "$logs/$target"
	done
	return $failed
}

make --no-print-directory build || exit 1
node e2e/bedrock/setup.mjs || exit 1 # once, for the two that need it
lane e2e-world e2e-rcce e2e-rs &
first=$!
lane e2e-bedrock e2e-console &
second=$!
failed=0
wait $first || failed=1
wait $second || failed=1
exit $failed
