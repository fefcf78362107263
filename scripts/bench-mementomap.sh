#!/usr/bin/env bash
# Summary: Time the compaction and search of maps next to a bare Python loop
#
# Usage: bench-mementomap.sh
#
# Makes 5 and 50 million keys (made here if they are not there), compacts them on one
# core, and looks keys up. Next to it, on the same file: a Python loop that reads and
# splits the lines, wc -l and LC_ALL=C sort -c. The contenders take turns; the page
# cache is warm. Prints CPU seconds, and whether the project's own bars are met, which
# never makes it fail.
#
# Environment:
#   BENCH_ROUNDS   turns (default 3)
#   BENCH_FOLDER   where the keys lie (default build/bench)
#   BENCH_KEYS     keys, and ten times as many for the growth (default 5000000)
#
# Needs python3.
#
# Exit status: 0 done; 1 failed; 2 usage.
set -euo pipefail
export LC_ALL=C

name=${0##*/}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
folder=${BENCH_FOLDER:-$root/build/bench}
rounds=${BENCH_ROUNDS:-3}
keys=${BENCH_KEYS:-5000000}

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
if [[ ! $keys$rounds =~ ^[0-9]+$ ]] || ((keys < 100000 || rounds < 1)); then
	printf '%s: error: BENCH_KEYS, BENCH_ROUNDS: numbers from 100000 and 1 are wanted\n%s: hint: see %s --help\n' "$name" "$name" "$name" >&2
	exit 2
fi
"${MAKE:-make}" -s -C "$root"
mkdir -p "$folder"
work=$(mktemp -d "$folder/mementomap.XXXXXX")
trap 'rm -rf "$work"' EXIT

make_keys() { # NUMBER
	[[ -e $folder/keys-$1.ukvs ]] && return
	"$root/bin/make-keys" --keys "$1" --seed 1 </dev/null >"$work/keys" 2>/dev/null
	mv "$work/keys" "$folder/keys-$1.ukvs"
}
make_keys "$keys"
make_keys $((10 * keys))
small=$folder/keys-$keys.ukvs large=$folder/keys-$((10 * keys)).ukvs

# cpu COMMAND: seconds of CPU time and KiB of the largest process.
cpu() {
	python3 - "$1" <<-'END'
		import resource, subprocess, sys
		subprocess.run(["taskset", "-c", "0", "bash", "-c", sys.argv[1]], stderr=subprocess.DEVNULL, check=True)
		u = resource.getrusage(resource.RUSAGE_CHILDREN)
		print("%.3f %d" % (u.ru_utime + u.ru_stime, u.ru_maxrss))
	END
}

contenders=() commands=()
contender() { # TITLE COMMAND
	contenders+=("$1")
	commands+=("$2")
}
compact="$root/bin/compact-mementomap"
lookup="$root/bin/lookup-mementomap"
"$compact" <"$small" >"$work/map.ukvs" 2>/dev/null
# Every fifth key, sorted, and a twentieth of them in random order, of which half are
# not in the archive.
awk 'NR % 5 == 0 { print $1 }' "$small" >"$work/sorted"
awk 'NR % 20 == 0 { print rand() "\t" $1 (NR % 40 ? "-absent" : "") }' "$work/sorted" | sort | cut -f 2 >"$work/random"

contender 'wc -l' "wc -l <$small >/dev/null"
contender 'sort -c' "sort -c $small"
contender 'Python reads and splits' "python3 -c 'import sys
for line in sys.stdin.buffer: line.split()' <$small"
for w in 4 1 0.25; do
	contender "compact, weights $w" "$compact --host-weight $w --path-weight $w <$small >/dev/null"
done
contender 'measure for all weights' "$root/bin/measure-mementomap <$small >/dev/null"
contender 'lookups, sorted' "$lookup --keys --map $work/map.ukvs <$work/sorted >/dev/null"
contender 'lookups, random' "$lookup --keys --map $work/map.ukvs <$work/random >/dev/null"
contender 'lookup of one' "head -n 1 $work/random | $lookup --keys --map $work/map.ukvs >/dev/null"
contender 'compact, ten times the keys' "$compact <$large >/dev/null"

for ((round = 0; round < rounds; round++)); do
	for i in "${!contenders[@]}"; do
		printf '%s\t%s\n' "${contenders[i]}" "$(cpu "${commands[i]}")" >>"$work/times"
	done
done
printf '%d keys, %d MB; least of %d rounds; load %s\n\n' "$keys" $(($(stat -c %s "$small") / 1000000)) "$rounds" "$(cut -d' ' -f1 /proc/loadavg)"
awk -F'\t' -v sorted="$(wc -l <"$work/sorted")" -v random="$(wc -l <"$work/random")" '
	{ split($2, v, " ") }
	!($1 in cpu) { order[++n] = $1; cpu[$1] = v[1] }
	{ if (v[1] < cpu[$1]) cpu[$1] = v[1]; if (v[2] > rss[$1]) rss[$1] = v[2] }
	function bar(title, value, wanted, least) {
		printf "  %-58s %10.2f   %s %-8s %s\n", title, value, least ? "at least" : "at most ", wanted, (least ? value >= wanted : value <= wanted) ? "met" : "NOT MET"
	}
	END {
		printf "%-34s %8s %8s\n", "", "CPU s", "MiB"
		for (i = 1; i <= n; i++) printf "%-34s %8.2f %8.1f\n", order[i], cpu[order[i]], rss[order[i]] / 1024
		c = cpu["compact, weights 4"]
		print "\nBars"
		bar("compaction / Python loop, CPU", c / cpu["Python reads and splits"], 0.67, 0)
		bar("memory, MiB", rss["compact, weights 4"] / 1024, 32, 0)
		bar("memory at ten times the keys, MiB", rss["compact, ten times the keys"] / 1024, 32, 0)
		bar("ten times the keys / these, CPU", cpu["compact, ten times the keys"] / c, 11, 0)
		bar("lookups a second, sorted", sorted / cpu["lookups, sorted"], 100000, 1)
		bar("ms for each lookup, random", 1000 * cpu["lookups, random"] / random, 0.2, 0)
	}' "$work/times"
