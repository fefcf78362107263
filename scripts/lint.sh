#!/usr/bin/env bash
# Summary: Everything that reads the sources and complains
#
# Usage: lint.sh
#
# gofmt, go vet and staticcheck over Go; shellcheck and shfmt over shell scripts.
# staticcheck is left out, with a line that says so, when it cannot be fetched.
#
# Environment:
#   STATICCHECK   its package and version, as for go run (the Makefile sets it)
#
# Exit status: 0 nothing found; 1 something found, or a program is missing.
set -uo pipefail

name=${0##*/}
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
failed=0

complain() { # MESSAGE
	printf '%s: error: %s\n' "$name" "$1" >&2
	failed=1
}

for program in shellcheck shfmt; do
	command -v $program >/dev/null || {
		printf '%s: error: %s is not installed\n%s: hint: on Debian: apt-get install %s\n' "$name" $program "$name" $program >&2
		exit 1
	}
done

files=$(gofmt -l -s .)
[[ -z $files ]] || complain "not as gofmt -s writes it: ${files//$'\n'/ }"
go vet ./... || complain "go vet"
if go run "$STATICCHECK" -version >/dev/null 2>&1; then
	go run "$STATICCHECK" ./... || complain "staticcheck"
else
	printf '%s: %s cannot be fetched, it is left out\n' "$name" "$STATICCHECK" >&2
fi

# Also files that are not committed yet.
mapfile -t scripts < <(git ls-files --cached --others --exclude-standard '*.sh' '*.bash' .ci/run)
shellcheck -x -P SCRIPTDIR "${scripts[@]}" || complain "shellcheck"
shfmt -d "${scripts[@]}" || complain "not as shfmt writes it"
exit $failed
