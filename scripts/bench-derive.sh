#!/usr/bin/env bash
# Summary: Time the derivatives of archive files next to each other
#
# Usage: bench-derive.sh
#
# Derives WAT alone, and WAT, WET, META and CDXJ together, of a WARC file of at least 25
# MB: that of BENCH_WARC, real pages if possible, else of the corpus that bench.sh uses
# (made here if it is not there). The contenders take turns on one core; the page cache is
# warm. cdxj-indexer, which inflates and hashes the same file, stands beside them, and
# with Maven and Java the Internet Archive's extractor of WAT. Prints CPU seconds, and
# whether the project's own bars are met, which never makes it fail.
#
# Environment:
#   BENCH_ROUNDS         turns (default 3)
#   BENCH_FOLDER         where the corpus lies (default build/bench)
#   BENCH_WARC           a WARC file, to be repeated until it is large enough
#   ARCHIVESTREAM_PYTHON python that has cdxj-indexer (default: one that
#                        scripts/python-tools.sh makes)
#
# Exit status: 0 done; 1 failed; 2 usage.
set -euo pipefail
export LC_ALL=C

name=${0##*/}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
folder=${BENCH_FOLDER:-$root/build/bench}
corpus=$folder/corpus-300000-100000
rounds=${BENCH_ROUNDS:-3}
least=25000000 # bytes

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
source=${BENCH_WARC:-}
if [[ -z $source ]]; then
	if [[ ! -e $corpus/corpus.json ]]; then
		rm -rf "$corpus"
		"$root/bin/make-corpus" --output "$corpus" --records 300000 --pick 100000 --seed 1
	fi
	sources=("$corpus"/archives/*.warc.gz)
	source=${sources[0]}
fi
work=$folder/derive
trap 'rm -rf "$work"' EXIT
rm -rf "$work"
mkdir -p "$work"
warc=$work/large.warc.gz
until [[ -e $warc && $(stat -c %s "$warc") -ge $least ]]; do
	cat "$source" >>"$warc"
done

extractor=
if command -v mvn java >/dev/null; then
	cat >"$work/pom.xml" <<-'END'
		<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>bench</groupId><artifactId>bench</artifactId><version>1</version>
		<dependencies><dependency><groupId>org.netpreserve.commons</groupId><artifactId>webarchive-commons</artifactId><version>3.0.2</version></dependency><dependency><groupId>org.apache.hadoop</groupId><artifactId>hadoop-common</artifactId><version>3.4.2</version></dependency></dependencies></project>
	END
	if mvn -q -B -f "$work/pom.xml" dependency:copy-dependencies -DoutputDirectory="$work/lib" >/dev/null 2>&1; then
		extractor="java -cp '$work/lib/*' org.archive.extract.ResourceExtractor -wat $warc"
	fi
fi

# cpu COMMAND...: seconds of CPU time and KiB of the largest process.
cpu() {
	"$python" - "$@" <<-'END'
		import resource, subprocess, sys
		subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
		u = resource.getrusage(resource.RUSAGE_CHILDREN)
		print("%.2f %d" % (u.ru_utime + u.ru_stime, u.ru_maxrss))
	END
}

titles=() commands=()
contender() { # TITLE COMMAND
	titles+=("$1")
	commands+=("$2")
}
ours="rm -rf $work/out; echo $warc | $root/bin/derive-archives --workers 1 --output $work/out --make"
contender 'WAT' "$ours wat"
contender 'WAT, WET, META, CDXJ' "$ours wat,wet,meta,cdxj"
contender 'CDXJ' "$ours cdxj"
contender 'cdxj-indexer' "$(dirname "$python")/cdxj-indexer $warc"
[[ -z $extractor ]] || contender 'WAT, Java extractor' "$extractor"
for ((round = 0; round < rounds; round++)); do
	for i in "${!titles[@]}"; do
		printf '%s\t%s\n' "${titles[i]}" "$(cpu taskset -c 0 bash -c "${commands[i]}")" >>"$work/times"
	done
done

records=$(echo "$warc" | "$root/bin/list-records" 2>/dev/null | wc -l)
printf '%d MB of WARC, %d records with URLs; least of %d rounds; load %s\n\n' \
	$(($(stat -c %s "$warc") / 1000000)) "$records" "$rounds" "$(cut -d' ' -f1 /proc/loadavg)"
awk -F'\t' '
	{ split($2, v, " ") }
	!($1 in cpu) { order[++n] = $1; cpu[$1] = v[1] }
	{ if (v[1] < cpu[$1]) cpu[$1] = v[1]; if (v[2] > rss[$1]) rss[$1] = v[2] }
	END {
		printf "%-24s %8s %8s\n", "", "CPU s", "MiB"
		for (i = 1; i <= n; i++) printf "%-24s %8.2f %8.1f\n", order[i], cpu[order[i]], rss[order[i]] / 1024
		four = cpu["WAT, WET, META, CDXJ"] / cpu["WAT"]
		print "\nBars"
		printf "  %-40s %6.2f   at most %-4s %s\n", "all four / WAT alone", four, 1.6, (four <= 1.6 ? "met" : "NOT MET")
		java = "WAT, Java extractor"
		if (java in cpu) printf "  %-40s %6.2f   at least %-3s %s\n", "WAT: Java extractor / ours", cpu[java] / cpu["WAT"], 8, (cpu[java] / cpu["WAT"] >= 8 ? "met" : "NOT MET")
	}' "$work/times"
