#!/bin/sh
# Runs a command that downloads something until it succeeds, at most three times, because one reset connection must not fail a
# run: retry.sh COMMAND [ARGUMENT]... A command that cannot be started (status 126, 127) or that a signal ends (128 and more) is not
# repeated. The exit status is that of the last run.
for pause in 1 5; do
	"$@" && exit 0
	status=$?
	[ "$status" -lt 126 ] || exit "$status"
	echo "$1 failed and is repeated" >&2
	sleep $pause
done
"$@"
