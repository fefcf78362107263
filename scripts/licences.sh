#!/usr/bin/env bash
# Summary: The licences of all that is linked into the programs
#
# Usage: licences.sh > LICENCES
#
# Exit status: 0 done; 1 a module has no licence.
set -euo pipefail

name=${0##*/}
cd "$(dirname "${BASH_SOURCE[0]}")/.."
modules=$(go list -deps -tags urfave_cli_no_docs -f '{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}' ./jobs/archivestream | LC_ALL=C sort -u)

# licence TITLE FOLDER
licence() {
	local file found=
	for file in "$2"/{LICENSE,LICENCE,COPYING,NOTICE}{,.txt,.md} "$2"/License* "$2"/*.LICENSE; do
		[[ -f $file ]] || continue
		printf '%s\n%s\n\n' "== $1, ${file##*/}" "$(<"$file")"
		found=1
	done
	[[ $found ]] || {
		printf '%s: error: %s has no licence\n' "$name" "$1" >&2
		exit 1
	}
}

printf 'archivestream is linked with the following.\n\n'
licence "Go $(go env GOVERSION)" "$(go env GOROOT)"
licence "profiles of languages" lib/language
while read -r module version folder; do
	licence "$module $version" "$folder"
done <<<"$modules"
