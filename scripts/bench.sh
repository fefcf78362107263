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
BENCH_ROUNDS=${BENCH_ROUNDS:-9}
# shellcheck source=scripts/bench.bash
. "${BASH_SOURCE[0]%/*}/bench.bash"

records=${BENCH_RECORDS:-300000}
pick=${BENCH_PICK:-100000}
if [[ ! $records$pick =~ ^[0-9]+$ ]] || ((pick < 1)); then
	fail "BENCH_RECORDS, BENCH_PICK: numbers from 1 are wanted" "see $name --help" 2
fi
# Revisits are not picked, and fewer than a fifth of the captures are revisits.
if ((pick > records * 4 / 5)); then
	fail "BENCH_PICK is more than four fifths of BENCH_RECORDS" "give a smaller BENCH_PICK" 2
fi
command -v python3 >/dev/null || fail "python3 is not installed" "one of the contenders is a Python program"
work=$folder/work
exec 9>"$folder/lock"
flock -n 9 || fail "another benchmark is at work in $folder" "two at once would measure each other"

make_corpus "corpus-$records-$pick" --records "$records" --pick "$pick" --seed 1

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
