#!/usr/bin/env bash
# Runs all end-to-end tests but e2e-console-pages, which make test runs beside the tests that compute. The suites partly wait, so
# three sequences of suites (lanes) of equal length run in parallel. A fourth lane would end no earlier on two cores, and its clients and
# servers would lack processor time for seconds. The suites with browsers start one after the other. The attacks run alone at the end,
# because on a busy machine honest players notice them, and each attack is then repeated. The output and the duration of a suite are
# printed when it has ended.
set -uo pipefail
cd "$(dirname "$0")/.."
logs=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$logs"' EXIT

# lane TARGET... runs make targets one after the other. Its status is 1 if any of them failed.
lane() {
	local target began failed=0
	trap 'kill $! 2>/dev/null; exit 1' TERM
	for target in "$@"; do
		began=$SECONDS
		make --no-print-directory -o build "$target" >"$logs/$target" 2>&1 &
		wait $! || {
			failed=1
			# The failed checks come before the log, because readers of long output often see only parts of it.
			{
				echo "FAILED: make $target"
				grep -E '^(FAIL|not ok|panic:|make.*Error)' "$logs/$target" || tail -n 20 "$logs/$target"
			} | tee -a "$logs/failed"
		}
		cat "$logs/$target"
		echo "make $target: $((SECONDS - began)) s"
	done
	return $failed
}

make --no-print-directory build || exit 1
make --no-print-directory e2e-lib || exit 1
node e2e/bedrock/setup.mjs || exit 1 # once, for the three suites that need the packages
lane e2e-console &
lane e2e-bedrock e2e-web &
lane e2e-cluster-brief e2e-rs e2e-rcce e2e-world e2e-kill-brief e2e-console-cluster &
failed=0
for job in $(jobs -p); do
	wait "$job" || failed=1
done
lane e2e-attack-brief || failed=1
[ ! -f "$logs/failed" ] || cat "$logs/failed"
exit $failed
