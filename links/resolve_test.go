package links

import (
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// page returns the page of a source.
func page(t testing.TB, name, src string, o markdown.Options) *Page {
	t.Helper()
	doc, err := (&markdown.Parser{Options: o}).Parse([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return NewPage(name, doc)
}

// tree returns a set of documents, and of files that are none of them.
func tree(t testing.TB, o Options, documents map[string]string, files ...string) *Set {
	t.Helper()
	there := map[string]Entry{".": Folder}
	add := func(name string, e Entry) {
		there[name] = e
		for i := range name {
			if name[i] == '/' {
				there[name[:i]] = Folder
			}
		}
	}
	for _, name := range files {
		add(name, File)
	}
	for name := range documents {
		add(name, File)
	}
	o.Look = func(name string) Entry { return there[name] }
	s := NewSet(o)
	for name, src := range documents {
		s.Add(page(t, name, src, markdown.Options{}))
	}
	return s
}

// TestResolveBesideABackslash has documents in a folder whose own name has a backslash, which is no
// reason not to follow their links.
func TestResolveBesideABackslash(t *testing.T) {
	s := tree(t, Options{}, map[string]string{`a\b/k.md`: "# K\n", `a\b/s.md`: "# S\n"})
	for dest, want := range map[string]string{"s.md": OK.String() + ` a\b/s.md`, `..\s.md`: Unknown.String() + " ", "..%5Cs.md": Unknown.String() + " "} {
		if target := s.ResolveDestination(`a\b/k.md`, ParseDestination(dest)); target.Status.String()+" "+target.Path != want {
			t.Errorf("%s leads to %+v, want %q", dest, target, want)
		}
	}
}

// TestResolve has what destinations lead to.
func TestResolve(t *testing.T) {
	s := tree(t, Options{}, map[string]string{
		"README.md":            "# Home\n",
		"docs/a.md":            "# A\n\n## Install\n\n## Install\n\n<a id=\"Own\"></a>\n\n## Café\n\n## Title {#attr}\n",
		"docs/guide/README.md": "# Guide\n\n## Start\n",
		"docs/guide/b c.md":    "# B\n",
		"docs/é.md":            "# NFC\n", // é as one character
		"docs/open.md":         "# Open\n\n--8<-- \"other.md\"\n",
		"docs/x/index.md":      "# X\n",
		"docs/top.md":          "# T\n\n## Top\n",
		"docs/tagged.md":       "<h1>T</h1>\n\n# T\n\n<h2>U</h2>\n",
	}, "docs/logo.svg", "src/main.go", "docs/empty/.keep", "docs/o\u0308.png")
	for dest, want := range map[string]string{
		"":                                "ok docs/a.md",
		"#":                               "ok docs/a.md",
		"#top":                            "ok docs/a.md",
		"#TOP":                            "ok docs/a.md",
		"top.md#top":                      "ok docs/top.md#top",
		"top.md/":                         "broken docs/top.md no_file",
		"Top.md/":                         "broken docs/top.md other_case",
		"top.md#Top":                      "ok docs/top.md",
		"tagged.md#t-1":                   "ok docs/tagged.md#t-1",
		"tagged.md#u":                     "ok docs/tagged.md#u",
		"../src/main.go#top":              "ok src/main.go",
		"#install":                        "ok docs/a.md#install",
		"#install-1":                      "ok docs/a.md#install-1",
		"#Install":                        "ok docs/a.md#install other_case",
		"#Own":                            "ok docs/a.md#Own",
		"#attr":                           "ok docs/a.md#attr",
		"#title-attr":                     "ok docs/a.md#title-attr",
		"#caf%C3%A9":                      "ok docs/a.md#café",
		"#cafe\u0301":                     "broken docs/a.md#café other_form",
		"#user-content-install":           "ok docs/a.md#install",
		"#nothing":                        "broken docs/a.md no_anchor",
		"#L10-L20":                        "unknown docs/a.md line",
		"a.md#install":                    "ok docs/a.md#install",
		"./a.md?plain=1#install":          "ok docs/a.md#install",
		"a":                               "ok docs/a.md",
		"a.html#install":                  "ok docs/a.md#install",
		"a/":                              "ok docs/a.md",
		"guide":                           "ok docs/guide/README.md",
		"guide/#start":                    "ok docs/guide/README.md#start",
		"guide/index.html":                "ok docs/guide/README.md",
		"x/":                              "ok docs/x/index.md",
		"guide/b%20c.md":                  "ok docs/guide/b c.md",
		"guide/b c.md":                    "ok docs/guide/b c.md",
		"e\u0301.md":                      "broken docs/é.md other_form",
		"%C3%A9.md":                       "ok docs/é.md",
		"../README.md#home":               "ok README.md#home",
		"../src/main.go":                  "ok src/main.go",
		"../src/main.go#L3":               "unknown src/main.go file_anchor",
		"empty":                           "ok docs/empty",
		"empty/#x":                        "unknown docs/empty folder_anchor",
		"\u00f6.png":                      "broken docs/o\u0308.png other_form",
		"logo.svg":                        "ok docs/logo.svg",
		"A.md":                            "broken docs/a.md other_case",
		"none.md":                         "broken docs/none.md no_file",
		"none.png":                        "broken docs/none.png no_file",
		"none.html":                       "unknown docs/none.html no_file",
		"none":                            "unknown docs/none no_file",
		"open.md#made":                    "unknown docs/open.md made_elsewhere",
		"/docs/a.md#install":              "ok docs/a.md#install",
		"/none.md":                        "unknown none.md site_root",
		"/":                               "ok README.md",
		"../../outside.md":                "unknown  outside",
		"..%2F..%2foutside.md":            "unknown  outside",
		"%2e%2e/%2e%2e/x.md":              "unknown  outside",
		"a.md%00":                         "unknown  outside",
		`..\..\x.md`:                      "unknown  outside",
		"https://a.example/#x":            "external ",
		"//a.example":                     "external ",
		"javascript:alert(1)":             "external ",
		"JAVASCRIPT:alert(1)":             "external ",
		"data:text/html,x":                "external ",
		"mailto:a@b.example":              "external ",
		"c:/x.md":                         "external ",
		"a.md#%zz":                        "broken docs/a.md no_anchor",
		"a.md#%ff":                        "broken docs/a.md no_anchor",
		strings.Repeat("../", 1000) + "x": "unknown  outside",
		strings.Repeat("a/", 1000) + "../" + strings.Repeat("../", 999) + "a.md": "ok docs/a.md",
	} {
		target := s.ResolveDestination("docs/a.md", ParseDestination(dest))
		got := target.Status.String() + " " + target.Path
		if target.Place != nil {
			got += "#" + target.Place.Name
		}
		if target.Reason != "" {
			got += " " + string(target.Reason)
		}
		if got != want {
			t.Errorf("%.60q leads to %q, want %q", dest, got, want)
		}
	}
}

// TestSiteRoot has links that begin with '/' where it is said what that is.
func TestSiteRoot(t *testing.T) {
	s := tree(t, Options{Root: "docs", HasRoot: true}, map[string]string{"docs/a.md": "# A\n", "b.md": ""})
	for dest, want := range map[string]Status{"/a.md": OK, "/a.md#a": OK, "/b.md": Broken, "/../b.md": OK, "/../../b.md": Unknown} {
		if got := s.ResolveDestination("b.md", ParseDestination(dest)); got.Status != want {
			t.Errorf("%s is %v, want %v", dest, got.Status, want)
		}
	}
}

// TestUnseen judges nothing that nobody has looked at.
func TestUnseen(t *testing.T) {
	s := NewSet(Options{})
	s.Add(page(t, "a.md", "# A\n", markdown.Options{}))
	for dest, want := range map[string]Status{"b.md": Unknown, "x.png": Unknown, "a.md#a": OK, "a.md#b": Broken} {
		if got := s.ResolveDestination("a.md", ParseDestination(dest)); got.Status != want || (got.Reason == NotLookedAt) != (want == Unknown) {
			t.Errorf("%s is %v, %s, want %v", dest, got.Status, got.Reason, want)
		}
	}
}

// TestUnseenWikiLinks: a wiki link to a file that nobody has looked at isn't broken, one to a document is.
func TestUnseenWikiLinks(t *testing.T) {
	o := markdown.Options{Dialect: markdown.Obsidian, WikiLinks: true}
	s := NewSet(Options{Look: func(name string) Entry {
		if path.Ext(name) == ".md" {
			return Nothing
		}
		return Unseen
	}})
	s.Add(page(t, "sub/a.md", "![[pic.png]] ![[docs/pic.png]] ![[./pic.png]] [[None]] [[./None]] [[none.md]] [[./none.md]] [[v1.2]] [[1. Intro]] [[./Dr. Who]] [[Note 1.2#H]] ![[a b.c1]]\n", o))
	s.Add(page(t, "v1.2.md", "# V\n", o))
	a := s.Page("sub/a.md")
	for i, want := range []string{
		"unknown not_looked_at pic.png", "unknown not_looked_at docs/pic.png", "unknown not_looked_at sub/pic.png",
		"broken no_file None", "broken no_file sub/None", "broken no_file none.md", "broken no_file sub/none.md", "ok  v1.2.md",
		"broken no_file 1. Intro", "broken no_file sub/Dr. Who", "broken no_file Note 1.2", "unknown not_looked_at a b.c1",
	} {
		target := s.Resolve(a, &a.Links[i])
		if got := fmt.Sprintf("%v %s %s", target.Status, target.Reason, target.Path); got != want {
			t.Errorf("%s leads to %q, want %q", a.Links[i].Destination, got, want)
		}
	}
}

// TestNoFolder counts the looks for what nobody can say anything of but that it is no folder: none
// for the documents that could stand for it, which are looked for in a folder that may be there.
func TestNoFolder(t *testing.T) {
	for entry, want := range map[Entry]int{NoFolder: 1 + len(extensions), Unseen: 1 + len(indexes) + len(extensions)} {
		looks := 0
		s := NewSet(Options{HasRoot: true, Look: func(name string) Entry {
			looks++
			if path.Ext(name) == "" {
				return entry
			}
			return Nothing
		}})
		if got := s.ResolveDestination("a.md", ParseDestination("/y")); got.Status != Unknown || looks != want {
			t.Errorf("%v after %d looks, want %d", got.Status, looks, want)
		}
	}
}

// TestWikiLinks has names of documents, and those that fit several.
func TestWikiLinks(t *testing.T) {
	o := markdown.Options{Dialect: markdown.Obsidian, WikiLinks: true}
	s := NewSet(Options{Look: func(string) Entry { return Nothing }})
	const src = "[[Note]] [[note#Part one]] [[x/Note#Part one#Deep]] [[Twin]] [[a/Twin|text]] [[None]] [[#Here]] [[Note#^id]] ![[Note]]\n\n# Here\n"
	s.Add(page(t, "home.md", src, o))
	s.Add(page(t, "x/Note.md", "# Part one\n\n## Deep\n\ntext ^id\n", o))
	s.Add(page(t, "a/Twin.md", "", o))
	s.Add(page(t, "b/Twin.md", "", o))
	want := []string{
		"ok x/Note.md", "ok x/Note.md", "ok x/Note.md", "ambiguous Twin", "ok a/Twin.md", "broken None", "ok home.md", "ok x/Note.md", "ok x/Note.md",
	}
	home := s.Page("home.md")
	if len(home.Links) != len(want) {
		t.Fatalf("%d links", len(home.Links))
	}
	for i := range home.Links {
		target := s.Resolve(home, &home.Links[i])
		if got := target.Status.String() + " " + target.Path; got != want[i] {
			t.Errorf("%s leads to %q, want %q", home.Links[i].Destination, got, want[i])
		}
		if l := home.Links[i].Destination; strings.Contains(l, "#") && target.Place == nil {
			t.Errorf("%s has no place", l)
		}
	}
}

// TestRelativeWikiLinks: a path from the folder of the document is none from the root, and no name.
func TestRelativeWikiLinks(t *testing.T) {
	o := markdown.Options{Dialect: markdown.Obsidian, WikiLinks: true}
	s := NewSet(Options{Look: func(string) Entry { return Nothing }})
	s.Add(page(t, "sub/x/b.md", "[[../a]] [[./c]] [[../../a#T]] [[../c]] [[../../../a]] [[../sub/a]]\n", o))
	for _, name := range []string{"a.md", "sub/a.md", "sub/x/c.md"} {
		s.Add(page(t, name, "# T\n", o))
	}
	b := s.Page("sub/x/b.md")
	for i, want := range []string{"ok sub/a.md", "ok sub/x/c.md", "ok a.md", "broken sub/c", "unknown ", "broken sub/sub/a"} {
		target := s.Resolve(b, &b.Links[i])
		if got := target.Status.String() + " " + target.Path; got != want {
			t.Errorf("%s leads to %q, want %q", b.Links[i].Destination, got, want)
		}
	}
}

// TestNamesakes: a document is found among many of its name by a part of its path, in any case,
// and of those that fit, the first by their paths are told, not all.
func TestNamesakes(t *testing.T) {
	o := markdown.Options{Dialect: markdown.Obsidian, WikiLinks: true}
	s := NewSet(Options{Look: func(string) Entry { return Nothing }})
	s.Add(page(t, "home.md", "[[d7/b/README.md]] [[readme]] [[7/b/readme]] [[zz/d7/b/readme]]\n", o))
	for i := range 40 {
		s.Add(page(t, fmt.Sprintf("x/D%d/b/Readme.md", i), "", o))
	}
	home := s.Page("home.md")
	for i, want := range []string{"ok x/D7/b/Readme.md []", "ambiguous readme ten", "broken 7/b/readme []", "broken zz/d7/b/readme []"} {
		target := s.Resolve(home, &home.Links[i])
		others := fmt.Sprint(target.Others)
		if len(target.Others) == maxFits && slices.IsSorted(target.Others) {
			others = "ten"
		}
		if got := fmt.Sprint(target.Status, " ", target.Path, " ", others); got != want {
			t.Errorf("%s: %s, want %s", home.Links[i].Destination, got, want)
		}
	}
}

// BenchmarkNamesakes resolves links to one of many documents of one name: a link takes no
// longer because there are more of them.
func BenchmarkNamesakes(b *testing.B) {
	for _, n := range []int{1000, 8000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := NewSet(Options{Look: func(string) Entry { return Nothing }})
			for i := range n {
				s.Add(&Page{Path: fmt.Sprintf("d%d/readme.md", i)})
			}
			from, l := s.Page("d0/readme.md"), &Link{Kind: markdown.LinkWiki, Destination: "zz1/readme"}
			for b.Loop() {
				s.Resolve(from, l)
			}
		})
	}
}

// TestPage takes the links that have destinations of their own, and no others.
func TestPage(t *testing.T) {
	const src = "# One\n\n[a](b.md#c) [r][ref] ![i](i.png) <https://a.example> www.b.example a@b.example <img src=\"h.png\"> `[no](no)`\n\n" +
		"> [q](<x\n> y>)[z](z.md \"t\")\n\n## Two\n\n[ref]: r.md#%20 (title)\n"
	p := page(t, "a.md", src, markdown.Options{})
	want := []string{"b.md#c", "i.png", "https://a.example", "http://www.b.example", "mailto:a@b.example", "h.png", "z.md", "r.md#%20"}
	if len(p.Links) != len(want) {
		t.Fatalf("%+v", p.Links)
	}
	for i, l := range p.Links {
		if l.Destination != want[i] || l.HasFragment != strings.Contains(want[i], "#") {
			t.Errorf("link %d leads to %q, want %q", i, l.Destination, want[i])
		}
		if section := map[bool]int{false: 0, true: 1}[i == len(want)-1]; l.Section != section {
			t.Errorf("%s stands in section %d", l.Destination, l.Section)
		}
	}
}

// TestLines has each link on its line, however lines end, and wherever it stands.
func TestLines(t *testing.T) {
	draw := rand.New(rand.NewPCG(33, 34))
	parts := []string{"[a](b)", "[a]\n(b)", "[![i](j)](k)", "<a href=u>", "<div id=x>", "[r]: u", "[^n]: f", "x", "> ", "- ", "# ", "| a |", "| - |", "`", "    ", "\n", "\r\n", "\r", "\n\n", "\r\n\r\n", "\r\r", "https://a.b", "é"}
	for range 20_000 {
		src := ""
		for range 1 + draw.IntN(20) {
			src += parts[draw.IntN(len(parts))]
		}
		doc, err := markdown.Parse([]byte(src))
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range NewPage("a.md", doc).Links {
			if want := doc.LineAt(l.Whole.Start); l.Line != want {
				t.Fatalf("%q: %q is on line %d, want %d", src, l.Destination, l.Line, want)
			}
		}
	}
}

// TestIsOpen: a document is open where something in it stands for what is elsewhere.
func TestIsOpen(t *testing.T) {
	for src, want := range map[string]bool{
		"": false, "{": false, "a {b} {#c} :: {d} ![a](b)": false, "--8< --": false, "a8<--b -8<--c": false, "8<--8<--": true, "{ {include }": false,
		"a --8<-- \"x\"": true, "{% raw %}": true, "a {{": true, "{a} {include}": true, ":::{note}": true, "![[a]]": true,
	} {
		if got := isOpen("a.md", []byte(src)); got != want {
			t.Errorf("%q: %v", src, got)
		}
	}
	if !isOpen("a.mdx", nil) {
		t.Error("a document of MDX takes parts from nowhere")
	}
}

// TestHostile takes time in proportion to the size of what is bad, wherever it is.
func TestHostile(t *testing.T) {
	n := 2000
	if testkit.Long() {
		n = 50_000
	}
	for name, src := range map[string]string{
		"links in a line": strings.Repeat("[a](#a) ", n),
		"twins":           strings.Repeat("# a\n", n) + strings.Repeat("[a](#a-1) ", n),
		"a long fragment": "[a](#" + strings.Repeat("%20#", n) + ")\n",
		"a long path":     "[a](" + strings.Repeat("../a/", n) + "x.md)\n",
		"ids":             strings.Repeat("<a id=a>", n),
		"counted":         strings.Repeat("# a_1\n# a\n", n),
	} {
		for _, dialect := range markdown.Dialects() {
			d, _ := markdown.DialectNamed(dialect)
			began := time.Now()
			s := NewSet(Options{})
			p := page(t, "a.md", src, markdown.Options{Dialect: d, WikiLinks: true})
			s.Add(p)
			s.Map(p)
			if took := time.Since(began); took > time.Minute {
				t.Errorf("%s in %s took %v", name, dialect, took)
			}
		}
	}
}

// TestExtensionsInAnyCase has documents with extensions in capitals, which are documents to all that
// looks for them: their anchors are looked for, whether they are of the set or not.
func TestExtensionsInAnyCase(t *testing.T) {
	opened := func(name string) *Page { return page(t, name, "# B\n\n## S\n", markdown.Options{}) }
	s := tree(t, Options{Open: opened}, map[string]string{"a.md": "# A\n", "in.MD": "# B\n\n## S\n"}, "b.MD", "c.Markdown", "d/README.md")
	for dest, want := range map[string]Target{
		"in.MD#s": {Path: "in.MD"}, "b.MD#s": {Path: "b.MD"}, "c.Markdown#s": {Path: "c.Markdown"},
		"b.MD#gone": {Status: Broken, Reason: NoAnchor, Path: "b.MD"},
	} {
		if got := s.ResolveDestination("a.md", ParseDestination(dest)); got.Status != want.Status || got.Reason != want.Reason || got.Path != want.Path {
			t.Errorf("%s leads to %+v, want %+v", dest, got, want)
		}
	}
}
