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
# shellcheck source=scripts/bench.bash
. "${BASH_SOURCE[0]%/*}/bench.bash"
least_bytes=25000000
use_python
source=${BENCH_WARC:-}
if [[ -z $source ]]; then
	use_corpus
	sources=("$corpus"/archives/*.warc.gz)
	source=${sources[0]}
fi
use_work derive
warc=$work/large.warc.gz
until [[ -e $warc && $(stat -c %s "$warc") -ge $least_bytes ]]; do
	cat "$source" >>"$warc"
done

extractor=
if command -v mvn java >/dev/null; then
	cat >"$work/pom.xml" <<-'END'
		<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>bench</groupId><artifactId>bench</artifactId><version>1</version>
		<dependencies><dependency><groupId>org.netpreserve.commons</groupId><artifactId>webarchive-commons</artifactId><version>3.0.2</version></dependency><dependency><groupId>org.apache.hadoop</groupId><artifactId>hadoop-common</artifactId><version>3.4.2</version></dependency></dependencies></project>
	END
	if mvn -q -B -f "$work/pom.xml" dependency:copy-dependencies -DoutputDirectory="$work/lib" >/dev/null 2>&1; then
		extractor="taskset -c 0 java -cp '$work/lib/*' org.archive.extract.ResourceExtractor -wat $warc"
	fi
fi

ours="rm -rf $work/out; echo $warc | taskset -c 0 $root/bin/derive-archives --workers 1 --output $work/out --make"
contender 'WAT' "$ours wat"
contender 'WAT, WET, META, CDXJ' "$ours wat,wet,meta,cdxj"
contender 'CDXJ' "$ours cdxj"
contender 'cdxj-indexer' "taskset -c 0 $(dirname "$python")/cdxj-indexer $warc"
[[ -z $extractor ]] || contender 'WAT, Java extractor' "$extractor"
take_turns "$work/times"

records=$(echo "$warc" | "$root/bin/list-records" 2>/dev/null | wc -l)
printf '%d MB of WARC, %d records with URLs; least of %d rounds; load %s\n\n' \
	$(($(stat -c %s "$warc") / 1000000)) "$records" "$rounds" "$(load)"
awk "$least"'
	END {
		table()
		bar("all four / WAT alone", cpu["WAT, WET, META, CDXJ"] / cpu["WAT"], "at most", 1.6)
		java = "WAT, Java extractor"
		if (java in cpu) bar("WAT: Java extractor / ours", cpu[java] / cpu["WAT"], "at least", 8)
	}' "$work/times"
