package truth

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"
)

// TestTruthPicks has one capture of each group, the latest or earliest of it, and no
// group without one.
func TestTruthPicks(t *testing.T) {
	text := read(t, indexed(t))
	all := captures(t, text)
	hosts, domains := map[string]string{}, map[string]string{}
	names := expressions(t, "value")
	for i, line := range asked(t, text, "expressions.py", "value") {
		var values [][]json.RawMessage
		if err := json.Unmarshal([]byte(line), &values); err != nil {
			t.Fatal(err)
		}
		for n, of := range map[string]map[string]string{"host": hosts, "domain": domains} {
			of[all[i].place()] = plain(t, values[indexOf(t, names, n)][0])
		}
	}
	groups := map[string]func(c capture) string{
		"url":                  func(c capture) string { return c["key"] },
		"host":                 func(c capture) string { return hosts[c.place()] },
		"domain":               func(c capture) string { return domains[c.place()] },
		"mime":                 func(c capture) string { return c["mime"] },
		"year * 12 + month":    func(c capture) string { return c["timestamp"][:6] },
		`status == 200`:        func(c capture) string { return strconv.FormatBool(c["status"] == "200") },
		`filename + timestamp`: func(c capture) string { return c["filename"] + c["timestamp"] },
	}
	for per, group := range groups {
		for _, pick := range []string{"latest", "earliest", "first-per-digest"} {
			keyed := said(t, text, bin("filter-captures"), "--pick", pick, "--per", per)
			plan := said(t, sorted(t, keyed), bin("pick-captures"))
			taken := map[string]capture{}
			of := func(c capture) string {
				if pick != "first-per-digest" {
					return group(c)
				}
				if c["digest"] == "" {
					return group(c) + " " + c.place()
				}
				return group(c) + " " + digestOf(c["digest"])
			}
			for _, c := range captures(t, said(t, plan, bin("filter-captures"), "--form", "cdxj")) {
				if _, twice := taken[of(c)]; twice {
					t.Errorf("--pick %s --per %s: two of %s", pick, per, of(c))
				}
				taken[of(c)] = c
			}
			best := map[string]string{}
			for _, c := range all {
				b, known := best[of(c)]
				if !known || pick == "latest" && c["timestamp"] > b || pick != "latest" && c["timestamp"] < b {
					best[of(c)] = c["timestamp"]
				}
			}
			compare(t, "select/--pick "+pick, "- "+per+" groups", strconv.Itoa(len(taken)), strconv.Itoa(len(best)))
			for g, timestamp := range best {
				compare(t, "select/--pick "+pick, taken[g].place(), taken[g]["timestamp"], timestamp)
			}
		}
	}
}

// indexOf is where a name stands in a list.
func indexOf(t *testing.T, list []string, name string) int {
	t.Helper()
	for i, x := range list {
		if x == name {
			return i
		}
	}
	t.Fatalf("no %s", name)
	return 0
}

// digestOf is a digest in one of its forms: those of the archives have SHA-1 in Base32
// mostly, whose label may be missing.
func digestOf(digest string) string {
	algorithm, sum, labelled := strings.Cut(digest, ":")
	if !labelled {
		algorithm, sum = "sha1", digest
	}
	return strings.ReplaceAll(strings.ToLower(algorithm), "-", "") + ":" + strings.ToUpper(sum)
}

// sorted sorts lines by their bytes.
func sorted(t *testing.T, lines string) string {
	t.Helper()
	return said(t, lines, "env", "LC_ALL=C", "sort")
}

// TestTruthSamples has as many captures in a sample as chance lets expect, the same ones
// whichever way they are found, all of a smaller sample in a larger one, and others with
// another seed.
func TestTruthSamples(t *testing.T) {
	path := indexed(t)
	text := read(t, path)
	all := len(captures(t, text))
	smaller := map[string]bool{}
	for _, share := range []float64{0.01, 0.1, 0.5, 0.9, 1} {
		option := strconv.FormatFloat(share, 'g', -1, 64)
		lines := said(t, text, bin("filter-captures"), "--form", "cdxj", "--sample", option)
		taken := map[string]bool{}
		for line := range strings.Lines(lines) {
			taken[line] = true
		}
		want, spread := share*float64(all), 5*math.Sqrt(share*(1-share)*float64(all))
		compare(t, "select/--sample", "- "+option, strconv.FormatBool(math.Abs(float64(len(taken))-want) <= spread), "true")
		for line := range smaller {
			compare(t, "select/--sample", "- "+option, strconv.FormatBool(taken[line]), "true")
		}
		compare(t, "select/--sample", "- searched "+option, said(t, "", bin("filter-captures"), "--form", "cdxj", "--sample", option, "--index", path), lines)
		other := said(t, text, bin("filter-captures"), "--form", "cdxj", "--sample", option, "--seed", "2")
		both := 0
		for line := range strings.Lines(other) {
			if taken[line] {
				both++
			}
		}
		// Of two independent samples as many are in both as share * share says.
		expected, deviation := share*share*float64(all), 5*math.Sqrt(share*share*(1-share*share)*float64(all))+1
		compare(t, "select/--seed", "- "+option, strconv.FormatBool(math.Abs(float64(both)-expected) <= deviation), "true")
		smaller = taken
	}
}
