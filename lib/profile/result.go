package profile

// A Profile is what profile.json holds: see the package's documentation.
type Profile struct {
	Totals      Totals       `json:"totals"`
	TLDs        []TLD        `json:"tlds"`
	PerURI      Distribution `json:"urims_per_urir"`
	TopURIs     []TopURI     `json:"top_urirs"`
	Years       []Year       `json:"years"`
	ExactDepths []ExactDepth `json:"exact_depths"`
	HostDepths  []Depth      `json:"host_depths"`
	PathDepths  []Depth      `json:"path_depths"`
}

// Totals are those of Table 2, and what is not in the tables.
type Totals struct {
	IndexFiles  int64   `json:"index_files"`
	IndexBytes  int64   `json:"index_bytes"`
	Lines       int64   `json:"lines"`
	URIMs       int64   `json:"urims"`
	URIRs       int64   `json:"urirs"`
	Keys        int64   `json:"keys"`
	Hosts       int64   `json:"hosts"`
	Addresses   int64   `json:"addresses"`
	Bytes       int64   `json:"bytes"`
	First       string  `json:"first"`
	Last        string  `json:"last"`
	Gamma       float64 `json:"gamma"`
	WithoutHost int64   `json:"without_host"`
	Filtered    int64   `json:"filtered"`
}

// A TLD is a row of Table 1.
type TLD struct {
	Name  string `json:"name"`
	URIMs int64  `json:"urims"`
	URIRs int64  `json:"urirs"`
	Keys  int64  `json:"keys"`
	Hosts int64  `json:"hosts"`
}

// A Distribution is that of URI-Ms per URI-R: Table 4 and Figure 5.
type Distribution struct {
	Max        int64        `json:"max"`
	Median     float64      `json:"median"`
	Mean       float64      `json:"mean"`
	Deviation  float64      `json:"deviation"`
	Gini       float64      `json:"gini"`
	BreakPoint float64      `json:"break_point"`
	Curve      [][2]float64 `json:"curve"`
}

// A TopURI is a row of Table 5.
type TopURI struct {
	Key   string `json:"key"`
	URIMs int64  `json:"urims"`
}

// A Year is a row of Table 6, and a point of Figure 6.
type Year struct {
	Year            int     `json:"year"`
	URIRs           int64   `json:"urirs"`
	NewURIRs        int64   `json:"new_urirs"`
	CumulativeURIRs int64   `json:"cumulative_urirs"`
	URIMs           int64   `json:"urims"`
	CumulativeURIMs int64   `json:"cumulative_urims"`
	Duplicates      float64 `json:"duplicates"`
	Gamma           float64 `json:"gamma"`
	CumulativeGamma float64 `json:"cumulative_gamma"`
	Status2XX       float64 `json:"status_2xx"`
	Status3XX       float64 `json:"status_3xx"`
	Status4XX       float64 `json:"status_4xx"`
	Status5XX       float64 `json:"status_5xx"`
}

// An ExactDepth is a row of Table 7.
type ExactDepth struct {
	Depth    string `json:"depth"`
	Hosts    int64  `json:"hosts"`
	HostKeys int64  `json:"host_keys"`
	PathKeys int64  `json:"path_keys"`
}

// A Depth is a row of Table 8, and a point of Figure 7.
type Depth struct {
	Depth        int     `json:"depth"`
	Prefixes     int64   `json:"prefixes"`
	Keys         int64   `json:"keys"`
	Max          int64   `json:"max"`
	Mean         float64 `json:"mean"`
	Median       float64 `json:"median"`
	Deviation    float64 `json:"deviation"`
	Reduction    float64 `json:"reduction"`
	Parents      int64   `json:"parents"`
	Children     int64   `json:"children"`
	MeanChildren float64 `json:"mean_children"`
}
