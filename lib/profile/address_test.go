package profile_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"archivestream/lib/profile"
)

// TestAddresses tells IP addresses from other hosts with numbers and colons, in the totals
// and in the table of TLDs alike.
func TestAddresses(t *testing.T) {
	t.Parallel()
	var lines []string
	for _, host := range []string{
		"1,0,0,127", "2,0,0,127:8080", "2001:db8::1", "2001:db8::1:8080", "::1", // addresses
		"1,a", "1,2", "1", "999,0,0,127", "com?a:b:c,0,0,0,0,x", "a:b:c.d", "com:80", "localhost:80",
	} {
		lines = append(lines, capture{host: host, path: "/", timestamp: "20200101000000", status: "200", mime: "-"}.line())
	}
	var p profile.Profile
	if err := json.Unmarshal([]byte(makeProfile(t, lines, 1, 1, "")), &p); err != nil {
		t.Fatal(err)
	}
	got := map[string]int64{"totals": p.Totals.Addresses}
	for _, d := range p.TLDs {
		got[d.Name] = d.Hosts
	}
	want := map[string]int64{"totals": 5, "(address)": 5, "1": 3, "999": 1, "(other)": 4}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if d := p.HostDepths[0]; d.Prefixes != 10 || d.Keys != 13 {
		t.Errorf("%d TLDs with %d keys", d.Prefixes, d.Keys)
	}
}
