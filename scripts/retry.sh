#!/bin/sh
# Runs a command that downloads something until it succeeds, at most three times, because one reset connection must not fail a
# run: retry.sh COMMAND [ARGUMENT]... The exit status is that of the last run.
for pause in 1 5; do
	"$@" && exit
	echo "$1 failed and is repeated" >&2
	sleep $pause
done
"$@"
