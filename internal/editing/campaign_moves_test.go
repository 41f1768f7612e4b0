package editing

import (
	"bytes"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// The campaign goes on with sections that move to other documents and documents that move to
// other paths. Where a heading lies afterwards is counted by the judge: those of a section that
// goes to the end of a document come behind all others there.

// now returns the documents in dir, and sees that a refused change has written nothing.
func (c *campaign) now(dir string, before map[string]string, err error) map[string]string {
	now := map[string]string{}
	if walked := filepath.WalkDir(dir, func(file string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(file)
		name, _ := filepath.Rel(dir, file)
		now[filepath.ToSlash(name)] = string(text)
		return err
	}); walked != nil {
		c.t.Fatal(walked)
	}
	if err == nil {
		c.renames++
		return now
	}
	c.refusals++
	if !maps.Equal(before, now) {
		c.t.Fatalf("it was refused (%v), and something was written", err)
	}
	switch e := replies.AsError(err); e.Code {
	case "links_would_break", "structure_changed", "level_mismatch", "already_exists", "invalid_argument", "ambiguous_heading", "heading_not_found", "no_change", "text_not_found":
	default:
		c.t.Fatal(err)
	}
	return now
}

// compare sees that each link leads where it led: at says where each document lies now, to what
// becomes of where a link led, and moved which links of a document stand at the end of which
// other one now.
func (c *campaign) compare(before, after map[string]string, at func(string) string, to func(led) led, moved func(p string, under int) string) {
	was, is := map[string]*judged{}, map[string]*judged{}
	for p, src := range before {
		was[p] = judge([]byte(src))
	}
	for p, src := range after {
		is[p] = judge([]byte(src))
	}
	type link struct {
		from string
		l    judgedLink
	}
	want := map[string][]link{}
	var last []link
	var end string
	for _, p := range slices.Sorted(maps.Keys(was)) {
		for i, l := range was[p].links {
			if other := moved(p, was[p].under[i]); other != "" {
				last, end = append(last, link{p, l}), other
			} else {
				want[at(p)] = append(want[at(p)], link{p, l})
			}
		}
	}
	want[end] = append(want[end], last...)
	for p, doc := range is {
		if len(doc.links) != len(want[p]) {
			c.t.Fatalf("%s has %d links, and shall have %d:\n%v\n%v", p, len(doc.links), len(want[p]), before, after)
		}
		for i, l := range want[p] {
			led, ok := leadsTo(was, l.from, l.l)
			if !ok {
				continue
			}
			if doc.links[i] != l.l {
				c.changed++
			}
			if now, still := leadsTo(is, p, doc.links[i]); !still || now != to(led) {
				c.t.Fatalf("%q of %s led to %v, and %q of %s leads to %v (%v):\n%v\n%v", l.l.destination, l.from, led, doc.links[i].destination, p, now, still, before, after)
			}
		}
	}
}

// set returns the tree as a server has it, or the command line.
func (c *campaign) set(dir, at string) documents.Set {
	if c.draw.IntN(2) == 0 {
		return documents.Set{Paths: []string{filepath.FromSlash(at)}} // the tree is the working directory
	}
	w, err := documents.OpenWorkspace(documents.Options{Roots: []string{dir}})
	if err != nil {
		c.t.Fatal(err)
	}
	if c.open != nil { // a long run opens more than a process may have
		_ = c.open.Close()
	}
	c.open = w
	return documents.Set{Paths: []string{at}, Workspace: w}
}

// moveDocument moves a document of the tree, or a folder, and judges what has become of all.
func (c *campaign) moveDocument(dir string, docs map[string]string) map[string]string {
	at := slices.Sorted(maps.Keys(docs))[c.draw.IntN(len(docs))]
	to := []string{"z.md", "d/y.md", "e/f/x y.md", "README.md", "e/index.md"}[c.draw.IntN(5)]
	if folder := path.Dir(at); folder != "." && c.draw.IntN(3) == 0 {
		at, to = folder, []string{"g", "e/h", "i j/k"}[c.draw.IntN(3)]
		c.folders++
	}
	_, err := MoveDocument(c.t.Context(), c.set(dir, at), DocumentRequest{To: to})
	now := c.now(dir, docs, err)
	if err != nil {
		return docs
	}
	for p := range docs {
		if strings.HasPrefix(p, to+"/") { // the folder is there, and it goes into that
			to = path.Join(to, path.Base(at))
			break
		}
	}
	name := func(p string) string {
		if rest, in := strings.CutPrefix(p, at); in && (rest == "" || rest[0] == '/') {
			return to + rest
		}
		return p
	}
	for p, src := range docs {
		if withoutDestinations(src) != withoutDestinations(now[name(p)]) {
			c.t.Fatalf("other bytes than destinations have changed: %q to %q", src, now[name(p)])
		}
	}
	c.compare(docs, now, name, func(l led) led { return led{name(l.to), l.heading} }, func(string, int) string { return "" })
	return now
}

// renameMany renames a heading in all documents that have it, as one change, and judges what has
// become of all.
func (c *campaign) renameMany(dir string, docs map[string]string) map[string]string {
	at := slices.Sorted(maps.Keys(docs))[c.draw.IntN(len(docs))]
	doc, err := markdown.Parse([]byte(docs[at]))
	if err != nil || len(doc.Sections) == 0 {
		return docs
	}
	title := c.title()
	_, err = EditSection(c.t.Context(), c.set(dir, "."), EditSectionRequest{
		Heading: doc.SectionTitle(c.draw.IntN(len(doc.Sections))), Action: "rename", Content: &title, Links: "update",
		EditOptions: EditOptions{Confirm: func(*EditReply) bool { return true }},
	})
	now := c.now(dir, docs, err)
	if err != nil {
		return docs
	}
	c.many++
	same := func(p string) string { return p }
	c.compare(docs, now, same, func(l led) led { return l }, func(string, int) string { return "" })
	return now
}

// moveSection moves a section to the end of another document, and judges what has become of all.
func (c *campaign) moveSection(dir string, docs map[string]string) map[string]string {
	paths := slices.Sorted(maps.Keys(docs))
	at, other := paths[c.draw.IntN(len(paths))], paths[c.draw.IntN(len(paths))]
	doc, err := markdown.Parse([]byte(docs[at]))
	if err != nil || len(doc.Sections) == 0 || at == other {
		return docs
	}
	section := c.draw.IntN(len(doc.Sections))
	req := MoveSectionRequest{Action: "move", ToPath: other, Heading: address.SelectorOf(doc, address.NodeOfSection(section)), ExpectedVersion: doc.Version()}
	_, err = MoveSection(c.t.Context(), c.set(dir, at), req)
	now := c.now(dir, docs, err)
	if err != nil {
		return docs
	}
	first, count := 0, 0
	begin, end := int(doc.Sections[section].Heading), len(doc.Blocks)
	if next := int(doc.Sections[section].Next); next < len(doc.Sections) {
		end = int(doc.Sections[next].Heading)
	}
	for b := range doc.Blocks {
		if doc.Blocks[b].Kind == markdown.Heading && b < begin {
			first++
		} else if doc.Blocks[b].Kind == markdown.Heading && b < end {
			count++
		}
	}
	behind := judge([]byte(docs[other])).count
	c.compare(docs, now, func(p string) string { return p }, func(l led) led {
		switch {
		case l.to != at || l.heading < first:
			return l
		case l.heading < first+count:
			return led{other, behind + l.heading - first}
		}
		return led{at, l.heading - count}
	}, func(p string, under int) string {
		if p == at && under >= first && under < first+count {
			return other
		}
		return ""
	})
	c.sameLines(docs, now)
	return now
}

// sameLines sees that no line is lost, and none comes but definitions that were copied.
func (c *campaign) sameLines(before, after map[string]string) {
	lines := map[string]int{}
	for by, docs := range map[int]map[string]string{1: before, -1: after} {
		for _, src := range docs {
			for line := range strings.SplitSeq(withoutDestinations(src), "\n") {
				lines[strings.TrimLeft(line, "#> ")] += by
			}
		}
	}
	for line, n := range lines {
		copied := n < 0 && strings.HasPrefix(line, ":")
		if line != "" && n != 0 && !copied {
			c.t.Fatalf("%q is there %d times less:\n%v\n%v", line, n, before, after)
		}
	}
}

// TestCampaignOfMoves moves sections and documents at random.
func TestCampaignOfMoves(t *testing.T) {
	c := &campaign{t: t, draw: rand.New(rand.NewPCG(27, 28))}
	trees := 12
	if testkit.Long() {
		trees = 6_000
	}
	for range trees {
		docs := c.tree()
		dir := testkit.Folder(t, docs)
		t.Chdir(dir)
		for range 3 {
			docs = c.renameMany(dir, c.moveDocument(dir, c.moveSection(dir, docs)))
		}
	}
	t.Logf("%d moves with %d links, %d refused; %d of folders, %d renamings in several", c.renames, c.changed, c.refusals, c.folders, c.many)
	if c.folders == 0 || c.many == 0 || c.renames < 2*trees || c.changed < trees {
		t.Error("these are too few")
	}
}

// TestCampaignOfMovesOverCorpus moves sections and documents of real documents.
func TestCampaignOfMovesOverCorpus(t *testing.T) {
	c := &campaign{t: t, draw: rand.New(rand.NewPCG(29, 30))}
	files := testkit.CorpusFiles(t)
	step := 60
	if testkit.Long() {
		step = 1
	}
	for i := 0; i+1 < len(files); i += step {
		a, b := files[i].Data, files[i+1].Data
		if len(a)+len(b) > 60_000 || !bytes.Contains(a, []byte("](")) {
			continue
		}
		docs := map[string]string{"a.md": string(a), "d/b.md": string(b)}
		dir := testkit.Folder(t, docs)
		t.Chdir(dir)
		c.moveDocument(dir, docs)
	}
	t.Logf("%d moves with %d links, %d refused", c.renames, c.changed, c.refusals)
}
