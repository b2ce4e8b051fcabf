#!/bin/sh
# Checks and tests the console's page, builds it into a temporary folder, and fails if console/dist, which the program
# embeds, is not the same.
set -eu
cd "$(dirname "$0")/../console/web"
[ node_modules/.package-lock.json -nt package-lock.json ] || ../../scripts/retry.sh npm ci --no-audit --no-fund
npm run --silent check
npm run --silent test
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
node_modules/.bin/vite build --logLevel error --outDir "$fresh" --emptyOutDir
if ! diff -rq ../dist "$fresh"; then
	echo "console/dist is not what console/web builds: run make console and commit it" >&2
	exit 1
fi
echo "console/dist is what console/web builds"
