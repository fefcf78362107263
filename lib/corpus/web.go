package corpus

import (
	"fmt"
	"strconv"
	"strings"
)

// A kind is what a URL leads to.
type kind int

const (
	page kind = iota
	style
	image
	document
)

var mimes = [...]string{page: "text/html", style: "text/css", image: "image/png", document: "application/pdf"}

// A web is the hosts and URLs that are crawled. It is not changed once it is made.
type web struct {
	seed      uint64
	urls      int
	words     []string
	sentences []string
	hosts     []host
	hostRanks zipf
}

type host struct {
	number int
	origin string // scheme://name
	key    string // the host's part of the SURT, with the ")"
	ip     string
	server string
}

func newWeb(seed uint64, urls, hosts int) *web {
	w := &web{seed: seed, urls: urls, words: vocabulary(seed), hostRanks: newZipf(hosts, 0.9)}
	w.sentences = sentences(seed, w.words)
	r := random(hash(seed, forHosts))
	seen := map[string]bool{}
	var domains []string
	for len(w.hosts) < hosts {
		domain := w.words[r.below(len(w.words))] + w.words[150+r.below(2000)] + "." + tlds[r.below(len(tlds))]
		prefix := ""
		switch n := r.below(10); {
		case n < 6:
			prefix = "www."
		case n == 6 && len(domains) > 0:
			prefix = prefixes[r.below(len(prefixes))]
			domain = domains[r.below(len(domains))]
		}
		key := surtHost(prefix + domain)
		if seen[key] {
			continue
		}
		seen[key] = true
		domains = append(domains, domain)
		scheme := "http://"
		if r.below(10) < 6 {
			scheme = "https://"
		}
		w.hosts = append(w.hosts, host{
			number: len(w.hosts), origin: scheme + prefix + domain, key: key,
			// Addresses of the blocks for documentation (RFC 5737).
			ip:     fmt.Sprintf("%s.%d", networks[r.below(len(networks))], 1+r.below(254)),
			server: servers[r.below(len(servers))],
		})
	}
	return w
}

var (
	tlds     = strings.Fields("com com com com org org net de fr it co.uk gov edu")
	prefixes = strings.Fields("blog. news. shop. images. static.")
	networks = strings.Fields("192.0.2 198.51.100 203.0.113")
	servers  = strings.Fields("Apache nginx Apache/2.4.41 nginx/1.18.0 Microsoft-IIS/10.0")
)

// surtHost gives the host in reversed order. As in all SURTs of web archives, a
// leading www. counts for nothing.
func surtHost(name string) string {
	labels := strings.Split(strings.TrimPrefix(name, "www."), ".")
	for i, j := 0, len(labels)-1; i < j; i, j = i+1, j-1 {
		labels[i], labels[j] = labels[j], labels[i]
	}
	return strings.Join(labels, ",") + ")"
}

// A resource is a URL and what it leads to.
type resource struct {
	number int
	host   *host
	path   string // with query
	kind   kind
	status int
}

func (r *resource) url() string  { return r.host.origin + r.path }
func (r *resource) surt() string { return r.host.key + r.path }

// mime is that of the response: redirects and errors are pages.
func (r *resource) mime() string {
	if r.status != 200 {
		return mimes[page]
	}
	return mimes[r.kind]
}

// resource gives a URL by its number. The first ones are the hosts' home pages.
func (w *web) resource(number int) resource {
	n := uint64(number)
	r := resource{number: number, status: 200}
	if number < len(w.hosts) && number < w.urls/4 {
		r.host, r.path = &w.hosts[number], "/"
		return r
	}
	r.host = &w.hosts[w.hostRanks.rank(fraction(hash(w.seed, forHostOfURL, n)))]
	switch f := fraction(hash(w.seed, forKindOfURL, n)); {
	case f < 0.78:
		r.kind = page
	case f < 0.86:
		r.kind = style
	case f < 0.95:
		r.kind = image
	default:
		r.kind = document
	}
	switch f := fraction(hash(w.seed, forStatus, n)); {
	case f < 0.06:
		r.status = 301
	case f < 0.12:
		r.status = 404
	}
	r.path = w.path(number, r.kind)
	return r
}

// path gives paths that are in canonical form already: in lower case, arguments
// in alphabetical order.
func (w *web) path(number int, k kind) string {
	r := random(hash(w.seed, forPath, uint64(number)))
	word := func(n int) string { return w.words[r.below(n)] }
	id := strconv.Itoa(number)
	switch k {
	case style:
		return "/css/" + word(300) + "-" + id + ".css"
	case image:
		return "/images/" + word(300) + "/" + word(vocabularySize) + "-" + id + ".png"
	case document:
		return "/files/" + word(vocabularySize) + "-" + id + ".pdf"
	}
	switch r.below(4) {
	case 0:
		return "/" + word(300) + ".php?id=" + id + "&page=" + strconv.Itoa(1+r.below(20))
	case 1:
		return fmt.Sprintf("/%d/%02d/%s-%s-%s", 2001+r.below(18), 1+r.below(12), word(vocabularySize), word(2000), id)
	}
	return "/" + word(300) + "/" + word(2000) + "-" + word(vocabularySize) + "-" + id + ".html"
}
