#!/bin/sh
# Checks and tests the npm package of the web door, checks its size, builds the page into a temporary folder, and fails if gateway/web/dist,
# which the program embeds, is not the same.
set -eu
cd "$(dirname "$0")/../client/ts"
[ node_modules/.package-lock.json -nt package-lock.json ] || ../../scripts/retry.sh npm ci --no-audit --no-fund
npm run --silent check
npm run --silent test
cd ../../gateway/web/page
[ node_modules/.package-lock.json -nt package-lock.json ] || ../../../scripts/retry.sh npm ci --no-audit --no-fund
npm run --silent check
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
node build.mjs "$fresh"
if ! diff -rq ../dist "$fresh"; then
	echo "gateway/web/dist is not what gateway/web/page builds: run make page and commit it" >&2
	exit 1
fi
echo "gateway/web/dist is what gateway/web/page builds"
