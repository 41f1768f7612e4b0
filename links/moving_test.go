package links_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/links"
	"github.com/sectile/sectile/markdown"
)

// moved makes an action on the structure of a source and keeps its links. It returns the
// source without the splices of links, and with them.
func moved(t testing.TB, src string, op edit.Op) (plain, kept string, lost, redefined int, proved bool, err error) {
	t.Helper()
	before, err := markdown.Parse([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	res, err := edit.ApplyContext(t.Context(), before, []edit.Op{op}, edit.Options{Pinned: true})
	if err != nil {
		return "", "", 0, 0, false, err
	}
	r := &links.Renaming{Path: "a.md", Before: before, After: res.Doc, Heading: -1, Blocks: res.Blocks, Instead: -1}
	if now := res.Changes[0].After; op.Action == edit.Dissolve && now != nil {
		r.Instead = int(res.Doc.Sections[now.Section].Heading)
	}
	splices, missing := links.Rename(r)
	if renames := r.Renames(); !renames && len(splices)+len(missing) > 0 {
		t.Errorf("links change though no name does")
	}
	more := make([]edit.Splice, len(splices))
	for i, s := range splices {
		more[i] = edit.Splice{Span: s.Span, Text: []byte(s.Text)}
	}
	also, err := res.Also(t.Context(), more, markdown.Limits{})
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	at, text := 0, ""
	for _, s := range also.Splices {
		text += src[at:s.Start] + string(s.Text)
		at = s.End
	}
	if text += src[at:]; text != string(also.Doc.Source) {
		t.Errorf("the splices make %q, not %q", text, also.Doc.Source)
	}
	for _, m := range also.Moved {
		if src[m.Before.Start:m.Before.End] != text[m.After.Start:m.After.End] {
			t.Errorf("%+v has not moved", m)
		}
	}
	r.After = also.Doc
	return string(res.Doc.Source), text, len(missing), len(r.Redefined()), r.Proved(), nil
}

// TestMoving keeps links where they led when sections change places.
func TestMoving(t *testing.T) {
	for name, c := range map[string]struct {
		src             string
		op              edit.Op
		want            string
		lost, redefined int
	}{
		"twins": {
			"[1](#e) [2](#e-1)\n\n# A\n\n## E\n\n[2](#e-1)\n\n# B\n\n## E\n\n[1](#e)\n",
			edit.Op{Action: edit.Move, Address: "A", To: "B", Where: edit.After},
			"[1](#e-1) [2](#e)\n\n# B\n\n## E\n\n[1](#e-1)\n\n# A\n\n## E\n\n[2](#e)\n", 0, 0,
		},
		"a heading that goes": {
			"# A\n\n[b](#b)\n\n## B\n\n[c](#b-1)\n\n# B\n",
			edit.Op{Action: edit.Dissolve, Address: "## B"},
			"# A\n\n[b](#a)\n\n[c](#b)\n\n# B\n", 0, 0,
		},
		"one that goes, and nothing is left to lead to": {
			"# A\n\n# B\n\n[a](#a)\n", edit.Op{Action: edit.Dissolve, Address: "A"}, "# B\n\n[a](#a)\n", 1, 0,
		},
		"an element that names a heading": {
			"[a](#n)\n\n<a id=\"n\"></a>\n\n# A\n\n# B\n",
			edit.Op{Action: edit.Move, Address: "A", To: "B", Where: edit.After},
			"[a](#a)\n\n<a id=\"n\"></a>\n\n# B\n\n# A\n", 0, 0,
		},
		"headings in HTML, on one line": {
			"[1](#e) [2](#e-1) [3](#e-2)\n\n# A\n\n<h2>E</h2><h2>E</h2>\n\n# E\n",
			edit.Op{Action: edit.Move, Address: "# E", To: "A", Where: edit.Before},
			"[1](#e-1) [2](#e-2) [3](#e)\n\n# E\n\n# A\n\n<h2>E</h2><h2>E</h2>\n", 0, 0,
		},
		"definitions": {
			"# A\n\n[x] [^1]\n\n[x]: #a\n[^1]: one\n\n# B\n\n[x]: #b\n\n[^1]: two\n",
			edit.Op{Action: edit.Move, Address: "B", To: "A", Where: edit.Before},
			"# B\n\n[x]: #b\n\n[^1]: two\n\n# A\n\n[x] [^1]\n\n[x]: #a\n[^1]: one\n", 0, 2,
		},
	} {
		_, got, lost, redefined, proved, err := moved(t, c.src, c.op)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got != c.want || lost != c.lost || redefined != c.redefined || proved != (c.lost == 0) {
			t.Errorf("%s: %q, %d lost, %d redefined, proved %v", name, got, lost, redefined, proved)
		}
	}
}

var movesFlag = flag.Int("moves", 400, "random actions on the structure, whose links are judged")

// TestMovingCampaign makes random actions on random documents full of twins. Where each link
// leads is worked out by a reader of lines that knows neither the parser nor package address;
// outside of destinations no byte may be another than without the links.
func TestMovingCampaign(t *testing.T) {
	n := *movesFlag
	if os.Getenv("SECTILE_LONG") != "" {
		n = max(n, 20_000)
	}
	made, changed := 0, 0
	for i := range n {
		r := rand.New(rand.NewPCG(uint64(i), 11))
		src := linkedDocument(r)
		op := randomMove(r, src)
		plain, kept, lost, _, proved, err := moved(t, src, op)
		if err != nil {
			continue // it is refused
		}
		made++
		if plain != kept {
			changed++
		}
		if withoutTargets(plain) != withoutTargets(kept) {
			t.Fatalf("%d: bytes outside of destinations have changed:\n%s\nwant\n%s", i, kept, plain)
		}
		if !proved && lost == 0 {
			t.Fatalf("%d: nothing is lost, and it is not proved:\n%s", i, kept)
		}
		was, is := leads(src), leads(kept)
		for link, section := range was {
			if op.Action == edit.Dissolve && section == markBelow(src, op.Address, 1) {
				section = markBelow(src, op.Address, -1) // which its text is part of now
			}
			if section != "" && is[link] != section {
				t.Fatalf("%d: %+v: link %s led to %s and leads to %q:\n%s\nnow\n%s", i, op, link, section, is[link], src, kept)
			}
		}
	}
	if made*4 < n || changed*20 < n {
		t.Errorf("of %d actions %d were made and %d have changed links: too few", n, made, changed)
	}
	t.Logf("%d made, %d with links that changed", made, changed)
}

// linkedDocument returns a document of sections with few names and a mark each, and links to
// any of them.
func linkedDocument(r *rand.Rand) string {
	var b strings.Builder
	level := 1
	count := 3 + r.IntN(8)
	for s := range count {
		fmt.Fprintf(&b, "%s %s\n\nmark %d\n\n", strings.Repeat("#", level), []string{"One", "Two words", "Thrée"}[r.IntN(3)], s)
		for k := range r.IntN(3) {
			name := []string{"one", "two-words", "thrée"}[r.IntN(3)]
			if n := r.IntN(4); n > 0 {
				name += fmt.Sprintf("-%d", n)
			}
			form := []string{"see [l%d_%d](#%s) it\n\n", "> [l%d_%d](a.md#%s 'T')\n\n", "- <a href=\"#%[3]s\">l%[1]d_%[2]d</a>\n\n"}[r.IntN(3)]
			fmt.Fprintf(&b, form, s, k, name)
		}
		level = max(1, min(level+2-r.IntN(4), 6, level+1))
	}
	return b.String()
}

// randomMove returns an action on a section of the source.
func randomMove(r *rand.Rand, src string) edit.Op {
	var headings []string
	for i, line := range strings.Split(src, "\n") {
		if lineHead.MatchString(line) {
			headings = append(headings, fmt.Sprintf("L%d", i+1))
		}
	}
	op := edit.Op{Action: edit.Structural()[r.IntN(len(edit.Structural()))], Address: headings[r.IntN(len(headings))]}
	switch op.Action {
	case edit.Move:
		op.To, op.Where = headings[r.IntN(len(headings))], edit.MovePlaces()[r.IntN(len(edit.MovePlaces()))]
	case edit.Reorder:
		op.Address = []string{op.Address, "@document"}[r.IntN(2)]
	}
	return op
}

// markBelow returns the mark behind a line, or the last one before it.
func markBelow(src, line string, step int) string {
	lines := strings.Split(src, "\n")
	var n int
	_, _ = fmt.Sscanf(line, "L%d", &n)
	for i := n - 1; i >= 0 && i < len(lines); i += step {
		if lineMark.MatchString(lines[i]) {
			return lines[i]
		}
	}
	return ""
}

var (
	lineLink  = regexp.MustCompile(`\[(l\d+_\d+)\]\((?:a\.md)?#([^ )]*)|href="#([^"]*)">(l\d+_\d+)<`)
	lineHead  = regexp.MustCompile(`^#{1,6} (.*)$`)
	lineMark  = regexp.MustCompile(`^mark \d+$`)
	allTarget = regexp.MustCompile(`#[^ )">]*([ )">])`)
)

// withoutTargets returns the text without what stands behind '#' in links.
func withoutTargets(text string) string { return allTarget.ReplaceAllString(text, "#$1") }

// leads returns the mark of the section that each link leads to, "" for none.
func leads(text string) map[string]string {
	names, marks, taken := map[string]int{}, map[string]string{}, ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if m := lineHead.FindStringSubmatch(line); m != nil {
			name := strings.ReplaceAll(strings.ToLower(m[1]), " ", "-")
			if taken = name; names[name] > 0 {
				taken = fmt.Sprintf("%s-%d", name, names[name])
			}
			names[name]++
		} else if lineMark.MatchString(line) && taken != "" {
			marks[taken], taken = line, ""
		}
	}
	all := map[string]string{}
	for _, m := range lineLink.FindAllStringSubmatch(text, -1) {
		all[m[1]+m[4]] = marks[m[2]+m[3]]
	}
	return all
}
