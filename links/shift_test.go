package links_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/internal/crossing"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/links"
	"github.com/sectile/sectile/markdown"
)

var crossPaths = [2]string{"docs/a.md", "b/c/d.md"}

// crossed moves a section from one source to the other and keeps the links. It returns both
// sources without the splices of links, and with them.
func crossed(t testing.TB, from, to string, op edit.Op) (plain, kept [2]string, lost int, proved bool, err error) {
	t.Helper()
	var docs [2]*markdown.Document
	for i, src := range []string{from, to} {
		if docs[i], err = markdown.Parse([]byte(src)); err != nil {
			t.Fatal(err)
		}
	}
	res, err := crossing.Move(t.Context(), docs[0], docs[1], &op, crossing.Options{Options: edit.Options{Pinned: true}, ToPinned: true})
	if err != nil {
		return plain, kept, 0, false, err
	}
	after := [2]*markdown.Document{res.From.Doc, res.To.Doc}
	splices, gone := shiftOf(res, docs, after).Keep()
	for i, r := range []*edit.Result{res.From, res.To} {
		plain[i] = string(r.Doc.Source)
		more := make([]edit.Splice, len(splices[i]))
		for k, s := range splices[i] {
			more[k] = edit.Splice{Span: s.Span, Text: []byte(s.Text)}
		}
		also, err := r.Also(t.Context(), more, markdown.Limits{})
		if err != nil {
			t.Fatalf("%v\n%s\n%s", err, from, to)
		}
		kept[i], after[i] = string(also.Doc.Source), also.Doc
	}
	splices, still := shiftOf(res, docs, after).Keep()
	return plain, kept, len(gone), len(splices[0])+len(splices[1])+len(still) == 0, nil
}

// shiftOf returns a move between two documents as what becomes of their links.
func shiftOf(a *crossing.Result, before, after [2]*markdown.Document) *links.Shift {
	options := links.Options{Look: func(string) links.Entry { return links.File }}
	s := &links.Shift{Was: links.NewSet(options), Is: links.NewSet(options), Docs: make([]links.Shifted, 2)}
	for i := range s.Docs {
		d := &s.Docs[i]
		d.Before, d.After, d.Source = links.NewPage(crossPaths[i], before[i]), links.NewPage(crossPaths[i], after[i]), after[i].Source
		s.Was.Add(d.Before)
		s.Is.Add(d.After)
	}
	for old, now := range a.Blocks {
		spot := links.Spot{Block: int(now)}
		if old >= a.Start && old < a.End {
			spot.Document = 1
		}
		s.Docs[0].Blocks = append(s.Docs[0].Blocks, spot)
	}
	for _, now := range a.InTo {
		s.Docs[1].Blocks = append(s.Docs[1].Blocks, links.Spot{Document: 1, Block: int(now)})
	}
	for _, k := range a.Copies {
		p := links.Pair{Old: links.Spot{Block: k.Old}, New: links.Spot{Block: k.New}}
		if k.InTo {
			p.New.Document = 1
		}
		s.Copies = append(s.Copies, p)
	}
	return s
}

// TestShift keeps links between two documents and others.
func TestShift(t *testing.T) {
	for name, c := range map[string]struct{ from, to, wantFrom, wantTo string }{
		"links from and to the section": {
			"# A\n\n[b](#b)\n\n# B\n\n[a](#a) [b](#b) ![i](img/i.png) [r]\n\n# C\n\n[r]: ../x.md 'T'\n", "# D\n\n[b](../../docs/a.md#b) [a](../../docs/a.md#a)\n",
			"# A\n\n[b](../b/c/d.md#b)\n\n# C\n\n[r]: ../x.md 'T'\n",
			"# D\n\n[b](#b) [a](../../docs/a.md#a)\n\n# B\n\n[a](../../docs/a.md#a) [b](#b) ![i](../../docs/img/i.png) [r]\n\n[r]: ../../x.md 'T'\n",
		},
		"twins on both sides": {
			"# B\n\n# B\n\n[2](#b-1)\n", "# B\n\n[1](#b) <a href=\"../../docs/a.md\">a</a>\n",
			"# B\n\n[2](#b)\n", "# B\n\n[1](#b) <a href=\"../../docs/a.md\">a</a>\n\n# B\n",
		},
		"links that lead out of the folder": {
			"# A\n\n# B\n\n[o](../../o.md#x) ![p](<./../../p q/../p.png>) <a href='../../../o%2e?x'>q</a> [r] [s](/../s) [t](..\\..\\t.md) [u](u\\u.md) [v](../..)\n\n[r]: %2e./../ö/\n", "# D\n\n[w](../../../w.md)\n",
			"# A\n",
			"# D\n\n[w](../../../w.md)\n\n# B\n\n[o](../../../o.md#x) ![p](<../../../p q/../p.png>) <a href='../../../../o%2e?x'>q</a> [r] [s](/../s) [t](../../docs/..\\..\\t.md) [u](../../docs/u\\u.md) [v](../../..)\n\n[r]: ../../docs/%2e./../ö/\n",
		},
		"text fragments": {
			"# A\n\n[b](#b:~:text=x)\n\n# B\n\nx [b](a.md#b:~:text=x)\n", "# B\n\n# D\n\n[b](../../docs/a.md?x#b:~:text=x)\n",
			"# A\n\n[b](../b/c/d.md#b-1:~:text=x)\n",
			"# B\n\n# D\n\n[b](d.md?x#b-1:~:text=x)\n\n# B\n\nx [b](d.md#b-1:~:text=x)\n",
		},
		"queries": {
			"# A\n\n[b](?x#b)\n\n# B\n\n[b](a.md?x#b) [a](?x#a)\n", "# D\n\n[b](../../docs/a.md?x#b)\n",
			"# A\n\n[b](../b/c/d.md?x#b)\n",
			"# D\n\n[b](d.md?x#b)\n\n# B\n\n[b](d.md?x#b) [a](../../docs/a.md?x#a)\n",
		},
		"an element that names the section": {
			"# A\n\n[b](#n)\n\n<a id=\"n\"></a>\n# B\n\n[b](#n)\n\n# C\n", "# D\n\n[b](../../docs/a.md#n)\n",
			"# A\n\n[b](../b/c/d.md#b)\n\n<a id=\"n\"></a>\n# C\n", "# D\n\n[b](#b)\n\n# B\n\n[b](#b)\n",
		},
		"attributes of HTML": {
			"# A\n\n# B\n\n<object data=\"p.svg\"></object> <video poster='p.png' src=v.mp4></video>\n", "# D\n", "# A\n",
			"# D\n\n# B\n\n<object data=\"../../docs/p.svg\"></object> <video poster='../../docs/p.png' src=../../docs/v.mp4></video>\n",
		},
		"links in a note that is copied": {
			"# A\n\n[^n]\n\n# B\n\n[^n]\n\n[^n]: [a](#a) [k](k.md)\n\n    - <img src=\"i.png\"> [b](#b)\n", "# D\n\n[^n]\n\n[^n]: d\n",
			"# A\n\n[^n]\n\n[^n]: [a](#a) [k](k.md)\n\n    - <img src=\"i.png\"> [b](../b/c/d.md#b)\n",
			"# D\n\n[^n]\n\n[^n]: d\n\n# B\n\n[^n-2]\n\n[^n-2]: [a](../../docs/a.md#a) [k](../../docs/k.md)\n\n    - <img src=\"../../docs/i.png\"> [b](#b)\n",
		},
		"links in a note of another section": {
			"# A\n\n[^n]\n\n[^n]: [b](#b) ![k](k.png)\n\n# B\n\n[^n]\n", "# D\n",
			"# A\n\n[^n]\n\n[^n]: [b](../b/c/d.md#b) ![k](k.png)\n",
			"# D\n\n# B\n\n[^n]\n\n[^n]: [b](#b) ![k](../../docs/k.png)\n",
		},
	} {
		op := edit.Op{Action: edit.Move, Address: "#b"}
		_, got, lost, proved, err := crossed(t, c.from, c.to, op)
		if err != nil || lost != 0 || !proved || got != [2]string{c.wantFrom, c.wantTo} {
			t.Errorf("%s: %v, %d lost, proved %v\n%q\nwant\n%q\nand\n%q\nwant\n%q", name, err, lost, proved, got[0], c.wantFrom, got[1], c.wantTo)
		}
	}
}

// TestShiftCampaign moves sections between random documents. Where each link leads is worked
// out by a reader of lines that knows neither the parser nor package address.
func TestShiftCampaign(t *testing.T) {
	testkit.OneGoroutine(t)
	n := 300
	if os.Getenv("SECTILE_LONG") != "" {
		n = 20_000
	}
	made, changed, tried := 0, 0, 0
	for i := 0; made < n && i < 2*n; i++ {
		r := rand.New(rand.NewPCG(uint64(i), 13))
		src := [2]string{crossDocument(r, 0), crossDocument(r, 1)}
		op := randomMove(r, src[0])
		op.Action, op.To = edit.Move, []string{"", headingsOf(src[1])[0]}[r.IntN(2)]
		if strings.HasPrefix(op.Address, "@") {
			continue // all of a document doesn't move as a section
		}
		tried++
		op.Where = edit.MovePlaces()[r.IntN(len(edit.MovePlaces()))]
		plain, kept, lost, proved, err := crossed(t, src[0], src[1], op)
		if err != nil {
			continue // it is refused
		}
		made++
		if plain != kept {
			changed++
		}
		for k := range plain {
			if wholeTarget.ReplaceAllString(plain[k], "$1$2") != wholeTarget.ReplaceAllString(kept[k], "$1$2") {
				t.Fatalf("%d: bytes outside of destinations have changed:\n%s\nwant\n%s", i, kept[k], plain[k])
			}
		}
		if lost != 0 || !proved {
			t.Fatalf("%d: %d lost, proved %v:\n%s\n--\n%s", i, lost, proved, src[0], src[1])
		}
		was, is := crossLeads(src), crossLeads(kept)
		for link, target := range was {
			if target != "" && is[link] != target {
				t.Fatalf("%d: %+v: link %s led to %s and leads to %q:\n%s\n--\n%s\nnow\n%s\n--\n%s", i, op, link, target, is[link], src[0], src[1], kept[0], kept[1])
			}
		}
	}
	if made < n || changed*4 < n {
		t.Errorf("of %d moves %d were made and %d have changed links: too few", n, made, changed)
	}
	t.Logf("%d made of %d, %d with links that changed", made, tried, changed)
}

// headingsOf returns the lines of headings as addresses.
func headingsOf(src string) []string {
	var all []string
	for i, line := range strings.Split(src, "\n") {
		if lineHead.MatchString(line) {
			all = append(all, fmt.Sprintf("L%d", i+1))
		}
	}
	return all
}

// crossDocument returns a document with links to itself, to the other one and to files, and
// with notes that have some.
func crossDocument(r *rand.Rand, which int) string {
	src := linkedDocument(r)
	src = strings.ReplaceAll(src, "a.md#", path.Base(crossPaths[which])+"#")
	src = strings.ReplaceAll(src, "mark ", fmt.Sprintf("mark %d", which+1))
	src = strings.ReplaceAll(src, "[l", fmt.Sprintf("[l%d", which+1))
	src = strings.ReplaceAll(src, ">l", fmt.Sprintf(">l%d", which+1))
	other := []string{"../b/c/d.md", "../../docs/a.md"}[which]
	lines := strings.Split(src, "\n")
	for i, line := range lines {
		switch what := r.IntN(9); {
		case !strings.HasPrefix(line, "mark "):
		case what < 3:
			lines[i] += fmt.Sprintf("\n\nto [l9%d_%d](%s#one) and [l8%d_%d](pic/x.png)", which, i, other, which, i)
		case what < 5:
			lines[i] += fmt.Sprintf("\n\nto [l7%d_%d](%s) and [l6%d_%d](./%s#two-words)", which, i, other, which, i, path.Base(crossPaths[which]))
		case what < 7:
			lines[i] += fmt.Sprintf("\n\nsee[^n%d]", r.IntN(3))
		}
	}
	for n := range r.IntN(4) { // somewhere, or twice
		note := fmt.Sprintf("\n[^n%d]: to [l5%d_%d](#two-words)", r.IntN(3), which, n)
		note += []string{"", fmt.Sprintf("\n\n    > [l4%d_%d](%s#one)", which, n, other)}[r.IntN(2)]
		note += []string{"", fmt.Sprintf("\n\n    [l3%d_%d](pic/x.png) [l2%d_%d](../../../out/%s)", which, n, which, n+90, other)}[r.IntN(2)]
		at := r.IntN(len(lines))
		for at < len(lines)-1 && lines[at] != "" {
			at++
		}
		lines[at] += note + "\n"
	}
	return strings.Join(lines, "\n")
}

var (
	crossLink   = regexp.MustCompile(`\[(l\d+_\d+)\]\(([^ )]*)|href="([^"]*)">(l\d+_\d+)<`)
	wholeTarget = regexp.MustCompile(`(\]\()[^ )]*|(href=")[^"]*`)
)

// crossLeads returns the path and the mark of the section that each link leads to, "" for none. Of
// a link in a copied note, which stands in two places, it returns both unless they are the same.
func crossLeads(src [2]string) map[string]string {
	marks := map[string]string{} // by path#name
	for i, text := range src {
		names, taken := map[string]int{}, ""
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(line)
			if m := lineHead.FindStringSubmatch(line); m != nil {
				name := strings.ReplaceAll(strings.ToLower(m[1]), " ", "-")
				if taken = name; names[name] > 0 {
					taken = fmt.Sprintf("%s-%d", name, names[name])
				}
				names[name]++
			} else if lineMark.MatchString(line) && taken != "" {
				marks[crossPaths[i]+"#"+taken], taken = line, ""
			}
		}
	}
	all := map[string]string{}
	for i, text := range src {
		for _, m := range crossLink.FindAllStringSubmatch(text, -1) {
			target, name, has := strings.Cut(m[2]+m[3], "#")
			if target = path.Join(path.Dir(crossPaths[i]), target); m[2]+m[3] == "" || strings.HasPrefix(m[2]+m[3], "#") {
				target = crossPaths[i]
			}
			if has {
				target = marks[target+"#"+name]
			}
			if one, twice := all[m[1]+m[4]]; twice && one != target {
				target = one + " or " + target
			}
			all[m[1]+m[4]] = target
		}
	}
	return all
}
