package rawjson

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Parts and Fields on what is whole, cut off and broken.
func TestScan(t *testing.T) {
	const (
		object = ` { "a" : 1 ,"b":"}\"]","c":[{"d":[1,2]},3],"e":{},"f":null } `
		array  = ` [ 1 , "]\",",[{"d":[1,2]},3],{},null ] `
	)
	listed := func(text string) []string {
		got := []string{}
		for part := range Parts([]byte(text)) {
			got = append(got, string(part))
		}
		return got
	}
	paired := func(text string) []string {
		got := []string{}
		for key, value := range Fields([]byte(text)) {
			got = append(got, string(key)+"="+string(value))
		}
		return got
	}
	for _, tt := range []struct {
		name string
		scan func(string) []string
		text string
		want []string
	}{
		{"fields of an object", paired, object, []string{`"a"=1`, `"b"="}\"]"`, `"c"=[{"d":[1,2]},3]`, `"e"={}`, `"f"=null`}},
		{"parts of an object", listed, object, []string{`"a"`, "1", `"b"`, `"}\"]"`, `"c"`, `[{"d":[1,2]},3]`, `"e"`, "{}", `"f"`, "null"}},
		{"parts of an array", listed, array, []string{"1", `"]\","`, `[{"d":[1,2]},3]`, "{}", "null"}},
	} {
		if diff := cmp.Diff(tt.want, tt.scan(tt.text)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
		for cut := range tt.text {
			got := tt.scan(tt.text[:cut])
			if len(got) > len(tt.want) || !slices.Equal(got, tt.want[:len(got)]) {
				t.Errorf("%s, cut at %d: %q", tt.name, cut, got)
			}
		}
	}
	for text, want := range map[string][]string{
		"": {}, "1": {}, `"a"`: {}, "[]": {}, " [ ] ": {}, "{}": {}, "[,]": {}, "{,}": {}, "{a:1}": {}, "[}": {}, "]": {},
		"[1": {}, `["a"`: {`"a"`}, "[1,]": {"1"}, "[1,,2]": {"1"}, "[1;": {}, "[[1],2 3": {"[1]", "2"},
		`{"a"}`: {`"a"`}, `{"a":}`: {`"a"`}, `{"a":]}`: {`"a"`}, `{"a":1,,}`: {`"a"`, "1"}, `{"a":1,2:3}`: {`"a"`, "1"},
	} {
		if diff := cmp.Diff(want, listed(text)); diff != "" {
			t.Errorf("parts of %s (-want +got):\n%s", text, diff)
		}
	}
	for text, want := range map[string][]string{
		"": {}, `["a",1]`: {}, `{"a"}`: {}, `{"a":}`: {}, `{"a" "b":1}`: {}, `{"a":1;`: {}, `{"a":1,"b":`: {`"a"=1`}, `{"a":1,2:3}`: {`"a"=1`},
	} {
		if diff := cmp.Diff(want, paired(text)); diff != "" {
			t.Errorf("fields of %s (-want +got):\n%s", text, diff)
		}
	}
	for part := range Parts([]byte(array)) {
		if cap(part) != len(part) {
			t.Errorf("%s can grow into what is behind it", part)
		}
		break // as the consumer of a batch that is too long does
	}
}

// What Parts and Fields find is what encoding/json finds, and of what is not JSON
// they find pieces of it, in their order.
func FuzzScan(f *testing.F) {
	for _, seed := range []string{
		"", "1", `"a"`, "[]", "{}", `[1,"]\"",{"a":[1,{}]},null]`, `{"a":1,"b\\":"}","a":[{}]}`, " [ 1 ,\t2\r\n] ", `{"a"`, `{"a":1,`, "[1,,2]", "[}", `{1:2}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var list [][]byte
		from := 0
		for part := range Parts(raw) {
			at := bytes.Index(raw[from:], part)
			if len(part) == 0 || at < 0 {
				t.Fatalf("%q is not a piece of what follows %q", part, raw[:from])
			}
			from += at + len(part)
			list = append(list, part)
		}
		pairs := 0
		for key, value := range Fields(raw) {
			if !bytes.Equal(key, list[2*pairs]) || !bytes.Equal(value, list[2*pairs+1]) {
				t.Fatalf("field %d is %q: %q", pairs, key, value)
			}
			pairs++
		}
		trimmed := bytes.TrimSpace(raw)
		switch {
		case !json.Valid(raw):
			return
		case trimmed[0] == '[':
			var want []json.RawMessage
			if err := json.Unmarshal(raw, &want); err != nil {
				t.Fatal(err)
			}
			if len(want) != len(list) || pairs != 0 {
				t.Fatalf("%d elements and %d fields, want %d", len(list), pairs, len(want))
			}
			for i := range want {
				if !bytes.Equal(want[i], list[i]) {
					t.Errorf("element %d is %q, want %q", i, list[i], want[i])
				}
			}
		case trimmed[0] == '{':
			want := map[string]json.RawMessage{}
			if err := json.Unmarshal(raw, &want); err != nil {
				t.Fatal(err)
			}
			got := map[string]json.RawMessage{}
			for key, value := range Fields(raw) {
				var name string
				if err := json.Unmarshal(key, &name); err != nil {
					t.Fatal(err)
				}
				got[name] = value // the last of equal names, as there
			}
			if diff := cmp.Diff(want, got); diff != "" || 2*pairs != len(list) {
				t.Errorf("fields (-want +got):\n%s", diff)
			}
		case len(list) > 0:
			t.Errorf("%q has parts", raw)
		}
	})
}
