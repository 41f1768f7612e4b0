package rawjson

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestText(t *testing.T) {
	for raw, want := range map[string]string{
		`""`: "", `"a\n\u0062"`: "a\nb", `"\ud83d\ude00 \uD83D\uDE00"`: "😀 😀", `"\\ud800 \\\\udc00"`: `\ud800 \\udc00`, `"\ufffd"`: "\uFFFD",
	} {
		if got, whole := Text([]byte(raw)); got != want || !whole {
			t.Errorf("%s: %q, %v, want %q", raw, got, whole, want)
		}
	}
	for raw, want := range map[string]string{
		`"a\ud800b"`: "a\uFFFDb", `"\udc00"`: "\uFFFD", `"\ude00\ud83d"`: "\uFFFD\uFFFD", `"\ud83d\n"`: "\uFFFD\n", "\"\xff\"": "\uFFFD", `1`: "",
	} {
		if got, whole := Text([]byte(raw)); got != want || whole {
			t.Errorf("%+q: %q, %v, want %q", raw, got, whole, want)
		}
	}
}

func TestIsWhole(t *testing.T) {
	for raw, want := range map[string]bool{
		`[{"a":["\ud83d\ude00"]}]`: true, `[{"a":["\ud83d"]}]`: false, `{"\ud800":1}`: false, `["\\","\\ud800"]`: true, "[\"\xc3\"]": false,
	} {
		if got := IsWhole([]byte(raw)); got != want {
			t.Errorf("%+q: %v", raw, got)
		}
	}
}

// Names are compared as they are read, not as they are written.
func TestMembers(t *testing.T) {
	for raw, want := range map[string][]string{
		`{}`: nil, `["a",1]`: nil, `1`: nil,
		`{"a":1, "b" : {"a":2},"\u0061":[3] }`: {`a 1 false`, `b {"a":2} false`, `a [3] true`},
		`{"a":1,"A":2}`:                        {`a 1 false`, `A 2 false`},
	} {
		var got []string
		for m := range Members([]byte(raw)) {
			got = append(got, fmt.Sprintf("%s %s %v", m.Name, m.Value, m.Again))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", raw, diff)
		}
	}
	for m := range Members([]byte(`{"a":1,"b":2}`)) {
		if m.Name != "a" {
			t.Errorf("%v behind the end", m)
		}
		break
	}
}
