#!/usr/bin/env bash
# Builds the release archives into dist/: linux, darwin and windows on amd64 and arm64, with SHA256SUMS beside them.
# The same commit and the same Go release give the same bytes on any machine; --verify builds everything twice, the
# second time in a clone at another path with an empty build cache, and compares.
#
#   scripts/release.sh [--verify] [--version vX.Y.Z] [--platforms "linux/amd64 ..."]
#   scripts/release.sh --list linux      prints which files of the sources an archive has beside the program
#
# Without --version, the version is the tag at HEAD, or else 0.0.0-COMMIT. Needs Go, git, GNU tar and gzip; zip archives are
# written for windows with Python 3.
set -euo pipefail
export LC_ALL=C

usage() { sed -n '2,10s/^# \{0,1\}//p' "$0"; }

# contents GOOS prints the files of the sources that an archive has beside the program.
contents() {
  printf '%s\n' README.md LICENSE CHANGELOG.md SECURITY.md docs/*.md
  if [ "$1" = linux ]; then
    find packaging -type f | sort
  fi
}

cd "$(dirname "$0")/.."
verify='' version='' platforms='linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64'
while [ $# -gt 0 ]; do
  case $1 in
    --verify) verify=1 ;;
    --version) version=${2:?--version needs a value, such as v1.2.3}; shift ;;
    --platforms) platforms=${2:?--platforms needs a value, such as \"linux/amd64 linux/arm64\"}; shift ;;
    --list) contents "${2:?--list needs linux, darwin or windows}"; exit 0 ;;
    -h | --help) usage; exit 0 ;;
    *) echo "release: unknown argument $1; see scripts/release.sh --help" >&2; exit 2 ;;
  esac
  shift
done

commit=$(git rev-parse HEAD)
if [ -n "$(git status --porcelain)" ]; then
  echo "release: the working tree has changes that are not committed; commit or stash them, since a release names a commit" >&2
  exit 2
fi
if [ -z "$version" ]; then
  version=$(git describe --tags --exact-match "$commit" 2>/dev/null || echo "0.0.0-${commit:0:12}")
fi
if [[ $version != 0.0.0-* && ! -e server/testdata/releases/$version.tar.gz ]]; then
  echo "release: later versions are tested with a data folder of $version, and none is recorded: run scripts/release-data.py $version and commit its archive" >&2
  exit 2
fi
epoch=$(git log -1 --format=%ct "$commit")

# build SOURCE OUT makes every archive of the checkout SOURCE in the folder OUT.
build() {
  local source=$1 out=$2 platform goos goarch name stage binary
  mkdir -p "$out"
  for platform in $platforms; do
    goos=${platform%/*} goarch=${platform#*/}
    name=truestep-${version#v}-$goos-$goarch
    stage=$(mktemp -d)
    mkdir "$stage/$name"
    binary=truestep
    [ "$goos" = windows ] && binary=truestep.exe
    echo "release: building $name" >&2
    # The version control stamp would make a build depend on the state of the clone; the commit is passed instead.
    (cd "$source" && CGO_ENABLED=0 GOOS=$goos GOARCH=$goarch GOAMD64=v1 GOFLAGS='' \
      go build -trimpath -buildvcs=false -ldflags "-s -w -buildid= -X main.version=$version -X main.commit=$commit" \
      -o "$stage/$name/$binary" ./cmd/truestep)
    (cd "$source" && contents "$goos" | tar -cf - --files-from -) | tar -xf - -C "$stage/$name"
    if [ "$goos" = windows ]; then
      archive_zip "$stage" "$name" "$out/$name.zip"
    else
      tar --sort=name --mtime="@$epoch" --owner=0 --group=0 --numeric-owner --mode='u+rwX,go=rX' \
        -C "$stage" -cf - "$name" | gzip -9n >"$out/$name.tar.gz"
    fi
    rm -rf "$stage"
  done
  (cd "$out" && sha256sum -- *.tar.gz *.zip 2>/dev/null >SHA256SUMS || true)
}

# archive_zip STAGE NAME FILE writes a zip whose bytes depend on nothing but names, contents and the commit's time.
archive_zip() {
  python3 - "$1" "$2" "$3" "$epoch" <<'PY'
import os, sys, time, zipfile
stage, name, file, epoch = sys.argv[1:]
when = max(time.gmtime(int(epoch))[:6], (1980, 1, 1, 0, 0, 0))
with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as z:
    top = os.path.join(stage, name)
    for path in sorted(os.path.join(folder, f) for folder, _, files in os.walk(top) for f in files):
        info = zipfile.ZipInfo(f"{name}/{os.path.relpath(path, top)}", when)
        info.create_system, info.compress_type = 3, zipfile.ZIP_DEFLATED
        info.external_attr = (0o755 if path.endswith(".exe") else 0o644) << 16
        with open(path, "rb") as f:
            z.writestr(info, f.read())
PY
}

rm -rf dist
build . dist
if [ -n "$verify" ]; then
  second=$(mktemp -d)
  trap 'chmod -R u+w "$second"; rm -rf "$second"' EXIT
  git clone -q . "$second/clone"
  git -C "$second/clone" checkout -q "$commit"
  GOCACHE=$second/cache build "$second/clone" "$second/dist"
  if ! diff -r dist "$second/dist"; then
    echo "release: the second build differs from the first: the build is not reproducible" >&2
    exit 1
  fi
  echo "release: the second build is identical, byte for byte" >&2
fi
cat dist/SHA256SUMS
