#!/usr/bin/env bash
# Summary: Time jobs/redundancy.sh next to other people's libraries
#
# Usage: bench-redundancy.sh
#
# Makes documents under build/bench (37 million words in 100,000 documents, of which
# more than a half have a near duplicate) and finds the pairs with Jaccard >= 0.8 of
# shingles of five words, from text to edges, on all cores; then containment >= 0.7
# with a constraint on timestamps, and growth with the number of documents. Prints CPU
# seconds, recall and precision of the approximate libraries, and whether the
# project's own bars are met, which never makes it fail.
#
# Environment:
#   BENCH_DOCUMENTS  documents (default 100000)
#   BENCH_FOLDER     where all of it lies (default build/bench)
#   BENCH_PEERS      of gaoya rensa datasketch SetSimilaritySearch (default the first
#                    two; the last, exact, needs 4 GB and minutes)
#   BENCH_GROWTH     numbers of documents (default 25000 50000 100000 200000)
#
# The libraries are installed into BENCH_FOLDER/redundancy/python.
#
# Exit status: 0 done; 1 failed, or an exact library finds other pairs; 2 usage.
# shellcheck source=scripts/bench.bash
. "${BASH_SOURCE[0]%/*}/bench.bash"
documents=${BENCH_DOCUMENTS:-100000}
work=$folder/redundancy
read -r -a peers <<<"${BENCH_PEERS-gaoya rensa}"
read -r -a growth <<<"${BENCH_GROWTH-25000 50000 100000 200000}"
mkdir -p "$work"
trap 'rm -rf "$work/out" "$work"/pairs-* "$work"/documents-*' EXIT
python=$work/python/bin/python
if ((${#peers[@]})) && [[ ! -e $work/python/installed ]]; then
	rm -rf "$work/python"
	python3 -m venv "$work/python"
	"$python" -m pip install --quiet --disable-pip-version-check gaoya==0.2.2 rensa==0.5.0 datasketch==2.0.0 SetSimilaritySearch==1.0.1
	touch "$work/python/installed"
fi

# ours DOCUMENTS COVER: prints what cpu prints.
ours() {
	rm -rf "$work/out"
	cpu "$root/jobs/redundancy.sh" --quiet --documents "$1" --output "$work/out" --cover "$2"
}

make_documents() { # NUMBER
	"$root/build/tools/make-documents" --documents "$1" >"$work/documents-$1.json"
}

row() { # TITLE 'CPU WALL KIB' REST
	local cpu wall kib
	read -r cpu wall kib <<<"$2"
	printf '%-38s %8s %8s %7s  %s\n' "$1" "$cpu" "$wall" $((kib / 1024)) "${3:-}"
}

make_documents "$documents"
cat "$work/documents-$documents.json" >/dev/null
printf '%d documents, %d MB; load %s\n\n%-38s %8s %8s %7s\n' "$documents" \
	$(($(stat -c %s "$work/documents-$documents.json") / 1000000)) "$(load)" '' 'CPU s' 'wall s' MiB
jaccard=$(ours "$work/documents-$documents.json" 'jaccard(a, b) >= 0.8')
cut -f1,2 "$work"/out/edges/part-* | awk -F'\t' '$1 < $2' | sort -S 64M >"$work/pairs-ours"
pairs=$(wc -l <"$work/pairs-ours")
row 'redundancy.sh, jaccard >= 0.8' "$jaccard" "$pairs pairs, exact"
status=0
for peer in ${peers[@]+"${peers[@]}"}; do
	spent=$(cpu_into "$work/pairs-$peer" "$python" "$root/scripts/bench/redundancy_peers.py" "$peer" "$work/documents-$documents.json" 0.8)
	sort -u -S 64M -o "$work/pairs-$peer" "$work/pairs-$peer"
	found=$(wc -l <"$work/pairs-$peer")
	both=$(comm -12 "$work/pairs-ours" "$work/pairs-$peer" | wc -l)
	row "$peer" "$spent" "$(awk -v b="$both" -v f="$found" -v p="$pairs" 'BEGIN { printf "recall %.4f, precision %.4f", b / p, b / f }')"
	if [[ $peer == SetSimilaritySearch ]] && ((both != pairs || found != pairs)); then
		printf '%s: error: an exact library finds other pairs: %d, of which %d are ours\n' "$name" "$found" "$both" >&2
		status=1
	fi
done
containment=$(ours "$work/documents-$documents.json" 'containment(a, b) >= 0.7 && a.timestamp <= b.timestamp')
row 'redundancy.sh, containment and time' "$containment" "$(cat "$work"/out/edges/part-* | wc -l) edges"

printf '\nGrowth, jaccard >= 0.8\n'
for n in ${growth[@]+"${growth[@]}"}; do
	make_documents "$n"
	spent=$(ours "$work/documents-$n.json" 'jaccard(a, b) >= 0.8')
	row "$n documents" "$spent" "$(cat "$work"/out/edges/part-* | wc -l) edges"
	rm "$work/documents-$n.json"
done

printf '\nBars\n'
bar 'jaccard, CPU seconds' "${jaccard%% *}" 'at most' 25
bar 'jaccard, MiB of the largest process' $((${jaccard##* } / 1024)) 'at most' 512
bar 'containment / jaccard, CPU' "$(awk -v c="${containment%% *}" -v j="${jaccard%% *}" 'BEGIN { print c / j }')" 'at most' 4
exit "$status"
