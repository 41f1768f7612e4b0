package guiding

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/sectile/sectile/internal/guide"
	"github.com/sectile/sectile/internal/replies"
)

// How categories and what they hold are shown to people, on lines that do nothing
// to a terminal.

// GuideFiles are the files of a category or collection, without their contents.
type GuideFiles struct {
	Files     []GuideFile    `json:"files"`
	Matched   int            `json:"matched"`
	Truncated bool           `json:"truncated,omitempty"`
	Skipped   []GuideSkipped `json:"skipped,omitempty"`

	collection bool // they are those of a collection
}

// GuideFile is one of them.
type GuideFile struct {
	Category string    `json:"category"`
	Path     string    `json:"path"` // relative to the category, of a template without .mustache
	Bytes    int64     `json:"bytes"`
	Modified time.Time `json:"modified"`
	Template bool      `json:"template,omitempty"`
}

// Files returns the files that match the pattern, as for Content, those too that can't be read.
// The error is a *GuideError.
func (g *Guides) Files(ctx context.Context, name, pattern string) (*GuideFiles, error) {
	loaded, err := g.Loader.Load(ctx)
	if err != nil {
		return nil, AsGuideError(err)
	}
	found, err := guide.Serve(ctx, loaded, name, pattern, g.serving(false))
	if err != nil {
		return nil, AsGuideError(err)
	}
	list := &GuideFiles{Files: make([]GuideFile, len(found.Files)), Matched: found.Matched, Truncated: found.Truncated, Skipped: found.Skipped}
	list.collection = loaded.Category(name) == nil
	for i := range found.Files {
		f := &found.Files[i]
		list.Files[i] = GuideFile{Category: found.Parts[i].Category, Path: f.Path, Bytes: f.Size, Modified: f.Modified, Template: f.Template}
	}
	return list, nil
}

// Text renders the files, a line each: of a category the pattern for each of them,
// of a collection the entry.
func (l *GuideFiles) Text() []byte {
	var b bytes.Buffer
	for i := range l.Files {
		f := &l.Files[i]
		if l.collection {
			b.WriteString(f.Category + "/")
		}
		fmt.Fprintf(&b, "%s: %s", replies.Safe(literalPattern(f.Path)), replies.Plural(int(f.Bytes), "byte"))
		if f.Template {
			b.WriteString(", a template")
		}
		b.WriteString("\n")
	}
	return b.Bytes()
}

// JSON renders the files as a line of JSON.
func (l *GuideFiles) JSON() []byte { return replies.AppendJSON(nil, l) }

// Notes say what is not among the files, a line each.
func (l *GuideFiles) Notes() []string {
	return guideNotes(l.Matched, len(l.Files), l.Truncated, l.Skipped)
}

// Notes say what is missing from the content, a line each.
func (c *GuideContent) Notes() []string {
	return guideNotes(c.Matched, c.Returned, c.Truncated, c.Skipped)
}

func guideNotes(matched, returned int, truncated bool, skipped []GuideSkipped) []string {
	var notes []string
	for _, s := range skipped {
		note := replies.Safe(s.Path) + " is left out: " + s.Reason
		if s.Detail != "" {
			note += ": " + replies.Safe(s.Detail)
		}
		notes = append(notes, note)
	}
	if truncated {
		notes = append(notes, fmt.Sprintf("%d of %d files that match are here; narrow the pattern, or raise guide.max_files", returned, matched))
	}
	return notes
}

// Text renders what is configured, a paragraph each. Without anything it says how to
// start.
func (l *GuideList) Text(s replies.Style) []byte {
	if len(l.Categories)+len(l.Collections) == 0 {
		return []byte("no category is configured; 'sectile guide init' writes a start, 'sectile guide add NAME --dir DIR --pattern PATTERN' adds one\n")
	}
	var b bytes.Buffer
	user := func(is bool) string {
		if is {
			return ", from the user's file"
		}
		return ""
	}
	describe := func(text string) {
		if text != "" {
			fmt.Fprintf(&b, "  %s\n", replies.Safe(text))
		}
	}
	for i := range l.Categories {
		c := &l.Categories[i]
		patterns := "no patterns; ask with one"
		if len(c.Patterns) > 0 {
			patterns = replies.Safe(strings.Join(c.Patterns, ", "))
		}
		files := replies.Plural(c.Files, "file") + " in"
		if c.Error != "" {
			files = "can't be read:"
		}
		fmt.Fprintf(&b, "%s%s%s: %s %s (%s)%s\n", s.Name.Before, c.Name, s.Name.After, files, replies.Safe(c.Dir), patterns, user(c.User))
		describe(c.Description)
		if c.Error != "" {
			fmt.Fprintf(&b, "  %s\n", replies.Safe(c.Error))
		}
	}
	for i := range l.Collections {
		c := &l.Collections[i]
		fmt.Fprintf(&b, "%s%s%s: collection of %s%s\n", s.Name.Before, c.Name, s.Name.After, replies.Safe(strings.Join(c.Entries, ", ")), user(c.User))
		describe(c.Description)
	}
	return b.Bytes()
}

// Details renders what is configured as a line of JSON: what JSON tells agents, and
// what those need who look after it.
func (l *GuideList) Details() []byte {
	type category struct {
		Name        string   `json:"name"`
		Description string   `json:"description,omitempty"`
		Dir         string   `json:"dir"`
		Patterns    []string `json:"patterns"`
		Files       int      `json:"files"`
		OnRequest   bool     `json:"on_request,omitempty"`
		Error       string   `json:"error,omitempty"`
		User        bool     `json:"user,omitempty"`
	}
	type collection struct {
		Name        string   `json:"name"`
		Description string   `json:"description,omitempty"`
		Entries     []string `json:"entries"`
		User        bool     `json:"user,omitempty"`
	}
	all := struct {
		Categories  []category   `json:"categories"`
		Collections []collection `json:"collections"`
	}{[]category{}, []collection{}}
	for i := range l.Categories {
		c := &l.Categories[i]
		all.Categories = append(all.Categories, category{c.Name, c.Description, c.Dir, append([]string{}, c.Patterns...), c.Files, c.OnRequest, c.Error, c.User})
	}
	for i := range l.Collections {
		c := &l.Collections[i]
		all.Collections = append(all.Collections, collection{c.Name, c.Description, append([]string{}, c.Entries...), c.User})
	}
	return replies.AppendJSON(nil, all)
}
