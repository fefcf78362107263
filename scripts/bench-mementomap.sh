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
# shellcheck source=scripts/bench.bash
. "${BASH_SOURCE[0]%/*}/bench.bash"
keys=${BENCH_KEYS:-5000000}
if [[ ! $keys =~ ^[0-9]+$ ]] || ((keys < 100000)); then
	fail "BENCH_KEYS $keys: a number from 100000 is wanted" "see $name --help" 2
fi
use_work mementomap

make_keys() { # NUMBER
	[[ -e $folder/keys-$1.ukvs ]] && return
	"$root/build/tools/make-keys" --keys "$1" --seed 1 </dev/null >"$work/keys" 2>/dev/null
	mv "$work/keys" "$folder/keys-$1.ukvs"
}
make_keys "$keys"
make_keys $((10 * keys))
small=$folder/keys-$keys.ukvs large=$folder/keys-$((10 * keys)).ukvs

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

# All on one core.
taskset -p -c 0 $BASHPID >/dev/null
take_turns "$work/times"
printf '%d keys, %d MB; least of %d rounds; load %s\n\n' "$keys" $(($(stat -c %s "$small") / 1000000)) "$rounds" "$(load)"
awk -v sorted="$(wc -l <"$work/sorted")" -v random="$(wc -l <"$work/random")" "$least"'
	END {
		table()
		c = cpu["compact, weights 4"]
		bar("compaction / Python loop, CPU", c / cpu["Python reads and splits"], "at most", 0.67)
		bar("memory, MiB", rss["compact, weights 4"] / 1024, "at most", 32)
		bar("memory at ten times the keys, MiB", rss["compact, ten times the keys"] / 1024, "at most", 32)
		bar("ten times the keys / these, CPU", cpu["compact, ten times the keys"] / c, "at most", 11)
		bar("lookups a second, sorted", sorted / cpu["lookups, sorted"], "at least", 100000)
		bar("ms for each lookup, random", 1000 * cpu["lookups, random"] / random, "at most", 0.2)
	}' "$work/times"
