#!/usr/bin/env bash
# Summary: go test, with the failures in full and the skipped tests counted
#
# Usage: test.sh [ARGUMENT OF go test]...
#
# Prints the closing line of each package, all that a failed package said, and at
# the end how many tests were skipped and why.
#
# Environment, set by whoever has these things:
#   ARCHIVESTREAM_PYTHON=FILE    a python with warcio, FastWARC and pywb
#                                (default: that of scripts/python-tools.sh, if made)
#   ARCHIVESTREAM_DATA=FOLDER    real crawl files
#   ARCHIVESTREAM_CHARDET=FOLDER the folder tests in the source of Python's chardet
#   ARCHIVESTREAM_CHROMIUM=FILE  a Chromium, which looks at pages without a window
#                                (default: chromium, if it is on the PATH)
#   ARCHIVESTREAM_HADOOP=1       scripts/hadoop.sh is up
#   ARCHIVESTREAM_SLOW=1         also what takes many minutes (make test-hadoop)
#   ARCHIVESTREAM_SEED=NUMBER    of what is drawn where that is not set (default 1)
#   ARCHIVESTREAM_BIN=FOLDER     programs that the tests of jobs run instead of bin
#   ARCHIVESTREAM_REQUIRE=WORDS  of hadoop, python, data, chromium: without these
#                                the tests fail instead of being skipped
#
# A test that is skipped for want of one of them names its variable in the reason.
#
# Exit status: 0 all passed; 1 not; 2 usage.
set -euo pipefail

name=${0##*/}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
require=" ${ARCHIVESTREAM_REQUIRE:-} "

fail() { # MESSAGE HINT [STATUS]
	printf '%s: error: %s\n%s: hint: %s\n' "$name" "$1" "$name" "$2" >&2
	exit "${3:-1}"
}

if [[ -z ${ARCHIVESTREAM_PYTHON:-} && -e $root/build/python/installed ]]; then
	export ARCHIVESTREAM_PYTHON=$root/build/python/bin/python
fi

if [[ -z ${ARCHIVESTREAM_CHROMIUM:-} ]] && ARCHIVESTREAM_CHROMIUM=$(command -v chromium); then
	export ARCHIVESTREAM_CHROMIUM
fi

for word in $require; do
	case $word in
	python)
		"${ARCHIVESTREAM_PYTHON:-/nowhere}" -c 'import warcio, fastwarc, pywb' 2>/dev/null ||
			fail "the tools in Python are required and not there" "run scripts/python-tools.sh"
		;;
	data)
		[[ -d ${ARCHIVESTREAM_DATA:-} ]] || fail "real crawl files are required and not there" "ARCHIVESTREAM_DATA must name their folder"
		;;
	chromium)
		command -v "${ARCHIVESTREAM_CHROMIUM:-/nowhere}" >/dev/null ||
			fail "a Chromium is required and not there" "ARCHIVESTREAM_CHROMIUM must name it"
		;;
	hadoop)
		"$root/scripts/hadoop.sh" status >/dev/null || fail "Hadoop is required and not up" "run scripts/hadoop.sh up"
		export ARCHIVESTREAM_HADOOP=1
		;;
	*) fail "ARCHIVESTREAM_REQUIRE has the unknown word $word" "hadoop, python, data and chromium are known" 2 ;;
	esac
done

# Results are not cached (-count=1): go test does not see that a program or a job
# script has changed which a test runs. Most of the time of the tests of jobs is
# waiting, for one process or another: four of them keep two cores busy.
{
	status=0
	go test -v -count=1 -parallel 4 -timeout 40m "$@" 2>&1 || status=$?
	printf 'go test ended with %d\n' "$status"
} | awk -v require="$require" '
	# The output of a package is held back until its closing line tells whether
	# it is worth reading.
	function show(   i) {
		for (i = 1; i <= held; i++) print lines[i]
	}
	/^go test ended with [0-9]+$/ { status = $5; next }
	/^(=== (RUN|PAUSE|CONT|NAME)) / { test = $3; next }
	/^[ \t]+[^ \t]+\.go:[0-9]+: / {
		text = $0
		sub(/^[ \t]+[^ \t]+\.go:[0-9]+: /, "", text)
		reason[test] = text
	}
	/^ *--- (PASS|FAIL|SKIP): / {
		ran += $2 != "SKIP:"
		if ($2 == "SKIP:") {
			skipped++
			count[$3 in reason ? reason[$3] : "no reason is given"]++
		}
		if ($2 == "PASS:") next
	}
	/^(ok  |\?   )\t/ {
		print
		fflush()
		held = 0
		next
	}
	# A package without tests, when coverage is on or not.
	/^\t[^\t]+\t\tcoverage: / { held = 0; next }
	/^FAIL\t/ {
		show()
		print
		fflush()
		held = 0
		next
	}
	$0 == "PASS" || $0 == "FAIL" { next }
	{ lines[++held] = $0 }
	END {
		show()
		printf "%d tests and subtests ran, %d skipped\n", ran, skipped
		for (r in count) {
			printf "  %d skipped: %s\n", count[r], r
			for (i = split(require, words, " "); i > 0; i--)
				if (index(r, "ARCHIVESTREAM_" toupper(words[i]))) {
					printf "error: %s is required, and tests were skipped for want of it\n", words[i]
					missing = 1
				}
		}
		if (!ran) print "error: no test has run"
		exit status || missing || !ran
	}'
