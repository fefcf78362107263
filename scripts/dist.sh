#!/usr/bin/env bash
# Summary: Tarballs and packages of the suite
#
# Usage: dist.sh
#
# Makes in build/dist/, for linux/amd64 and linux/arm64:
#
#   archivestream-VERSION-linux-ARCH.tar.gz    to be unpacked anywhere
#   archivestream_VERSION_ARCH.deb, archivestream-VERSION.ARCH.rpm
#   SHA256SUMS
#
# All dates in them are that of the commit, so that the same sources give the same
# bytes. VERSION is that of the last tag, or 0 with date and commit.
#
# Environment:
#   NFPM   the package of nfpm and its version, as for go run (the Makefile sets it)
#
# Exit status: 0 done; 1 failed.
set -euo pipefail
umask 022

cd "$(dirname "${BASH_SOURCE[0]}")/.."
export CGO_ENABLED=0 LC_ALL=C TZ=UTC
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
commit=$(git describe --tags --always --dirty)
version=${commit#v}
[[ $version =~ ^[0-9]+\.[0-9] ]] || version=0.$(date -d "@$SOURCE_DATE_EPOCH" +%Y%m%d).$commit
version=${version//-/.}

dist=build/dist
rm -rf "$dist"
mkdir -p "$dist"
GOBIN=$PWD/$dist go install "$NFPM"

for arch in amd64 arm64; do
	work=$dist/$arch
	name=archivestream-$version-linux-$arch
	GOOS=linux GOARCH=$arch go build -trimpath -buildvcs=false -tags urfave_cli_no_docs \
		-ldflags "-s -w -buildid= -X archivestream/lib/stage.Version=$commit" -o "$work/archivestream" ./jobs/archivestream
	scripts/install.sh "$work/archivestream" "$work/root" /usr
	tar -c --format=gnu --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
		--transform "flags=r;s,^\.,$name," -C "$work/root/usr" . | gzip -n -9 >"$dist/$name.tar.gz"
	find "$work/root" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
	cat >"$work/nfpm.yaml" <<-END
		name: archivestream
		arch: $arch
		platform: linux
		version: $version
		version_schema: none
		maintainer: archivestream
		description: |
		  Programs for web archives: extract, index, select, derive, map.
		  Stages that read lines and write lines, in a shell pipe, on all cores of one
		  machine, or on a Hadoop cluster.
		section: utils
		priority: optional
		mtime: $(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)
		depends:
		  - bash
		  - coreutils
		overrides:
		  deb:
		    depends: [bash (>= 5), coreutils, sed, findutils, util-linux]
		  rpm:
		    depends: [bash >= 5, coreutils, sed, findutils, util-linux]
		contents:
		  - src: $work/root/usr
		    dst: /usr
		    type: tree
		rpm:
		  buildhost: localhost
	END
	for packager in deb rpm; do
		"$dist/nfpm" package --config "$work/nfpm.yaml" --packager "$packager" --target "$dist" >/dev/null
	done
	rm -rf "$work"
done
rm "$dist/nfpm"
(cd "$dist" && sha256sum -- * >SHA256SUMS)
ls -l "$dist"
