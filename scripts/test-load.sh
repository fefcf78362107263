#!/usr/bin/env bash
# Summary: The tests several times, beside a load that is made on purpose
#
# Usage: test-load.sh [--times N] [--processes N] [ARGUMENT OF go test]...
#
# Runs scripts/test.sh with the arguments (default ./...) N times (default 20), while N
# processes (default 4) keep the cores busy, and says how often they passed. A test that
# depends on a quiet machine fails here.
#
# Exit status: 0 all passed; 1 not; 2 usage.
set -euo pipefail

name=${0##*/}
cd "$(dirname "${BASH_SOURCE[0]}")/.."
times=20 processes=4
while (($#)); do
	case $1 in
	--times | --processes)
		[[ ${2-} =~ ^[1-9][0-9]{0,3}$ ]] || {
			printf '%s: error: %s needs a number from 1\n%s: hint: %s --times 20 --processes 4 ./lib/...\n' "$name" "$1" "$name" "$name" >&2
			exit 2
		}
		[[ $1 == --processes ]] || times=$2
		[[ $1 == --times ]] || processes=$2
		shift 2
		;;
	*) break ;;
	esac
done
(($#)) || set -- ./...

busy=()
finish() { kill "${busy[@]}" 2>/dev/null || true; }
trap finish EXIT
for ((i = 0; i < processes; i++)); do
	(while :; do :; done) &
	busy+=($!)
done
failed=0
for ((i = 1; i <= times; i++)); do
	printf '%s: run %d of %d\n' "$name" "$i" "$times"
	scripts/test.sh "$@" || failed=$((failed + 1))
done
printf '%s: %d of %d runs passed beside %d busy processes\n' "$name" $((times - failed)) "$times" "$processes"
((failed == 0))
