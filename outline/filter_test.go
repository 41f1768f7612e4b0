package outline_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/outline"
)

// names renders the names of a tree, a "-" before each for every section that it
// stands in.
func names(t *outline.Tree) string {
	var all []string
	for n := range t.Nodes() {
		all = append(all, strings.Repeat("-", n.Depth)+n.Name)
	}
	return strings.Join(all, " ")
}

const guide = `# Guide
## Install
### Linux
#### Install from source
### Windows
## Use
### Install plugins
## Größe ΣΑΣ
# Install notes
## 日本語の説明
# Appendix
`

func TestTreeFilterByPattern(t *testing.T) {
	doc := parse(t, guide)
	const all = "Guide -Install --Linux ---Install from source --Windows -Use --Install plugins -Größe ΣΑΣ Install notes -日本語の説明 Appendix"
	tests := []struct {
		name, pattern string
		children      bool
		want          string
	}{
		{"none", "", false, all},
		{"blank", " \t\n\u00a0", false, all},
		{"direct", "appendix", false, "Appendix"},
		{"parents kept", "plugins", false, "Guide -Use --Install plugins"},
		{"several", "install", false, "Guide -Install --Linux ---Install from source -Use --Install plugins Install notes"},
		{"no match", "uninstall", false, ""},
		{"upper case", "WINDOWS", false, "Guide -Install --Windows"},
		{"mixed case", "wInDoWs", false, "Guide -Install --Windows"},
		{"partial", "indow", false, "Guide -Install --Windows"},
		{"a whole title", "Install from source", false, "Guide -Install --Linux ---Install from source"},
		{"longer than the title", "Appendix A", false, ""},
		{"siblings left out", "linux", false, "Guide -Install --Linux"},
		{"children left out", "guide", false, "Guide"},
		{"case of other alphabets", "GRÖSSE", false, ""},
		{"case of other alphabets", "GRÖẞE σας", false, "Guide -Größe ΣΑΣ"},
		{"scripts without case", "説明", false, "Install notes -日本語の説明"},
		{"the Kelvin sign is a k", "u\u212a", false, ""},
		{"a long s is an s", "U\u017fe", false, "Guide -Use"},
		{"no regular expression", "Lin.x", false, ""},
		{"no glob", "*", false, ""},
		{"blanks count within a pattern", "linux ", false, ""},
		{"children kept", "use", true, "Guide -Use --Install plugins"},
		{"children of several kept", "linux", true, "Guide -Install --Linux ---Install from source"},
		{"children kept, matches among them", "install", true, "Guide -Install --Linux ---Install from source --Windows -Use --Install plugins Install notes -日本語の説明"},
		{"children kept, no match", "nothing", true, ""},
		{"children without a pattern", "", true, all},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tree := outline.NewTree(doc, outline.TreeOptions{Pattern: tt.pattern, KeepChildren: tt.children})
			if diff := cmp.Diff(tt.want, names(tree)); diff != "" {
				t.Errorf("pattern %q (-want +got)\n%s", tt.pattern, diff)
			}
		})
	}
}

func TestTreeFilterByDepth(t *testing.T) {
	nested := "# A\n## B\n### C\n#### D\n# E\n"
	tests := []struct {
		name, src string
		depth     int
		want      string
	}{
		{"all", nested, 0, "A -B --C ---D E"},
		{"below none is all", nested, -1, "A -B --C ---D E"},
		{"1", nested, 1, "A E"},
		{"2", nested, 2, "A -B E"},
		{"3", nested, 3, "A -B --C E"},
		{"4", nested, 4, "A -B --C ---D E"},
		{"6", nested, 6, "A -B --C ---D E"},
		{"beyond 6", nested, 1 << 40, "A -B --C ---D E"},
		// The level of the heading counts, not the number of headings above it.
		{"a skipped level", "## A\n#### B\n### C\n", 3, "A -C"},
		{"a skipped level", "## A\n#### B\n### C\n", 2, "A"},
		{"nothing so shallow", "## A\n### B\n", 1, ""},
		{"siblings of other levels", "# A\n### B\n## C\n", 2, "A -C"},
		{"no headings", "text", 1, ""},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%s, %d", tt.name, tt.depth), func(t *testing.T) {
			tree := outline.NewTree(parse(t, tt.src), outline.TreeOptions{MaxDepth: tt.depth})
			if diff := cmp.Diff(tt.want, names(tree)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestTreeFilterByBoth(t *testing.T) {
	doc := parse(t, guide)
	tests := []struct {
		name string
		opts outline.TreeOptions
		want string
	}{
		{"the pattern sees what is too deep", outline.TreeOptions{Pattern: "source", MaxDepth: 2}, "Guide -Install"},
		{"only the top of a deep match", outline.TreeOptions{Pattern: "plugins", MaxDepth: 1}, "Guide"},
		{"no match", outline.TreeOptions{Pattern: "nothing", MaxDepth: 2}, ""},
		{"children up to the depth", outline.TreeOptions{Pattern: "install", KeepChildren: true, MaxDepth: 3}, "Guide -Install --Linux --Windows -Use --Install plugins Install notes -日本語の説明"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, names(outline.NewTree(doc, tt.opts))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// What the tool markdown_tree does with its arguments, format by format.
func TestTreeFormats(t *testing.T) {
	doc := parse(t, guide)
	tests := []struct {
		name, format string
		opts         outline.TreeOptions
		want         string // the start of it
		lines        int
	}{
		{"default", "", outline.TreeOptions{}, `{"name":"guide.md","level":"H0"`, 0},
		{"json", "json", outline.TreeOptions{}, `{"name":"guide.md","level":"H0"`, 0},
		{"ascii", "ascii", outline.TreeOptions{}, "guide.md\n\n│ Guide H1:1:8\n", 13},
		{"pattern", "ascii", outline.TreeOptions{Pattern: "linux"}, "guide.md\n\n└ Guide H1:1:8\n", 5},
		{"depth", "ascii", outline.TreeOptions{MaxDepth: 1}, "guide.md\n\n│ Guide H1:1:8\n│ Install notes H1:9:10\n", 5},
		{"both", "ascii", outline.TreeOptions{Pattern: "linux", MaxDepth: 1}, "guide.md\n\n└ Guide H1:1:8\n", 3},
		{"no entries", "json", outline.TreeOptions{Pattern: "nothing"}, `{"name":"guide.md","level":"H0","start_line":0,"end_line":0,"children":[]}`, 0},
		{"no entries", "ascii", outline.TreeOptions{Pattern: "nothing"}, "guide.md\n\n", 2},
	}
	for _, tt := range tests {
		t.Run(tt.name+" "+tt.format, func(t *testing.T) {
			format, err := outline.ParseFormat(tt.format)
			if err != nil {
				t.Fatal(err)
			}
			tree := outline.NewTree(doc, tt.opts)
			got := string(tree.AppendJSON(nil, "guide.md"))
			if format == outline.ASCII {
				got = string(tree.AppendASCII(nil, "guide.md"))
			}
			if !strings.HasPrefix(got, tt.want) || strings.Count(got, "\n") != tt.lines {
				t.Errorf("got %d lines:\n%s\nwant %d that begin with\n%s", strings.Count(got, "\n"), got, tt.lines, tt.want)
			}
		})
	}
}
