#!/usr/bin/env bash
# Summary: Hold the embedded engine to what Hadoop does
#
# Usage: compare-engines.sh [CASE]...    (all cases without an argument)
#
# Gives the same arguments of hadoop-streaming to bin/run-streaming and to the
# one-node Hadoop (scripts/hadoop.sh up) and compares the outputs, file by file
# and byte by byte, and the counters of records. A case whose name begins with
# yarn- runs on YARN; the others in Hadoop's LocalJobRunner, which has the same
# input formats, partitioners, sort and streaming and needs a fifth of the time.
#
# Environment:
#   COMPARE_ON_YARN=1   run all cases on YARN
#
# Exit status: 0 all equal; 1 a case differs or fails; 2 usage.
set -euo pipefail
export LC_ALL=C

name=${0##*/}
scripts=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
engine=$(dirname "$scripts")/bin/run-streaming

# --- inputs -------------------------------------------------------------------

# keys N: N lines of one to four fields of random bytes, ASCII, UTF-8 and
# neither, and a last one that holds the line's number, so that all lines differ.
# The reducers of the cases below sort where Hadoop promises no order.
keys() {
	awk -v n="$1" '
		function random(k) { state = (state * 1103515245 + 12345) % 2147483648; return int(state / 65536) % k }
		function field(   kind, length_, text) {
			kind = random(4)
			text = ""
			for (length_ = random(6); length_ > 0; length_--) {
				if (kind == 0) text = text substr("abc xyz.,-/09~", 1 + random(14), 1)
				else if (kind == 1) text = text word[1 + random(words)]
				else if (kind == 2) text = text random(2000) - 1000
				else text = text sprintf("%c", 128 + random(128))
			}
			return text
		}
		BEGIN {
			state = 1
			words = split("\303\244 \342\202\254 \360\237\230\200 \355\240\200 \357\277\275 \340\244\271 \360\237 \342\202 \304", word, " ")
			for (i = 0; i < n; i++) {
				line = ""
				for (f = random(4); f > 0; f--) line = line field() "\t"
				print line field() "\t" i
			}
		}'
}

# The arguments that every case has: a carriage return is part of a line.
lines=(-D "textinputformat.record.delimiter="$'\n')
library=org.apache.hadoop.mapred.lib

# --- cases: each writes its input into $in and calls compare --------------------

case_hash_partition() {
	keys 2000 >"$in/keys"
	compare -mapper cat -reducer sort -numReduceTasks 7
}

case_key_order() {
	# Distinct keys: Hadoop promises no order for the lines of one key.
	keys 2000 | awk -F'\t' -v OFS='\t' '{ $1 = $1 "~" $NF } 1' >"$in/keys"
	compare -mapper cat -reducer cat -numReduceTasks 2
}

case_hash_partition_of_two_fields() {
	keys 2000 >"$in/keys"
	compare -D stream.num.map.output.key.fields=2 -mapper cat -reducer sort -numReduceTasks 5
}

field_partition() { # OPTIONS OF THE PARTITIONER
	keys 2000 >"$in/keys"
	compare -D stream.num.map.output.key.fields=3 -D "mapreduce.partition.keypartitioner.options=$1" \
		-partitioner $library.KeyFieldBasedPartitioner -mapper cat -reducer sort -numReduceTasks 5
}
case_field_partition_first() { field_partition -k1,1; }
case_field_partition_second_to_third() { field_partition -k2,3; }
case_field_partition_characters() { field_partition -k1.2,2.3; }
case_field_partition_several() { field_partition '-k2,2 -k1,1'; }
case_field_partition_open() { field_partition -k2; }

case_field_partition_unset() {
	keys 2000 >"$in/keys"
	compare -partitioner $library.KeyFieldBasedPartitioner -mapper cat -reducer sort -numReduceTasks 5
}

# secondary_sort COMPARATOR-OPTIONS: host, number, line's number.
secondary_sort() {
	awk 'BEGIN {
		for (i = 0; i < 1000; i++) {
			# 7919 is prime to 1000: every number once, and never two equal keys.
			printf "%s\t%d\t%d\n", substr("abcdefghij", 1 + i % 10, 1 + i % 3), i * 7919 % 1000 - 500, i
		}
	}' >"$in/keys"
	compare -D stream.num.map.output.key.fields=2 \
		-D mapreduce.partition.keypartitioner.options=-k1,1 \
		-D mapreduce.job.output.key.comparator.class=$library.KeyFieldBasedComparator \
		-D "mapreduce.partition.keycomparator.options=$1" \
		-partitioner $library.KeyFieldBasedPartitioner -mapper cat -reducer cat -numReduceTasks 3
}
case_secondary_sort() { secondary_sort '-k1,1 -k2,2nr'; }
case_secondary_sort_ascending() { secondary_sort '-k1,1r -k2,2n'; }
case_secondary_sort_text() { secondary_sort '-k1,1 -k2,2r'; }

# What becomes of lines without a tab, empty lines and tabs at the end.
odd_lines() {
	printf '%s\n' 'one' '' 'two	2' 'three	' 'four		4' 'five	5	' "$@" >"$in/lines"
	printf 'last line has no end' >>"$in/lines"
}
case_map_only_lines() {
	odd_lines '	empty key' '		empty key and value' '	'
	compare -mapper cat -numReduceTasks 0
}
case_map_only_lines_key_only() {
	odd_lines
	compare -D stream.map.output=keyonlytext -mapper cat -numReduceTasks 0
}
case_map_only_two_key_fields() {
	odd_lines
	compare -D stream.num.map.output.key.fields=2 -mapper cat -numReduceTasks 0
}
case_reducer_lines() {
	odd_lines
	compare -mapper cat -reducer cat
}
case_reducer_lines_key_only() {
	odd_lines
	compare -D stream.reduce.output=keyonlytext -mapper cat -reducer cat
}
case_reducer_two_key_fields() {
	odd_lines '	empty field' '		two empty fields'
	compare -D stream.num.map.output.key.fields=2 -D stream.num.reduce.output.key.fields=2 -mapper cat -reducer cat
}
case_identity_reducer() {
	odd_lines
	compare -mapper cat -reducer org.apache.hadoop.mapred.lib.IdentityReducer
}

case_carriage_returns() {
	printf 'a\r\nb\rc\td\r\n\r\n\re\n' >"$in/lines"
	compare -D stream.map.output=keyonlytext -mapper 'od -An -tx1' -numReduceTasks 0
}
case_carriage_returns_in_output() {
	printf 'a\r\nb\rc\td\r\n\r\n\re\n' >"$in/lines"
	compare -D stream.map.output=keyonlytext -mapper cat -numReduceTasks 0
}

# Which task gets what: each map task prints its split and its first line.
show_split=$(
	cat <<'END'
#!/bin/sh
printf '%s %s %s %s %s %s\n' "$mapreduce_task_ismap" "$mapreduce_task_partition" \
	"${mapreduce_map_input_file##*/}" "$mapreduce_map_input_start" "$mapreduce_map_input_length" "$mapreduce_job_reduces"
echo "reporter:counter:split,seen,1" >&2
od -An -c
END
)
splits() { # [-D NAME=VALUE]... [OTHER ARGUMENT]...
	printf '%s\n' "$show_split" >"$here/show-split"
	chmod +x "$here/show-split"
	compare -files "$here/show-split" -D stream.map.output=keyonlytext "$@" -mapper show-split -numReduceTasks 0
}
several_files() {
	local file size
	# Two of the same size, an empty one and two that are not input.
	for file in b:300 a:100 e:0 c:500 d:300 f:1 _hidden:10 .hidden:10; do
		size=${file#*:}
		head -c "$size" /dev/zero | tr '\0' x >"$in/${file%:*}"
	done
}
case_split_numbers() {
	several_files
	splits -D mapreduce.input.fileinputformat.split.minsize=1000000000
}
case_yarn_split_numbers() {
	several_files
	splits -D mapreduce.input.fileinputformat.split.minsize=1000000000
}
# LocalJobRunner ignores mapreduce.job.maps.
case_yarn_splits_of_several_files() {
	seq 1000 1100 >"$in/a"
	seq 2000 2300 >"$in/b"
	printf 'x' >"$in/c"
	splits -D mapreduce.job.maps=5
}
case_yarn_splits_at_line_ends() {
	printf '123456789\n123456789\n12345678\n0123456789\n123456789\n' >"$in/lines"
	splits -D mapreduce.job.maps=5
}
case_gzip() {
	seq 1000 1300 | gzip -n >"$in/numbers.gz"
	{ seq 3 | gzip -n && seq 4 6 | gzip -n; } >"$in/two-members.gz"
	splits
}
case_empty_file() {
	: >"$in/empty"
	splits
}
case_empty_files_and_reducers() {
	: >"$in/empty"
	printf 'a\t1\n' >"$in/one"
	compare -mapper cat -reducer 'sed -e 1i\begin' -numReduceTasks 3
}

n_lines() {
	seq 1000 1006 >"$in/a"
	seq 200 203 >"$in/b"
	splits -D mapreduce.input.lineinputformat.linespermap=3 "$@" -inputformat $library.NLineInputFormat
}
case_n_lines() { n_lines; }
case_n_lines_without_key() { n_lines -D stream.map.input.ignoreKey=true; }
case_yarn_n_lines() { n_lines -D stream.map.input.ignoreKey=true; }

case_combiner() {
	seq 500 | sed 's/.$/&	1/; s/^.*\(.	1\)$/\1/' >"$in/lines"
	cat <<-'END' >"$here/sum"
		#!/bin/sh
		awk -F'\t' '{ sum[$1] += $2 } END { for (key in sum) print key "\t" sum[key] }' | sort
	END
	chmod +x "$here/sum"
	compare -files "$here/sum" -mapper cat -combiner sum -reducer sum -numReduceTasks 2
}

case_counters() {
	seq 5 >"$in/numbers"
	printf '#!/bin/sh\n%s\n' 'cat; echo "reporter:counter:a group,a name,3" >&2; echo "reporter:counter:b,c,-1" >&2' >"$here/count"
	chmod +x "$here/count"
	compare -files "$here/count" -mapper count -reducer count
}

# Of a task whose first attempt fails the second one counts alone.
case_yarn_attempts() {
	seq 1 5 >"$in/a"
	seq 6 9 >"$in/b"
	cat <<-'END' >"$here/fail-first"
		#!/bin/sh
		echo "reporter:counter:attempts,begun,1" >&2
		case $mapreduce_task_attempt_id in
		*_0) head -n 2 && exit 3 ;;
		esac
		cat
	END
	chmod +x "$here/fail-first"
	compare -files "$here/fail-first" -D mapreduce.map.maxattempts=2 -mapper fail-first -reducer cat
}

# --- comparison -----------------------------------------------------------------

# counters FILE: those of both engines' client output that say something about
# records, and the programs' own.
counters() {
	# LocalJobRunner prints those of each task, too; the job's come last.
	awk -F'\t' '
		/: Counters: [0-9]+$/ { delete seen }
		/^\t[^\t]/ { group = $2 }
		/^\t\t/ && group !~ /^(File (System|Input|Output)|Job|Shuffle)/ && (group !~ /^Map-Reduce/ || /(input|output) records=/) && !/Combine/ {
			seen[group ": " $3]
		}
		END { for (s in seen) print s }' "$1" | sort
}

# compare ARGUMENT...: runs the job on both engines. Sets differs.
compare() {
	local framework=local output
	local job=("${lines[@]}" -D mapreduce.job.maps=1 "$@")
	# A glob, because Hadoop lists a local folder, unlike one in HDFS, in no order.
	local input="file://$in/*"
	if [[ $case == yarn_* || -n ${COMPARE_ON_YARN:-} ]]; then
		framework=yarn input=hdfs:///tmp/${work##*/}-$case
		hdfs dfs -put "$in" "$input"
		: >"$here/on-hdfs"
	fi
	# Both print the counters that they end with to standard error.
	if ! "$engine" "${job[@]}" -input "$in" -output "$here/embedded" >"$here/embedded.log" 2>&1; then
		differs="the embedded engine failed: $(tail -n 3 "$here/embedded.log")"
	# LocalJobRunner links the files of -files into the folder that it runs in.
	elif ! cd "$here/links" || ! hadoop jar "$HADOOP_STREAMING_JAR" -D "mapreduce.framework.name=$framework" "${job[@]}" -input "$input" \
		-output "file://$here/hadoop" >"$here/hadoop.log" 2>&1; then
		differs="Hadoop failed: $(tail -n 3 "$here/hadoop.log")"
	else
		rm -f "$here"/hadoop/.*.crc
		counters "$here/embedded.log" >"$here/embedded/.counters"
		counters "$here/hadoop.log" >"$here/hadoop/.counters"
		if ! output=$(diff -r -a "$here/hadoop" "$here/embedded"); then
			differs=$(head -n 20 <<<"$output" | cat -v)
		fi
	fi
}

# run_case CASE prints what came of it; fails when the engines differ.
run_case() {
	local case=$1 differs='' started=$SECONDS
	local here=$work/$case in=$work/$case/in
	mkdir -p "$in" "$here/links"
	"case_$case"
	if [[ -n $differs ]]; then
		printf 'differs  %s (%d s)\n%s\n' "${case//_/-}" $((SECONDS - started)) "$differs"
		return 1
	fi
	printf 'equal    %s (%d s)\n' "${case//_/-}" $((SECONDS - started))
}

clean_up() {
	if compgen -G "$work/*/on-hdfs" >/dev/null; then
		hdfs dfs -rm -r -f -skipTrash "/tmp/${work##*/}-*" >/dev/null
	fi
	rm -rf "$work"
}

main() {
	local failed=0 running=0 case
	[[ -x $engine ]] || "${MAKE:-make}" -s -C "$(dirname "$scripts")"
	if [[ -z ${HADOOP_RUN:-} ]]; then
		exec "$scripts/hadoop.sh" run "$0" "$@"
	fi
	if ((!$#)); then
		# Those on YARN, which wait most, come first in this order.
		# shellcheck disable=SC2046 # words
		set -- $(declare -F | sed -n 's/^declare -f case_//p' | sort -r)
	fi
	set -- "${@//-/_}"
	for case in "$@"; do
		declare -F "case_$case" >/dev/null || {
			printf '%s: error: there is no case "%s"\n' "$name" "${case//_/-}" >&2
			exit 2
		}
	done
	work=$(mktemp -d)
	trap clean_up EXIT
	# Two at a time: much of a job is waiting.
	for case in "$@"; do
		if ((running == 2)); then
			wait -n || failed=$((failed + 1))
			running=$((running - 1))
		fi
		run_case "$case" &
		running=$((running + 1))
	done
	while ((running > 0)); do
		wait -n || failed=$((failed + 1))
		running=$((running - 1))
	done
	printf '%s: %d of %d cases are equal\n' "$name" $(($# - failed)) $#
	((failed == 0))
}

main "$@"
