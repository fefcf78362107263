package engine

import (
	"encoding/hex"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// testdata/java-hash.tsv holds what Java computes; testdata/JavaHash.java makes it.
func TestHashesAreJavas(t *testing.T) {
	content, err := os.ReadFile("testdata/java-hash.tsv")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(content), "\n"), "\n")
	if len(lines) < 60 {
		t.Fatalf("only %d vectors", len(lines))
	}
	for _, line := range lines {
		f := strings.Split(line, "\t")
		key, err := hex.DecodeString(f[0])
		if err != nil {
			t.Fatal(err)
		}
		number := func(i int) int32 {
			n, err := strconv.ParseInt(f[i], 10, 32)
			if err != nil {
				t.Fatal(err)
			}
			return int32(n)
		}
		if got := hashOn(1, key); got != number(1) {
			t.Errorf("hashBytes(%s) = %d, Java has %d", f[0], got, number(1))
		}
		if got := hashString(key); got != number(2) {
			t.Errorf("hashCode(%s) = %d, Java has %d", f[0], got, number(2))
		}
		if got := hex.EncodeToString(appendReplaced(nil, key)); got != f[3] {
			t.Errorf("decoded %s = %s, Java has %s", f[0], got, f[3])
		}
		for _, n := range []int{1, 2, 7, 1000} {
			want := int(uint32(number(1))&0x7fffffff) % n
			if got := hashPartition(key, n); got != want {
				t.Errorf("partition of %s among %d = %d, want %d", f[0], n, got, want)
			}
		}
	}
}

func TestKeyFieldBounds(t *testing.T) {
	for _, test := range []struct{ option, key, want string }{
		{"-k1,1", "ab\tcd\tef", "ab"},
		{"-k2,2", "ab\tcd\tef", "cd"},
		{"-k2", "ab\tcd\tef", "cd\tef"},
		{"-k1,2", "ab\tcd\tef", "ab\tcd"},
		{"-k3,3", "ab\tcd\tef", "ef"},
		{"-k2,9", "ab\tcd\tef", "cd\tef"},
		{"-k4,4", "ab\tcd\tef", "none"},
		{"-k2,2", "ab\t", "none"},
		{"-k2,2", "ab\t\tef", ""},
		{"-k1.2,1", "abc\td", "bc"},
		{"-k1.2,1.2", "abc\td", "b"},
		{"-k2.2,2.9", "ab\tcd\tef", "d\tef"},
		{"-k1,1.4", "ab\tcd\tef", "ab\tc"}, // runs on into the next field, as in Hadoop
		{"-k1.9,1", "abc\td", "none"},
		{"-k 1,1", "ab\tcd", "ab"},
		{"-k1nr,1", "ab\tcd", "ab"},
	} {
		fields, _, err := parseKeyFields(test.option)
		if err != nil || len(fields) != 1 {
			t.Fatalf("%s: %v, %v", test.option, fields, err)
		}
		key := []byte(test.key)
		got := "none"
		if from, to, ok := fields[0].bounds(key, ends(key, nil)); ok {
			got = string(key[from:to])
		}
		if got != test.want {
			t.Errorf("%s of %q = %q, want %q", test.option, test.key, got, test.want)
		}
	}
}

func TestFieldPartition(t *testing.T) {
	for _, test := range []struct {
		option, key string
		hash        int32
	}{
		{"-k1,1", "a\tb", 97},
		{"-k2,2", "a\tb", 98},
		{"-k1,1 -k2,2", "a\tb", 31*97 + 98},
		{"-k3,3", "a\tb", 0},
		{"-k1,1", "", 0},
		{"", "a\tb", 93594}, // String.hashCode
		{"-n", "ab", 31*97 + 98},
		{"-k1,1", "\xff\tb", ((-17)*31+(-65))*31 + (-67)}, // U+FFFD is ef bf bd
	} {
		fields, whole, err := parseKeyFields(test.option)
		if err != nil {
			t.Fatal(err)
		}
		const n = 99991
		want := int(test.hash&0x7fffffff) % n
		if got := fieldPartition(fields, whole)([]byte(test.key), n); got != want {
			t.Errorf("%q on %q: %d, want %d", test.option, test.key, got, want)
		}
	}
}

func TestParseKeyFieldsRefuses(t *testing.T) {
	for _, option := range []string{"-k", "-kx", "-k0", "-k1.0", "-k1,", "-k1,2,3", "-k1x", "-x", "k1", "-k1.n", "-k-1"} {
		if fields, _, err := parseKeyFields(option); err == nil {
			t.Errorf("%q gives %v, want an error", option, fields)
		}
	}
}

func TestSortKeys(t *testing.T) {
	for _, test := range []struct {
		option    string
		n, prefix int
		want      string
	}{
		{"-k1,1", 2, 0, "-k1.1,1"},
		{"-k1,1 -k2,2nr", 2, 0, "-k1.1,1 -k2.1,2nr"},
		{"-k1,1 -k2,2nr", 2, 3, "-k1.1,1.3 -k1.4,1 -k2.1,2nr"},
		{"-k2", 2, 0, "-k2.1,2"},
		{"-k2,7", 3, 0, "-k2.1,3"},
		{"-k3,3", 2, 0, "-k1.2,1.1"},
		{"-k1.2,1.4", 1, 1, "-k1.1,1.1 -k1.3,1.5"},
		{"-nr", 1, 0, "-k1.1,1nr"},
		{"-k1,1 -r", 1, 0, "-k1.1,1r"},
		{"-k2 -n", 0, 0, "-k2.1n"},
	} {
		fields, _, err := parseKeyFields(test.option)
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Join(sortKeys(fields, test.n, test.prefix), " ")
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: %s", test.option, diff)
		}
	}
}

func FuzzParseKeyFields(f *testing.F) {
	f.Add("-k1,1 -k2,2nr", "a\tb\tc")
	f.Add("-k1.2,3.4rn -n", "\xff\t\t")
	f.Fuzz(func(t *testing.T, option, key string) {
		fields, whole, err := parseKeyFields(option)
		if err != nil {
			return
		}
		if p := fieldPartition(fields, whole)([]byte(key), 7); p < 0 || p > 6 {
			t.Errorf("partition %d of 7", p)
		}
		for _, field := range fields {
			from, to, ok := field.bounds([]byte(key), ends([]byte(key), nil))
			if ok && (from < 0 || from > to || to > len(key)) {
				t.Errorf("%+v of %q: [%d, %d)", field, key, from, to)
			}
		}
	})
}
