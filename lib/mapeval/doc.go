// Package mapeval tells how well maps of an archive's holdings (package mementomap)
// answer which URIs the archive has, and what they cost (Alam and others, JCDL 2019,
// Figure 9).
//
// # Measures
//
// Of a list of lookups it is known which ones the archive holds: those whose key is one
// of its index, the truth. A map predicts a URI if the most specific line that covers it
// has a frequency above zero.
//
//	cost      lines of the map / different URI-Rs of the truth
//	accuracy  lookups whose presence or absence is told rightly / all lookups
//	recall    lookups that are present and predicted / lookups that are present
//	hit_rate  lookups that are present / all lookups
//
// Keys are SURTs; with the option by key those without their queries, which is all that
// a map knows, and all that the truth knows if it is a map itself. A lookup that is
// listed twice counts twice.
//
// # Grid
//
// Of one map without roll-ups, and weights w₁ ≥ w₂ ≥ …, the maps of all pairs of weights
// for hosts and paths are made in one pass: that of (wᵢ, wⱼ) out of the lines of
// (wᵢ, wⱼ₋₁) as they come, that of (wᵢ, w₁) out of those of (wᵢ₋₁, w₁). Chaining gives
// the maps that the weights give directly (package mementomap). A map is named
// hW-pW.ukvs for its weights.
//
// # Lines between the stages
//
//	lookup TAB SURT              of key-lookups
//	SURT TAB l                   a lookup, of meet-lookups' mapper
//	SURT TAB t TAB URIS          a key of the truth, of so many URI-Rs
//	SURT TAB N TAB 0|1           lookups of a key, and whether it is in the truth
//	NUMBER TAB PATH              a map to be evaluated; its number is its place
//	map TAB NUMBER TAB NAME TAB LINES BYTES LOOKUPS PRESENT PREDICTED FOUND
//
// The last are those of package tally. Escaped is what package stage says.
//
// evaluation.json has uris (different URI-Rs), lookups, present, hit_rate and maps: name,
// host_weight and path_weight (of a grid's maps), lines, bytes, cost, accuracy, recall,
// predicted, found (predicted and present), false_positives.
package mapeval
