package mementomap

import (
	"bytes"
	"fmt"

	"github.com/urfave/cli/v2"

	"archivestream/lib/lines"
	"archivestream/lib/stage"
	"archivestream/lib/storage"
)

// Flags are the options of the stages that compact or measure. Weights are told to
// the first kind alone.
func Flags(weights bool) []cli.Flag {
	flags := []cli.Flag{
		&cli.StringFlag{Name: "host-curve", Usage: "mean children of a host with x labels are A·x^-K: `A,K` (default: the paper's 16.329,0.714)"},
		&cli.StringFlag{Name: "path-curve", Usage: "mean children of a path with x-1 segments are A·x^-K: `A,K` (default: the paper's 24.546,1.429)"},
		&cli.StringFlag{Name: "host-means", Usage: "`LIST` of mean children of registered domains, hosts with three labels, …, instead of a curve"},
		&cli.StringFlag{Name: "path-means", Usage: "`LIST` of mean children of roots, of paths with one segment, …, instead of a curve"},
		&cli.IntFlag{Name: "host-depth", Value: DefaultHostDepth, Usage: "hosts with more than `N` labels are not rolled up"},
		&cli.IntFlag{Name: "path-depth", Value: DefaultPathDepth, Usage: "nor are paths with `N` segments or more"},
		&cli.BoolFlag{Name: "keep-suffixes", Usage: "do not roll up hosts below which others register names (public suffix list): uk,co"},
		&cli.StringFlag{Name: "roll", Usage: "`FILE` of hosts, one a line as in keys, that are rolled up however many children they have, TLDs too"},
		&cli.BoolFlag{Name: "absorb", Usage: "add keys below a wildcard of the input to it: for an older map with what is new"},
	}
	if weights {
		flags = append([]cli.Flag{
			&cli.StringFlag{Name: "host-weight", Value: "4", Usage: "roll up a host with more than `W` times the mean number of children; inf: none"},
			&cli.StringFlag{Name: "path-weight", Value: "4", Usage: "roll up a path with more than `W` times the mean number of children; inf: none"},
		}, flags...)
	}
	return append(flags, &cli.BoolFlag{Name: "files", Usage: "read PATH TAB FROM TAB TO TAB NUMBER from standard input, and of each file the registered domains that begin between the two offsets (TO -1: its end)"})
}

// OptionsOf gives what Flags have set.
func OptionsOf(t *stage.Task) (CompactOptions, error) {
	var o CompactOptions
	for _, w := range []struct {
		name  string
		value *float64
	}{{"host-weight", &o.HostWeight}, {"path-weight", &o.PathWeight}} {
		text := t.String(w.name)
		if text == "" { // the stage has no weights
			text = "inf"
		}
		var err error
		if *w.value, err = ParseWeight(text); err != nil {
			return o, stage.Usage("--%s: %v", w.name, err)
		}
	}
	var err error
	if o.HostMeans, err = means(t, "host", ArquivoHosts); err != nil {
		return o, err
	}
	if o.PathMeans, err = means(t, "path", ArquivoPaths); err != nil {
		return o, err
	}
	if t.Bool("keep-suffixes") {
		o.Keep = IsPublicSuffix
	}
	o.Absorb = t.Bool("absorb")
	o.Roll, err = ReadHosts(t.String("roll"))
	return o, err
}

// means gives the mean children that the options of hosts or paths say.
func means(t *stage.Task, kind string, curve Curve) ([]float64, error) {
	depth := t.Int(kind + "-depth")
	if depth < 1 || depth > 1000 {
		return nil, stage.Usage("--%s-depth %d: 1 to 1000 is wanted", kind, depth)
	}
	list, values := t.String(kind+"-means"), t.String(kind+"-curve")
	switch {
	case list != "" && values != "":
		return nil, stage.Usage("--%s-means and --%s-curve exclude each other", kind, kind)
	case list != "":
		m, err := ParseMeans(list)
		if err != nil {
			return nil, stage.Usage("--%s-means: %v", kind, err)
		}
		if kind == "host" {
			m = append([]float64{0}, m...) // TLDs are never rolled up
		}
		return m[:min(depth, len(m))], nil
	case values != "":
		c, err := ParseCurve(values)
		if err != nil {
			return nil, stage.Usage("--%s-curve: %v", kind, err)
		}
		curve = c
	}
	return curve.Means(depth), nil
}

// ReadHosts reads a file of hosts, one a line; there are none without a name.
func ReadHosts(name string) (map[string]bool, error) {
	if name == "" {
		return nil, nil
	}
	f, err := storage.OpenStream(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	hosts := map[string]bool{}
	for line, err := range lines.All(f, 0) {
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if host := bytes.TrimSpace(line); len(host) > 0 {
			hosts[string(host)] = true
		}
	}
	return hosts, nil
}

// group gives the part of a key within which nothing can be cut: the registered
// domain, or the TLD where that is to be rolled up.
func group(key []byte, roll map[string]bool) []byte {
	end := label(key, 0)
	if end == len(key) || key[end] != ',' || len(roll) > 0 && roll[string(key[:end])] {
		return key[:end]
	}
	return key[:label(key, end+1)]
}

// label gives where the label that begins at an index ends. The bytes that no host
// has end it, too: their keys lie between those of the host before them.
func label(key []byte, at int) int {
	if i := bytes.IndexAny(key[at:], ",)*+ "); i >= 0 {
		return at + i
	}
	return len(key)
}
