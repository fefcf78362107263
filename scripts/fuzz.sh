#!/usr/bin/env bash
# Summary: Run fuzz tests for a while
#
# Usage: fuzz.sh [--keep N] [--within SECONDS] TIME [TEST]...
#
# TIME is for each test, as for go test -fuzztime, in seconds: 30s. Without names
# every fuzz test is run.
#
# --keep N copies the N smallest inputs that the run has found interesting to the
# package's testdata/fuzz, where every run of go test tries them again. An input
# that fails a test is always written there.
#
# --within SECONDS ends in that time: tests for which none is left are named and
# not run. That is no failure.
#
# Exit status: 0 no finding; 1 a finding, or a test that cannot be run; 2 usage.
set -uo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
keep=0 within=
while [[ ${1:-} == --keep || ${1:-} == --within ]]; do
	if [[ $1 == --keep ]]; then keep=${2:-}; else within=${2:-}; fi
	shift $(($# > 1 ? 2 : 1))
done
if [[ ! $keep =~ ^[0-9]+$ || ! $within =~ ^[0-9]*$ || ! ${1:-} =~ ^[1-9][0-9]*s$ ]]; then
	sed -n '2,/^[^#]/{/^#/!q;s/^# \{0,1\}//;p}' "$0" >&2
	exit 2
fi
readonly seconds=${1%s} wanted=" ${*:2} "

scratch=$(mktemp -d) || exit
trap 'rm -rf "$scratch"' EXIT
# What a tested program syncs to disk would take the time of a thousand inputs.
if [[ -w /dev/shm ]]; then
	TMPDIR=$(mktemp -d -p /dev/shm) || exit
	export TMPDIR
	trap 'rm -rf "$scratch" "$TMPDIR"' EXIT
fi

# keep_inputs PACKAGE TEST
keep_inputs() {
	local input
	mkdir -p "$1/testdata/fuzz/$2"
	# shellcheck disable=SC2012 # the names are hexadecimal
	ls -Sr "$scratch/inputs/$2" | head -n "$keep" | while read -r input; do
		cp "$scratch/inputs/$2/$input" "$1/testdata/fuzz/$2/"
	done
}

# fuzz PACKAGE TEST. Go ends a run whose workers are late at its end, as on a busy
# machine, with an error that is no finding, and may hang then: hence the limit.
fuzz() {
	local status
	(
		cd "$1" || exit 1
		# Minimizing what is merely interesting would take most of a short run.
		exec timeout --kill-after=5 $((seconds + 15)) "$scratch/test" -test.run '^$' -test.fuzz "^$2\$" \
			-test.fuzztime "${seconds}s" -test.fuzzminimizetime 50x -test.fuzzcachedir "$scratch/inputs"
	) 2>&1 | tee "$scratch/said"
	status=${PIPESTATUS[0]}
	if ((status == 0)); then
		return 0
	fi
	if ((status == 124 || status == 137)) || grep -qx ' *context deadline exceeded' "$scratch/said"; then
		grep -q 'Failing input written' "$scratch/said" || {
			printf '%s was stopped, without a finding\n' "$2"
			return 0
		}
	fi
	return 1
}

failed=0 left=()
while IFS=: read -r file test; do
	[[ $wanted == '  ' || $wanted == *" $test "* ]] || continue
	if [[ -n $within ]] && ((SECONDS + seconds + 20 > within)); then
		left+=("$test")
		continue
	fi
	folder=./$(dirname "$file")
	printf '%s %s\n' "$folder" "$test"
	# Built by itself, so that the time is that of the test.
	if ! go test -c -fuzz . -o "$scratch/test" "$folder" || ! fuzz "$folder" "$test"; then
		failed=1
	fi
	((keep == 0)) || keep_inputs "$folder" "$test"
done < <(grep -rEo --include='*_test.go' '^func Fuzz[A-Za-z0-9_]+' . | sed 's/func //; s|^\./||' | sort)
((${#left[@]} == 0)) || printf 'no time is left for %s\n' "${left[*]}"
exit $failed
