#!/usr/bin/env bash
# Records tapes of clients of all doors with a program built for this machine, and replays them with programs built for other
# processors: amd64 at levels v1 and v3, arm64, and s390x, which is big-endian. Every state must have the recorded hash. The
# replay tests of sim and internal/rsscene run on arm64 and s390x, too. Other processors than this machine's are emulated by
# Debian's package qemu-user, which is installed if it is missing.
#
# scripts/tape-cpus.sh [RCCE RS BEDROCK DURATION]: clients of the mixed swarm, and how long they play; 40 40 20 30s without
# arguments.
set -uo pipefail
cd "$(dirname "$0")/.."
rcce=${1:-40} rs=${2:-40} bedrock=${3:-20} duration=${4:-30s}
[ "$(uname)" = Linux ] || { echo "tape-cpus: needs Linux" >&2 && exit 1; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
passed=0 failed=0

# check NAME COMMAND... runs a command, counts it as passed or failed, and prints the end of its output.
check() {
	local name=$1
	shift
	if "$@" >"$dir/out" 2>&1; then
		passed=$((passed + 1))
		echo "ok    $name: $(grep -v '^$' "$dir/out" | tail -1)"
	else
		failed=$((failed + 1))
		echo "FAIL  $name"
		tail -20 "$dir/out"
	fi
}

# runner GOARCH prints the name of the emulator that runs binaries for a processor; nothing for this machine's processor.
runner() {
	case $1 in
	"$(go env GOHOSTARCH)") ;;
	amd64) echo qemu-x86_64 ;;
	arm64) echo qemu-aarch64 ;;
	*) echo "qemu-$1" ;;
	esac
}

install_qemu() {
	local root=()
	[ "$(id -u)" = 0 ] || root=(sudo -n)
	echo "no qemu-user found: installing the package qemu-user with apt-get"
	"${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -q &&
		"${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends qemu-user
}

# with_world NAME COMMAND... runs a truestep command on the tape NAME, with the flag --world if the tape needs it.
with_world() {
	local name=$1
	shift
	case $name in
	swarm) "$@" "$dir/swarm/tape" ;;
	fights) "$@" --world "$dir/fights/world.toml" "$dir/fights/data/tape" ;;
	esac
}

# has_all_doors checks that the tape of the swarm contains intents of all three movement authorities.
has_all_doors() {
	with_world swarm "$dir/truestep-amd64-v1" tape verify | tee "$dir/counts"
	! grep -qE ' 0 (claims|paths|inputs)' "$dir/counts" && grep -q ' claims, .* paths, .* inputs' "$dir/counts"
}

for arch in amd64 arm64 s390x; do
	run=$(runner "$arch")
	[ -z "$run" ] || command -v "$run" >/dev/null || install_qemu || { echo "tape-cpus: needs qemu-user (Debian: apt-get install qemu-user)" >&2 && exit 1; }
done

go build -o "$dir/truestep" ./cmd/truestep || exit 1
programs=(amd64-v1 amd64-v3 arm64 s390x)
for program in "${programs[@]}"; do
	level=
	[ "${program#*-}" = "$program" ] || level=${program#*-}
	CGO_ENABLED=0 GOARCH=${program%-*} GOAMD64=$level go build -o "$dir/truestep-$program" ./cmd/truestep || exit 1
done

# The swarm walks, runs and strikes NPCs. The clients of e2e/kill also cross portals, trade and fight each other, and its server is
# killed twice, so that its tape continues in restored areas.
check "tape of $rcce RealmCrafter, $rs RuneScape and $bedrock Bedrock clients" \
	env BIN="$dir/truestep" DATA="$dir/swarm" scripts/swarm-mixed.sh "$rcce" "$rs" "$bedrock" "$duration" --no-check --tick-max 1s
check "tape of fights, trade and crossings" go run ./e2e/kill --server "$dir/truestep" --brief --kills 2 --keep "$dir/fights"
check "intents of all doors" has_all_doors
for tape in swarm fights; do
	for program in "${programs[@]}"; do
		run=$(runner "${program%-*}")
		check "$tape on $program${run:+ ($run)}" with_world "$tape" $run "$dir/truestep-$program" tape verify
	done
done
for arch in arm64 s390x; do
	run=$(runner "$arch")
	check "replay tests on $arch${run:+ ($run)}" env CGO_ENABLED=0 GOARCH="$arch" go test -vet=off -count=1 ${run:+-exec "$run"} \
		-run 'Golden|Replay' ./sim ./internal/rsscene
done
echo "tape-cpus: $passed passed, $failed failed"
[ "$failed" = 0 ]
