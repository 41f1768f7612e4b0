package runes

import (
	"bytes"
	"testing"
)

func TestAppendStripped(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"", ""},
		{"Install", "Install"},
		{" \tTwo  \u000B words\n", "Two words"},
		{"Usage {#usage}", "Usage"},
		{"It’s “so”", `It's "so"`},
		{"{}", "{}"},
	} {
		if got := string(AppendStripped([]byte("x "), test.in)); got != "x "+test.want {
			t.Errorf("%q gives %q, not %q", test.in, got, "x "+test.want)
		}
	}
}

func TestCutAttributes(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"A {#a}", "A "},
		{"A {#a} \t", "A "},
		{"A {.b c=d}", "A "},
		{"A {: #a}", "A "},
		{"A {a}", "A {a}"},
		{"A {}", "A {}"},
		{"A a}", "A a}"},
		{"A {#a}}", "A {#a}}"},
		{"{#a} A", "{#a} A"},
	} {
		if got := CutAttributes(test.in); got != test.want {
			t.Errorf("%q gives %q, not %q", test.in, got, test.want)
		}
	}
}

// TestAppendPlain takes a source for its own title only if nothing in it may be markup, and then
// folds it as titles are.
func TestAppendPlain(t *testing.T) {
	for _, source := range []string{"a *b*", "a `b`", "a_b", "[a](b)", "a &amp; b", `a\b`, "a <b>", "a~b", "a  b", "é", "a {#a}", "a\tb"} {
		if got, ok := AppendPlain(nil, []byte(source)); ok {
			t.Errorf("%q is taken for its own title: %q", source, got)
		}
	}
	for _, source := range []string{"", "Install", "2.4 The (long) way: how", "a-b/c?"} {
		got, ok := AppendPlain(nil, []byte(source))
		if want := AppendFolded(nil, AppendStripped(nil, source)); !ok || !bytes.Equal(got, want) {
			t.Errorf("%q gives %q, %v, not %q", source, got, ok, want)
		}
	}
}

func TestMayHold(t *testing.T) {
	for _, test := range []struct {
		source, folded string
		want           bool
	}{
		{"Install the *proxy*", "PROXY", true},
		{"In**sta**ll", "INSTALL", true},
		{"Install", "INSTALLED", false},
		{"Install", "LLATS", false},
		{"a\tb", "A B", true},
		{"ab", "B ", true},
		{"a &amp; b", "ANYTHING", true},
		{"é", "ANYTHING", true},
		{"", "", true},
	} {
		if got := MayHold([]byte(test.source), []byte(test.folded)); got != test.want {
			t.Errorf("%q and %q: %v", test.source, test.folded, got)
		}
	}
}
