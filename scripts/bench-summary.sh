#!/usr/bin/env bash
# Summary: Time the summary and the profile of a collection
#
# Usage: bench-summary.sh
#
# Makes an index of a million captures (CDX, sorted, seeded) and has it summarized by
# jobs/summary.sh and by the Internet Archive's cdxsummary, which take turns, and
# profiled by jobs/profile.sh; the page cache is warm. Prints CPU seconds of all
# processes, and whether the project's own bars are met, which never makes it fail.
#
# Environment:
#   BENCH_ROUNDS         turns (default 3)
#   BENCH_FOLDER         where the index lies (default build/bench)
#   ARCHIVESTREAM_PYTHON python that has cdxsummary (default: one that
#                        scripts/python-tools.sh makes)
#
# Exit status: 0 done; 1 failed; 2 usage.
# shellcheck source=scripts/bench.bash
. "${BASH_SOURCE[0]%/*}/bench.bash"
use_python
index=$folder/captures-1000000.cdx
if [[ ! -e $index ]]; then
	"$python" - "$index.part" <<-'END'
		import random, sys
		random.seed(1)
		lines = []
		host = 0
		while len(lines) < 1000000:
		    host += 1
		    for page in range(int(4 * random.paretovariate(1.0)) % 1000 + 1):
		        path = "/%s/page-%d.html" % (random.choice("abcdefgh"), page)
		        for _ in range(1 + (random.random() < 0.4)):
		            time = "20%02d%02d%02d%02d3000" % (random.randint(8, 20), random.randint(1, 12), random.randint(1, 28), random.randint(0, 23))
		            mime = random.choice(["text/html"] * 6 + ["image/jpeg", "image/png", "text/css", "application/pdf", "application/json"])
		            status = random.choice(["200"] * 8 + ["404", "301"])
		            lines.append("com,site%06d)%s %s http://www.site%06d.com%s %s %s %s - - %d %d crawl-%04d.warc.gz\n" % (
		                host, path, time, host, path, mime, status, "A" * 32, random.randint(300, 20000), random.randint(0, 10 ** 9), host % 100))
		lines = sorted(lines[:1000000])
		with open(sys.argv[1], "w") as f:
		    f.writelines(lines)
	END
	mv "$index.part" "$index"
fi
use_work summary

contender summary.sh "$root/jobs/summary.sh --force --input $index --output $work/summary"
contender cdxsummary "$python -m cdxsummary --json $index"
contender profile.sh "$root/jobs/profile.sh --force --input $index --output $work/profile"
take_turns "$work/times"

printf 'a million captures, %d MB; least of %d rounds; load %s\n\n' $(($(stat -c %s "$index") / 1000000)) "$rounds" "$(load)"
awk "$least"'
	END {
		table()
		bar("cdxsummary / summary.sh, CPU", cpu["cdxsummary"] / cpu["summary.sh"], "at least", 5)
	}' "$work/times"
