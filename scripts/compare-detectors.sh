#!/usr/bin/env bash
# Summary: Languages and charsets that we find, beside those that CLD2 and chardet do
#
# Usage: compare-detectors.sh [FOLDER]    (default: build/detectors in the project)
#
# Gets CLD2 (pycld2), chardet and packages that ship labelled texts at fixed versions,
# lets them judge these texts, and runs TestSamplesBesideCLD2 and TestFilesOfChardet
# on the same ones. What is there already stays.
#
# Exit status: 0 ours is as good as is wanted; 1 it is not, or something failed; 2 usage.
set -euo pipefail

name=${0##*/}
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
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
folder=${1:-$root/build/detectors}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
python=$folder/env/bin/python

# fetch source|wheel NAME VERSION unpacks it as FOLDER/NAME.
fetch() {
	local kind=$1 package=$2 version=$3
	[[ ! -e $folder/$package ]] || return 0
	rm -rf "$folder/part"
	mkdir "$folder/part" "$folder/part/unpacked"
	if [[ $kind == source ]]; then
		"$python" -m pip download --quiet --disable-pip-version-check --no-deps --no-build-isolation --no-binary :all: --dest "$folder/part" "$package==$version"
		tar -xzf "$folder"/part/*.tar.gz -C "$folder/part/unpacked" --strip-components 1
	else
		"$python" -m pip download --quiet --disable-pip-version-check --no-deps --dest "$folder/part" "$package==$version"
		"$python" -m zipfile -e "$folder"/part/*.whl "$folder/part/unpacked"
	fi
	mv "$folder/part/unpacked" "$folder/$package"
	rm -rf "$folder/part"
}

if [[ ! -e $folder/env/installed ]]; then
	rm -rf "$folder/env"
	python3 -m venv "$folder/env"
	"$python" -m pip install --quiet --disable-pip-version-check 'setuptools<81' wheel pycld2==0.42
	touch "$folder/env/installed"
fi
fetch source pycld2 0.42
fetch source chardet 4.0.0
fetch wheel django 5.2.19
fetch wheel spacy 3.8.18

cd "$root"
whatlanggo=$(cd "$folder" && go mod download -json github.com/abadojack/whatlanggo@v1.0.1 | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')
if [[ ! -s $folder/samples.tsv ]]; then
	"$python" lib/language/testdata/label_samples.py "$folder/pycld2" "$folder/django" "$folder/spacy" "$whatlanggo" >"$folder/samples.part"
	mv "$folder/samples.part" "$folder/samples.tsv"
fi
if [[ ! -s $folder/chardet.txt ]]; then
	"$python" lib/charset/testdata/judge_files.py "$folder/chardet" >"$folder/chardet.part"
	mv "$folder/chardet.part" "$folder/chardet.txt"
fi
cat "$folder/chardet.txt"
ARCHIVESTREAM_LANGUAGES=$folder/samples.tsv ARCHIVESTREAM_CHARDET=$folder/chardet/tests \
	go test -count=1 -run '^(TestSamplesBesideCLD2|TestFilesOfChardet)$' -v ./lib/language ./lib/charset
