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
# ArchiveSpark 3.0.1 runs on Spark 2.4 with as many threads as there are cores. Of it
# the least of several repetitions in one JVM is taken, without the JVM's start-up and
# without the first, so that its code is compiled by then. It leaves out the blanks
# around a text, so its sums are held against ours without these. Where it cannot be had
# (scripts/bench/archivespark.sh), figures stand for it that were measured on a smaller
# corpus, of 60,000 captures and 617 MB.
#
# Environment:
#   BENCH_ROUNDS         turns (default 3)
#   BENCH_REPETITIONS    of ArchiveSpark, the first one included (default 10)
#   BENCH_FOLDER         where the corpus lies (default build/bench)
#   ARCHIVESPARK_FOLDER  where ArchiveSpark lies, or is put (default build/archivespark)
#   ARCHIVESTREAM_PYTHON python that has FastWARC (default: one that
#                        scripts/python-tools.sh makes)
#
# Exit status: 0 done; 1 failed, or sums differ; 2 usage.
set -euo pipefail
export LC_ALL=C

name=${0##*/}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
folder=${BENCH_FOLDER:-$root/build/bench}
corpus=$folder/select-60000
rounds=${BENCH_ROUNDS:-3}
repetitions=${BENCH_REPETITIONS:-10}
spark=${ARCHIVESPARK_FOLDER:-$root/build/archivespark}

case ${1:-} in
-h | --help)
	sed -n '2,/^[^#]/{/^#/!q;s/^# \{0,1\}//;p}' "$0"
	exit
	;;
?*)
	printf '%s: error: unexpected argument %s\n%s: hint: see %s --help\n' "$name" "$1" "$name" "$name" >&2
	exit 2
	;;
esac
"${MAKE:-make}" -s -C "$root"
python=${ARCHIVESTREAM_PYTHON:-$("$root/scripts/python-tools.sh")}
if [[ ! -e $corpus/corpus.json ]]; then
	rm -rf "$corpus"
	"$root/bin/make-corpus" --output "$corpus" --records 60000 --hosts 500 --format warc --min-size 8KB --max-size 240KB --seed 5
fi
work=$folder/select
trap 'rm -rf "$work"' EXIT
rm -rf "$work"
mkdir -p "$work"
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
rm -rf "$work/corpus"
"$root/jobs/select.sh" --quiet --cdx "$index" --archives "$archives" --columns "length = \$1" --save csv --output "$work/corpus" --where "\${@:2}" &&
	gzip -dc "$work"/corpus/part-*.csv.gz | awk 'NR > 1 { sum += \$1 } END { print sum }'
END

# cpu COMMAND...: its output, CPU seconds and wall seconds.
cpu() {
	"$python" - "$@" <<-'END'
		import resource, subprocess, sys, time
		begin = time.perf_counter()
		done = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE, check=True)
		wall = time.perf_counter() - begin
		u = resource.getrusage(resource.RUSAGE_CHILDREN)
		print(done.stdout.decode().strip(), "%.3f %.3f" % (u.ru_utime + u.ru_stime, wall))
	END
}

for ((round = 0; round < rounds; round++)); do
	for i in 0 1 2; do
		read -r -a scenario <<<"${scenarios[i]}"
		more=()
		((i < 2)) || more=(--pick latest)
		printf '%d\tselect.sh\t%s\n' $((i + 1)) "$(cpu bash "$work/ours.sh" payload.string.length "${conditions[i]}" ${more[@]+"${more[@]}"})"
		printf '%d\tplain Python\t%s\n' $((i + 1)) "$(cpu "$python" "$root/scripts/bench/select_plain.py" "$index" "$archives" "${scenario[@]}")"
		printf '%d\tFastWARC scan\t%s\n' $((i + 1)) "$(cpu "$python" "$root/scripts/bench/select_scan.py" "$archives" "${scenario[@]}")"
	done
done >"$work/times"

# A sum without blanks has a mark in front.
archivespark='as measured on 617 MB'
if "$root/scripts/bench/archivespark.sh" "$spark" "$index" "$archives" "$(nproc)" "$repetitions" "$url" "$domain" "$month" >"$work/spark"; then
	archivespark="warm, least of $((repetitions - 1))"
	awk -F'\t' '++seen[$1] > 1 { printf "%s\tArchiveSpark\ttrimmed:%s %s %s\n", $1, $2, $3, $4 }' "$work/spark" >>"$work/times"
	for i in 0 1 2; do
		more=()
		((i < 2)) || more=(--pick latest)
		printf '%d\tselect.sh\ttrimmed:%s\n' $((i + 1)) "$(bash "$work/ours.sh" 'len(trim(payload.string))' "${conditions[i]}" ${more[@]+"${more[@]}"})"
	done >>"$work/times"
else
	status=$?
	((status == 3)) || exit "$status"
	printf '%s: ArchiveSpark cannot be had, it is not run\n' "$name" >&2
fi

printf '%d MB of WARC; least of %d rounds; load %s\n\n' $(($(cat "$archives"/* | wc -c) / 1000000)) "$rounds" "$(cut -d' ' -f1 /proc/loadavg)"
awk -F'\t' -v archivespark="$archivespark" '
	{ timed = split($3, v, " ") > 1; kind = $1 (v[1] ~ /^trimmed:/ ? " trimmed" : "") }
	kind in sum && sum[kind] != v[1] { printf "scenario %s: %s says %s, not %s\n", $1, $2, v[1], sum[kind]; differ = 1 }
	{ sum[kind] = v[1] }
	!timed { next }
	{ k = $1 "\t" $2 }
	!(k in cpu) { order[++all] = k; cpu[k] = v[2]; wall[k] = v[3] }
	{ if (v[2] < cpu[k]) cpu[k] = v[2]; if (v[3] < wall[k]) wall[k] = v[3] }
	function bar(title, value, wanted, holds) { printf "  %-58s %7.3f   %-14s %s\n", title, value, wanted, (holds ? "met" : "NOT MET") }
	END {
		printf "%-3s %-16s %8s %8s\n", "", "", "CPU s", "wall s"
		for (s = 1; s <= 3; s++)
			for (i = 1; i <= all; i++) {
				split(order[i], p, "\t")
				if (p[1] == s) printf "%-3s %-16s %8.3f %8.3f\n", s, p[2], cpu[order[i]], wall[order[i]]
			}
		split("0.96 1.99 4.19", measured, " "); split("20 10 8", times, " ")
		print "\nBars"
		bar("1: CPU seconds", cpu["1\tselect.sh"], "under 0.05", cpu["1\tselect.sh"] < 0.05)
		for (i = 1; i <= 3; i++) {
			ours = cpu[i "\tselect.sh"]; r = cpu[i "\tplain Python"] / ours; least = (i == 3 ? 3 : 1)
			bar(i ": plain Python / ours, CPU", r, "at least " least, r >= least)
			k = i "\tArchiveSpark"; r = (k in cpu ? cpu[k] : measured[i]) / ours
			bar(i ": ArchiveSpark 3.0.1 (" archivespark ") / ours, CPU", r, "at least " times[i], r >= times[i])
		}
		exit differ
	}' "$work/times"
