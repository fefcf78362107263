#!/usr/bin/env bash
# Summary: The tests of all packages and pipes under the race detector
#
# Usage: test-race.sh [--part]
#
# Runs go test -race over all packages of lib, and the scripts in testdata and drawn
# cases with programs that detect races. With --part what has goroutines of its own
# and some of the pipes only, in a few minutes. Needs cgo and a C compiler.
#
# Exit status: 0 no race, and all tests passed; 1 not; 2 usage.
set -euo pipefail

name=${0##*/}
cd "$(dirname "${BASH_SOURCE[0]}")/.."
packages=(./lib/...)
scripts='Test(Scripts|Same)$' cases=100
case ${1-} in
'') ;;
--part)
	# Those that start goroutines and whose tests are short: what the others start runs
	# in the pipes.
	packages=(./lib/{derive,engine,extract,index,jobfiles,stage})
	scripts='Test(Scripts|Same)$/^(enrich-captures|index-archives|pipe|select-keep|derive)$' cases=20
	;;
*)
	printf '%s: error: unexpected argument %s\n%s: hint: %s [--part]\n' "$name" "$1" "$name" "$name" >&2
	exit 2
	;;
esac
export CGO_ENABLED=1
command -v "$(go env CC)" >/dev/null || {
	printf '%s: error: there is no C compiler, which the race detector needs\n%s: hint: on Debian: apt-get install gcc libc6-dev\n' "$name" "$name" >&2
	exit 1
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A program's standard error may get lost: reports go into files as well. A program
# that has ended need not wait for other threads.
export GORACE="log_path=$work/report exitcode=66 atexit_sleep_ms=0"
status=0
# An empty array of that library is a pointer to nothing, which is not looked at.
readonly quiet='-gcflags=github.com/parquet-go/...=-d=checkptr=0'
scripts/test.sh -race "$quiet" "${packages[@]}" || status=1
scripts/race-programs.sh "$work/bin"
ARCHIVESTREAM_BIN=$work/bin ARCHIVESTREAM_SAME_TIMES=$cases scripts/test.sh -race "$quiet" -run "$scripts" ./jobs || status=1

reports=("$work"/report*)
if [[ -e ${reports[0]} ]]; then
	cat "${reports[@]}"
	printf '%s: error: %d processes reported races\n' "$name" "${#reports[@]}" >&2
	status=1
fi
exit $status
