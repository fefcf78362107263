#!/usr/bin/env bash
# Summary: Time the indexing next to other people's programs
#
# Usage: bench-index.sh
#
# Indexes one WARC file of at least 300 MB and one ARC file, out of the corpus that
# bench.sh uses (made here if it is not there), in one run in which the contenders
# take turns; the page cache is warm. All but the last contender have one core.
# Prints CPU seconds, and whether the project's own bars are met, which never makes
# it fail.
#
# Environment:
#   BENCH_ROUNDS         turns (default 3)
#   BENCH_FOLDER         where the corpus lies (default build/bench)
#   ARCHIVESTREAM_PYTHON python that has FastWARC and cdxj-indexer (default: one
#                        that scripts/python-tools.sh makes)
#
# jwarc is fetched with Maven; without Maven and Java it is left out.
#
# Exit status: 0 done; 1 failed; 2 usage.
set -euo pipefail
export LC_ALL=C

name=${0##*/}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
folder=${BENCH_FOLDER:-$root/build/bench}
corpus=$folder/corpus-300000-100000
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
tools=$(dirname "$python")
if [[ ! -e $corpus/corpus.json ]]; then
	rm -rf "$corpus"
	"$root/bin/make-corpus" --output "$corpus" --records 300000 --pick 100000 --seed 1
fi
work=$folder/index
trap 'rm -rf "$work"' EXIT
rm -rf "$work"
mkdir -p "$work"
warcs=("$corpus"/archives/*.warc.gz)
arcs=("$corpus"/archives/*.arc.gz)
cat "${warcs[@]:0:4}" >"$work/large.warc.gz"
cp "${arcs[0]}" "$work/large.arc.gz"

jwarc=
if command -v mvn java >/dev/null && mvn -q dependency:get -Dartifact=org.netpreserve:jwarc:0.36.0 -Dtransitive=false >/dev/null 2>&1; then
	jwarc=$(find "${HOME}/.m2" -name jwarc-0.36.0.jar | head -n 1)
fi

# cpu COMMAND...: seconds of CPU time, wall time and KiB of the largest process.
cpu() {
	"$python" - "$@" <<-'END'
		import resource, subprocess, sys, time
		begin = time.perf_counter()
		subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
		wall = time.perf_counter() - begin
		u = resource.getrusage(resource.RUSAGE_CHILDREN)
		print("%.2f %.2f %d" % (u.ru_utime + u.ru_stime, wall, u.ru_maxrss))
	END
}

contenders=() commands=()
contender() { # TITLE COMMAND
	contenders+=("$1")
	commands+=("$2")
}
warc=$work/large.warc.gz arc=$work/large.arc.gz
ours="echo %s | $root/bin/index-archives"
contender 'WARC index-archives' "taskset -c 0 bash -c '${ours/\%s/$warc}'"
contender 'WARC FastWARC index' "taskset -c 0 $tools/fastwarc index $warc"
contender 'WARC cdxj-indexer' "taskset -c 0 $tools/cdxj-indexer $warc"
contender 'ARC index-archives' "taskset -c 0 bash -c '${ours/\%s/$arc}'"
contender 'ARC cdxj-indexer' "taskset -c 0 $tools/cdxj-indexer $arc"
[[ -z $jwarc ]] || contender 'ARC jwarc cdxj' "taskset -c 0 java -jar $jwarc cdxj $arc"
contender 'WARC index-archives, two cores' "bash -c '${ours/\%s/$warc}'"

for ((round = 0; round < rounds; round++)); do
	for i in "${!contenders[@]}"; do
		printf '%s\t%s\n' "${contenders[i]}" "$(cpu bash -c "${commands[i]}")" >>"$work/times"
	done
done

printf '%d MB of WARC, %d MB of ARC; least of %d rounds; load %s\n\n' \
	$(($(stat -c %s "$warc") / 1000000)) $(($(stat -c %s "$arc") / 1000000)) "$rounds" "$(cut -d' ' -f1 /proc/loadavg)"
awk -F'\t' '
	{ split($2, v, " ") }
	!($1 in cpu) { order[++n] = $1; cpu[$1] = v[1]; wall[$1] = v[2] }
	{ if (v[1] < cpu[$1]) cpu[$1] = v[1]; if (v[2] < wall[$1]) wall[$1] = v[2]; if (v[3] > rss[$1]) rss[$1] = v[3] }
	function bar(title, ratio, wanted) {
		printf "  %-58s %6.2f   at least %-4s %s\n", title, ratio, wanted, (ratio >= wanted ? "met" : "NOT MET")
	}
	END {
		printf "%-34s %8s %8s %8s\n", "", "CPU s", "wall s", "MiB"
		for (i = 1; i <= n; i++) printf "%-34s %8.2f %8.2f %8.1f\n", order[i], cpu[order[i]], wall[order[i]], rss[order[i]] / 1024
		w = cpu["WARC index-archives"]; a = cpu["ARC index-archives"]; t = wall["WARC index-archives, two cores"]
		print "\nBars"
		bar("WARC: FastWARC index / ours, CPU", cpu["WARC FastWARC index"] / w, 1)
		bar("WARC: cdxj-indexer / ours, CPU", cpu["WARC cdxj-indexer"] / w, 3.5)
		bar("WARC: cdxj-indexer / ours on two cores, wall", wall["WARC cdxj-indexer"] / t, 7)
		bar("ARC: cdxj-indexer / ours, CPU", cpu["ARC cdxj-indexer"] / a, 3)
		if ("ARC jwarc cdxj" in cpu) bar("ARC: jwarc / ours, CPU", cpu["ARC jwarc cdxj"] / a, 3)
	}' "$work/times"
