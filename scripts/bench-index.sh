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
# shellcheck source=scripts/bench.bash
. "${BASH_SOURCE[0]%/*}/bench.bash"
use_python
tools=$(dirname "$python")
use_corpus
use_work index
warcs=("$corpus"/archives/*.warc.gz)
arcs=("$corpus"/archives/*.arc.gz)
cat "${warcs[@]:0:4}" >"$work/large.warc.gz"
cp "${arcs[0]}" "$work/large.arc.gz"

jwarc=
if command -v mvn java >/dev/null && mvn -q dependency:get -Dartifact=org.netpreserve:jwarc:0.36.0 -Dtransitive=false >/dev/null 2>&1; then
	jwarc=$(find "${HOME}/.m2" -name jwarc-0.36.0.jar | head -n 1)
fi

warc=$work/large.warc.gz arc=$work/large.arc.gz
ours="echo %s | $root/bin/index-archives"
contender 'WARC index-archives' "taskset -c 0 bash -c '${ours/\%s/$warc}'"
contender 'WARC FastWARC index' "taskset -c 0 $tools/fastwarc index $warc"
contender 'WARC cdxj-indexer' "taskset -c 0 $tools/cdxj-indexer $warc"
contender 'ARC index-archives' "taskset -c 0 bash -c '${ours/\%s/$arc}'"
contender 'ARC cdxj-indexer' "taskset -c 0 $tools/cdxj-indexer $arc"
[[ -z $jwarc ]] || contender 'ARC jwarc cdxj' "taskset -c 0 java -jar $jwarc cdxj $arc"
contender 'WARC index-archives, two cores' "bash -c '${ours/\%s/$warc}'"

take_turns "$work/times"

printf '%d MB of WARC, %d MB of ARC; least of %d rounds; load %s\n\n' \
	$(($(stat -c %s "$warc") / 1000000)) $(($(stat -c %s "$arc") / 1000000)) "$rounds" "$(load)"
awk "$least"'
	END {
		table()
		w = cpu["WARC index-archives"]; a = cpu["ARC index-archives"]; t = wall["WARC index-archives, two cores"]
		bar("WARC: FastWARC index / ours, CPU", cpu["WARC FastWARC index"] / w, "at least", 1)
		bar("WARC: cdxj-indexer / ours, CPU", cpu["WARC cdxj-indexer"] / w, "at least", 3.5)
		bar("WARC: cdxj-indexer / ours on two cores, wall", wall["WARC cdxj-indexer"] / t, "at least", 7)
		bar("ARC: cdxj-indexer / ours, CPU", cpu["ARC cdxj-indexer"] / a, "at least", 3)
		if ("ARC jwarc cdxj" in cpu) bar("ARC: jwarc / ours, CPU", cpu["ARC jwarc cdxj"] / a, "at least", 3)
	}' "$work/times"
