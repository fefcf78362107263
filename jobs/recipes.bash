# Options out of a recipe, for jobs/select.sh: a file of lines OPTION VALUE, or the
# _job.json of an earlier selection.
#
# shellcheck shell=bash

# recipe_expand WORD...: sets recipe_words to the words of a command line with what
# its --recipe stands for in front, so that options behind it overrule that.
recipe_expand() {
	local -a own=()
	recipe_words=()
	while (($#)); do
		case $1 in
		--recipe)
			(($# > 1)) || recipe_fail "--recipe needs a value"
			recipe_read "$2"
			shift
			;;
		--recipe=*) recipe_read "${1#*=}" ;;
		*) own+=("$1") ;;
		esac
		shift
	done
	recipe_words+=(${own[@]+"${own[@]}"})
}

recipe_fail() {
	printf '%s: error: %s\n%s: hint: try %s --help\n' "${0##*/}" "$1" "${0##*/}" "${0##*/}" >&2
	exit 2
}

# recipe_read NAME|FILE: appends the words of a recipe.
recipe_read() {
	local file=$1 line
	if [[ $file != */* && ! -e $file ]]; then
		file=${BASH_SOURCE[0]%/*}/recipes/$1
	fi
	[[ -f $file && -r $file ]] || recipe_fail "--recipe $1: there is no such file, and no such recipe in ${BASH_SOURCE[0]%/*}/recipes"
	if [[ $file == *.json ]]; then
		recipe_read_job "$file"
		return
	fi
	while IFS= read -r line || [[ -n $line ]]; do
		[[ -n ${line//[[:space:]]/} && $line != '#'* ]] || continue
		if [[ $line == *' '* ]]; then
			recipe_words+=("--${line%% *}" "${line#* }")
		else
			recipe_words+=("--$line")
		fi
	done <"$file"
}

# recipe_read_job FILE: the command line that a job notes, without what says where
# and how it ran.
recipe_read_job() {
	local line rest word backslash=$'\x5c' string='^[^"]*"(([^"\\]|\\.)*)"(.*)$'
	local -a words=()
	while IFS= read -r line; do
		[[ $line != '  "command": ['* ]] || break
	done <"$1"
	rest=${line#*:}
	while [[ $rest =~ $string ]]; do
		rest=${BASH_REMATCH[3]} word=${BASH_REMATCH[1]}
		# A backslash of its own waits as a byte that JSON has in no string.
		word=${word//"$backslash$backslash"/$'\x01'} word=${word//"$backslash\""/'"'} word=${word//"$backslash/"/'/'}
		printf -v word '%b' "$word"
		word=${word//$'\x01'/"$backslash"}
		words+=("$word")
	done
	[[ ${words[0]-} == *"${0##*/}" ]] || recipe_fail "--recipe $1: no selection has written that"
	set -- "${words[@]:1}"
	while (($#)); do
		case $1 in
		--cdx | --archives | --input)
			while (($# > 1)) && [[ $2 != -* ]]; do shift; done
			;;
		--path-index | --output | --engine | --maps | --reducers | --max-rejects | --small | -D) shift ;;
		--resume | --force | --quiet | -D* | --cdx=* | --archives=* | --path-index=* | --output=* | --engine=* | --maps=* | --reducers=* | --max-rejects=* | --small=*) ;;
		*) recipe_words+=("$1") ;;
		esac
		(($# == 0)) || shift
	done
}
