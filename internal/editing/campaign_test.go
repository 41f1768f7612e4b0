package editing

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/linking"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// The campaign renames headings at random, with real files, and has a judge of its own look
// at all links of the tree: no link that led to a heading leads elsewhere or nowhere, and no
// byte has changed but those of the title and of fragments.

// campaign is what has been done.
type campaign struct {
	t                          *testing.T
	draw                       *rand.Rand
	renames, changed, refusals int                  // renamings that were made, links changed with them, refused ones
	open                       *documents.Workspace // of the last change
	folders, many              int                  // moves of folders that were asked for, renamings in all documents
}

// words are those of titles: many alike, some that make the same anchor, some none at all.
var words = []string{
	"Install", "install", "Usage", "Usage 1", "usage-1", "`make`", "Größe", "İzmir", "a_b", "*a* b", "C++", "C#", "日本語", "x  y", "e\u0301",
	"1.2", "v1.2.0", "Q & A", "Q &amp; A", "<b>bold</b>", "FAQ?", "!?", "-", "Set-up", "set up", "Änderungen", "foo.bar()", "ŒUVRE", "2", "ﬁn", "👍 ok",
}

// title returns a title.
func (c *campaign) title() string {
	title := words[c.draw.IntN(len(words))]
	if c.draw.IntN(3) == 0 {
		title += " " + words[c.draw.IntN(len(words))]
	}
	return title
}

// tree returns documents that link to each other's headings and to their own.
func (c *campaign) tree() map[string]string {
	paths := []string{"a.md", "README.md", "d/b c.md"}[:1+c.draw.IntN(3)]
	sections := map[string]string{}
	for _, p := range paths {
		var b strings.Builder
		for range 2 + c.draw.IntN(5) {
			fmt.Fprintf(&b, "%s %s\n\n@@\n\n", strings.Repeat("#", 1+c.draw.IntN(3)), c.title())
			if c.draw.IntN(6) == 0 {
				fmt.Fprintf(&b, "> ## %s\n>\n> @@\n\n", c.title())
			}
			if c.draw.IntN(8) == 0 {
				b.WriteString("Setext title\n---\n\n<a id=\"own\"></a>\n\n")
			}
		}
		sections[p] = b.String()
	}
	var names [][2]string // path and anchor
	for p, src := range sections {
		for name := range judge([]byte(src)).names {
			names = append(names, [2]string{p, name})
		}
	}
	slices.SortFunc(names, func(a, b [2]string) int { return strings.Compare(a[0]+"#"+a[1], b[0]+"#"+b[1]) })
	docs := map[string]string{}
	for _, p := range paths {
		src := sections[p]
		for strings.Contains(src, "@@") {
			var text strings.Builder
			for range c.draw.IntN(4) {
				text.WriteString(c.link(p, names) + " ")
			}
			src = strings.Replace(src, "@@", "text "+text.String(), 1)
		}
		docs[p] = src + "\n[ref]: #" + c.anchor(p, names) + " 'T'\n\n`#install` and \\[x](#usage)\n\n```\n[x](#install)\n```\n"
	}
	return docs
}

// anchor returns the name of a heading of the document, or one that leads nowhere.
func (c *campaign) anchor(p string, names [][2]string) string {
	if i := c.draw.IntN(len(names) + 1); i < len(names) && names[i][0] == p {
		return names[i][1]
	}
	return "none"
}

// link returns a link to a heading, most often of the document itself.
func (c *campaign) link(from string, names [][2]string) string {
	to := names[c.draw.IntN(len(names))]
	if to[0] != from && c.draw.IntN(2) > 0 {
		return "[ref] " + "[x](#" + c.anchor(from, names) + ")"
	}
	destination := "#" + to[1]
	if to[0] != from || c.draw.IntN(4) == 0 {
		rel, _ := filepath.Rel(filepath.Dir(from), to[0])
		destination = strings.ReplaceAll(filepath.ToSlash(rel), " ", "%20") + destination
	}
	if c.draw.IntN(4) == 0 {
		var b strings.Builder
		for i := range len(destination) {
			if destination[i] >= utf8.RuneSelf {
				fmt.Fprintf(&b, "%%%02X", destination[i])
			} else {
				b.WriteByte(destination[i])
			}
		}
		destination = b.String()
	}
	forms := []string{"[x](%s)", "[*x* `y`](%s 'title #install')", "[x](<%s>)", "<a href=\"%s\">x</a>", "[![i](i.png)](%s)", "[x][ref] [y](%s)", "[x\ny](%s)"}
	return fmt.Sprintf(forms[c.draw.IntN(len(forms))], destination)
}

// rename renames a heading of a document of the tree in dir, and judges what has become of
// the tree. It returns the documents as they are then.
func (c *campaign) rename(dir string, docs map[string]string) map[string]string {
	paths := slices.Sorted(maps.Keys(docs))
	at := paths[c.draw.IntN(len(paths))]
	doc, err := markdown.Parse([]byte(docs[at]))
	if err != nil || len(doc.Sections) == 0 {
		return docs
	}
	section := c.draw.IntN(len(doc.Sections))
	title := c.title()
	heading := address.SelectorOf(doc, address.Node{Kind: address.SectionNode, Section: section})
	set := documents.Set{Paths: []string{filepath.FromSlash(at)}} // the tree is the working directory
	switch c.draw.IntN(3) {
	case 0:
		set.Paths[0] = filepath.Join(dir, set.Paths[0])
	case 1:
		w, err := documents.OpenWorkspace(documents.Options{Roots: []string{dir}})
		if err != nil {
			c.t.Fatal(err)
		}
		defer func() { _ = w.Close() }()
		set = documents.Set{Paths: []string{at}, Workspace: w}
	}
	reply, err := EditSection(c.t.Context(), set, EditSectionRequest{
		Heading: heading, Action: "rename", Content: &title, Links: linking.UpdateLinks, ExpectedVersion: doc.Version(),
		EditOptions: EditOptions{AllowRestructure: true},
	})
	now := map[string]string{}
	for _, p := range paths {
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(p)))
		if err != nil {
			c.t.Fatal(err)
		}
		now[p] = string(text)
	}
	if err != nil {
		c.refusals++
		if !maps.Equal(docs, now) {
			c.t.Fatalf("%s was refused (%v), and something was written", title, err)
		}
		switch e := replies.AsError(err); e.Code {
		case "links_would_break", "no_change", "structure_changed", "invalid_argument", "text_has_no_place":
		default:
			c.t.Fatalf("%q of %q to %q: %v", heading, docs[at], title, err)
		}
		return docs
	}
	c.renames++
	c.judge(docs, now, at, doc, section, title)
	var changed int
	if _, rest, ok := bytes.Cut(reply.Head, []byte("links changed: ")); ok {
		_, _ = fmt.Sscan(string(rest), &changed)
	}
	c.changed += changed
	return now
}

// attribute is the name at the end of a heading, "{#name}".
var attribute = regexp.MustCompile(`\s*\{[^{}]*\}$`)

// judge judges a renaming.
func (c *campaign) judge(before, after map[string]string, at string, doc *markdown.Document, section int, title string) {
	content := doc.Content(int(doc.Sections[section].Heading))
	title += attribute.FindString(before[at][content.Start:content.End]) // which isn't part of the title
	renamed := before[at][:content.Start] + title + before[at][content.End:]
	was, is := map[string]*judged{}, map[string]*judged{}
	for p := range before {
		was[p], is[p] = judge([]byte(before[p])), judge([]byte(after[p]))
		if p == at && !sameButFragments(renamed, after[p]) || p != at && !sameButFragments(before[p], after[p]) {
			c.t.Fatalf("other bytes than fragments have changed: %q to %q", before[p], after[p])
		}
	}
	for p := range was {
		if len(was[p].links) != len(is[p].links) {
			c.t.Fatalf("%q has %d links, %q %d", before[p], len(was[p].links), after[p], len(is[p].links))
		}
		for i, l := range was[p].links {
			to, heading, ok := leads(was, p, l)
			if !ok {
				continue
			}
			nowTo, nowHeading, still := leads(is, p, is[p].links[i])
			if !still || to != nowTo || heading != nowHeading {
				c.t.Fatalf("%s: %q led to heading %d of %s, and leads to %d of %q (%v) as %q, after %q became %q:\n%s",
					p, l.destination, heading, to, nowHeading, nowTo, still, is[p].links[i].destination,
					before[at][content.Start:content.End], title, after[p])
			}
		}
	}
}

// TestCampaign renames headings at random.
func TestCampaign(t *testing.T) {
	c := &campaign{t: t, draw: rand.New(rand.NewPCG(21, 22))}
	trees := 12
	if testkit.Long() {
		trees = 6_000
	}
	for range trees {
		docs := c.tree()
		dir := testkit.Folder(t, docs)
		t.Chdir(dir)
		for range 4 {
			docs = c.rename(dir, docs)
		}
	}
	t.Logf("%d renamings with %d links, %d refused", c.renames, c.changed, c.refusals)
	if c.renames < trees || c.changed < trees/2 || c.refusals < trees/10 {
		t.Error("these are too few")
	}
}

// TestCampaignOverCorpus renames headings of real documents.
func TestCampaignOverCorpus(t *testing.T) {
	c := &campaign{t: t, draw: rand.New(rand.NewPCG(23, 24))}
	files := testkit.CorpusFiles(t)
	times := 0
	if testkit.Long() {
		times = 8
	}
	for i, f := range files {
		if times == 0 && i%40 != 0 || len(f.Data) > 60_000 || !bytes.Contains(f.Data, []byte("](#")) && !bytes.Contains(f.Data, []byte("]: #")) {
			continue
		}
		docs := map[string]string{"document.md": string(f.Data)}
		dir := testkit.Folder(t, docs)
		t.Chdir(dir)
		for range max(times, 1) {
			docs = c.rename(dir, docs)
		}
	}
	t.Logf("%d renamings with %d links, %d refused", c.renames, c.changed, c.refusals)
	if c.renames < 5 {
		t.Error("these are too few")
	}
}
