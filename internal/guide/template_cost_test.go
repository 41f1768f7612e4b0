package guide

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"testing"
)

// allocated returns how many bytes a function asks for.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestRenderIndentation puts a long indentation before many lines: that it would be
// too much is known before it is made.
func TestRenderIndentation(t *testing.T) {
	lines := map[string]string{"p": strings.Repeat("x\n", 50_000)}
	source := strings.Repeat(" ", 10_000) + "{{>p}}\n" // gives 500 MB
	var err error
	bytes := allocated(func() {
		_, err = Render(t.Context(), Template{Path: "a.md", Source: []byte(source), Partial: partials(lines), MaxBytes: 1 << 40})
	})
	if err == nil || !strings.Contains(err.Error(), "more than 4194304 bytes") || bytes > 32<<20 {
		t.Errorf("%d bytes are allocated, %v", bytes, err)
	}
	// Up to the limit nothing is refused.
	tag, lines := "\t{{>p}}", map[string]string{"p": strings.Repeat("1234567\n", 400_000)}
	room := maxTemplateSource - len(tag) - 400_000*len("\t1234567\n")
	for extra, want := range map[int]bool{room: true, room + 1: false} {
		source := tag + "\n" + strings.Repeat("y", extra-1)
		got, err := Render(t.Context(), Template{Path: "a.md", Source: []byte(source), Partial: partials(lines), MaxBytes: 1 << 40})
		if (err == nil) != want || want && len(got) != maxTemplateSource-len(tag)-1 {
			t.Errorf("%d bytes with %d more: %v", len(got), extra, err)
		}
	}
}

// TestRenderUnknownNames has many unknown names in a mapping of many: its names are
// put in order for the problems that are told alone, and count as steps.
func TestRenderUnknownNames(t *testing.T) {
	known := map[string]any{}
	for i := range 4000 {
		known[fmt.Sprintf("k%04d", i)] = ""
	}
	source := []byte(strings.Repeat("{{m.x}}{{#m.x}}{{/m.x}}", 1000))
	var err error
	bytes := allocated(func() {
		_, err = Render(t.Context(), Template{Path: "a.md", Source: source, Vars: map[string]any{"m": known}})
	})
	want := "is unknown, for m has k0000, k0001, k0002"
	if err == nil || strings.Count(err.Error(), want) != maxProblems || !strings.Contains(err.Error(), "; and 1995 more") || bytes > 32<<20 {
		t.Errorf("%d bytes are allocated, %.300v", bytes, err)
	}
	c := nameCheck{ctx: t.Context()}
	for range 100 {
		c.unknown(templateTag{}, &found{parts: []string{"x"}, broken: true, near: known}, "")
	}
	if c.steps != maxProblems*len(known) || c.count != 100 {
		t.Errorf("%d steps for %d problems", c.steps, c.count)
	}
	// A long name takes longer to look for.
	list := make([]any, 1000)
	for i := range list {
		list[i] = map[string]any{"a": ""}
	}
	_, err = Render(t.Context(), Template{
		Path: "a.md", Source: []byte("{{#l}}{{" + strings.Repeat("x", 1<<20) + "}}{{/l}}"), Vars: map[string]any{"l": list},
	})
	if err == nil || !strings.Contains(err.Error(), "looking for the names takes more than") {
		t.Errorf("%.300v", err)
	}
}

// countdown is a context that ends when it has been looked at so many times.
type countdown struct {
	context.Context
	left, looks int
}

func (c *countdown) Err() error {
	if c.looks++; c.looks > c.left {
		return context.DeadlineExceeded
	}
	return nil
}

// costly are templates that take long, each in another part of the way.
func costly() map[string]struct {
	t     Template
	looks int // at the context, at least
} {
	list := func(n int) []any {
		l := make([]any, n)
		for i := range l {
			l[i] = "x"
		}
		return l
	}
	return map[string]struct {
		t     Template
		looks int
	}{
		"values":   {Template{Source: []byte("{{a}}"), Vars: map[string]any{"a": list(50_000)}}, 40},
		"tags":     {Template{Source: []byte(strings.Repeat("{{!}}", 50_000) + "{{")}, 40},
		"partials": {Template{Source: []byte(strings.Repeat("{{>p}}", 500) + "{{"), Partial: partials(map[string]string{"p": ""})}, 500},
		"names":    {Template{Source: []byte("{{#l}}" + strings.Repeat("{{x}}", 50) + "{{/l}}"), Vars: map[string]any{"l": list(10_000)}}, 100},
		"sections": {Template{Source: []byte("{{#l}}{{#l}}{{#l}}{{/l}}{{/l}}{{/l}}"), Vars: map[string]any{"l": list(50)}}, 400},
		"steps":    {Template{Source: []byte("{{#l}}{{#l}}{{#l}}{{/l}}{{/l}}{{/l}}"), Vars: map[string]any{"l": list(80)}}, 700},
	}
}

// TestRenderContext ends whenever the context does, with its error, and looks at it
// often enough.
func TestRenderContext(t *testing.T) {
	for name, c := range costly() {
		c.t.Path = "a.md"
		whole := countdown{Context: t.Context(), left: 1 << 30}
		if _, err := Render(&whole, c.t); errors.Is(err, context.DeadlineExceeded) || whole.looks < c.looks {
			t.Errorf("%s: the context is looked at %d times, %v", name, whole.looks, err)
		}
		for _, left := range []int{0, 1, c.looks / 2, c.looks - 2} {
			part := countdown{Context: t.Context(), left: left}
			got, err := Render(&part, c.t)
			if got != nil || err != context.DeadlineExceeded { //nolint:errorlint // it is not wrapped
				t.Errorf("%s, ended after %d looks: %d bytes, %v", name, left, len(got), err)
			}
			if part.looks > left+4 { // the look that ends it, and those that ask why
				t.Errorf("%s goes on: ended after %d looks, %d more", name, left, part.looks-left)
			}
		}
	}
}

// TestDiscoverContextInTemplate ends while a template is rendered: the error is the
// context's, and the file isn't left out.
func TestDiscoverContextInTemplate(t *testing.T) {
	dir := t.TempDir()
	c := costly()["steps"]
	put(t, dir, map[string]string{"a.md.mustache": string(c.t.Source), "b.md": "b"})
	var log bytes.Buffer
	ctx := countdown{Context: t.Context(), left: 300}
	found, err := discover(&ctx, Request{
		Dir: dir, Patterns: patterns(t, "*"), Content: true, Vars: c.t.Vars,
		Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}, openRoot)
	if found != nil || !errors.Is(err, context.DeadlineExceeded) || log.Len() > 0 || ctx.looks > 310 {
		t.Errorf("%+v, %v after %d looks\n%s", found, err, ctx.looks, log.String())
	}
}

// TestDiscoverContextInFolder ends while the names of one folder are compared with patterns.
func TestDiscoverContextInFolder(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{}
	for i := range 100 {
		files[fmt.Sprint(i, ".md")] = "x"
	}
	put(t, dir, files)
	ctx := countdown{Context: t.Context(), left: 1 << 20}
	if found, err := discover(&ctx, Request{Dir: dir, Patterns: patterns(t, "*.txt")}, openRoot); err != nil || len(found.Files) > 0 || ctx.looks < 100 {
		t.Errorf("%+v, %v after %d looks at the context", found, err, ctx.looks)
	}
}

// TestDiscoverRendered leaves out what variables make of a template that is no text.
func TestDiscoverRendered(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, map[string]string{"a.md.mustache": "{{good}}", "b.md.mustache": "{{bad}}", "c.md.mustache": "{{nul}}", "d.md": "d"})
	r := Request{Dir: dir, Patterns: patterns(t, "*"), Content: true, Vars: map[string]any{"good": "é", "bad": "w\xff", "nul": "\x00"}}
	found, err := Discover(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(pathsOf(found), " "); got != "a.md (template) d.md" || found.Matched != 4 {
		t.Errorf("%s of %d", got, found.Matched)
	}
	if got := strings.Join(skippedOf(found), " "); got != "b.md: encoding c.md: binary" {
		t.Error(got)
	}
	for _, s := range found.Skipped {
		if !strings.Contains(s.Detail, "; correct vars") {
			t.Errorf("%+v", s)
		}
	}
}
