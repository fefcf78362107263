#!/usr/bin/env bash
# Summary: Time components and covers, and check them against scipy and themselves
#
# Usage: bench-components.sh
#
# Finds the components of a random graph of 8 million vertices and 10 million edges in
# one task, beside scipy; and in rounds those of this graph and of paths of a million
# vertices with ordered and with random ids. Checks every edge. Then finds covers in
# the four scenarios of the paper. Prints CPU seconds, rounds, shuffled records and
# shares, and whether the project's own bars are met, which never makes it fail.
#
# Environment:
#   BENCH_SCALE     per cent of all sizes (default 100)
#   BENCH_FOLDER    where graphs and documents are kept (default build/bench)
#   BENCH_SCIPY     python that has scipy and numpy (default: one that is made here)
#
# Exit status: 0 done; 1 failed; 2 usage.
# shellcheck source=scripts/bench.bash
. "${BASH_SOURCE[0]%/*}/bench.bash"
scale=${BENCH_SCALE:-100}
folder+=/components
use_work work

python=${BENCH_SCIPY:-$folder/python/bin/python}
if [[ ! -x $python ]]; then
	python3 -m venv "$folder/python"
	"$python" -m pip install --quiet --disable-pip-version-check scipy==1.17.1 numpy==2.4.6
fi

# graph KIND VERTICES EDGES: makes the graph if it is not there; prints its file.
graph() {
	local file=$folder/$1-$2-$3.tsv
	if [[ ! -e $file ]]; then
		"$root/build/tools/make-graph" --kind "$1" --vertices "$2" --edges "$3" >"$file.part"
		mv "$file.part" "$file"
	fi
	printf '%s' "$file"
}

# number NAME FILE: of a JSON file.
number() { grep -o "\"$1\": *[0-9.]*" "$2" | head -n 1 | grep -o '[0-9.]*$'; }

random=$(graph random $((80000 * scale)) $((100000 * scale)))
path=$(graph path $((10000 * scale)) 0)
shuffled=$(graph shuffled-path $((10000 * scale)) 0)
printf 'Components, load %s\n\n%-34s %8s %8s %8s %10s\n' "$(load)" '' 'CPU s' MiB rounds records
read -r theirs _ theirs_size < <(cpu "$python" "$root/scripts/bench/components.py" scipy "$random")
printf '%-34s %8s %8s\n' 'scipy' "$theirs" $((theirs_size / 1024))

# find_components TITLE EDGES OPTION...: runs the job, checks its result on every edge and prints
# a line. The records of a round are what its mappers emit.
find_components() {
	local title=$1 edges=$2 job=$work/job size records
	shift 2
	rm -rf "$job"
	read -r seconds _ size < <(cpu "$root/jobs/components.sh" --quiet --edges "$edges" --output "$job" "$@")
	rounds=$(number rounds "$job/stats.json")
	records=$("$python" -c 'import json, sys
stages = json.load(open(sys.argv[1]))["counters"]
print(sum(g.get("Map output records", 0) for s, groups in stages.items() if s.startswith("round-") for g in groups.values()))' "$job/_job.json")
	"$python" "$root/scripts/bench/components.py" check "$edges" "$job"/components/part-* >"$work/checked"
	printf '%-34s %8s %8s %8s %10s   %s edges checked\n' "$title" "$seconds" $((size / 1024)) "$rounds" "$records" "$(<"$work/checked")"
}

find_components 'random graph, one task' "$random" --one-task 100GB
one_task=$seconds
find_components 'random graph, in rounds' "$random" --one-task 0 --maps 16
random_rounds=$rounds
find_components 'path, ordered ids' "$path" --one-task 0 --maps 16
path_rounds=$rounds
find_components 'path, random ids' "$shuffled" --one-task 0 --maps 16
printf '\nBars\n'
bar 'one task / scipy, CPU' "$(awk -v a="$one_task" -v b="$theirs" 'BEGIN { print a / b }')" 'at most' 3
bar 'rounds on a random graph' "$random_rounds" 'at most' 12
bar 'rounds on a path with ordered ids' "$path_rounds" 'at most' 10
bar 'rounds on a path with random ids' "$rounds" 'at most' 32

printf '\nCovers of %d documents\n\n%-6s %10s %10s %10s %12s %10s %12s %10s\n' $((1000 * scale)) '' components proven kept 'least known' 'less, %' 'bytes, %' 'solve, s'
for scenario in A-1 B-1 B-2 C-1; do
	documents=$folder/documents-${scenario%-*}-$scale.json
	if [[ ! -e $documents ]]; then
		"$root/build/tools/make-documents" --documents $((1000 * scale)) --collection "${scenario%-*}" >"$documents.part"
		mv "$documents.part" "$documents"
	fi
	rm -rf "$work/job"
	"$root/jobs/redundancy.sh" --quiet --documents "$documents" --output "$work/job" --preset "$scenario" >"$work/printed"
	stats=$work/job/stats.json
	more=$(($(number components "$stats") - $(number components_single "$stats")))
	awk -v scenario="$scenario" -v more="$more" -v exact="$(number components_exact "$stats")" -v kept="$(number weight "$stats")" \
		-v bound="$(number weight_bound "$stats")" -v documents="$(number reduction_documents_percent "$stats")" \
		-v bytes="$(number reduction_bytes_percent "$stats")" -v seconds="$(sed -n 's/^solve\t//p' "$work/printed")" 'BEGIN {
		printf "%-6s %10d %9.2f%% %10d %12d %10.2f %12.2f %10.1f\n", scenario, more, 100 * exact / (more ? more : 1), kept, bound, documents, bytes, seconds }'
done
