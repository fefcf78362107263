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
set -euo pipefail
export LC_ALL=C

name=${0##*/}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
folder=${BENCH_FOLDER:-$root/build/bench}
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
mkdir -p "$folder"
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
work=$folder/summary
trap 'rm -rf "$work"' EXIT
rm -rf "$work"
mkdir -p "$work"

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

for ((round = 0; round < rounds; round++)); do
	printf 'summary.sh\t%s\n' "$(cpu "$root/jobs/summary.sh" --force --input "$index" --output "$work/summary")"
	printf 'cdxsummary\t%s\n' "$(cpu "$python" -m cdxsummary --json "$index")"
	printf 'profile.sh\t%s\n' "$(cpu "$root/jobs/profile.sh" --force --input "$index" --output "$work/profile")"
done >"$work/times"

printf 'a million captures, %d MB; least of %d rounds; load %s\n\n' $(($(stat -c %s "$index") / 1000000)) "$rounds" "$(cut -d' ' -f1 /proc/loadavg)"
awk -F'\t' '
	{ split($2, v, " ") }
	!($1 in cpu) { order[++n] = $1; cpu[$1] = v[1]; wall[$1] = v[2] }
	{ if (v[1] < cpu[$1]) cpu[$1] = v[1]; if (v[2] < wall[$1]) wall[$1] = v[2]; if (v[3] > rss[$1]) rss[$1] = v[3] }
	function bar(title, ratio, wanted) {
		printf "  %-48s %6.2f   at least %-4s %s\n", title, ratio, wanted, (ratio >= wanted ? "met" : "NOT MET")
	}
	END {
		printf "%-24s %8s %8s %8s\n", "", "CPU s", "wall s", "MiB"
		for (i = 1; i <= n; i++) printf "%-24s %8.2f %8.2f %8.1f\n", order[i], cpu[order[i]], wall[order[i]], rss[order[i]] / 1024
		print "\nBars"
		bar("cdxsummary / summary.sh, CPU", cpu["cdxsummary"] / cpu["summary.sh"], 5)
	}' "$work/times"
