// Package profile describes a collection of captures as the MementoMap paper does
// (Alam, Weigle, Nelson, Melo, Bicho, Gomes: MementoMap Framework for Flexible and
// Adaptive Web Archive Profiling, JCDL 2019, Tables 1, 2 and 4 to 8, Figures 5 to 7).
//
// # Terms
//
// A URI-R is what was captured, known by its key (SURT), a URI-M a capture of it. An
// HxPx key is a key without its query. Its host depth is the number of labels of its
// host, its path depth that of the segments of its path: the host's root is of depth 0,
// whether the key ends in a slash or not. Cut at host depth h or path depth p a key is
// a prefix; cut at path depth 0 it is its host.
//
// # Profile
//
// profile.json is one object:
//
//	totals        Table 2: index_files, index_bytes, lines (of captures), urims, urirs,
//	              keys (HxPx), hosts, addresses (hosts that are IP addresses), bytes
//	              (compressed, where the index has them), first, last (timestamps),
//	              gamma (urims/urirs), and what is not in the tables: without_host
//	              (captures with keys as dns:), filtered (by --where)
//	tlds          Table 1: name, urims, urirs, keys, hosts, of those with most URI-Ms;
//	              "(address)" are IP addresses, "(other)" the rest
//	urims_per_urir  Table 4 and Figure 5: max, median, mean, deviation (of all, not of
//	              a sample), gini, break_point, and the curve: [x, y], the x most
//	              captured of the URI-Rs, as a share, hold the share y of the URI-Ms
//	top_urirs     Table 5: key, urims
//	years         Table 6: year, urirs (captured in it), new_urirs, cumulative_urirs,
//	              urims, cumulative_urims, duplicates (1 − new_urirs/urirs), gamma,
//	              cumulative_gamma, and the shares of its captures status_2xx to
//	              status_5xx
//	exact_depths  Table 7: depth ("11+": 11 and more), hosts and host_keys of exactly
//	              that host depth, path_keys of that path depth
//	host_depths, path_depths  Table 8: depth, prefixes, keys (of that depth or deeper),
//	              and of keys per prefix max, mean, median, deviation; reduction
//	              ((keys − prefixes)/all keys, the paper's RedQ); parents (prefixes one
//	              level up that have a child), children, mean_children
//
// The break point is the x for which the x most captured URI-Rs hold 1 − x of the
// URI-Ms; among equally captured ones it is interpolated. The Gini coefficient is that
// of URI-Ms per URI-R. Depths that no key has are left out.
//
// # Lines between the stages
//
// They are those of package tally. A mapper emits totals and
//
//	key TAB GROUP TAB REST TAB YEAR URIMS 2XX 3XX 4XX 5XX
//
// where GROUP are the first two labels of the host, separated by a space, and REST are
// the other labels, ")" and the segments of the path, separated by spaces, and the
// query, where there is one, behind the byte 0x1F: in the order of these lines everything below a prefix
// stands together, which it does not in the order of SURTs (a, a-b, a/x). The stage
// needs the captures of a group in one task, and holds no more than one state for each
// level of depth and how often each number of keys per prefix and of captures per URI-R
// came up: of n captures there are less than the root of 2n different ones.
package profile
