#!/usr/bin/env bash
# Builds the release archives into dist/: linux, darwin and windows on amd64 and arm64, with SHA256SUMS beside them.
# The same commit and the same Go release give the same bytes on any machine; --verify builds everything twice, the
# second time in a clone at another path with an empty build cache, and compares.
#
#   scripts/release.sh [--verify] [--version vX.Y.Z] [--platforms "linux/amd64 ..."]
#
# Without --version it is that of the tag at HEAD, else 0.0.0-COMMIT. Needs Go, git, GNU tar and gzip; zip archives are
# written for windows with Python 3.
set -euo pipefail
export LC_ALL=C

usage() { sed -n '2,9s/^# \{0,1\}//p' "$0"; }

verify='' version='' platforms='linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64'
while [ $# -gt 0 ]; do
  case $1 in
    --verify) verify=1 ;;
    --version) version=${2:?--version needs a value, such as v1.2.3}; shift ;;
    --platforms) platforms=${2:?--platforms needs a value, such as \"linux/amd64 linux/arm64\"}; shift ;;
    -h | --help) usage; exit 0 ;;
    *) echo "release: unknown argument $1; see scripts/release.sh --help" >&2; exit 2 ;;
  esac
  shift
done

cd "$(dirname "$0")/.."
commit=$(git rev-parse HEAD)
if [ -n "$(git status --porcelain)" ]; then
  echo "release: the working tree has changes that are not committed; commit or stash them, since a release names a commit" >&2
  exit 2
fi
if [ -z "$version" ]; then
  version=$(git describe --tags --exact-match "$commit" 2>/dev/null || echo "0.0.0-${commit:0:12}")
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
    cp "$source"/{README.md,LICENSE,CHANGELOG.md,SECURITY.md} "$stage/$name/"
    [ "$goos" = linux ] && cp "$source/packaging/truestep.service" "$stage/$name/"
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
    for entry in sorted(os.listdir(os.path.join(stage, name))):
        info = zipfile.ZipInfo(f"{name}/{entry}", when)
        info.create_system, info.compress_type = 3, zipfile.ZIP_DEFLATED
        info.external_attr = (0o755 if entry.endswith(".exe") else 0o644) << 16
        with open(os.path.join(stage, name, entry), "rb") as f:
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
