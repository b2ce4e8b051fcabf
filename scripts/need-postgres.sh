#!/usr/bin/env bash
# Makes sure that the tests find PostgreSQL's initdb. If it is missing, installs Debian's package as root, or else says what to
# install.
set -euo pipefail
found() { command -v initdb >/dev/null || compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null; }
found && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
	echo "installing PostgreSQL, which tests need" >&2
	export DEBIAN_FRONTEND=noninteractive
	"$(dirname "$0")/retry.sh" sh -c 'apt-get update -qq && apt-get install -y -qq --no-install-recommends postgresql' >/dev/null || true
	found && exit 0
fi
echo "the tests need PostgreSQL: install it, on Debian with apt-get install postgresql" >&2
exit 1
