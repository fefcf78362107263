package hostname

import "testing"

func TestRegistered(t *testing.T) {
	for host, want := range map[string]string{
		"www.example.com": "example.com", "example.com": "example.com", "com": "com", "a.b.bbc.co.uk": "bbc.co.uk",
		"user.github.io": "github.io", "localhost": "localhost", "x.a.intra": "a.intra", "192.0.2.1": "192.0.2.1",
		"999.1.1.1": "999.1.1.1", "2001:db8::1": "2001:db8::1", "": "", "foo..com": "foo..com", "xn--bcher-kva.de": "xn--bcher-kva.de",
	} {
		if got := Registered(host); got != want {
			t.Errorf("%s: %s, want %s", host, got, want)
		}
	}
}
