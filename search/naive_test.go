package search

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// The naive ranking looks at each word of each section, by the formulas of the package's
// comment, for queries of English words in ASCII.

// naiveSection is a section with its words.
type naiveSection struct {
	hit              Hit
	title, body      []string // stems
	around, path     []string
	size, titleBytes int
	texts            [2]string // title and body
}

// naiveWords returns the stems of the words of a text, of scripts that divide words by spaces.
func naiveWords(text string) []string {
	var list []string
	text = strings.Map(func(c rune) rune {
		if classOf(c) == unspaced {
			return ' '
		}
		return c
	}, text)
	for _, word := range strings.FieldsFunc(text, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsMark(c) && !unicode.IsDigit(c) }) {
		if len(word) > maxWord {
			list = append(list, "")
			continue
		}
		list = append(list, stem(foldedRunes(word)))
	}
	return list
}

// naiveSections returns the sections of a document.
func naiveSections(number int, path string, doc *markdown.Document) []*naiveSection {
	var list []*naiveSection
	above := func(section int, text string) {
		list = append(list, &naiveSection{hit: Hit{Document: number, Section: section}, body: naiveWords(text), path: naiveWords(path), size: len(text)})
	}
	preamble := string(doc.Source[:doc.Preamble().End])
	if matter := doc.FrontMatter(); matter >= 0 {
		end := doc.Blocks[matter].End
		above(FrontMatter, preamble[:end])
		preamble = preamble[end:]
	}
	above(Preamble, preamble)
	before := len(list)
	for i, s := range doc.Sections {
		span, heading := doc.BodySpan(i), doc.Blocks[s.Heading].Span()
		title, body := string(doc.Source[span.Start:heading.End]), string(doc.Source[heading.End:span.End])
		n := &naiveSection{
			hit: Hit{Document: number, Section: i}, title: naiveWords(title), body: naiveWords(body), path: naiveWords(path),
			size: span.Len(), titleBytes: heading.Len() - int(s.Level), texts: [2]string{title, body},
		}
		for up := s.Parent; up >= 0; up = doc.Sections[up].Parent {
			// A title counts once for each word that it has.
			words := list[int(up)+before].title
			slices.Sort(slices.Clone(words))
			seen := map[string]bool{}
			for _, w := range words {
				if !seen[w] {
					seen[w] = true
					n.around = append(n.around, w)
				}
			}
		}
		list = append(list, n)
	}
	return list
}

// count returns how often a word is in a list.
func count(list []string, word string) float64 {
	n := 0
	for _, w := range list {
		if w == word {
			n++
		}
	}
	return float64(n)
}

// naiveRank ranks the sections for some stems.
func naiveRank(sections []*naiveSection, words []string, bytes int, w Weights) []Hit {
	var found []*naiveSection
	for _, s := range sections {
		for _, word := range words {
			if count(s.title, word)+count(s.body, word) > 0 {
				found = append(found, s)
				break
			}
		}
	}
	n := math.Max(float64(len(found)), float64(bytes)/w.SectionSize)
	average := math.Max(float64(bytes)/math.Max(n, 1), 1)
	bm25 := func(n, size float64) float64 { return n * (w.K1 + 1) / (n + w.K1*size) }
	var hits []Hit
	for _, s := range found {
		score, has := 0.0, 0.0
		for _, word := range words {
			have := 0.0
			for _, other := range found {
				if count(other.title, word)+count(other.body, word) > 0 {
					have++
				}
			}
			rare := math.Log(1 + (n-have+0.5)/(have+0.5))
			title, around, path, body := count(s.title, word), count(s.around, word), math.Min(count(s.path, word), 1), count(s.body, word)
			if title+around+path+body > 0 {
				has++
			}
			score += rare * (w.Title*bm25(title, 1-w.TitleB+w.TitleB*float64(s.titleBytes)/w.TitleSize) + w.Around*bm25(around, 1) +
				w.Path*bm25(path, 1) + w.Body*bm25(body, 1-w.B+w.B*float64(s.size)/average))
		}
		score *= math.Pow(has/float64(len(words)), w.Share)
		if s.hit.Section == 0 {
			score *= 1 + w.First
		}
		s.hit.Score = score
		hits = append(hits, s.hit)
	}
	slices.SortFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), a.Document-b.Document, a.Section-b.Section)
	})
	return hits
}

// TestNaive compares the ranking with the naive one, without what counts words side by side.
func TestNaive(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	vocabulary := strings.Fields("install installing installed proxy proxies the of window create creating creates os str a1 b2 über café naïve settings setting list lists listed")
	for round := range 200 {
		var sections []*naiveSection
		var sources [][]byte
		size := 0
		for number := range 1 + random.IntN(4) {
			var b strings.Builder
			if random.IntN(3) == 0 {
				b.WriteString("---\ntitle: " + vocabulary[random.IntN(len(vocabulary))] + "\n---\n")
			}
			for range random.IntN(12) {
				if random.IntN(3) == 0 {
					b.WriteString("\n" + strings.Repeat("#", 1+random.IntN(3)) + " ")
				}
				for range 1 + random.IntN(6) {
					b.WriteString(vocabulary[random.IntN(len(vocabulary))] + []string{" ", ", ", "-", "\n", "_"}[random.IntN(5)])
				}
			}
			src := []byte(b.String())
			size += len(src)
			sources = append(sources, src)
			sections = append(sections, naiveSections(number, fmt.Sprintf("list/%d.md", number), parsed(t, src))...)
		}
		words := []string{vocabulary[random.IntN(len(vocabulary))], vocabulary[random.IntN(len(vocabulary))]}
		query, err := Parse(strings.Join(words, " "))
		if err != nil {
			t.Fatal(err)
		}
		query.Weights.Beside, query.Weights.Whole = 0, 0
		var stems []string
		for _, word := range query.Words() {
			stems = append(stems, stem(foldedRunes(word)))
		}
		a, b := query.Scanner(), query.Scanner()
		for i, src := range sources {
			if err := []*Scanner{a, b}[i%2].Scan(i, fmt.Sprintf("list/%d.md", i), src, parseBytes); err != nil {
				t.Fatal(err)
			}
		}
		got := query.Rank(0, 1000, a, b).Hits
		want := naiveRank(sections, stems, size, query.Weights)
		same := slices.EqualFunc(got, want, func(a, b Hit) bool {
			return a.Document == b.Document && a.Section == b.Section && math.Abs(a.Score-b.Score) < 1e-9
		})
		if !same {
			t.Fatalf("round %d, %q:\n%v\nnaive:\n%v\n%q", round, words, got, want, sources)
		}
	}
}

// FuzzQuery looks for any query in any text: nothing panics, hits are sections of their
// documents, excerpts are lines of them, and a word that is looked for alone is found wherever a
// naive reader finds it.
func FuzzQuery(f *testing.F) {
	for _, query := range []string{"install", `"a b" -c`, "title:x path:y*", "os_str*", "日本語 a", "the", `-"a b" c`, "\u0301", "é*", `"a a"`} {
		f.Add(query, "# Install é\n\na b c os_str 日本語。\n\n## x\n\na b a b\u0301\n", uint8(0))
	}
	for _, h := range testkit.HostileInputs()[:5] {
		f.Add("a b", string(h.Make(2000)), uint8(3))
	}
	f.Fuzz(func(t *testing.T, text, src string, in uint8) {
		query, err := Parse(text)
		if err != nil {
			return
		}
		query.In = Place(in % 4)
		s := query.Scanner()
		if err := s.Scan(7, "path/of it.md", []byte(src), parseBytes); err != nil {
			return
		}
		doc := parsed(t, []byte(src))
		excerpts := query.Excerpts()
		ranking := query.Rank(0, 1000, s)
		for _, h := range ranking.Hits {
			if h.Document != 7 || h.Section < FrontMatter || h.Section >= len(doc.Sections) || math.IsNaN(h.Score) || h.Score < 0 {
				t.Fatalf("%q in %q: %+v", text, src, h)
			}
			for _, l := range excerpts.Lines(doc, h.Section, 2) {
				part, _, _ := excerpts.Clip(doc.Source, l, 40)
				if l.Start < 0 || l.End > len(src) || l.Start > l.End || strings.ContainsAny(src[l.Start:l.End], "\n\r") || part.End-part.Start > 40 {
					t.Fatalf("%q in %q: line %v, part %v", text, src, l, part)
				}
			}
		}
		v := NewVocabulary(ranking.Absent)
		v.Scan([]byte(src))
		Near(v)
		words := query.Words()
		if len(words) != 1 || len(query.phrases)+len(query.Paths) > 0 || len(query.terms) != 1 || query.In != Everywhere || query.terms[0].title || query.terms[0].piece || query.terms[0].prefix {
			return
		}
		want := 0
		for _, section := range naiveSections(7, "", doc) {
			if count(section.title, stem(words[0]))+count(section.body, stem(words[0])) > 0 {
				want++
			}
		}
		if ranking.Sections != want {
			t.Errorf("%q in %q: %d sections, naive %d", text, src, ranking.Sections, want)
		}
	})
}
