#!/usr/bin/env bash
# Runs a command on processor time that no other process wants. On Linux it gets a session of its own, because the scheduler
# divides the processor among sessions first and looks at the priorities within each of them afterwards. Elsewhere it runs with
# the lowest priority.
set -uo pipefail
if command -v setsid >/dev/null && command -v chrt >/dev/null; then
	# shellcheck disable=SC2016
	setsid sh -c 'echo 19 2>/dev/null >/proc/self/autogroup; exec chrt --idle 0 "$@"' sh "$@" &
	trap 'kill -- -$! 2>/dev/null; exit 1' TERM INT
	wait $!
else
	exec nice -n 19 "$@"
fi
