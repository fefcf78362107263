#!/usr/bin/env bash
# Summary: Other people's tools that the tests hold our output against
#
# Usage: python-tools.sh [FOLDER]    (default: build/python in the project)
#
# Makes a virtual environment with warcio, FastWARC, pywb, cdxj-indexer, surt,
# DuckDB, pyarrow, cdxsummary, pypdf, Resiliparse, lxml, Pillow, networkx, SciPy, regex, langdetect, filetype and what undoes codings,
# at fixed versions, and prints the path of its python, for ARCHIVESTREAM_PYTHON. What is there already stays: the second run takes no time.
#
# Exit status: 0 done; 1 failed; 2 usage.
set -euo pipefail

# pywb imports pkg_resources, which setuptools 81 has dropped.
packages=(warcio==1.8.1 FastWARC==2.0.1 pywb==2.10.0 cdxj-indexer==1.5.0 surt==0.3.1 duckdb==2.0.0 pyarrow==26.0.1 cdxsummary==0.1.1b5 pypdf==7.1.0
	Resiliparse==2.0.1 lxml==6.1.3 brotli==1.2.1 zstandard==0.25.0 pillow==13.0.0 webencodings==0.6.1 tldextract==5.4.0
	networkx==3.6.1 scipy==1.17.1 numpy==2.4.6 regex==2026.11.15 langdetect==1.0.9 filetype==1.2.0 'setuptools<81')

name=${0##*/}

fail() { # MESSAGE HINT
	printf '%s: error: %s\n%s: hint: %s\n' "$name" "$1" "$name" "$2" >&2
	exit 1
}

case ${1:-} in
-h | --help)
	sed -n '2,/^[^#]/{/^#/!q;s/^# \{0,1\}//;p}' "$0"
	exit
	;;
-*)
	printf '%s: error: unknown option %s\n%s: hint: see %s --help\n' "$name" "$1" "$name" "$name" >&2
	exit 2
	;;
esac
folder=${1:-$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/build/python}
python=$folder/bin/python
# Written last, so an interrupted installation is made again.
installed=$folder/installed

if [[ ! -x $python || $(cat "$installed" 2>/dev/null) != "${packages[*]}" ]]; then
	command -v python3 >/dev/null || fail "python3 is not installed" "on Debian: apt-get install python3-venv"
	rm -rf "$folder"
	python3 -m venv "$folder" >&2 || fail "no virtual environment can be made" "on Debian: apt-get install python3-venv"
	"$python" -m pip install --quiet --disable-pip-version-check --retries 3 "${packages[@]}" >&2 ||
		fail "the tools could not be installed" "pip must reach a package index, and find a wheel or a C compiler for this Python"
	"$python" -W ignore -c 'import warcio, fastwarc, pywb.apps.wayback, cdxj_indexer, surt, duckdb, pyarrow, cdxsummary, pypdf, resiliparse, lxml, brotli, zstandard, PIL, webencodings, tldextract, networkx, scipy, regex, langdetect, filetype' >/dev/null 2>&1 ||
		fail "the tools are installed but do not start" "they work with Python 3.11 and 3.12"
	printf '%s' "${packages[*]}" >"$installed"
fi
cd "$folder" && printf '%s/bin/python\n' "$PWD"
