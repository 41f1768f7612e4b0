package main

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"

	"github.com/sectile/sectile/internal/testkit"
)

// seen is what goldmark finds in a document: destinations and anchors.
type seen struct {
	links   []string
	anchors map[string]bool
}

var (
	htmlLink = regexp.MustCompile(`(?:href|src)="([^"]*)"`)
	htmlID   = regexp.MustCompile(`<[a-z][^>]* (?:id|name)="([^"]*)"`)
)

// see reads a document by goldmark, and makes anchors as GitHub does.
func see(source []byte) seen {
	found := seen{anchors: map[string]bool{}}
	parsed := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote)).Parser().Parse(text.NewReader(source))
	html := func(lines []byte) {
		for _, m := range htmlLink.FindAllSubmatch(lines, -1) {
			found.links = append(found.links, string(m[1]))
		}
		for _, m := range htmlID.FindAllSubmatch(lines, -1) {
			found.anchors[string(m[1])] = true
		}
	}
	_ = ast.Walk(parsed, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			found.links = append(found.links, string(n.Destination))
		case *ast.Image:
			found.links = append(found.links, string(n.Destination))
		case *ast.RawHTML:
			html(n.Segments.Value(source))
		case *ast.HTMLBlock:
			if n.HTMLBlockType != ast.HTMLBlockType2 { // a comment
				html(n.Lines().Value(source))
			}
		case *ast.Heading:
			slug := strings.Map(func(r rune) rune {
				switch {
				case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_':
					return unicode.ToLower(r)
				case r == ' ':
					return '-'
				}
				return -1
			}, wordsOf(n, source))
			anchor := slug
			for i := 1; found.anchors[anchor]; i++ {
				anchor = fmt.Sprintf("%s-%d", slug, i)
			}
			found.anchors[anchor] = true
		}
		return ast.WalkContinue, nil
	})
	return found
}

// wordsOf is the text of a node.
func wordsOf(n ast.Node, source []byte) string {
	var b strings.Builder
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		if leaf, ok := child.(*ast.Text); ok {
			b.Write(leaf.Value(source))
		} else {
			b.WriteString(wordsOf(child, source))
		}
	}
	return b.String()
}

// TestLinksMeant follows each link that goldmark finds in the documents: those with a word that
// begins with b lead nowhere, and all others lead somewhere.
func TestLinksMeant(t *testing.T) {
	folder := filepath.Join(handMade(here(t).root), "links")
	sets, err := readLinks(here(t).root)
	if err != nil {
		t.Fatal(err)
	}
	broken := 0
	for _, s := range sets {
		source, err := os.ReadFile(filepath.Join(folder, s.file))
		if err != nil {
			t.Fatal(err)
		}
		met := map[string]bool{}
		for _, link := range see(source).links {
			word := strings.ToLower(linkWord.FindString(link))
			met[word] = true
			if word == "" && leadsSomewhere(folder, s.file, link) {
				continue // in a heading
			}
			if s.words[word] == "" {
				t.Errorf("%s: %s has no word of its own", s.file, link)
				continue
			}
			if leads := leadsSomewhere(folder, s.file, link); leads != (word[0] == 'g') {
				t.Errorf("%s: %s leads somewhere: %t", s.file, link, leads)
			}
		}
		for _, word := range s.order {
			if word[0] == 'b' && !met[word] {
				t.Errorf("%s: %s is no link to goldmark", s.file, s.words[word])
			} else if word[0] == 'b' {
				broken++
			}
		}
	}
	if broken < 30 {
		t.Errorf("%d links are broken", broken)
	}
}

// leadsSomewhere reports whether there is a file, and a heading or id in it.
func leadsSomewhere(folder, file, link string) bool {
	path, fragment, _ := strings.Cut(link, "#")
	path, _, _ = strings.Cut(path, "?")
	path, errPath := url.PathUnescape(path)
	fragment, errFragment := url.PathUnescape(fragment)
	if path == "" {
		path = file
	}
	at := filepath.Join(folder, filepath.FromSlash(path))
	if within, ok := strings.CutPrefix(path, "../links/"); ok {
		at = filepath.Join(folder, filepath.FromSlash(within))
	}
	if _, err := os.Stat(at); err != nil || errPath != nil || errFragment != nil {
		return false
	}
	if fragment == "" {
		return true
	}
	source, err := os.ReadFile(at)
	return err == nil && see(source).anchors[fragment]
}

// TestJudgeLinks judges what checkers might complain of.
func TestJudgeLinks(t *testing.T) {
	sets := []linkSet{{file: "a.md", order: []string{"b01", "g02", "b03"}}, {file: "b.md", order: []string{"g04"}}}
	of, strange := judgeLinks(sets, []string{"file:///x/gone-B01.md", "near#b01, did you mean g02", "leaf-g04.md", "elsewhere"})
	want := []checked{{found: []string{"b01"}, missed: []string{"b03"}}, {alarms: []string{"g04"}}}
	if diff := cmp.Diff(want, of, cmp.AllowUnexported(checked{})); diff != "" || len(strange) != 1 {
		t.Errorf("%q %s", strange, diff)
	}
}

// TestJudgeRename judges what renames might leave.
func TestJudgeRename(t *testing.T) {
	before := map[string][]string{"a.md": {"# A\n", "[x](b.md#old)\n", "text\n"}, "b.md": {"## Old\n"}}
	want := map[string][]string{"a.md": {"# A\n", "[x](c.md#old)\n", "text\n"}, "c.md": {"## Old\n"}}
	moved := map[string]string{"c.md": "b.md"}
	for _, c := range []struct {
		name            string
		got             map[string][]string
		followed, wrong int
	}{
		{"right", want, 1, 0},
		{"in brackets", map[string][]string{"a.md": {"# A\n", "[x](<./c.md#old>)\n", "text\n"}, "c.md": {"## Old\n"}}, 1, 0},
		{"nothing", before, 0, 2},
		{"more", map[string][]string{"a.md": {"# A\n", "[x](c.md#old)\n", "text\r\n"}, "c.md": {"## Old\n", "\n"}}, 1, 2},
	} {
		if _, followed, wanted, wrong := judgeRename(before, want, c.got, moved); followed != c.followed || wanted != 1 || wrong != c.wrong {
			t.Errorf("%s: %d of %d, %d wrong", c.name, followed, wanted, wrong)
		}
	}
}

// TestRenamesMeant compares what a person has written with what goldmark finds: every link that led
// somewhere before does afterwards.
func TestRenamesMeant(t *testing.T) {
	folder := filepath.Join(handMade(here(t).root), "renames")
	count := func(kind string) (leads int) {
		files, err := linesOf(filepath.Join(folder, kind))
		if err != nil {
			t.Fatal(err)
		}
		for name, lines := range files {
			for _, link := range see([]byte(strings.Join(lines, ""))).links {
				if !strings.Contains(link, ":") && leadsSomewhere(filepath.Join(folder, kind, filepath.Dir(name)), filepath.Base(name), link) {
					leads++
				}
			}
		}
		return leads
	}
	before := count("before")
	if before < 20 || count("heading") != before || count("document") != before {
		t.Errorf("of %d links that lead somewhere before %d do with another heading and %d with another path", before, count("heading"), count("document"))
	}
}

// TestComplained has a checker that ends with an error have found something, or not checked.
func TestComplained(t *testing.T) {
	for command, want := range map[string]string{
		"echo 'broken: a.md'; exit 1": "a.md",
		"echo 'broken: a.md'":         "a.md",
		"true":                        "",
		"echo 'no module'; exit 1":    "sh: exit status 1, and no link is named: no module",
	} {
		got, err := complaints(`broken: (.*)`, "sh", "-c", command)(t.Context(), t.TempDir())
		if text := strings.Join(got, " "); err != nil && !strings.HasPrefix(err.Error(), want) || err == nil && text != want {
			t.Errorf("%s: %q, %v", command, text, err)
		}
	}
	if _, err := complaints("x", filepath.Join(t.TempDir(), "none"))(t.Context(), t.TempDir()); err == nil {
		t.Error("a program that isn't there has checked")
	}
}

// TestCheckers has each tool that looks for broken links, or renames, do that: each finds most, but
// in HTML and of headings, where some don't look, and sectile complains of nothing that is there
// and renames without a fault.
func TestCheckers(t *testing.T) {
	m := here(t)
	b := &bench{machine: m, options: options{root: m.root}, report: &report{peers: &report{}}}
	for _, one := range tools(m) {
		if one.broken == nil && one.rename == nil && one.move == nil {
			continue
		}
		if err := one.find(t.Context(), m); err != nil {
			if !one.mayLack() {
				testkit.Missing(t, fmt.Sprintf("%v; %s", err, one.install))
			}
			continue
		}
		b.tools = append(b.tools, one)
	}
	if err := b.checkLinks(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := b.renameAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, line := range b.report.peers.rows {
		looked := line.value >= 30 || line.value == 0 && (strings.HasSuffix(line.measure, "HTML") || strings.HasSuffix(line.measure, "headings"))
		if !looked || line.tool == ours && (line.value < 90 || !strings.HasPrefix(line.detail, "0 ")) {
			t.Errorf("%s: %s: %s; %s", line.measure, line.tool, line.result, line.detail)
		}
	}
	if len(b.report.skipped) > 0 {
		t.Errorf("%q", b.report.skipped)
	}
}
