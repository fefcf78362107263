package jobs

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"archivestream/lib/mapeval"
	"archivestream/lib/report/reporttest"
)

// A holding is an archive that is made up: the URIs that it has, and lookups of which
// about the share hits are of them.
//
// Two thirds of its sites are of one TLD, as in a national archive. The numbers of
// pages of a site, and of segments below another, are spread as in a real crawl: few
// have most. Lookups that miss ask for pages of the TLDs at large, as readers do: two
// fifths for pages of sites that the archive has, the rest for sites that it has not.
type holding struct {
	cdx, baseline, lookups []string
	uris, keys             int
}

func makeHolding(seed uint64, sites, lookups int, hits float64) *holding {
	r := rand.New(rand.NewPCG(seed, 33))
	pareto := func(most int) int { return min(most, int(1/(1-r.Float64()))) }
	tld := func() string { return []string{"pt", "pt", "pt", "pt", "com", "org"}[r.IntN(6)] }
	h := &holding{}
	present, keys := map[string]bool{}, map[string]int{}
	var uris []string // scheme and all
	var hosts []string
	page := func() string {
		path := ""
		for depth := range 1 + r.IntN(4) {
			path += fmt.Sprintf("/%s%d", []string{"news", "id", "a", "p"}[depth], pareto(3000))
		}
		return path
	}
	for s := range sites {
		domain := fmt.Sprintf("site%d.%s", s, tld())
		for range pareto(8) {
			host := domain
			if r.IntN(3) == 0 {
				host = fmt.Sprintf("h%d.%s", pareto(300), domain)
			}
			hosts = append(hosts, host)
			for range 30 * pareto(60) {
				path := page()
				query := ""
				if r.IntN(2) == 0 {
					query = fmt.Sprintf("?id=%d", r.IntN(50))
				}
				labels := strings.Split(host, ".")
				slices.Reverse(labels)
				key := strings.Join(labels, ",") + ")" + path
				if present[key+query] {
					continue
				}
				present[key+query] = true
				keys[key]++
				uris = append(uris, "http://"+host+path+query)
				h.cdx = append(h.cdx, key+query+" 20100101000000 http://"+host+path+query+" text/html 200 SHA - - 10 7 a.warc.gz\n")
			}
		}
	}
	for key, n := range keys {
		h.baseline = append(h.baseline, fmt.Sprintf("%s %d/%d\n", key, n, n))
	}
	slices.Sort(h.cdx)
	slices.Sort(h.baseline)
	for range lookups {
		switch p := r.Float64(); {
		case p < hits:
			h.lookups = append(h.lookups, uris[r.IntN(len(uris))]+"\n")
		case p < hits+(1-hits)*0.4:
			h.lookups = append(h.lookups, "http://"+hosts[r.IntN(len(hosts))]+page()+"x\n")
		default:
			h.lookups = append(h.lookups, fmt.Sprintf("http://other%d.%s%s\n", r.IntN(1e6), tld(), page()))
		}
	}
	h.uris, h.keys = len(present), len(keys)
	return h
}

// TestMementoMapGrid evaluates 36 maps of one archive: none may miss anything, larger
// maps are not worse, and one that costs less than 1.5% answers three of five lookups.
func TestMementoMapGrid(t *testing.T) {
	t.Parallel()
	h := makeHolding(1, 500, 20000, 0.0335)
	baseline := file(t, "baseline.ukvs", h.baseline...)
	output := runJob(t, "mementomap-eval.sh", "--map", baseline, "--grid", "4,2,1,0.5,0.25,0",
		"--lookups", file(t, "lookups.txt", h.lookups...), "--truth", file(t, "index.cdx", h.cdx...))
	text, err := os.ReadFile(filepath.Join(output, "evaluation.json"))
	if err != nil {
		t.Fatal(err)
	}
	var e mapeval.Evaluation
	if err := json.Unmarshal(text, &e); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d URI-Rs, %d keys, hit rate %.4f", e.URIs, h.keys, e.HitRate)
	if int(e.URIs) != h.uris || e.Lookups != 20000 || e.HitRate < 0.03 || e.HitRate > 0.037 || len(e.Maps) != 37 {
		t.Fatalf("%d URI-Rs (want %d), %d lookups, hit rate %g, %d maps", e.URIs, h.uris, e.Lookups, e.HitRate, len(e.Maps))
	}
	best := mapeval.Map{}
	for i, m := range e.Maps {
		t.Logf("%-20s %8d lines, cost %.4f, accuracy %.4f, recall %g", m.Name, m.Lines, m.Cost, m.Accuracy, m.Recall)
		if m.Recall != 1 {
			t.Errorf("%s misses what is there: recall %g", m.Name, m.Recall)
		}
		if m.Cost < 0.015 && m.Accuracy > best.Accuracy {
			best = m
		}
		if i > 1 && *m.HostWeight == *e.Maps[i-1].HostWeight && (m.Lines > e.Maps[i-1].Lines || m.Accuracy > e.Maps[i-1].Accuracy) {
			t.Errorf("%s is larger or better than %s", m.Name, e.Maps[i-1].Name)
		}
	}
	if best.Accuracy < 0.6 {
		t.Errorf("the best of the maps that cost less than 1.5%% is %+v", best)
	}
	// Chained, each map is the one that its weights give directly.
	for _, m := range e.Maps[1:] {
		if *m.HostWeight != *m.PathWeight && *m.PathWeight != 0.25 {
			continue
		}
		direct := said(t, strings.Join(h.baseline, ""), filepath.Join(root, "bin", "compact-mementomap"), "--host-weight", fmt.Sprint(*m.HostWeight), "--path-weight", fmt.Sprint(*m.PathWeight))
		chained, err := os.ReadFile(filepath.Join(output, "maps", m.Name))
		if err != nil {
			t.Fatal(err)
		}
		_, data, _ := strings.Cut(strings.TrimPrefix(string(chained), "!"), "\n!")
		_, data, _ = strings.Cut(data, "\n")
		if data != direct {
			t.Errorf("%s is another map than that of its weights: %d and %d bytes", m.Name, len(data), len(direct))
		}
	}
	t.Run("page", func(t *testing.T) { reporttest.Check(t, filepath.Join(output, "evaluation.html")) })
}
