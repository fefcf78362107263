#!/usr/bin/env bash
# Summary: The programs, with the race detector
#
# Usage: race-programs.sh FOLDER
#
# FOLDER gets what bin/ has; its earlier content is replaced. Needs cgo and a C compiler.
#
# Exit status: 0 done; 1 failed; 2 usage.
set -euo pipefail

name=${0##*/}
(($# == 1)) || {
	printf '%s: error: expected a folder\n%s: hint: %s FOLDER\n' "$name" "$name" "$name" >&2
	exit 2
}
mkdir -p "$1"
folder=$(cd "$1" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")/.."
find "$folder" -mindepth 1 -maxdepth 1 -delete
CGO_ENABLED=1 go build -race "-gcflags=github.com/parquet-go/...=-d=checkptr=0" -buildvcs=false -tags urfave_cli_no_docs -o "$folder/archivestream" ./jobs/archivestream
for main in mappers/*/main.go reducers/*/main.go jobs/*/main.go; do
	main=${main%/main.go}
	[[ $main == */archivestream ]] || ln -s archivestream "$folder/${main##*/}"
done
