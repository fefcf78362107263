#!/usr/bin/env bash
# Summary: Time the selection next to a plain script and a scan
#
# Usage: bench-select.sh
#
# Makes a corpus of 60,000 captures of 500 hosts, about 1 GB compressed, under
# build/bench, or takes the one of an earlier run, and sums the lengths of texts in
# three scenarios: all captures of one URL; HTML pages of one domain; the latest
# successful capture of each URL in a month, of text. The contenders take turns; the
# page cache is warm. Prints CPU seconds of whole processes, and whether the project's
# own bars are met, which never makes it fail. The sums have to be equal.
#
# ArchiveSpark 3.0.1 runs on Spark 2.4 with as many threads as there are cores, several
# times in one JVM. Neither the JVM's start-up counts nor the first repetition, so that
# its code is compiled by then. Of all contenders the turn in the middle counts: of a
# JVM the least one is one without garbage collection. It leaves out the blanks
# around a text, so its sums are held against ours without these. Where it cannot be had
# (scripts/bench/archivespark.sh), figures stand for it that were measured on a smaller
# corpus, of 60,000 captures and 617 MB.
#
# Environment:
#   BENCH_ROUNDS         turns (default 9)
#   BENCH_REPETITIONS    of ArchiveSpark, the first one included (default 10)
#   BENCH_FOLDER         where the corpus lies (default build/bench)
#   ARCHIVESPARK_FOLDER  where ArchiveSpark lies, or is put (default build/archivespark)
#   ARCHIVESTREAM_PYTHON python that has FastWARC (default: one that
#                        scripts/python-tools.sh makes)
#
# Exit status: 0 done; 1 failed, or sums differ; 2 usage.
BENCH_ROUNDS=${BENCH_ROUNDS:-9}
# shellcheck source=scripts/bench.bash
. "${BASH_SOURCE[0]%/*}/bench.bash"
repetitions=${BENCH_REPETITIONS:-10}
spark=${ARCHIVESPARK_FOLDER:-$root/build/archivespark}
use_python
make_corpus select-60000 --records 60000 --hosts 500 --format warc --min-size 8KB --max-size 240KB --seed 5
use_work select
cat "$corpus"/archives/* >/dev/null

index=$corpus/index.cdx archives=$corpus/archives
url=$(awk '$5 == 200 && $4 == "text/html" { print $3 }' "$index" | sort | uniq -c | sort -k1,1nr -k2 | awk 'NR == 1 { print $2 }')
domain=$(awk 'NR > 1 { split($1, a, ")"); n = split(a[1], b, ","); if (n == 2 && $4 == "text/html") print b[2] "." b[1] }' "$index" |
	sort | uniq -c | sort -k1,1nr -k2 | awk 'NR == 5 { print $2 }')
month=201904
scenarios=("url $url" "domain $domain" "month $month")
conditions=("url == \"$url\" && status == 200" "domain == \"$domain\" && mime == \"text/html\" && status == 200"
	"timestamp startsWith \"$month\" && status == 200 && mime startsWith \"text/\"")

# ours.sh EXPR CONDITION [OPTION]...: the sum of an expression by our job.
cat >"$work/ours.sh" <<END
"$root/jobs/select.sh" --quiet --cdx "$index" --archives "$archives" --columns "length = \$1" --save csv --output "$work/corpus" --where "\${@:2}" &&
	gzip -dc "$work"/corpus/part-*.csv.gz | awk 'NR > 1 { sum += \$1 } END { print sum }'
END

# turn TITLE COMMAND...: measures one of the contenders, and notes its sum.
turn() {
	rm -rf "$work/corpus"
	printf '%s\t%s\t%s\n' "$1" "$(cpu_into "$work/sum" "${@:2}")" "$(<"$work/sum")"
}

for ((round = 0; round < rounds; round++)); do
	for i in 0 1 2; do
		read -r -a scenario <<<"${scenarios[i]}"
		more=()
		((i < 2)) || more=(--pick latest)
		turn "$((i + 1)) select.sh" bash "$work/ours.sh" payload.string.length "${conditions[i]}" ${more[@]+"${more[@]}"}
		turn "$((i + 1)) plain Python" "$python" "$root/scripts/bench/select_plain.py" "$index" "$archives" "${scenario[@]}"
		turn "$((i + 1)) FastWARC scan" "$python" "$root/scripts/bench/select_scan.py" "$archives" "${scenario[@]}"
	done
done >"$work/times"

# A sum without blanks has a mark in front.
archivespark='as measured on 617 MB'
if "$root/scripts/bench/archivespark.sh" "$spark" "$index" "$archives" "$(nproc)" "$repetitions" "$url" "$domain" "$month" >"$work/spark"; then
	archivespark="warm"
	awk -F'\t' '++seen[$1] > 1 { printf "%s ArchiveSpark\t%s %s 0\ttrimmed:%s\n", $1, $3, $4, $2 }' "$work/spark" >>"$work/times"
	for i in 0 1 2; do
		more=()
		((i < 2)) || more=(--pick latest)
		rm -rf "$work/corpus"
		printf '%d select.sh\t\ttrimmed:%s\n' $((i + 1)) "$(bash "$work/ours.sh" 'len(trim(payload.string))' "${conditions[i]}" ${more[@]+"${more[@]}"})"
	done >>"$work/times"
else
	status=$?
	((status == 3)) || exit "$status"
	printf '%s: ArchiveSpark cannot be had, it is not run\n' "$name" >&2
fi

printf '%d MB of WARC; the middle of %d rounds; load %s\n\n' $(($(cat "$archives"/* | wc -c) / 1000000)) "$rounds" "$(load)"
awk -v archivespark="$archivespark" '
	{ kind = substr($1, 1, 1) ($3 ~ /^trimmed:/ ? " trimmed" : "") }
	kind in sum && sum[kind] != $3 { printf "scenario %s says %s, not %s\n", $1, $3, sum[kind]; differ = 1 }
	{ sum[kind] = $3 }
	$2 == "" { next }'"$least"'
	END {
		settle()
		table()
		split("0.96 1.99 4.19", measured, " "); split("20 10 8", times, " ")
		bar("1: CPU ms", 1000 * cpu["1 select.sh"], "at most", 50)
		for (i = 1; i <= 3; i++) {
			ours = cpu[i " select.sh"]
			bar(i ": plain Python / ours, CPU", cpu[i " plain Python"] / ours, "at least", i == 3 ? 3 : 1)
			k = i " ArchiveSpark"
			bar(i ": ArchiveSpark 3.0.1 (" archivespark ") / ours, CPU", (k in cpu ? cpu[k] : measured[i]) / ours, "at least", times[i])
		}
		exit differ
	}' "$work/times"
