package search

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// found returns the sections that a query finds in documents, as "document/title", the best
// first.
func foundIn(t testing.TB, text string, in Place, sources ...string) []string {
	t.Helper()
	query, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	query.In = in
	s := query.Scanner()
	for i, src := range sources {
		if err := s.Scan(i, []string{"a.md", "b.md", "c.md"}[i], []byte(src), parseBytes); err != nil {
			t.Fatal(err)
		}
	}
	list := []string{}
	for _, h := range query.Rank(0, 100, s).Hits {
		title := "-"
		if h.Section >= 0 {
			title = parsed(t, []byte(sources[h.Document])).SectionTitle(h.Section)
		}
		list = append(list, string(rune('a'+h.Document))+"/"+title)
	}
	return list
}

func TestQueries(t *testing.T) {
	const (
		guide = "start of the guide\n\n# Guide\n\nWhat it is for.\n\n## Install\n\nRun the installer behind a proxy.\n\n```sh\ncurl proxy_url\n```\n\n## Proxy settings\n\nNames of hosts, and their ports.\n"
		other = "# Other\n\n## Usage\n\nInstall it, then happily call os_str. The os has a str too, far away from it.\n\n## Names\n\nThe os has many; a str is one.\n\n## Window\n\nCall CreateWindowEx to create it. The naïve Ärger. 日本語の文書。\n"
	)
	tests := []struct {
		query string
		in    Place
		want  []string
	}{
		{"proxy", Everywhere, []string{"a/Proxy settings", "a/Install"}},
		{"PROXIES", Everywhere, []string{"a/Proxy settings", "a/Install"}},
		{"proxy", InHeadings, []string{"a/Proxy settings"}},
		{"proxy", InBody, []string{"a/Install"}},
		{"proxy", InCode, []string{"a/Install"}},
		{"hosts", InCode, []string{}},
		{"installing", Everywhere, []string{"a/Install", "b/Usage"}},
		{"calls far", Everywhere, []string{"b/Usage", "b/Window"}},
		{"install -proxy", Everywhere, []string{"b/Usage"}},
		{`install -"behind a proxy"`, Everywhere, []string{"b/Usage"}},
		{`"behind a proxy"`, Everywhere, []string{"a/Install"}},
		{`"a behind proxy"`, Everywhere, []string{}},
		{"title:install", Everywhere, []string{"a/Install"}},
		{"port*", Everywhere, []string{"a/Proxy settings"}},
		{"install*", Everywhere, []string{"a/Install", "b/Usage"}},
		{"the", Everywhere, []string{"a/Install", "a/-", "b/Names", "b/Usage", "b/Window"}},
		{"the guide", Everywhere, []string{"a/Guide", "a/-"}},
		{"os_str", Everywhere, []string{"b/Usage", "b/Names"}},
		{"CreateWindowEx", Everywhere, []string{"b/Window"}},
		{"naïve", Everywhere, []string{"b/Window"}},
		{"nai\u0308ve", Everywhere, []string{"b/Window"}},
		{"ärger", Everywhere, []string{"b/Window"}},
		{"日本語", Everywhere, []string{"b/Window"}},
		{"文書", Everywhere, []string{"b/Window"}},
		{"書文", Everywhere, []string{}},
		{"nothing hath", Everywhere, []string{}},
	}
	for _, test := range tests {
		got := foundIn(t, test.query, test.in, guide, other)
		if test.query == "the" { // which stands in all: their order is of no interest
			slices.Sort(got)
			slices.Sort(test.want)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%q in %d:\n%s", test.query, test.in, diff)
		}
	}
}

// TestFound asks whether a query finds a text.
func TestFound(t *testing.T) {
	for _, test := range []struct {
		query, text string
		want        bool
	}{
		{"サーバー", "データを見る。", false},
		{`"サーバー"`, "サーバー2台", true},
		{"ｻｰﾊﾞｰ", "ﾃｰﾀ", false},
		{`"哈哈哈"`, "他说哈哈哈。", true},
		{`"哈哈哈"`, "他说哈哈。", false},
		{"がく", "か\u3099くです", true},
		{"か\u3099く", "がくです", true},
		{"か", "か\u3099です", false},
		{`"学がくで"`, "学か\u3099くです", true},
		{"\uf900", "\uf900", true},
		{`"กุ้งแม่น้ำ"`, "ก\u0e49\u0e38งกุ้งแม่น้ำ", true},
		{`"กุ้งแม่"`, "ก\u0e49\u0e38งแม่", true},
		{"\"ก\u0e49\u0e38งแม่\"", "กุ้งแม่", true},
		{`"กุ้งน้ำ"`, "ก\u0e49\u0e38งแม่น้ำ", false},
		{"\"နို\u103a\u1037က\"", "နို\u103a\u1037ကို", true},
		{`"ははははx"`, "はははははx", true},
		{`"install proxy" title:install`, "# Install\n\nUse install proxy here.", true},
		{`"install proxy" install*`, "Use install proxy here.", true},
		{`-"install proxy" install`, "Use install proxy here.", false},
		{`-"install proxy" install`, "Use install, or a proxy here.", true},
		{`title:"install proxy"`, "# Install, or a proxy\n\ninstall proxy", false},
		{`title:"install proxy"`, "# An install proxy", true},
		{`"0.0.1"`, "Bind to 0.0.0.1 now", true},
		{`"a b a c"`, "a b a b a c", true},
		{`"a b a c"`, "a b a b c", false},
		{`"a b"`, "a x b", false},
		{`"` + strings.Repeat("a ", 70) + `b"`, strings.Repeat("a ", 100) + "b", true},
		{`"` + strings.Repeat("a ", 70) + `b"`, strings.Repeat("a ", 69) + "b", false},
		{`"behind a proxy"`, "- a\n    - b\n        - running behind\n          a proxy", true},
		{`"behind a proxy"`, "> > - behind\n> >   a **`proxy`**", true},
		{`"behind a proxy"`, "behind a -- ** -- ** -- proxy", false},
		{`"behind a proxy"`, "behind\r\na proxy", true},
		{`"behind a proxy"`, "behind\n\na proxy", false},
		{`"behind a proxy"`, "behind\r\ra proxy", false},
		{`"behind a proxy"`, "behind\r\n\r\na proxy", false},
		{`"behind a proxy"`, "behind\ra proxy", true},
		{"İzmir", "# İZMİR", true},
		{"izmir", "İzmir", true},
		{"İzmir", "I\u0307zmir", true},
		{"KİTAP", "kitap", true},
		{"kitap", "\u212aİTAP", true},
		{"dizi*", "Dİzİler", true},
		{"sİ", "\u017fi\u0307", false},
		{"miss", "mi\u017f\u017f", true},
		{"skip", "\u017f\u212aip é", true},
		{"é skip", "\u017f\u212aip", true},
		{"ısı", "isi", false},
		{"ΛΟΓΟΣ", "λογος", true},
		{"λογος", "ΛΟΓΟΣ", true},
		{"\u1fb3", "α\u0345", true},
		{strings.Repeat("ത", 42), "- " + strings.Repeat("ത", 42), true},
		{strings.Repeat("0f", 64), strings.Repeat("0F", 64), true},
		{strings.Repeat("0f", 64) + "0", strings.Repeat("0f", 64) + "0", false},
		{`"がある" 。`, "日か\u3099あるよ", true},
	} {
		if got := len(foundIn(t, test.query, Everywhere, test.text)) > 0; got != test.want {
			t.Errorf("%s in %q: %v", test.query, test.text, got)
		}
	}
}

// TestWrittenOtherwise asks for each letter that is folded to one in ASCII whether words are found
// that begin with it.
func TestWrittenOtherwise(t *testing.T) {
	for c := rune(utf8.RuneSelf); c <= unicode.MaxRune; c++ {
		folded := foldedRunes(string(c))
		if folded[0] >= utf8.RuneSelf || classOf(c) == between {
			continue
		}
		if got := string(foldedToASCII([]byte(string(c)), 0)); got != folded {
			t.Errorf("%U is %q, folded to %q", c, got, folded)
		}
		for _, before := range []string{"", "a", "ab"} {
			if len(foundIn(t, before+folded+"x", Everywhere, before+string(c)+"x")) == 0 {
				t.Errorf("%U behind %q is not found by %q", c, before, folded)
			}
		}
	}
}

func TestQueryErrors(t *testing.T) {
	for text, want := range map[string]error{
		"": ErrEmpty, " \t": ErrEmpty, "...": ErrEmpty, "-word": ErrEmpty, `-"a b"`: ErrEmpty, `-"a b" c`: nil, "path:*.md": ErrEmpty, `""`: ErrEmpty, "*": ErrEmpty,
		strings.Repeat("a", MaxQuery+1): ErrTooLong, "one two": nil, "title:": nil, "-": ErrEmpty,
	} {
		if _, err := Parse(text); !errors.Is(err, want) {
			t.Errorf("%.20q: %v, not %v", text, err, want)
		}
	}
	var words []string
	for i := range MaxTerms + 1 {
		words = append(words, "w"+strings.Repeat("x", i))
	}
	if _, err := Parse(strings.Join(words, " ")); !errors.Is(err, ErrTooLong) {
		t.Errorf("%d words: %v", len(words), err)
	}
}

func TestQueryParts(t *testing.T) {
	q, err := Parse(`path:docs/** "a phrase" path:"b c/*" the word`)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"docs/**", "b c/*"}, q.Paths); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"a", "phrase", "word"}, q.Words()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"the"}, q.Dropped()); diff != "" {
		t.Error(diff)
	}
}

func TestNear(t *testing.T) {
	words := []string{"isntall", "proxxy", "abc", "nowhere"}
	v := NewVocabulary(words)
	v.Scan([]byte("Install the proxy, install it. Proxies, ab, instant."))
	other := NewVocabulary(words)
	other.Scan([]byte("A proxy."))
	if diff := cmp.Diff(map[string]string{"isntall": "install", "proxxy": "proxy"}, Near(v, other)); diff != "" {
		t.Error(diff)
	}
	q, err := Parse("isntall")
	if err != nil {
		t.Fatal(err)
	}
	s := q.With(map[string][]string{"isntall": {"install"}}).Scanner()
	if err := s.Scan(0, "a.md", []byte("# Install\n"), parseBytes); err != nil || len(q.Rank(0, 1, s).Hits) != 1 {
		t.Errorf("the other word is not found: %v", err)
	}
	apart, err := Parse("CreateWindowEx")
	if err != nil {
		t.Fatal(err)
	}
	if q, ok := apart.Apart([]string{"createwindowex"}); !ok || !slices.Equal(q.Words(), []string{"create", "window", "ex"}) {
		t.Errorf("parts: %v", ok)
	}
	if _, ok := q.Apart([]string{"isntall"}); ok {
		t.Error("a word without parts has some")
	}
}

func TestExcerpts(t *testing.T) {
	src := []byte("# Install\n\nFirst, a line.\nRun it behind\na proxy, please.\n\nThe proxy again.\n")
	doc := parsed(t, src)
	for query, want := range map[string]string{
		"behind proxy": "Run it behind|a proxy, please.", "again": "The proxy again.", "install": "", "proxy": "a proxy, please.",
	} {
		q, err := Parse(query)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, l := range q.Excerpts().Lines(doc, 0, 2) {
			got = append(got, string(src[l.Start:l.End]))
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q: %q", query, got)
		}
	}
}

// TestScanPart compares what is found in a document with what is found in parts of it, of which
// several may have some of a section.
func TestScanPart(t *testing.T) {
	random := rand.New(rand.NewPCG(28, 1))
	for round := range 2000 {
		type section struct {
			level int
			texts []string
		}
		sections := []section{{}}
		for range 1 + random.IntN(5) {
			sections = append(sections, section{level: 1 + random.IntN(3)})
		}
		var parts []Part
		var whole, part, above []string
		opens := "" // the code or HTML that the part begins within
		flush := func(first int) {
			before := strings.Join(above, "") + opens
			src := before + strings.Join(part, "")
			parts = append(parts, Part{Source: []byte(src), Text: len(before), Above: len(above), First: first})
			whole, part, opens = append(whole, part...), nil, ""
		}
		var open []section
		headings := func() (lines []string) {
			for _, s := range open {
				lines = append(lines, s.texts[0])
			}
			return lines
		}
		first := 0 // sections before the part
		for i, s := range sections {
			if s.level > 0 {
				for len(open) > 0 && open[len(open)-1].level >= s.level {
					open = open[:len(open)-1]
				}
				if len(part) == 0 {
					above, first = headings(), i-1
				}
				heading := strings.Repeat("#", s.level) + " " + []string{"a", "x", "b x", "c a"}[random.IntN(4)] + "\n\n"
				open = append(open, section{s.level, []string{heading}})
				part = append(part, heading)
			}
			for range random.IntN(5) {
				part = append(part, []string{"a b", "x", "c", "a x b", "x", "x"}[random.IntN(6)]+"\n\n")
				if kind := random.IntN(12); kind < 3 {
					begin, end := []string{"```\n", "<pre>\n", "<style>\n"}[kind], []string{"```\n\n", "</pre>\n\n", "</style>\n\n"}[kind]
					part = append(part, begin, "# b\n\n")
					flush(first)
					above, first, opens = headings(), i, []string{"```\n", "<pre>\n", "<pre>\n"}[kind]
					part = append(part, []string{"# c\n\n", "pre\n\n", "x\n\n"}[random.IntN(3)], end)
				}
				if random.IntN(2) == 0 {
					flush(first)
					above, first = headings(), i
				}
			}
			if len(part) > 0 && random.IntN(2) == 0 {
				flush(first)
				above, first = headings(), i
			}
		}
		flush(first)
		text := []string{"a", "a b", `a "b"`, "a -c", `"a b"`, `x -"a b"`, "title:a b", "-title:a b", "x", `"pre x"`, "a b c x pre"}[random.IntN(11)]
		query, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		query.In = []Place{Everywhere, Everywhere, InHeadings, InBody, InCode}[random.IntN(5)]
		want, got := query.Scanner(), query.Scanner()
		src := []byte(strings.Join(whole, ""))
		if err := want.Scan(3, "a.md", src, parseBytes); err != nil {
			t.Fatal(err)
		}
		for _, part := range parts {
			if err := got.ScanPart(3, "a.md", part, parseBytes); err != nil {
				t.Fatal(err)
			}
		}
		a, b := query.Rank(0, 100, want), query.Rank(0, 100, got)
		for _, hits := range [][]Hit{a.Hits, b.Hits} {
			if text == "a b c x pre" && query.In != InCode { // which every part has: how large one without a word is isn't known
				break
			}
			slices.SortFunc(hits, func(a, b Hit) int { return a.Section - b.Section })
			for i := range hits {
				hits[i].Score = 0
			}
		}
		if diff := cmp.Diff(a, b); diff != "" {
			t.Fatalf("round %d, %s in %d (-whole +parts):\n%s\n%q\n%+v", round, text, query.In, diff, src, parts)
		}
	}
}

// TestRankPages ranks many sections in pages: all pages together are the ranking.
func TestRankPages(t *testing.T) {
	q, err := Parse("word other")
	if err != nil {
		t.Fatal(err)
	}
	a, b := q.Scanner(), q.Scanner()
	for i := range 40 {
		var src strings.Builder
		for k := range 30 {
			src.WriteString("# T\n\n" + strings.Repeat("word ", (i*7+k*13)%11) + strings.Repeat("other ", (i+k)%5) + "\n\n")
		}
		if err := []*Scanner{a, b}[i%2].Scan(i, "a.md", []byte(src.String()), parseBytes); err != nil {
			t.Fatal(err)
		}
	}
	all := q.Rank(0, 10_000, a, b)
	if all.Sections != len(all.Hits) || all.Sections < 1000 || all.Matching != 40 || all.Scanned != 40 {
		t.Fatalf("%d hits, %d sections in %d of %d documents", len(all.Hits), all.Sections, all.Matching, all.Scanned)
	}
	var paged []Hit
	for from := 0; from < len(all.Hits); from += 37 {
		paged = append(paged, q.Rank(from, 37, b, a).Hits...)
	}
	if !slices.Equal(paged, all.Hits) {
		t.Error("the pages are not the ranking")
	}
	if n := len(q.Rank(5, 0, a).Hits) + len(q.Rank(-1, -1, a).Hits) + len(q.Rank(99_999, 5, a).Hits); n != 0 {
		t.Errorf("%d hits where there is none", n)
	}
}
