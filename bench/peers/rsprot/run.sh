#!/bin/sh
# Prints one line of figures for rsprot's player info on one thread, then one on two. About three and a half minutes.
#
#   run.sh [name=value ...]     arguments of PlayerInfoBench: warmup=30 measure=20 runs=3 allocator=pooled seed=1
#
# Environment: RSPROT_REVISION (239, or 221), RSPROT_VERSION (else that of pom.xml), THREADS ("1 2"), CPUS (the processors
# to run on, as many as threads are taken from the front), JAVA, JAVA_OPTS, RSPROT_DEVELOPMENT (false, as rsprot's comment asks
# for in production; true is its default, with which its published figures were taken).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
revision=${RSPROT_REVISION:-239}
cpus=${CPUS:-0,1}

mvn -B -q -f "$here/pom.xml" -Dstyle.color=never -Drsprot.revision="$revision" ${RSPROT_VERSION:+-Drsprot.version="$RSPROT_VERSION"} package >&2

for threads in ${THREADS:-1 2}; do
	# The parallel collector is the default of the JDK 8 that the published figures come from.
	# shellcheck disable=SC2086 # JAVA_OPTS is a list
	taskset -c "$(echo "$cpus" | cut -d, -f-"$threads")" "${JAVA:-java}" -Xms2g -Xmx2g -XX:+UseParallelGC \
		-Djava.util.concurrent.ForkJoinPool.common.parallelism=$((threads > 1 ? threads - 1 : 1)) \
		-Dnet.rsprot.protocol.internal.development="${RSPROT_DEVELOPMENT:-false}" ${JAVA_OPTS:-} -jar "$here/target/$revision/bench.jar" threads="$threads" "$@"
done
