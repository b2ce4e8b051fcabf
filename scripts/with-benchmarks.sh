#!/bin/sh
# Runs a test program, and then each of its benchmarks once: go test -exec scripts/with-benchmarks.sh. A second go test for the
# benchmarks would link all programs again.
"$@" && exec "$1" -test.run='^$' -test.short -test.bench=. -test.benchtime=1x -test.timeout=10m
