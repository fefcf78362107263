package cctable

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestHosts(t *testing.T) {
	address := func(name string) Host { return Host{Name: name} }
	for written, want := range map[string]Host{
		"www.example.com":   {"www.example.com", "com.example.www", [5]string{"com", "example", "www"}, "com", "example.com", "com", "example.com"},
		"WWW.Example.COM.":  {"www.example.com", "com.example.www", [5]string{"com", "example", "www"}, "com", "example.com", "com", "example.com"},
		"a.b.c.d.bbc.co.uk": {"a.b.c.d.bbc.co.uk", "uk.co.bbc.d.c.b.a", [5]string{"uk", "co", "bbc", "d", "c"}, "co.uk", "bbc.co.uk", "co.uk", "bbc.co.uk"},
		"com":               {"com", "com", [5]string{"com"}, "com", "", "com", ""},
		"co.uk":             {"co.uk", "uk.co", [5]string{"uk", "co"}, "co.uk", "", "co.uk", ""},

		// Private rules: the registry suffix lies above them.
		"user.github.io": {"user.github.io", "io.github.user", [5]string{"io", "github", "user"}, "io", "github.io", "github.io", "user.github.io"},
		"github.io":      {"github.io", "io.github", [5]string{"io", "github"}, "io", "github.io", "github.io", ""},
		"bucket.s3.amazonaws.com": {"bucket.s3.amazonaws.com", "com.amazonaws.s3.bucket", [5]string{"com", "amazonaws", "s3", "bucket"},
			"com", "amazonaws.com", "s3.amazonaws.com", "bucket.s3.amazonaws.com"},
		"x.y.compute.amazonaws.com.cn": {"x.y.compute.amazonaws.com.cn", "cn.com.amazonaws.compute.y.x", [5]string{"cn", "com", "amazonaws", "compute", "y"},
			"com.cn", "amazonaws.com.cn", "y.compute.amazonaws.com.cn", "x.y.compute.amazonaws.com.cn"},

		// Wildcards and exceptions of the list.
		"www.foo.ck": {"www.foo.ck", "ck.foo.www", [5]string{"ck", "foo", "www"}, "foo.ck", "www.foo.ck", "foo.ck", "www.foo.ck"},
		"www.ck":     {"www.ck", "ck.www", [5]string{"ck", "www"}, "ck", "www.ck", "ck", "www.ck"},

		// Names that the list does not have.
		"localhost":       {"localhost", "localhost", [5]string{"localhost"}, "", "", "", ""},
		"printer.intra":   {"printer.intra", "intra.printer", [5]string{"intra", "printer"}, "", "", "", ""},
		"a_b.example.org": {"a_b.example.org", "org.example.a_b", [5]string{"org", "example", "a_b"}, "org", "example.org", "org", "example.org"},
		"foo..com":        {"foo..com", "com..foo", [5]string{"com", "", "foo"}, "com", "", "com", ""},
		"...":             {},

		// Not ASCII, raw and escaped.
		"bücher.de":              {"xn--bcher-kva.de", "de.xn--bcher-kva", [5]string{"de", "xn--bcher-kva"}, "de", "xn--bcher-kva.de", "de", "xn--bcher-kva.de"},
		"B%C3%BCcher.de":         {"xn--bcher-kva.de", "de.xn--bcher-kva", [5]string{"de", "xn--bcher-kva"}, "de", "xn--bcher-kva.de", "de", "xn--bcher-kva.de"},
		"%f0%9f%a7%a0.s.country": {"xn--qv9h.s.country", "country.s.xn--qv9h", [5]string{"country", "s", "xn--qv9h"}, "country", "s.country", "country", "s.country"},
		"www。example。com":        {"www.example.com", "com.example.www", [5]string{"com", "example", "www"}, "com", "example.com", "com", "example.com"},
		"www.食狮.公司.cn":           {"www.xn--85x722f.xn--55qx5d.cn", "cn.xn--55qx5d.xn--85x722f.www", [5]string{"cn", "xn--55qx5d", "xn--85x722f", "www"}, "xn--55qx5d.cn", "xn--85x722f.xn--55qx5d.cn", "xn--55qx5d.cn", "xn--85x722f.xn--55qx5d.cn"},
		"%e9.com":                {"%e9.com", "com.%e9", [5]string{"com", "%e9"}, "com", "%e9.com", "com", "%e9.com"},

		// Addresses.
		"192.0.2.1":        address("192.0.2.1"),
		"192.0.2.1.":       address("192.0.2.1"),
		"3232235777":       address("192.168.1.1"),
		"127.1":            address("127.0.0.1"),
		"10.1.258":         address("10.1.1.2"),
		"999.1.1.1":        address("999.1.1.1"),
		"010.1.1.1":        address("010.1.1.1"),
		"1.2.3.4.5":        address("1.2.3.4.5"),
		"4294967296":       address("4294967296"),
		"www.example.123":  address("www.example.123"),
		"[2001:DB8::1]":    address("[2001:db8::1]"),
		"[::ffff:1.2.3.4]": address("[::ffff:1.2.3.4]"),
	} {
		if diff := cmp.Diff(want, NewHost(written)); diff != "" {
			t.Errorf("%s:\n%s", written, diff)
		}
	}
}
