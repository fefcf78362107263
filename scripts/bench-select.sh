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
# ArchiveSpark is not run. The figures that its lines have were measured on a corpus of
# 60,000 captures and 617 MB, with a warm JVM and without its start-up.
#
# Environment:
#   BENCH_ROUNDS         turns (default 3)
#   BENCH_FOLDER         where the corpus lies (default build/bench)
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

# select CONDITION [OPTION]...: the sum by our job.
cat >"$work/ours.sh" <<END
rm -rf "$work/corpus"
"$root/jobs/select.sh" --quiet --cdx "$index" --archives "$archives" --columns 'length = payload.string.length' --save csv --output "$work/corpus" --where "\$@" &&
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
		printf '%d\tselect.sh\t%s\n' $((i + 1)) "$(cpu bash "$work/ours.sh" "${conditions[i]}" ${more[@]+"${more[@]}"})"
		printf '%d\tplain Python\t%s\n' $((i + 1)) "$(cpu "$python" "$root/scripts/bench/select_plain.py" "$index" "$archives" "${scenario[@]}")"
		printf '%d\tFastWARC scan\t%s\n' $((i + 1)) "$(cpu "$python" "$root/scripts/bench/select_scan.py" "$archives" "${scenario[@]}")"
	done
done >"$work/times"

printf '%d MB of WARC; least of %d rounds; load %s\n\n' $(($(cat "$archives"/* | wc -c) / 1000000)) "$rounds" "$(cut -d' ' -f1 /proc/loadavg)"
awk -F'\t' '
	{ split($3, v, " "); k = $1 "\t" $2 }
	!(k in cpu) { order[++n] = k; cpu[k] = v[2]; wall[k] = v[3] }
	{ if (v[2] < cpu[k]) cpu[k] = v[2]; if (v[3] < wall[k]) wall[k] = v[3] }
	$1 in sum && sum[$1] != v[1] { printf "scenario %s: %s says %s, not %s\n", $1, $2, v[1], sum[$1]; differ = 1 }
	{ sum[$1] = v[1] }
	function bar(title, value, wanted, holds) { printf "  %-58s %7.3f   %-14s %s\n", title, value, wanted, (holds ? "met" : "NOT MET") }
	END {
		printf "%-3s %-16s %8s %8s\n", "", "", "CPU s", "wall s"
		for (i = 1; i <= n; i++) { split(order[i], p, "\t"); printf "%-3s %-16s %8.3f %8.3f\n", p[1], p[2], cpu[order[i]], wall[order[i]] }
		split("0.96 1.99 4.19", spark, " "); split("20 10 8", times, " ")
		print "\nBars"
		bar("1: CPU seconds", cpu["1\tselect.sh"], "under 0.05", cpu["1\tselect.sh"] < 0.05)
		for (i = 1; i <= 3; i++) {
			ours = cpu[i "\tselect.sh"]; r = cpu[i "\tplain Python"] / ours; least = (i == 3 ? 3 : 1)
			bar(i ": plain Python / ours, CPU", r, "at least " least, r >= least)
			bar(i ": ArchiveSpark 3.0.1 as measured on 617 MB / ours, CPU", spark[i] / ours, "at least " times[i], spark[i] / ours >= times[i])
		}
		exit differ
	}' "$work/times"
