package guide

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/files"
)

// TestReading reads files of all sorts at once: those that are text arrive with their
// exact bytes, the others are listed with the reason.
func TestReading(t *testing.T) {
	dir := t.TempDir()
	cases := []struct{ name, text, reason, detail string }{
		{"plain.md", "# One\n", "", ""},
		{"empty.md", "", "", ""},
		{"crlf.md", "# One\r\n\r\ntwo\r\n", "", ""},
		{"cr.md", "a\rb\r", "", ""},
		{"mixed.md", "a\r\nb\nc\r", "", ""},
		{"bom.md", "\ufeff# One\n", "", ""},
		{"no-end.md", "a\nb", "", ""},
		{"blanks.md", "a  \n\t\n  \n\n\n", "", ""},
		{"letters.md", "ä é 日本 🙂 \u202e\n", "", ""},
		{"controls.md", "a\x01\x1b[1m\x7f\n", "", ""},
		{"limit.md", strings.Repeat("x", 1000), "", ""},
		{"replacement.md", "\ufffd", "", ""},
		{"name with blanks.md", "a", "", ""},
		{"quote\"s'.md", "a", "", ""},
		{"line\nbreak.md", "a", "", ""},
		{"tab\tand\x1b.md", "a", "", ""},
		{"percent%41.md", "a", "", ""},
		{"日本.md", "a", "", ""},
		{"mustache.md", "{{not a template}}", "", ""},
		{"no-extension", "a", "", ""},
		{"page.html", "<p>&amp;</p>", "", ""},

		{"nul.md", "a\x00b", SkipBinary, "NUL"},
		{"utf16.md", "\xff\xfea\x00", SkipBinary, "UTF-16"},
		{"image.png", "\x89PNG\r\n\x1a\n\x00\x00", SkipBinary, "NUL"},
		{"latin.md", "caf\xe9\n", SkipEncoding, "offset 3 (line 1)"},
		{"cut.md", "ok\n\xe6\x97", SkipEncoding, "line 2"},
		{"surrogate.md", "\xed\xa0\x80", SkipEncoding, "0xED"},
		{"overlong.md", "\xc0\xaf", SkipEncoding, "0xC0"},
		{"large.md", strings.Repeat("x", 1001), SkipTooLarge, "1001 bytes, and guide.max_file_bytes is 1000"},
		{"huge.md", strings.Repeat("x", 100_000), SkipTooLarge, "100000 bytes"},
		{"name\xff.md", "a", SkipEncoding, "name is not UTF-8"},
	}
	var want []string
	texts := map[string]string{}
	for _, tt := range cases {
		if err := os.WriteFile(filepath.Join(dir, tt.name), []byte(tt.text), 0o600); err != nil {
			continue // not every system takes every name
		}
		texts[strings.ToValidUTF8(tt.name, "\ufffd")] = tt.text
		if tt.reason != "" {
			want = append(want, tt.name)
		}
	}
	modified := time.Date(2024, 2, 29, 12, 0, 0, 0, time.UTC)
	if err := os.Chtimes(filepath.Join(dir, "plain.md"), modified, modified); err != nil {
		t.Fatal(err)
	}
	found, err := Discover(t.Context(), Request{Dir: dir, Patterns: patterns(t, "**"), Content: true, MaxFileBytes: 1000})
	if err != nil {
		t.Fatal(err)
	}
	if len(found.Skipped) != len(want) || found.Matched != len(texts) || len(found.Files) != len(texts)-len(want) {
		t.Fatalf("%d files and %d of %d skipped: %+v", len(found.Files), len(found.Skipped), found.Matched, found.Skipped)
	}
	got := map[string]File{}
	for _, f := range found.Files {
		got[f.Path] = f
		if f.Path == "plain.md" && !f.Modified.Equal(modified) {
			t.Errorf("modified %v", f.Modified)
		}
	}
	skipped := map[string]Skipped{}
	for _, s := range found.Skipped {
		skipped[s.Path] = s
	}
	for _, tt := range cases {
		name := strings.ToValidUTF8(tt.name, "\ufffd")
		if _, ok := texts[name]; !ok {
			continue
		}
		f, s := got[name], skipped[name]
		switch {
		case tt.reason == "":
			if f.Content == nil || !bytes.Equal(f.Content, []byte(tt.text)) || f.Size != int64(len(tt.text)) {
				t.Errorf("%q: %d bytes, content %.40q, want %.40q", name, f.Size, f.Content, tt.text)
			}
		case s.Reason != tt.reason || !strings.Contains(s.Detail, tt.detail) || strings.Contains(s.Detail, dir):
			t.Errorf("%q: %+v, want %s with %s", name, s, tt.reason, tt.detail)
		}
	}
	// A text is the file's own, and not what was read last.
	copied := bytes.Clone(found.Files[0].Content)
	if _, err := Discover(t.Context(), Request{Dir: dir, Patterns: patterns(t, "*.md"), Content: true}); err != nil || !bytes.Equal(copied, found.Files[0].Content) {
		t.Error("the content has changed")
	}
}

// TestReadingFails lets files fail beside good ones.
func TestReadingFails(t *testing.T) {
	dir := t.TempDir()
	shelve(t, dir, "a.md", "denied.md", "vanishing.md", "broken.md", "odd.md", "pipe.md", "z.md")
	put(t, dir, map[string]string{"binary.md": "\x00", "bad.md.mustache": "{{nope}}\n", "good.md.mustache": "{{name}} & <b>\n", "growing.md": ""})
	s := spy{before: func(path string) error {
		switch path {
		case "denied.md":
			return &fileerror.Error{Code: fileerror.Permission, Reason: "permission denied"}
		case "vanishing.md":
			return os.Remove(filepath.Join(dir, path))
		case "broken.md":
			return &fileerror.Error{Code: fileerror.IOError, Reason: "input/output error; try again", Err: fs.ErrInvalid}
		case "odd.md":
			return fs.ErrInvalid
		case "growing.md":
			return os.WriteFile(filepath.Join(dir, path), bytes.Repeat([]byte("x"), 2000), 0o600)
		}
		return nil
	}}
	s.listing = func(_ string, entries []files.Entry) ([]files.Entry, error) {
		for i := range entries {
			if entries[i].Name == "pipe.md" {
				entries[i].Type = fs.ModeNamedPipe
			}
		}
		return append(entries, files.Entry{Name: "phantom.md"}, files.Entry{Name: "socket.md.mustache", Type: fs.ModeSocket}), nil
	}
	found := s.discover(t, Request{Dir: dir, Patterns: patterns(t, "**"), Content: true, MaxFileBytes: 1000, Vars: map[string]any{"name": "it"}})
	if diff := cmp.Diff([]string{"a.md", "good.md (template)", "z.md"}, pathsOf(found)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	want := []string{
		"bad.md: template", "binary.md: binary", "broken.md: io_error", "denied.md: permission", "growing.md: too_large", "odd.md: io_error",
		"phantom.md: missing", "pipe.md: not_a_file", "socket.md: not_a_file", "vanishing.md: missing",
	}
	if diff := cmp.Diff(want, skippedOf(found)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if found.Matched != 13 || string(found.Files[1].Content) != "it & <b>\n" || found.Files[1].Size != 15 || found.Files[1].Basename != "good.md" {
		t.Errorf("%d match, %+v", found.Matched, found.Files[1])
	}
	if !strings.Contains(found.Skipped[0].Detail, "nope") || strings.Contains(found.Skipped[0].Detail, dir) {
		t.Errorf("%+v", found.Skipped[0])
	}
}

// TestReadingTemplates renders templates with partials, which are looked for in two
// folders and nowhere else.
func TestReadingTemplates(t *testing.T) {
	base := t.TempDir()
	put(t, base, map[string]string{
		"secret.mustache": "secret", "cat/.git/hooks.mustache": "secret", "out/x.mustache": "secret",
		"cat/both.mustache": "top", "cat/docs/both.mustache": "docs", "cat/top.md.mustache": "top {{v}}", "cat/docs/plain.txt": "as it is",
		"cat/order.mustache": "1", "cat/order.md.mustache": "2", "cat/order": "3", "cat/order2.md.mustache": "2", "cat/order2": "3",
		"cat/docs/inner/deep.mustache": "deep {{> leaf}} {{> both}}", "cat/docs/inner/leaf.mustache": "leaf", "cat/.parts/p.mustache": "hidden",
		"cat/docs/binary": "\x00", "cat/docs/large": strings.Repeat("x", 3000), "cat/docs/folder/x": "", "cat/docs/latin": "\xff", "cat/docs/crlf": "a\r\nb",
	})
	linkTo(t, base, map[string]string{"cat/docs/linked.mustache": "../../out/x.mustache", "cat/docs/inside.mustache": "../both.mustache"})
	dir := filepath.Join(base, "cat")
	for _, tt := range []struct{ template, want string }{
		{"{{v}}", "<v>"},
		{"{{> both}}", "docs"},
		{"{{> ../both}}", "top"},
		{"{{> docs/both}}", "docs"},
		{"{{> top}}", "top <v>"},
		{"{{> plain.txt}}", "as it is"},
		{"{{> order}}", "1"},
		{"{{> order2}}", "2"},
		{"{{> order2.md}}", "2"},
		{"{{> inner/deep}}", "deep leaf top"},
		{"{{> inner/../inner/leaf}}", "leaf"},
		{"{{> .parts/p}}", "hidden"},
		{"{{> inside}}", "top"},
		{"{{> crlf}}", "a\r\nb"},
		{"{{> nope}}", "!nope"},
		{"{{> ../../secret}}", "!outside"},
		{"{{> ../../../../../../etc/passwd}}", "!outside"},
		{"{{> /etc/passwd}}", "!relative"},
		{"{{> C:/x}}", "!relative"},
		{"{{> ..}}", "!.."},
		{"{{> linked}}", "!leads out"},
		{"{{> .git/hooks}}", "!version control"},
		{"{{> ../.git/hooks}}", "!version control"},
		{"{{> binary}}", "!NUL"},
		{"{{> latin}}", "!UTF-8"},
		{"{{> large}}", "!larger than guide.max_file_bytes"},
		{"{{> folder}}", "!folder"},
		{"{{v}}{{#section}}", "!section"},
	} {
		put(t, dir, map[string]string{"docs/t.md.mustache": tt.template})
		found, err := Discover(t.Context(), Request{
			Dir: dir, Within: base, Patterns: patterns(t, "docs/t.md"), Content: true, MaxFileBytes: 2000, Vars: map[string]any{"v": "<v>"},
		})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if len(found.Files) == 1 {
			got = string(found.Files[0].Content)
		} else if s := found.Skipped[0]; s.Reason == SkipTemplate && s.Path == "docs/t.md" {
			got = "!" + s.Detail
			if strings.Contains(s.Detail, base) || strings.Contains(s.Detail, "secret") && !strings.Contains(tt.template, "secret") {
				t.Errorf("%s: %s", tt.template, s.Detail)
			}
		}
		if fail, ok := strings.CutPrefix(tt.want, "!"); got != tt.want && (!ok || !strings.HasPrefix(got, "!") || !strings.Contains(got, fail)) {
			t.Errorf("%s: %q, want %q", tt.template, got, tt.want)
		}
	}
}

// TestReadingTemplateLimits fills a reply with what templates give.
func TestReadingTemplateLimits(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, map[string]string{
		"a.mustache": "{{#list}}{{x}}{{/list}}", "b.mustache": "{{! a comment that is longer than what it gives }}b", "c": "cc", "d.mustache": "",
	})
	list := make([]any, 10)
	for i := range list {
		list[i] = map[string]any{"x": "12345"}
	}
	for _, tt := range []struct {
		file, all     int64
		want, skipped string
	}{
		{1000, 1000, "a=50 b=1 c=2 d=0", ""},
		{1000, 53, "a=50 b=1 c=2 d=0", ""},
		{1000, 52, "a=50 b=1 d=0", "c: too_large"},
		{1000, 49, "b=1 c=2 d=0", "a: too_large"},
		{49, 1000, "c=2 d=0", "a: template b: too_large"},
	} {
		found, err := Discover(t.Context(), Request{
			Dir: dir, Patterns: patterns(t, "**"), Content: true, MaxFileBytes: tt.file, MaxBytes: tt.all, Vars: map[string]any{"list": list},
		})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range found.Files {
			got = append(got, fmt.Sprintf("%s=%d", f.Path, len(f.Content)))
			if f.Content == nil {
				t.Errorf("%s has no content", f.Path)
			}
		}
		if strings.Join(got, " ") != tt.want || strings.Join(skippedOf(found), " ") != tt.skipped {
			t.Errorf("%d and %d: %q, skipped %q", tt.file, tt.all, got, found.Skipped)
		}
	}
}

// TestReadingPartialFails includes what can't be read, and ends while one is looked for.
func TestReadingPartialFails(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, map[string]string{"a.mustache": "{{> p}}", "parts/": ""})
	for _, tt := range []struct {
		err  error
		want string
	}{
		{&fileerror.Error{Code: fileerror.Permission}, "it may not be read"},
		{&fileerror.Error{Code: fileerror.NotAFile}, "it is a pipe, socket or device"},
		{&fileerror.Error{Code: fileerror.TooLarge}, "guide.max_file_bytes"},
		{&fileerror.Error{Code: fileerror.IOError, Reason: "no disk"}, "no disk"},
		{fs.ErrInvalid, "it can't be read"},
		{&leftOutError{reason: SkipBinary}, "it can't be read"},
	} {
		s := spy{before: func(path string) error {
			if path == "a.mustache" {
				return nil
			}
			return tt.err
		}}
		found := s.discover(t, Request{Dir: dir, Patterns: patterns(t, "a"), Content: true})
		if len(found.Skipped) != 1 || found.Skipped[0].Reason != SkipTemplate || !strings.Contains(found.Skipped[0].Detail, tt.want) {
			t.Errorf("%v: %+v", tt.err, found.Skipped)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	s := spy{before: func(string) error { cancel(); return nil }}
	if _, err := discover(ctx, Request{Dir: dir, Patterns: patterns(t, "a"), Content: true}, s.open); !errors.Is(err, context.Canceled) || len(s.opened) != 2 {
		t.Errorf("%v, opened %q", err, s.opened)
	}
}
