#!/bin/sh
# Builds the console's page into a temporary folder and fails if console/dist, which the program embeds, is not the same.
set -eu
cd "$(dirname "$0")/.."
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
(cd console/web && node_modules/.bin/vite build --logLevel error --outDir "$fresh" --emptyOutDir)
if ! diff -r console/dist "$fresh" >/dev/null; then
	echo "console/dist is not what console/web builds: run make console and commit it" >&2
	diff -rq console/dist "$fresh" >&2 || true
	exit 1
fi
echo "console/dist is what console/web builds"
