#!/usr/bin/env bash
# Runs a command with the folder for temporary files, such as those of servers, in memory where there is room. On a disk, the
# servers' calls of fsync can take longer than the time limit of a login, because compilers have just written hundreds of megabytes.
set -uo pipefail
memory=
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$memory"' EXIT
trap 'exit 1' TERM INT

room_kb=4000000
free_kb=$(df -k --output=avail /dev/shm 2>/dev/null | tail -n 1)
memory_kb=$(awk '$1 == "MemAvailable:" { print $2 }' /proc/meminfo 2>/dev/null)
if [ "${free_kb:-0}" -gt $room_kb ] && [ "${memory_kb:-0}" -gt $((2 * room_kb)) ] && memory=$(mktemp -d /dev/shm/truestep-e2e-XXXXXX); then
	export GOTMPDIR=${GOTMPDIR:-${TMPDIR:-/tmp}} # programs that go run has built must not be where programs may not be executed
	export TMPDIR=$memory
	chmod 1777 "$memory" # PostgreSQL runs as another user, who removes its folders
else
	sync # what compilers have written until now
fi
"$@" &
wait $!
