package yamltree

import (
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/frontmatter"
)

func TestWriteText(t *testing.T) {
	tests := []struct{ text, block, flow string }{
		{"docs", "docs", "docs"},
		{"docs/my guides", "docs/my guides", "docs/my guides"},
		{"über uns", "über uns", "über uns"},
		{"", `""`, `""`},
		{" a", `" a"`, `" a"`},
		{"a ", `"a "`, `"a "`},
		{"*.md", `"*.md"`, `"*.md"`},
		{"docs/*.md", "docs/*.md", "docs/*.md"},
		{"a, b", "a, b", `"a, b"`},
		{"a[0]", "a[0]", `"a[0]"`},
		{"[a]", `"[a]"`, `"[a]"`},
		{"a: b", `"a: b"`, `"a: b"`},
		{"a:b", "a:b", `"a:b"`},
		{"a:", `"a:"`, `"a:"`},
		{"a #b", `"a #b"`, `"a #b"`},
		{"a#b", "a#b", "a#b"},
		{"#b", `"#b"`, `"#b"`},
		{"it's", "it's", "it's"},
		{"'x'", `"'x'"`, `"'x'"`},
		{`say "x"`, `say "x"`, `'say "x"'`},
		{`\[x\]`, `'\[x\]'`, `'\[x\]'`},
		{`\'"`, `"\\'\""`, `"\\'\""`},
		{"one\ntwo", `"one\ntwo"`, `"one\ntwo"`},
		{"a\tb", `"a\tb"`, `"a\tb"`},
		{"yes", `"yes"`, `"yes"`},
		{"Null", `"Null"`, `"Null"`},
		{"~", `"~"`, `"~"`},
		{"123", `"123"`, `"123"`},
		{"2024-01-02", `"2024-01-02"`, `"2024-01-02"`},
		{"1e3", `"1e3"`, `"1e3"`},
		{".5", `".5"`, `".5"`},
		{"12:30", `"12:30"`, `"12:30"`},
		{"2024 notes", "2024 notes", "2024 notes"},
		{"-x", `"-x"`, `"-x"`},
		{"...", `"..."`, `"..."`},
		{"@x", `"@x"`, `"@x"`},
		{"\x00\x1b\u200b\U000e0041", `"\x00\x1B\u200B\U000E0041"`, `"\x00\x1B\u200B\U000E0041"`},
		{"日本語", "日本語", "日本語"},
	}
	for _, test := range tests {
		if got := frontmatter.YAMLText(test.text, false); got != test.block {
			t.Errorf("%q is written %s, want %s", test.text, got, test.block)
		}
		if got := frontmatter.YAMLText(test.text, true); got != test.flow {
			t.Errorf("%q is written %s in brackets, want %s", test.text, got, test.flow)
		}
		checkText(t, test.text)
	}
}

// checkText sees that a text is read as it was written, wherever it stands.
func checkText(t *testing.T, text string) {
	t.Helper()
	block, flow := frontmatter.YAMLText(text, false), frontmatter.YAMLText(text, true)
	for _, source := range []string{
		block + ": " + block + " # c\n" + "next: x\n",
		"a:\n  - " + block + "\n  - b: " + block + "\n" + block + ":\n  - x\n",
		"a: [" + flow + ", " + flow + "]\n",
		"a: {" + flow + ": " + flow + ", x: " + flow + "}\n",
	} {
		root, faults := New(source, isKey).Parse()
		if len(faults) > 0 {
			t.Errorf("%q, written %s: %v", text, source, faults)
			continue
		}
		found := 0
		var walk func(n *Node)
		walk = func(n *Node) {
			if n.Kind == Scalar && n.Text == text {
				found++
			}
			for i := range n.Items {
				if n.Items[i].Key != nil {
					walk(n.Items[i].Key)
				}
				walk(n.Items[i].Value)
			}
		}
		walk(root)
		if want := strings.Count(source, block); found < min(want, 2) {
			t.Errorf("%q, written %s, is read otherwise: %d times", text, source, found)
		}
	}
}

func FuzzWriteText(f *testing.F) {
	texts := []string{"docs", "über uns", "next.js", "2024", "a, b", "x: y", "it's", `say "hi"`, "#1", "a #b", "*.md", "yes", "[a]", "{a,b}.md", "日本語"}
	for _, s := range append(texts, "", "a\u2028b", "\u0085", "\ufeffx", "e\u0301", "- a", "x: ", "\r\n", "0<<") {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1000 || strings.ToValidUTF8(text, "") != text {
			return
		}
		checkText(t, text)
	})
}
