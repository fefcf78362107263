package cover

import "container/heap"

// greedy finds a cover of all living elements: again and again the candidate that
// covers the most uncovered elements for its weight, of equal ones the later one;
// what is not needed in the end is given back. Gains that are out of date wait in
// the queue until they come to its front, as gains only shrink: O(E log V).
func (in *instance) greedy() []int32 {
	g := grasping{instance: in, covered: map[int32]int32{}}
	for c, alive := range in.alive[candidate] {
		if alive && in.count[candidate][c] > 0 {
			g.heap = append(g.heap, gain{int32(c), in.count[candidate][c]})
		}
	}
	return g.run()
}

// gain is how many uncovered elements a candidate covered when last looked at.
type gain struct{ candidate, covers int32 }

type grasping struct {
	*instance
	heap    []gain
	covered map[int32]int32 // element: by how many
}

func (g *grasping) Len() int      { return len(g.heap) }
func (g *grasping) Swap(i, j int) { g.heap[i], g.heap[j] = g.heap[j], g.heap[i] }
func (g *grasping) Push(any)      {}
func (g *grasping) Pop() any      { return nil }

func (g *grasping) Less(i, j int) bool {
	a, b := g.heap[i], g.heap[j]
	x, y := float64(a.covers)*g.weight[b.candidate], float64(b.covers)*g.weight[a.candidate]
	if x != y {
		return x > y
	}
	return a.candidate > b.candidate
}

func (g *grasping) run() []int32 {
	heap.Init(g)
	var chosen []int32
	for len(g.heap) > 0 {
		top := &g.heap[0]
		members := g.members(candidate, top.candidate)
		var now int32
		for _, e := range members {
			if g.covered[e] == 0 {
				now++
			}
		}
		if now == top.covers && now > 0 {
			for _, e := range members {
				g.covered[e]++
			}
			chosen = append(chosen, top.candidate)
			now = 0
		}
		if now == 0 {
			last := len(g.heap) - 1
			g.heap[0] = g.heap[last]
			g.heap = g.heap[:last]
		} else {
			top.covers = now
		}
		if len(g.heap) > 0 {
			heap.Fix(g, 0)
		}
	}
	return g.giveBack(chosen)
}

// giveBack leaves out, beginning with those that were chosen last, what covers
// nothing that the others do not cover.
func (g *grasping) giveBack(chosen []int32) []int32 {
	for i := len(chosen) - 1; i >= 0; i-- {
		members := g.members(candidate, chosen[i])
		needed := false
		for _, e := range members {
			needed = needed || g.covered[e] == 1
		}
		if needed {
			continue
		}
		for _, e := range members {
			g.covered[e]--
		}
		chosen = append(chosen[:i], chosen[i+1:]...)
	}
	return chosen
}

// bound gives a weight that no cover of the living elements is below. Two bounds
// of the dual problem are known, in which each element pays and no candidate is
// paid more than its weight by those that it covers. In one an element, those with
// few coverers first, pays what all its coverers can still take; where weights are
// equal these are elements without a coverer in common. In the other it pays the
// least of its coverers' weights, shared by what they cover.
func (in *instance) bound(elements []int32) float64 {
	left := map[int32]float64{}
	var disjoint, shared float64
	for _, e := range elements {
		coverers := in.members(element, e)
		pay, share := in.remaining(left, coverers[0]), 0.0
		for i, c := range coverers {
			pay = min(pay, in.remaining(left, c))
			s := in.weight[c] / float64(in.count[candidate][c])
			if i == 0 || s < share {
				share = s
			}
		}
		shared += share
		if pay <= 0 {
			continue
		}
		disjoint += pay
		for _, c := range coverers {
			left[c] = in.remaining(left, c) - pay
		}
	}
	return max(disjoint, shared)
}

func (in *instance) remaining(left map[int32]float64, c int32) float64 {
	if w, ok := left[c]; ok {
		return w
	}
	return in.weight[c]
}
