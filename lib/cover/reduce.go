package cover

// reducing keeps the sets that have to be looked at again.
type reducing struct {
	*instance
	kept   []bool
	queue  [2][]int32
	queued [2][]bool
}

// reduce drops what the optimum does not need and keeps what every one needs, or
// one of them does, until nothing more is found or the steps are used up:
//
//   - the only coverer of an element is kept,
//   - a candidate goes whose uncovered elements another one covers that is not
//     heavier; where both cover the same at the same weight, the later one stays,
//   - an element goes whose coverers include all of another one.
func (in *instance) reduce(kept []bool) {
	r := reducing{instance: in, kept: kept}
	n := len(in.weight)
	for side := range r.queue {
		r.queued[side] = make([]bool, n)
		r.queue[side] = make([]int32, 0, n)
		for i := range n {
			r.push(side, int32(i))
		}
	}
	// Elements first: what is forced makes the rest smaller.
	for r.steps > 0 {
		side := element
		if len(r.queue[side]) == 0 {
			side = candidate
		}
		q := r.queue[side]
		if len(q) == 0 {
			return
		}
		i := q[0]
		r.queue[side] = q[1:]
		r.queued[side][i] = false
		if !r.alive[side][i] {
			continue
		}
		if side == element {
			r.element(i)
		} else {
			r.candidate(i)
		}
	}
}

func (r *reducing) push(side int, i int32) {
	if !r.queued[side][i] {
		r.queued[side][i] = true
		r.queue[side] = append(r.queue[side], i)
	}
}

// drop removes a set; those that it is in are looked at again.
func (r *reducing) drop(side int, i int32) {
	members := r.members(side, i)
	r.alive[side][i] = false
	r.steps -= int64(len(members))
	for _, m := range members {
		r.count[1-side][m]--
		r.push(1-side, m)
	}
}

// keep puts a candidate into the cover.
func (r *reducing) keep(c int32) {
	r.kept[c] = true
	covered := append([]int32(nil), r.members(candidate, c)...)
	r.alive[candidate][c] = false
	for _, e := range covered {
		r.drop(element, e)
	}
}

// smallest gives the member of a set that is itself the smallest set.
func (r *reducing) smallest(side int, members []int32) int32 {
	best := members[0]
	for _, m := range members[1:] {
		if r.count[1-side][m] < r.count[1-side][best] {
			best = m
		}
	}
	r.steps -= int64(len(members))
	return best
}

func (r *reducing) element(e int32) {
	coverers := r.members(element, e)
	if len(coverers) == 1 {
		r.keep(coverers[0])
		return
	}
	// Copied, as dropping elements changes the list.
	for _, f := range append([]int32(nil), r.members(candidate, r.smallest(element, coverers))...) {
		if f == e || !r.alive[element][f] {
			continue
		}
		if more := r.count[element][f] - r.count[element][e]; more < 0 || more == 0 && f < e {
			continue
		}
		if r.within(element, e, f) {
			r.drop(element, f)
		}
		if r.steps <= 0 {
			return
		}
	}
}

func (r *reducing) candidate(c int32) {
	covered := r.members(candidate, c)
	if len(covered) == 0 {
		r.alive[candidate][c] = false
		return
	}
	for _, d := range r.members(element, r.smallest(candidate, covered)) {
		if d == c || r.weight[d] > r.weight[c] {
			continue
		}
		more := r.count[candidate][d] - r.count[candidate][c]
		if more < 0 || more == 0 && r.weight[d] == r.weight[c] && d < c {
			continue
		}
		if r.within(candidate, c, d) {
			r.drop(candidate, c)
			return
		}
		if r.steps <= 0 {
			return
		}
	}
}

// within says whether all living members of set a are in set b.
func (r *reducing) within(side int, a, b int32) bool {
	alive := r.alive[1-side]
	in := r.sets[side][b]
	looked := int64(0)
	defer func() { r.steps -= looked }()
	for _, m := range r.sets[side][a] {
		looked++
		if !alive[m] {
			continue
		}
		at := reach(in, m)
		if at == len(in) || in[at] != m {
			return false
		}
		in = in[at+1:]
	}
	return true
}

// reach gives the first place of an ascending list that is not below m, in steps
// that grow, as it is near in most cases.
func reach(list []int32, m int32) int {
	step := 1
	for step <= len(list) && list[step-1] < m {
		step *= 2
	}
	low, high := step/2, min(step, len(list))
	for low < high {
		middle := (low + high) / 2
		if list[middle] < m {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}
