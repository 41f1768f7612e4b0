package guide

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/files"
)

// TestDiscoverLinks follows links that stay in the category, under their own names,
// and no other.
func TestDiscoverLinks(t *testing.T) {
	base := t.TempDir()
	shelve(t, base, "cat/a.md", "cat/docs/b.md", "cat/docs/deep/c.md", "cat/.hidden/h.md", "cat/.git/g.md", "cat/t.md.mustache",
		"cat/also.md.mustache", "cat/intro.md", "cat/ext.md", "out/secret.md", "cat-2/secret.md", "secret.md")
	dir := filepath.Join(base, "cat")
	linkTo(t, dir, map[string]string{
		"in.md": "docs/b.md", "docs/up.md": "../a.md", "chain.md": "in.md", "dots.md": "docs/../docs/./deep/../b.md",
		"linked.md.mustache": "t.md.mustache", "text.md": "t.md.mustache", "shown.md": ".hidden/h.md", "through.md": "folder/b.md",
		"folder": "docs", "loop": ".", "docs/above": "..", "folder.md": "docs", "also.md": "docs", "intro": "docs", "ext": "nowhere",
		"out.md": "../out/secret.md", "twin.md": "../cat-2/secret.md", "back.md": "../cat/a.md", "abs.md": base + "/secret.md",
		"absin.md": dir + "/a.md", "outfolder": "../out", "passwd.md": "/etc/passwd", "outthrough.md": "outfolder/secret.md",
		"git.md": ".git/g.md", "dangling.md": "nowhere.md", "circle.md": "circle.md", "ping.md": "pong.md", "pong.md": "ping.md",
		"slash.md": "a.md/", "outtpl.md.mustache": "../secret.md", "docs/deep/far.md": "../../../secret.md", "outintro": "../out",
		"device.md": "/dev/null", "foldertpl.md.mustache": "docs",
	})
	for _, tt := range []struct{ pattern, want, skipped string }{
		{"in.md", "in.md=docs/b.md", ""},
		{"docs/up.md", "docs/up.md=a.md", ""},
		{"chain.md", "chain.md=docs/b.md", ""},
		{"dots.md", "dots.md=docs/b.md", ""},
		{"{a,in}.md", "a.md=a.md in.md=docs/b.md", ""}, // each name once
		{"linked.md", "linked.md=t.md.mustache", ""},
		{"text.md", "text.md=t.md.mustache", ""},
		{"shown.md", "shown.md=.hidden/h.md", ""},
		{"through.md", "through.md=docs/b.md", ""},
		{"folder/*", "", ""}, // links to folders are not walked
		{"folder/b.md", "", ""},
		{"folder", "", ""}, // and are no files
		{"folder.md", "", ""},
		{"loop/**", "", ""},
		{"**/above/*", "", ""},
		{"also.md", "also.md=also.md.mustache", ""}, // nor in the way of a template
		{"foldertpl.md", "", ""},
		{"intro", "intro.md=intro.md", ""}, // or of a longer name
		{"ext", "ext.md=ext.md", "ext: missing"},
		{"out.md", "", "out.md: outside"},
		{"twin.md", "", "twin.md: outside"},
		{"back.md", "", "back.md: outside"},
		{"abs.md", "", "abs.md: outside"},
		{"absin.md", "", "absin.md: outside"},
		{"outfolder/*", "", ""},
		{"outfolder", "", "outfolder: outside"},
		{"outintro", "", "outintro: outside"},
		{"outthrough.md", "", "outthrough.md: outside"},
		{"passwd.md", "", "passwd.md: outside"},
		{"device.md", "", "device.md: outside"},
		{"git.md", "", "git.md: outside"},
		{"outtpl.md", "", "outtpl.md: outside"},
		{"**/far.md", "", "docs/deep/far.md: outside"},
		{"dangling.md", "", "dangling.md: missing"},
		{"circle.md", "", "circle.md: missing"},
		{"p[io]ng.md", "", "ping.md: missing pong.md: missing"},
		{"slash.md", "", "slash.md: missing"},
		{"{out,a,dangling}.md", "a.md=a.md", "dangling.md: missing out.md: outside"},
	} {
		for _, content := range []bool{true, false} {
			var s spy
			s.shuffle(2)
			found := s.discover(t, Request{Dir: dir, Within: base, Patterns: patterns(t, tt.pattern), Content: content})
			var got []string
			for i := range found.Files {
				text := found.Files[i].Path
				if content {
					text += "=" + strings.TrimPrefix(string(found.Files[i].Content), "cat/")
				}
				got = append(got, text)
			}
			want := strings.Fields(tt.want)
			if !content {
				for i := range want {
					want[i], _, _ = strings.Cut(want[i], "=")
				}
			}
			if diff := cmp.Diff(strings.Join(want, " "), strings.Join(got, " ")); diff != "" {
				t.Errorf("%s: -want +got:\n%s", tt.pattern, diff)
			}
			if diff := cmp.Diff(tt.skipped, strings.Join(skippedOf(found), " ")); diff != "" {
				t.Errorf("%s: skipped, -want +got:\n%s", tt.pattern, diff)
			}
			if found.Matched != len(found.Files)+len(found.Skipped) {
				t.Errorf("%s: %d match", tt.pattern, found.Matched)
			}
			for _, skipped := range found.Skipped {
				if strings.Contains(skipped.Detail, base) || skipped.Detail == "" || skipped.Reason == SkipMissing && skipped.Detail != "it is a link to nothing" {
					t.Errorf("%s: %+v", tt.pattern, skipped)
				}
			}
		}
	}
	if found, err := Discover(t.Context(), Request{Dir: dir, Patterns: patterns(t, "absin.md"), Content: true}); err != nil || !strings.Contains(found.Skipped[0].Detail, "absolute link") {
		t.Errorf("%+v, %v", found, err)
	}
}

// TestDiscoverOpensInside asks for everything in a tree full of ways out: whatever is
// opened is in the category, and no secret is read.
func TestDiscoverOpensInside(t *testing.T) {
	base := t.TempDir()
	shelve(t, base, "out/x.md", "project/cat/a.md", "project/cat/docs/b.md", "project/cat/.git/x.md", "project/x.md")
	linkTo(t, filepath.Join(base, "project", "cat"), map[string]string{
		"one": "../../out", "two": "..", "three": "/", "docs/four": "../../..", "five.md": "../x.md", "docs/six.md": "../../../out/x.md", "seven": ".git", "eight.md": "one/x.md",
	})
	list := append([]string{
		"**", "**/*.md", "*/*", "*/x.md", "one/x.md", "one/**", "two/**", "three/etc/*", "docs/four/**", "five.md", "seven/*", "**/.git/**", ".git/x.md", "{one,two,a.md}/**", "[o]ne/*",
		"eight.md", "on?/x", "one/x", "docs/four/out/x.md",
	}, refused...)
	for _, text := range list {
		var s spy
		p, err := ParsePattern(text)
		if err != nil {
			continue // nothing was opened
		}
		found := s.discover(t, Request{Dir: filepath.Join(base, "project", "cat"), Within: filepath.Join(base, "project"), Patterns: []Pattern{p}, Content: true})
		for _, opened := range s.opened {
			switch opened {
			case "/", "docs/", "a.md", "docs/b.md":
			case "one", "two", "three", "docs/four", "five.md", "docs/six.md", "seven", "eight.md": // links, which are looked at and lead nowhere
			default:
				t.Errorf("%s opens %s", text, opened)
			}
		}
		for i := range found.Files {
			if path := found.Files[i].Path; path != "a.md" && path != "docs/b.md" {
				t.Errorf("%s gives %s", text, path)
			}
		}
	}
}

// refused are patterns for which nothing is opened at all.
var refused = []string{
	"/usr/**", "../**", "../../out/*", strings.Repeat("{a,aa}", 30), strings.Repeat("x", 10_000), "a\x00", "[abc", "{a,b", "docs/../../x.md",
	`C:\x`, `\\server\x`, "{..,docs}/*", "**/../x", "*.mustache", strings.Repeat("[", 900), strings.Repeat("{", 900), strings.Repeat(`\`, 901),
}

func TestRefusedPatternsOpenNothing(t *testing.T) {
	dir := t.TempDir()
	for _, text := range refused {
		var s spy
		p, err := ParsePattern(text)
		if err == nil {
			s.discover(t, Request{Dir: dir, Patterns: []Pattern{p}})
			t.Errorf("%.40q is a pattern and opens %q", text, s.opened)
		}
	}
}

// TestDiscoverSwaps replaces names between the moment they are listed and the moment
// they are opened.
func TestDiscoverSwaps(t *testing.T) {
	base := t.TempDir()
	shelve(t, base, "secret.md", "out/b.md", "cat/a.md", "cat/docs/b.md", "cat/gone.md", "cat/z.md")
	linkTo(t, base, map[string]string{"probe": "."})
	dir := filepath.Join(base, "cat")
	swap := func(name, target string) {
		at := filepath.Join(dir, name)
		if err := os.RemoveAll(at); err != nil {
			t.Fatal(err)
		}
		if target == "" {
			return
		}
		if err := os.Symlink(target, at); err != nil {
			t.Fatal(err)
		}
	}
	s := spy{before: func(path string) error {
		switch path {
		case "a.md":
			swap("a.md", "../secret.md")
		case "gone.md":
			swap("gone.md", "")
		}
		return nil
	}}
	s.listing = func(path string, entries []files.Entry) ([]files.Entry, error) {
		if path == "" {
			swap("docs", "../out")
		}
		return entries, nil
	}
	found := s.discover(t, Request{Dir: dir, Patterns: patterns(t, "**"), Content: true})
	if diff := cmp.Diff([]string{"z.md"}, pathsOf(found)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"a.md: outside", "docs: missing", "gone.md: missing"}, skippedOf(found)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
