package summary

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"

	"archivestream/lib/stage"
	"archivestream/lib/tally"
)

// Merge is the reducer that adds partial summaries up, sorted by the three fields of
// their keys and parted by the first two: it counts different URLs and hosts, and
// keeps the hosts with most captures.
func Merge(t *stage.Task, hosts int) error {
	m := &merger{task: t, top: tally.Ranking{N: hosts}}
	sums := tally.Summer{Sum: tally.Pass(t)}
	for line, err := range t.Lines() {
		if err != nil {
			return err
		}
		e, err := tally.Parse(line)
		if err != nil {
			return err
		}
		switch string(e.Table) {
		case "host":
			err = m.run(&e)
		case "each":
			m.key(&e)
		case "sample":
			err = t.Write(line)
		case "top":
			err = m.topHost(&e)
		default:
			err = sums.Add(&e)
		}
		if err != nil {
			return err
		}
	}
	if err := sums.Close(); err != nil {
		return err
	}
	return m.finish()
}

// A merger puts the runs of each host together.
type merger struct {
	task        *stage.Task
	host        []byte // escaped
	captures    int64  // of it
	last        []byte // the largest key so far
	overlap     bool
	urls, hosts int64 // of all
	overlapping int64
	top         tally.Ranking
	numbers     []int64
	// Of the lines of EachURL:
	lastKey urlKey
	each    int64
}

// A urlKey is a key of a capture, as a line has it.
type urlKey struct{ host, rest []byte }

// key counts a key that the line before did not have.
func (m *merger) key(e *tally.Entry) {
	if m.each > 0 && bytes.Equal(e.Row, m.lastKey.host) && bytes.Equal(e.Column, m.lastKey.rest) {
		return
	}
	m.each++
	m.lastKey.host = append(m.lastKey.host[:0], e.Row...)
	m.lastKey.rest = append(m.lastKey.rest[:0], e.Column...)
}

func (m *merger) run(e *tally.Entry) error {
	var err error
	if m.numbers, err = e.Numbers(m.numbers); err != nil {
		return err
	}
	first, last, ok := bytes.Cut(e.Column, []byte(" "))
	if !ok || len(m.numbers) != 2 {
		return fmt.Errorf("not a run of a host: %q %q", e.Column, e.Value)
	}
	urls := m.numbers[1]
	if m.captures > 0 && bytes.Equal(e.Row, m.host) {
		switch order := bytes.Compare(first, m.last); {
		case order == 0:
			urls-- // counted with the run before
		case order < 0:
			m.overlap = true
		}
	} else {
		if err := m.endHost(); err != nil {
			return err
		}
		m.host = append(m.host[:0], e.Row...)
		m.last = m.last[:0]
		m.overlap = false
	}
	m.captures += m.numbers[0]
	m.urls += urls
	if bytes.Compare(last, m.last) > 0 {
		m.last = append(m.last[:0], last...)
	}
	return nil
}

func (m *merger) endHost() error {
	if m.captures == 0 {
		return nil
	}
	if m.overlap {
		m.overlapping++
	}
	if len(m.host) > 0 {
		m.hosts++
		host, err := stage.AppendUnescaped(nil, m.host)
		if err != nil {
			return err
		}
		m.top.Add(string(host), m.captures)
	}
	m.captures = 0
	return nil
}

func (m *merger) topHost(e *tally.Entry) error {
	var err error
	if m.numbers, err = e.Numbers(m.numbers); err != nil {
		return err
	}
	host, err := stage.AppendUnescaped(nil, e.Row)
	if err != nil {
		return err
	}
	m.top.Add(string(host), m.numbers[0])
	return nil
}

func (m *merger) finish() error {
	if err := m.endHost(); err != nil {
		return err
	}
	m.task.Count("overlapping runs", m.overlapping)
	var counts tally.Counts
	if m.each > 0 {
		counts.Add(tally.Key{Table: "total", Row: "urls", Column: "each"}, m.each)
	}
	counts.Add(tally.Key{Table: "total", Row: "urls"}, m.urls)
	counts.Add(tally.Key{Table: "total", Row: "hosts"}, m.hosts)
	for _, h := range m.top.Names {
		counts.Add(tally.Key{Table: "top", Row: h.Name}, h.Count)
	}
	return counts.Emit(m.task)
}

// Write is the reducer that makes summary.json and summary.html, as side files, of
// all that Merge has made, sorted by the three fields of the keys. Of samples it takes
// as many as wanted, of hosts too. The title is that of the page.
func Write(t *stage.Task, title string, samples, hosts int) error {
	s := New()
	read := &reading{summary: s, samples: newSampler(samples), top: tally.Ranking{N: hosts}}
	sums := tally.Summer{Sum: read.sum}
	if err := sums.Read(t, "sample", read.sample); err != nil {
		return err
	}
	read.finish()
	t.Count("captures", s.Captures)
	return s.create(t, title)
}

// A reading fills a summary.
type reading struct {
	summary *Summary
	samples *sampler
	top     tally.Ranking
}

func (r *reading) sum(e *tally.Entry, sum []int64) error {
	s, n := r.summary, sum[0]
	row, column := string(e.Row), string(e.Column)
	switch string(e.Table) {
	case "total":
		switch row {
		case "captures":
			s.Captures = n
		case "bytes":
			s.Bytes = n
		case "urls":
			// The column "each" stands behind none, and is right where that is not.
			s.URLs = n
		case "hosts":
			s.Hosts = n
		}
	case "span":
		if s.First == "" {
			s.First = row
		}
		s.Last = row
	case "top":
		host, err := stage.AppendUnescaped(nil, e.Row)
		if err != nil {
			return err
		}
		r.top.Add(string(host), n)
	case "mimestatus":
		return s.MimeStatus.set(row, column, n)
	case "pathquery":
		return s.PathQuery.set(row, column, n)
	case "yearmonth":
		if !slices.ContainsFunc(s.YearMonth, func(g Row) bool { return g.Name == row }) {
			s.YearMonth = append(s.YearMonth, newRow(row, months))
		}
		return s.YearMonth.set(row, column, n)
	default:
		return fmt.Errorf("unknown table %q in a partial summary", e.Table)
	}
	return nil
}

func (r *reading) sample(e *tally.Entry) error {
	hash, err := strconv.ParseUint(string(e.Row), 16, 64)
	if err != nil {
		return fmt.Errorf("sample: %w", err)
	}
	url, err := stage.AppendUnescaped(nil, e.Value)
	if err != nil {
		return err
	}
	r.samples.add(sample{hash, string(e.Column), string(url)})
	return nil
}

func (r *reading) finish() {
	for _, h := range r.top.Names {
		r.summary.TopHosts = append(r.summary.TopHosts, Count{hostName(h.Name), h.Count})
	}
	for _, one := range r.samples.kept {
		r.summary.Samples = append(r.summary.Samples, [2]string{one.timestamp, one.url})
	}
	slices.SortFunc(r.summary.Samples, func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
}

// hostName gives the host of its part in a key: com,example:8080 is example.com:8080.
func hostName(key string) string {
	host, port := key, ""
	for i := len(key) - 1; i >= 0 && (key[i] >= '0' && key[i] <= '9' || key[i] == ':'); i-- {
		if key[i] == ':' {
			host, port = key[:i], key[i:]
			break
		}
	}
	if bytes.IndexByte([]byte(host), ':') >= 0 {
		return key // an IPv6 address
	}
	labels := bytes.Split([]byte(host), []byte(","))
	slices.Reverse(labels)
	return string(bytes.Join(labels, []byte("."))) + port
}
