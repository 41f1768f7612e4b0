package fileerror

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
)

// TestKeptOf: an error has the files that were kept through all that it goes through, each once,
// and stays what it is.
func TestKeptOf(t *testing.T) {
	a, b := Kept{Saved: []string{"a.kept-1.md"}}, Kept{Left: []string{"b.kept-1.md"}}
	both := []string{"a.kept-1.md", "b.kept-1.md"}
	for _, err := range []error{io.EOF, &Error{Code: Conflict, Reason: "it is so"}, fmt.Errorf("about: %w", &Error{Code: Conflict, Reason: "it is so"})} {
		told := fmt.Errorf("of the request: %w", WithKept(WithKept(WithKept(err, a), a.And(b)), b))
		if got := KeptOf(told).Paths(); !slices.Equal(got, both) {
			t.Errorf("%v has kept %q", err, got)
		}
		if e, ok := errors.AsType[*Error](told); ok && (e.Code != Conflict || !strings.HasPrefix(e.Reason, "it is so")) || !ok && !errors.Is(told, err) {
			t.Errorf("%v has become %v", err, told)
		}
	}
	if e, ok := errors.AsType[*Error](WithKept(WithKept(&Error{Reason: "it is so"}, a), a.And(b))); !ok || strings.Count(e.Reason, "a.kept-1.md") != 1 || !strings.Contains(e.Reason, `"b.kept-1.md"`) {
		t.Errorf("%v, %t", e, ok)
	}
	if WithKept(nil, a) != nil || WithKept(io.EOF, Kept{}).Error() != "EOF" || !KeptOf(io.EOF).None() {
		t.Error("where there is nothing to tell, something is told")
	}
}

// TestKeptNames: a sentence names as many files as there is room for, one at least, and how many more
// there are.
func TestKeptNames(t *testing.T) {
	long := strings.Repeat("x", 250)
	for want, paths := range map[string][]string{
		`kept as "a", "b"`: {"a", "b"},
		`kept as "` + long + `" and 1 more by such names`: {long, "b"},
		`kept as "…/a.kept-1.md"`:                         {long + "/a.kept-1.md"},
	} {
		if got := (Kept{Saved: paths}).String(); !strings.HasSuffix(got, want) {
			t.Errorf("%q doesn't end with %q", got, want)
		}
	}
}

// TestKeptOfAnother: where an error is about one file, what is kept of another is told of with that
// one's name.
func TestKeptOfAnother(t *testing.T) {
	kept := Kept{Saved: []string{"a.kept-1.md"}, Of: map[string]string{"a.kept-1.md": "a.md"}}
	kept = kept.And(Kept{Old: []string{"c.kept-1.md"}, Of: map[string]string{"c.kept-1.md": "c.md"}})
	e, ok := errors.AsType[*Error](WithKept(&Error{Code: IOError, Path: "b.md", Reason: "input/output error"}, kept))
	want := `b.md: input/output error; another program had saved "a.md" meanwhile, and what it saved is kept as "a.kept-1.md"; what was in "c.md" before is kept as "c.kept-1.md"`
	if !ok || e.Error() != "io_error: "+want {
		t.Errorf("%v, want %s", e, want)
	}
}
