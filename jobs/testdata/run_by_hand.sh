#!/usr/bin/env bash
# Takes the place of run-streaming in a test: runs a stage, and then runs it as one would
# who types the line of a stage's --help and leaves out what sorts its lines.
#
# $BY_HAND/NUMBER/ gets: line (the arguments), without (what became of the stage: same,
# refused, failed for another reason, or differs) and said (on standard error). With
# $BY_HAND_ONCE, a folder, that is once for stages of the same programs and keys.
set -uo pipefail
real=$BY_HAND_ENGINE
"$real" "$@" || exit
args=("$@")
output='' mapper='' reducer='' keys='' kept=()
for ((i = 0; i < ${#args[@]}; i++)); do
	case ${args[i]} in
	-output) output=${args[++i]} ;;
	-mapper)
		mapper=${args[i + 1]}
		kept+=(-mapper "${args[++i]}")
		;;
	-reducer)
		reducer=${args[i + 1]}
		kept+=(-reducer "${args[++i]}")
		;;
	-D)
		case ${args[++i]} in
		engine.*) ;;
		stream.num.map.output.key.fields=* | stream.map.output=* | stream.reduce.input=* | *key.comparator.class=* | *keycomparator.options=*)
			keys+=" ${args[i]}"
			;;
		*) kept+=(-D "${args[i]}") ;;
		esac
		;;
	*) kept+=("${args[i]}") ;;
	esac
done
[[ -n $reducer ]] || exit 0
if [[ -n ${BY_HAND_ONCE-} ]]; then
	pair="${mapper%% *} ${reducer%% *}$keys"
	mkdir "$BY_HAND_ONCE/${pair//\//%}" 2>/dev/null || exit 0
fi
record=$(mktemp -d "$BY_HAND/XXXXXXXX")
printf '%s\n' "${args[@]}" >"$record/line"
# One attempt is enough.
if "$real" -D mapreduce.map.maxattempts=1 -D mapreduce.reduce.maxattempts=1 "${kept[@]}" -output "$record/output" >/dev/null 2>"$record/said"; then
	# An engine ends a key without a value in a tab.
	if diff <(cat "$output"/part-* | sed 's/\t*$//') <(cat "$record"/output/part-* | sed 's/\t*$//') >"$record/difference" 2>&1; then
		echo same >"$record/without"
	else
		echo differs >"$record/without"
	fi
elif grep -q ': the lines are not sorted by\|: expected at least .* fields' "$record/said" && grep -q 'hint: in a pipe it takes .* on hadoop-streaming -D ' "$record/said"; then
	echo refused >"$record/without"
else
	echo failed >"$record/without"
fi
rm -rf "$record/output"
