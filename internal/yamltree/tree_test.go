package yamltree

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/testkit"
)

// TestScalars reads texts as they are written: v, with what stands after its colon.
func TestScalars(t *testing.T) {
	for written, want := range map[string]string{
		// Block scalars. The key stands six blanks deep.
		" |-\n        end of line  \n":                "end of line  ",
		" |-\n        a  \n        b \n":              "a  \nb ",
		" >-\n        end of line  \n":                "end of line  ",
		" >-\n        a \n        b  \n":              "a  b  ",
		" |2-\n          a \n":                        "  a ",
		" |-2\n          a \n":                        "  a ",
		" |\n        one\n        \ttwo \n":           "one\n\ttwo \n",
		" |\n        one\n        x\t \n":             "one\nx\t \n",
		" |\n        a\n          \n        b\n":      "a\n  \nb\n",
		" |-\n        a\n          \n":                "a\n  ",
		" >2-\n        a\n          \n":               "a\n  ",
		" |\n        a":                               "a",
		" |+\n        a":                              "a",
		" |\n        a\n\n\n":                         "a\n",
		" |+\n        a\n\n  \n":                      "a\n\n\n",
		" |-\n\n  \n        a\n\n        b\n\n":       "\n\na\n\nb",
		" |  # note\n        a\n":                     "a\n",
		" |\n":                                        "",
		" |":                                          "",
		" |\n      w: x\n":                            "",
		" >\n        a\n        b\n\n        c\n\n\n": "a b\nc\n",
		" >\n        a\n          b\n        c\n":     "a\n  b\nc\n",
		" >\n        a\n\n          b\n\n        c\n": "a\n\n  b\n\nc\n",
		" >-\n\n        a\n":                          "\na",
		" >+\n        a\n\n\n":                        "a\n\n\n",
		// Texts over several lines.
		" a\n        b  \n       c":                "a b c",
		" a\n\n        b":                          "a\nb",
		" a\n \n\n      \n        b":               "a\n\n\nb",
		" 'a  \n\n\n        b''\n       '":         "a\n\nb' ",
		" \"a\\\n\n\n        b\"":                  "a\n\nb",
		" \"a \\\n        b\"":                     "a b",
		" \"a\\\n        \\ b\\t \n       c\"":     "a b\t c",
		` "\\\"\/\a\b\e\f\n\r\t\v\_\N\L\P"`:        "\\\"/\a\b\x1b\f\n\r\t\v\u00a0\u0085\u2028\u2029",
		` "\x41\u00e9\U0001F600\ "`:                "Aé😀 ",
		" |-\r\n        a \r\n        b\t\r\n":     "a \nb\t",
		" |-\n        a # no comment \n":           "a # no comment ",
		" \"\n        a\n        \"":               " a ",
		" a b  c\n        d  e":                    "a b  c d  e",
		" >-\n        a\n        b # c\n    # d\n": "a b # c",
	} {
		text := New("a:\n  b:\n    c: x\n    d:\n      v:"+written, isKey)
		root, faults := text.Parse()
		if len(faults) > 0 {
			t.Errorf("%q: %v", written, faults[0])
			continue
		}
		checkTree(t, text, root)
		v := root.Value("a").Value("b").Value("d").Value("v")
		if v == nil || v.Kind != Scalar && want != "" {
			t.Errorf("%q: it isn't read", written)
		} else if diff := cmp.Diff(want, v.Text); diff != "" {
			t.Errorf("%q: %s", written, diff)
		}
	}
}

// TestLimits has texts that are at a limit, and those that are beyond it.
func TestLimits(t *testing.T) {
	values := func(n int) string {
		return "a: [" + strings.Repeat(strings.Repeat("1,", 1000)+"\n", n/1000-1) + strings.Repeat("1,", 996) + "1]"
	}
	for _, test := range []struct{ text, want string }{
		{"a: b\n" + strings.Repeat(strings.Repeat("#", 1<<15)+"\n", 31) + strings.Repeat("#", MaxSize-5-31*(1<<15+1)), ""},
		{"a: b\n" + strings.Repeat(strings.Repeat("#", 1<<15)+"\n", 31) + strings.Repeat("#", MaxSize-4-31*(1<<15+1)), "it has more than 1048576 bytes; make it shorter"},
		{"#" + strings.Repeat("x", MaxLine-1), ""},
		{"\n#" + strings.Repeat("x", MaxLine), "2:1: the line has more than 65536 bytes; make it shorter"},
		{strings.Repeat("- a: 1\n", MaxKeys), ""},
		{strings.Repeat("- a: 1\n", MaxKeys+1), "10001:3: more than 10000 keys; make the file shorter"},
		{strings.Repeat("#\n", MaxLines), ""},
		{strings.Repeat("#\n", MaxLines+1), "20001:1: more than 20000 lines; make the file shorter"},
		{values(MaxValues), ""},
		{strings.Replace(values(MaxValues), "1]", "1,1]", 1), "it has more than 50000 keys and values; make it shorter"},
		{"a: " + strings.Repeat("[", 31) + strings.Repeat("]", 31), ""},
		{"a: " + strings.Repeat("[", 32) + strings.Repeat("]", 32), ""},
		{"a: " + strings.Repeat("[", 33) + strings.Repeat("]", 33), "1:35: nested deeper than 32 levels; make it flatter"},
		{strings.Repeat("- ", 32) + "a", ""},
		{strings.Repeat("- ", 33) + "a", "1:65: nested deeper than 32 levels; make it flatter"},
	} {
		if got := strings.Join(faultsIn(test.text), "|"); got != test.want {
			t.Errorf("%.20q, %d bytes: %s, want %s", test.text, len(test.text), got, test.want)
		}
	}
}

// TestCharacters has characters that YAML doesn't allow, or that not all read alike.
func TestCharacters(t *testing.T) {
	for text, want := range map[string]string{
		"a: \x00":          "1:4: it has a NUL byte; take it out",
		"é: \xff":          "1:4: it is not UTF-8; convert the file to UTF-8",
		"a: \ufffd\n":      "",
		"a: x\ty\n":        "",
		"a:\n  b: \x1bx\n": `2:6: the character U+001B is not allowed in YAML, or not read alike by all; take it out, or write \x1B in double quotes`,
		"a: b\u2028\n":     `1:5: the character U+2028 is not allowed in YAML, or not read alike by all; take it out, or write \u2028 in double quotes`,
		"# \u0085\n":       `1:3: the character U+0085 is not allowed in YAML, or not read alike by all; take it out, or write \x85 in double quotes`,
		"a: \ufeffb\n":     `1:4: the character U+FEFF is not allowed in YAML, or not read alike by all; take it out, or write \uFEFF in double quotes`,
		BOM + "a: b\n":     "",
	} {
		if got := strings.Join(faultsIn(text), "|"); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// TestOneDocument has texts with marks of documents: one may be there, and no other.
func TestOneDocument(t *testing.T) {
	for text, want := range map[string]string{
		"":                       "",
		"# c\n":                  "",
		"--- # c\na: b\n... # d": "",
		"---\n...\n":             "",
		"a: b\n...\nc: d\n":      "3:1: text behind the end of the document (...); take it out",
		"a: b\n--- # c\nd: e\n":  "2:1: a second document begins here; take the --- out, for the file is one document",
		"%YAML 1.2\n---\na: b\n": "1:1: % begins a directive in YAML, and there are none here; take the line out, or put the text in quotes: \"%YAML 1.2\"",
		"a:\n  <<: b\n":          "2:3: << merges keys in YAML, which is not allowed here; write the keys out",
		"a:\n  \"<<\": b\n":      "",
	} {
		if got := strings.Join(faultsIn(text), "|"); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// TestNode looks values up, and names them.
func TestNode(t *testing.T) {
	root, faults := New("a: {b: [1, x], c: }\nd: ~\ne: \"2\"\n", isKey).Parse()
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	for _, test := range []struct {
		node            *Node
		kind, text, tag string
		missing         bool
	}{
		{root, "a mapping", "", "", false},
		{root.Value("a").Value("b"), "a list", "", "", false},
		{root.Value("a").Value("b").Items[0].Value, "a single value", "1", "!!int", false},
		{root.Value("a").Value("b").Items[1].Value, "a single value", "x", "!!str", false},
		{root.Value("a").Value("c"), "null", "", "", true},
		{root.Value("d"), "null", "~", "!!null", false},
		{root.Value("e"), "a single value", "2", "", false},
	} {
		if n := test.node; n.Describe() != test.kind || n.Text != test.text || n.Plain != test.tag || n.IsMissing() != test.missing {
			t.Errorf("%+v, want %+v", n, test)
		}
	}
	if root.Get("x") != nil || root.Value("x") != nil || root.Value("a").Value("b").Get("1") != nil || (*Node)(nil).Value("a") != nil {
		t.Error("something was found that isn't there")
	}
}

// checkTree sees that what was read stands where it is said to: the parts of a value in it and in
// their order, a text as it was read.
func checkTree(t *testing.T, text *Text, n *Node) {
	t.Helper()
	if n.Start < 0 || n.End < n.Start || n.End > len(text.Source) {
		t.Fatalf("%q: %+v", text.Source, n)
	}
	written := text.Source[n.Start:n.End]
	if n.Kind == Scalar && n.Plain != "" && !strings.ContainsAny(written, "\r\n") && written != n.Text {
		t.Errorf("%q: %q stands where %q was read", text.Source, written, n.Text)
	}
	if n.Kind == Scalar && !n.Block && n.Plain == "" && (len(written) < 2 || written[0] != written[len(written)-1] || strings.IndexByte(`'"`, written[0]) < 0) {
		t.Errorf("%q: %q stands where a text in quotes was read", text.Source, written)
	}
	at := n.Start
	for i := range n.Items {
		it := &n.Items[i]
		if it.Key != nil {
			checkTree(t, text, it.Key)
		}
		checkTree(t, text, it.Value)
		if it.Start < at || it.Colon < it.Start || it.Value.Start < it.Colon || it.End() > n.End || it.Comma >= 0 && text.Source[it.Comma] != ',' {
			t.Errorf("%q: an item %+v of %+v", text.Source, it, n)
		}
		at = it.End()
	}
}

// FuzzParse sees that no text makes the parser panic, that what is wrong has a place in the text,
// and that what was read stands where it is said to.
func FuzzParse(f *testing.F) {
	for seed := range uint64(30) {
		f.Add(generate(seed).text)
	}
	for _, s := range testkit.HostileYAML(64) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		if len(source) > 1<<14 {
			return
		}
		text := New(source, isKey)
		root, faults := text.Parse()
		for _, fault := range faults {
			if fault.Offset < -1 || fault.Offset > len(source) || fault.Message == "" || strings.ContainsAny(fault.Message, "\r\n") {
				t.Errorf("%q: %+v", source, fault)
			}
		}
		if root != nil {
			checkTree(t, text, root)
		}
	})
}
