#!/usr/bin/env bash
# Summary: Time the extraction next to a plain copy and a Python loop
#
# Usage: bench.sh
#
# Makes a corpus under build/bench, or takes the one that an earlier run has made
# with the same numbers, and extracts a random pick of its records. All times are
# of one run in which the contenders take turns; the page cache is warm. Prints a
# table, and whether the project's own bars are met. They never make it fail.
#
# Environment:
#   BENCH_RECORDS  captures in the corpus (default 300000: 1.5 GB)
#   BENCH_PICK     captures to extract (default 100000)
#   BENCH_ROUNDS   turns (default 9)
#   BENCH_FOLDER   where the corpus and all copies lie (default build/bench)
#   BENCH_HADOOP   1: also on the one-node Hadoop (scripts/hadoop.sh up)
#
# Needs python3.
#
# Exit status: 0 done; 1 failed, or two outputs differ; 2 usage.
set -euo pipefail
export LC_ALL=C

name=${0##*/}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
records=${BENCH_RECORDS:-300000}
pick=${BENCH_PICK:-100000}
rounds=${BENCH_ROUNDS:-9}
folder=${BENCH_FOLDER:-$root/build/bench}

fail() { # MESSAGE HINT [STATUS]
	printf '%s: error: %s\n%s: hint: %s\n' "$name" "$1" "$name" "$2" >&2
	exit "${3:-1}"
}

case ${1:-} in
-h | --help)
	sed -n '2,/^[^#]/{/^#/!q;s/^# \{0,1\}//;p}' "$0"
	exit
	;;
?*) fail "unexpected argument $1" "the settings are environment variables, see $name --help" 2 ;;
esac
if [[ ! $records$pick$rounds =~ ^[0-9]+$ ]] || ((pick < 1 || rounds < 1)); then
	fail "BENCH_RECORDS, BENCH_PICK, BENCH_ROUNDS: numbers from 1 are wanted" "see $name --help" 2
fi
# Revisits are not picked, and fewer than a fifth of the captures are revisits.
if ((pick > records * 4 / 5)); then
	fail "BENCH_PICK is more than four fifths of BENCH_RECORDS" "give a smaller BENCH_PICK" 2
fi
command -v python3 >/dev/null || fail "python3 is not installed" "one of the contenders is a Python program"
"${MAKE:-make}" -s -C "$root"

corpus=$folder/corpus-$records-$pick
work=$folder/work
mkdir -p "$folder"
exec 9>"$folder/lock"
flock -n 9 || fail "another benchmark is at work in $folder" "two at once would measure each other"

if [[ ! -e $corpus/corpus.json ]]; then
	rm -rf "$corpus"
	"$root/bin/make-corpus" --output "$corpus" --records "$records" --pick "$pick" --seed 1
fi

clean_up() {
	rm -rf "$work"
	if [[ -n ${on_hdfs:-} ]]; then
		"$root/scripts/hadoop.sh" run hdfs dfs -rm -r -f -skipTrash "$on_hdfs" >/dev/null
	fi
}
trap clean_up EXIT
rm -rf "$work"
mkdir -p "$work"

# What the contenders read. A hundredth of the list shows whether memory grows
# with the list.
"$root/bin/parse-captures" <"$corpus/pick.cdxj" 2>"$work/log" | sort -S 64M -o "$work/plan.tsv" || {
	cat "$work/log" >&2
	exit 1
}
awk 'NR % 100 == 1' "$work/plan.tsv" >"$work/plan-short.tsv"
head -n 1 "$corpus/pick.cdxj" >"$work/one.cdxj"
cat "$corpus"/archives/* >/dev/null

hadoop=()
if [[ -n ${BENCH_HADOOP:-} ]]; then
	"$root/scripts/hadoop.sh" status >/dev/null || fail "Hadoop is not up" "run scripts/hadoop.sh up"
	on_hdfs=hdfs:///tmp/bench-$$
	"$root/scripts/hadoop.sh" run hdfs dfs -mkdir -p "$on_hdfs"
	"$root/scripts/hadoop.sh" run hdfs dfs -put "$corpus/archives" "$corpus/pick.cdxj" "$work/one.cdxj" "$on_hdfs"
	hadoop=(--hadoop "$on_hdfs")
fi
python3 "$root/scripts/bench/measure.py" --root "$root" --corpus "$corpus" --work "$work" --rounds "$rounds" "${hadoop[@]}"
