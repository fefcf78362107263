#!/usr/bin/env bash
# Summary: All programs in one binary that detects races, under their names
#
# Usage: race-programs.sh FOLDER
#
# FOLDER gets a link for each program; its earlier content is replaced. To link each
# program by itself would take minutes. Needs cgo and a C compiler.
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
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The packages of these programs under other names, which the compiler is shown in a
# folder of the tree that is not there.
place=$PWD/build/one-binary
overlay='' imports='' cases='' programs=()
show() { # FILE PATH
	overlay+=${overlay:+,}$(printf '"%s":"%s"' "$place/$2" "$1")
}
for main in mappers/*/main.go reducers/*/main.go jobs/*/main.go scripts/*/main.go; do
	program=$(basename "${main%/main.go}")
	package=p_${program//-/_}
	programs+=("$program")
	mkdir "$work/$package"
	for file in "${main%/main.go}"/*; do
		case $file in
		*_test.go) continue ;;
		*.go) sed -e "s/^package main\$/package $package/" -e 's/^func main()/func Main()/' "$file" >"$work/$package/${file##*/}" ;;
		*)
			[[ -f $file ]] || continue
			cp "$file" "$work/$package/"
			;;
		esac
		show "$work/$package/${file##*/}" "$package/${file##*/}"
	done
	imports+=$'\t'"\"archivestream/build/one-binary/$package\""$'\n'
	cases+=$'\t'"case \"$program\":"$'\n\t\t'"$package.Main()"$'\n'
done
cat >"$work/main.go" <<-END
	package main

	import (
		"os"
		"path/filepath"

	$imports)

	func main() {
		switch filepath.Base(os.Args[0]) {
	$cases default:
			os.Exit(2)
		}
	}
END
show "$work/main.go" main.go
printf '{"Replace":{%s}}' "$overlay" >"$work/overlay.json"
CGO_ENABLED=1 go build -race "-gcflags=github.com/parquet-go/...=-d=checkptr=0" -overlay "$work/overlay.json" -buildvcs=false -tags urfave_cli_no_docs -o "$work/all" ./build/one-binary

find "$folder" -mindepth 1 -maxdepth 1 -delete
mv "$work/all" "$folder/.all"
for program in "${programs[@]}"; do
	ln "$folder/.all" "$folder/$program"
done
