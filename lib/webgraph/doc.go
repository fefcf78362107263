// Package webgraph makes graphs of hosts or domains out of the links of archived
// pages, in the text form of Common Crawl's cc-webgraph, and ranks their vertices.
//
// # Link lines
//
// What package derive makes of an archive file, and what fold-links reads, has one
// line for each page and host that it links to, of four fields separated by tabs:
//
//	FROM  TO  KIND  N
//
// FROM and TO are host names with their labels reversed (example.org becomes
// org.example), in lower case and in ASCII (IDNA 2008, UTS 46), a leading www. kept.
// KIND is "link" for what a reader can follow (anchors, areas, forms, frames'
// canonical addresses, redirects), "nofollow" for such a link that is marked
// rel=nofollow, "requisite" for what a page needs to be shown (images, scripts,
// style sheets, frames, media). N is how many there are. A line with an empty TO and
// KIND says that a page of FROM was captured: hosts without links are vertices too.
// Addresses, names of one label and names under no public suffix have no lines. A line
// of another form, with a name that is none, or with a number below 1 is rejected.
//
// # The graph
//
// vertices/part-NNNNN.txt.gz has a line ID TAB NAME for each vertex, for domains
// ID TAB NAME TAB HOSTS with the number of its hosts; sorted by the bytes of the
// reversed name, ids counting from 0. edges/part-NNNNN.txt.gz has a line FROM TAB TO
// for each edge, with --weights FROM TAB TO TAB N, in numeric order over all parts;
// there are no self-loops. A domain is a public suffix of the list's ICANN section
// with one label more; a host that is a suffix itself stands for itself.
//
// # The ranks
//
// ranks/part-00000.txt.gz begins with a line of names, then sorted by position:
//
//	#harmonicc_pos  #harmonicc_val  #pr_pos  #pr_val  #host_rev  [#n_hosts]
//
// Harmonic centrality is Σ 1/d(y,x) over all vertices y from which x can be reached
// (Boldi and Vigna, Axioms for Centrality, 2014), by HyperBall: the number of
// vertices within t steps is what a counter holds that all counters of the vertices
// one step before were merged into (In-core computation of geometric centralities
// with HyperBall, 2013). A counter is exact up to a number of vertices; beyond it
// is a HyperLogLog counter of 2^b registers with a relative standard deviation of
// 1.04/√(2^b). PageRank has the damping factor 0.85 and spreads what vertices
// without edges have over all, as networkx does.
//
// Nothing depends on the order in which numbers are added up: PageRank is computed in
// integers of which 2^60 are the whole, the registers of counters by their maximum,
// and harmonic centrality for each vertex from step to step. The same graph has the
// same ranks on every engine, whatever the number of tasks.
//
// # Between the stages
//
// A record of a vertex is ID, NAME, HOSTS, RANK, HARMONIC, SIZE, COUNTER, CHANGED, OUT,
// separated by tabs: ids have 12 digits, so that they sort as numbers; RANK is an
// integer, HARMONIC and SIZE are floating point numbers in full; CHANGED is 1 if the
// counter has grown in the last step; OUT are ids separated by commas. A counter is
// "x" and ids separated by commas, or "h" and registers in base64.
package webgraph
