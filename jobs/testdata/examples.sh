#!/usr/bin/env bash
# Makes, in the folder where it runs, what the examples of the manuals read, out of
# $TESTDATA and warcs/public.warc.gz, with the stages.
set -euo pipefail
export LC_ALL=C
cover=(--cover 'jaccard(a, b) >= 0.8')

# Archives, indexes, lists.
mkdir ia loc
cp "$TESTDATA"/archives/{crawl-2020,crawl-2021,garden}.warc.gz warcs
cp warcs/crawl-2020.warc.gz ia
cp warcs/crawl-2021.warc.gz loc
ls warcs/*.warc.gz >warcs.txt
index-archives <warcs.txt | sort >index.cdxj
cp index.cdxj captures.cdxj
cut -d'"' -f4 index.cdxj | sort -u >urls.txt
{
	cat urls.txt
	echo http://garden.example/nothing
} >uris.txt
sample-keys --ranges 8 --lines 1000 <index.cdxj | sort | cut-ranges --ranges 8 >ranges.txt
assign-ranges --ranges ranges.txt --shards 8 <index.cdxj | sort | write-index --ranged --zipnum --output .
number-blocks --output zipnum <_cluster/part-00000.idx
filter-captures <index.cdxj | sort >plan.tsv
cp plan.tsv plan
derive-archives --make wat,links --output derived <warcs.txt >/dev/null
mv derived/wat wat
gunzip -c derived/links/* >links
rm -r derived

# A graph of hosts.
fold-links <links | sort | sum-links >sums
list-vertices <sums | sort | number-vertices --output graph >numbers
cat sums numbers | key-sources | sort | join-vertices | cat - numbers | sort | join-vertices >edges
cat edges numbers | key-edges --vertices "$(wc -l <numbers)" | sort | write-edges --output graph >records
rm -r graph

# Maps.
count-captures <index.cdxj | sort | add-counts >keys.ukvs
write-mementomap --output . <keys.ukvs
for name in a b 2019 2020 baseline; do cp mementomap.ukvs $name.ukvs; done
key-lookups <uris.txt | cat - index.cdxj | meet-lookups | sort | tell-lookups >lookups.tsv

# Documents and their edges.
enrich-captures --archives warcs --save documents --output documents <plan.tsv
gunzip -c documents/part-00000.json.gz >documents.jsonl
rm -r documents
shingle-documents "${cover[@]}" <documents.jsonl | sort | group-sets "${cover[@]}" --output sets >documents-1
mkdir sets/sets
printf '%s\n' sets/_blocks/* | order-sets --counts sets/_counts --output sets >sets/sets/blocks.tsv
sed 's/^/x/' documents-1 >documents-2
plan-join "${cover[@]}" --blocks sets/sets </dev/null | join-sets "${cover[@]}" | sort >edges-1
cp edges-1 edges-2
list-edges <edges-1 >edges.tsv
list-shingles "${cover[@]}" <documents.jsonl | sort | pair-documents "${cover[@]}" >pairs

# Components and covers.
union-edges --output . <edges.tsv >components.tsv
cut -f1 components.tsv >vertices.tsv
span-forest <edges.tsv | sort -t $'\t' -k1,1 -k2,2r | link-stars --star large >round.tsv
spread-labels <round.tsv | sort -t $'\t' -k1,1 -k2,2r | keep-labels >labels.tsv
weigh-documents --keep-per hostname=1 <documents-1 >documents.tsv
cat documents.tsv components.tsv edges.tsv | meet-documents | sort | join-components | sort >lines.tsv
solve-components --output . <lines.tsv
