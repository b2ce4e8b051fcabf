#!/usr/bin/env bash
# Checks, tests and builds the operator's page, and tells whether console/dist, which is committed, is what came out.
set -euo pipefail
cd "$(dirname "$0")/../console/web"
npm ci --no-audit --no-fund
npm run check
npm test
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
node_modules/.bin/vite build --outDir "$out" --emptyOutDir
if ! diff -r "$out" ../dist; then
	echo "console/dist is not what its sources make: run make console and commit what it changes"
	exit 1
fi
