#!/usr/bin/env bash
# Summary: Run every fuzz test for a while
#
# Usage: fuzz.sh [--keep N] TIME    TIME as for go test -fuzztime, for example 30s
#
# --keep N copies the N smallest inputs that the run has found interesting to the
# package's testdata/fuzz, where every run of go test tries them again. An input
# that fails a test is always written there.
#
# Exit status: 0 no finding; 1 a finding; 2 usage.
set -uo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
keep=0
if [[ ${1:-} == --keep ]]; then
	keep=${2:-}
	shift 2
fi
if (($# != 1)) || [[ ! $keep =~ ^[0-9]+$ || $1 == -* ]]; then
	sed -n '2,/^[^#]/{/^#/!q;s/^# \{0,1\}//;p}' "$0" >&2
	exit 2
fi

keep_inputs() { # FOLDER TEST
	local found input
	found=$(go env GOCACHE)/fuzz/$(go list "$1")/$2
	[[ -d $found ]] || return 0
	mkdir -p "$1/testdata/fuzz/$2"
	# shellcheck disable=SC2012 # the names are hexadecimal
	ls -Sr "$found" | head -n "$keep" | while read -r input; do
		cp "$found/$input" "$1/testdata/fuzz/$2/"
	done
}

failed=0
while IFS=: read -r file test; do
	folder=./$(dirname "$file")
	printf '%s %s\n' "$folder" "$test"
	# Minimizing what is merely interesting would take most of a short run.
	go test -run '^$' -fuzz "^$test\$" -fuzztime "$1" -fuzzminimizetime 50x "$folder" || failed=1
	((keep == 0)) || keep_inputs "$folder" "$test"
done < <(grep -rEo --include='*_test.go' '^func Fuzz[A-Za-z0-9_]+' . | sed 's/func //; s|^\./||' | sort)
exit $failed
