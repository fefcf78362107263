// Command choose-weights finds the weights with which a profile becomes as small as
// wished.
package main

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/mementomap"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:        "choose-weights",
	Summary:     "find the weights with which a profile becomes as small as wished",
	Description: "Takes the largest equal weights for hosts and paths, or the other one where one is given, with which the map has no more lines than wished.",
	Input:       "What measure-mementomap writes, of all parts of a map.",
	Output:      "Lines NAME TAB VALUE: host-weight, path-weight and lines of the map; host-curve and path-curve, which are fitted to the input; roll, a TLD to be rolled up.",
	Example:     "measure-mementomap < keys.ukvs | choose-weights --cost 0.015",
	Flags: []cli.Flag{
		&cli.Float64Flag{Name: "roll-weight", Usage: "also tell the TLDs with more than `W` times the registered domains that are to be expected"},
		&cli.StringFlag{Name: "popularity", Usage: "`FILE` of lines TLD TAB NUMBER OF DOMAINS, by which they are to be expected (default: the mean of the input's TLDs)"},
		&cli.Int64Flag{Name: "lines", Usage: "the map has at most `N` lines"},
		&cli.Float64Flag{Name: "cost", Usage: "or at most `F` lines for each URI-R"},
		&cli.StringFlag{Name: "host-weight", Usage: "`W` that is fixed"},
		&cli.StringFlag{Name: "path-weight", Usage: "`W` that is fixed"},
	},
	Run: func(t *stage.Task) error {
		o := mementomap.ChooseOptions{Lines: t.Int64("lines"), Cost: t.Float64("cost"), HostWeight: -1, PathWeight: -1}
		for name, value := range map[string]*float64{"host-weight": &o.HostWeight, "path-weight": &o.PathWeight} {
			if text := t.String(name); text != "" {
				w, err := mementomap.ParseWeight(text)
				if err != nil {
					return stage.Usage("--%s: %v", name, err)
				}
				*value = w
			}
		}
		o.RollWeight = t.Float64("roll-weight")
		if name := t.String("popularity"); name != "" {
			var err error
			if o.Popularity, err = mementomap.ReadPopularity(name); err != nil {
				return err
			}
		}
		return mementomap.Choose(t, o)
	},
}
