package guiding

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/sectile/sectile/internal/config"
	"github.com/sectile/sectile/internal/guide"
	"github.com/sectile/sectile/internal/replies"
)

// GuideList is what categories and collections there are.
type GuideList struct {
	Categories  []GuideCategory   `json:"categories"`
	Collections []GuideCollection `json:"collections,omitempty"`
}

// GuideCategory is one category. Dir and patterns are as they are written.
type GuideCategory struct {
	Name        string   `json:"name"`
	Description string   `json:"description,omitempty"`
	Dir         string   `json:"-"`
	Patterns    []string `json:"-"`
	Files       int      `json:"files"`
	OnRequest   bool     `json:"on_request,omitempty"` // it has no patterns: all files are counted, and asked for with a pattern
	Error       string   `json:"error,omitempty"`      // why the files can't be counted
	User        bool     `json:"-"`                    // it is from the user's file
}

// GuideCollection is one collection.
type GuideCollection struct {
	Name        string   `json:"name"`
	Description string   `json:"description,omitempty"`
	Entries     []string `json:"entries"`
	User        bool     `json:"-"`
}

// maxCounting is how long List counts files: a configuration may name a large folder many times.
const maxCounting = 10 * time.Second

// List returns the categories and collections; those that it hasn't counted in ten seconds have an
// Error. The error is a *GuideError.
func (g *Guides) List(ctx context.Context) (*GuideList, error) {
	c, err := g.Loader.Load(ctx)
	if err != nil {
		return nil, AsGuideError(err)
	}
	if c.Root == "" && !c.HasUser {
		return nil, AsGuideError(guide.NoProjectIn(c))
	}
	list := &GuideList{Categories: []GuideCategory{}}
	counting, stop := context.WithTimeout(ctx, min(g.patience, maxCounting))
	defer stop()
	for i := range c.Categories {
		category := &c.Categories[i]
		item := GuideCategory{
			Name: category.Name, Description: category.Description, Dir: category.Dir, Patterns: category.Patterns,
			User: category.Scope == config.User,
		}
		item.OnRequest = len(category.Patterns) == 0
		item.Files, err = g.count(counting, c, category)
		if counting.Err() != nil && ctx.Err() == nil {
			err = &guide.Error{Type: guide.IOError, Message: "its files aren't counted, for that took too long"}
		}
		if _, ok := errors.AsType[*guide.Error](err); err != nil && !ok {
			return nil, AsGuideError(err)
		}
		if err != nil {
			item.Error = AsGuideError(err).Message
		}
		list.Categories = append(list.Categories, item)
	}
	for i := range c.Collections {
		collection := &c.Collections[i]
		item := GuideCollection{
			Name: collection.Name, Description: collection.Description, Entries: []string{}, User: collection.Scope == config.User,
		}
		for _, entry := range collection.Entries {
			text := entry.Name
			if entry.Pattern != "" {
				text += "/" + entry.Pattern
			}
			item.Entries = append(item.Entries, text)
		}
		list.Collections = append(list.Collections, item)
	}
	return list, nil
}

// count counts the files of a category that count, of one without patterns those that
// can be asked for.
func (g *Guides) count(ctx context.Context, c *config.Loaded, category *config.Category) (int, error) {
	if len(category.Patterns) > 0 {
		return guide.Count(ctx, c, category.Name, g.serving(false))
	}
	found, err := guide.Serve(ctx, c, category.Name, "**", g.serving(false))
	if e, ok := errors.AsType[*guide.Error](err); ok && e.Type == guide.NoMatches {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return found.Matched, nil
}

// guidePage is a page of the list in JSON.
type guidePage struct {
	Categories  []GuideCategory   `json:"categories"`
	Collections []GuideCollection `json:"collections,omitempty"`
	Hint        string            `json:"hint,omitempty"`
	Next        string            `json:"next_cursor,omitempty"`
}

// Page returns the part of the list after the cursor, the next_cursor of the page
// before or empty, in at most so many characters, 0 for any number. It has one
// category or collection at the least. The error is an *Error.
func (l *GuideList) Page(cursor string, maxChars int) ([]byte, error) {
	names := l.names()
	at := 0
	if cursor != "" {
		if at = 1 + slices.Index(names, cursor); at == 0 {
			return nil, &replies.Error{Code: replies.CodeInvalidArgument, Message: replies.Say(
				"nothing on the list is called %q, as the cursor says; begin anew without one", replies.Clip(cursor, replies.MaxShown))}
		}
	}
	page := guidePage{Categories: []GuideCategory{}}
	if len(names) == 0 {
		page.Hint = "no category is configured; 'sectile guide init' makes a start"
	}
	size, begin := 0, at
	for ; at < len(names); at++ {
		added := guidePage{Categories: []GuideCategory{}}
		added.append(l, at)
		size += replies.Chars(replies.JSON(added)) - len(`{"categories":[]}`) + len(",")
		if maxChars > 0 && size+envelopeRoom+replies.Chars(replies.JSON(names[at])) > maxChars && at > begin {
			break
		}
		page.append(l, at)
	}
	if at < len(names) {
		page.Next = names[at-1]
	}
	if text := replies.JSON(page); maxChars == 0 || replies.Chars(text) <= maxChars {
		return text, nil
	}
	return page.shrunk(maxChars), nil
}

// envelopeRoom is what a page takes beside what is on it and the name in the cursor.
const envelopeRoom = len(`{"categories":[],"collections":[],"next_cursor":}`)

// names are the names of what is on the list, in its order.
func (l *GuideList) names() []string {
	names := make([]string, 0, len(l.Categories)+len(l.Collections))
	for i := range l.Categories {
		names = append(names, l.Categories[i].Name)
	}
	for i := range l.Collections {
		names = append(names, l.Collections[i].Name)
	}
	return names
}

// append adds what stands at a place of the list, safe to show.
func (p *guidePage) append(l *GuideList, at int) {
	if at < len(l.Categories) {
		c := l.Categories[at]
		c.Description, c.Error = replies.Safe(c.Description), replies.Safe(c.Error)
		p.Categories = append(p.Categories, c)
		return
	}
	c := l.Collections[at-len(l.Categories)]
	c.Description, c.Entries = replies.Safe(c.Description), slices.Clone(c.Entries)
	for i := range c.Entries {
		c.Entries[i] = replies.Safe(c.Entries[i])
	}
	p.Collections = append(p.Collections, c)
}

// shrunk returns a page of one category or collection that is too long, with less
// of what is said of it.
func (p *guidePage) shrunk(maxChars int) []byte {
	p.Hint = "what is said of it is too long for a reply and is cut at …"
	text := replies.JSON(p)
	for size := maxChars; size > 1 && replies.Chars(text) > maxChars; size /= 2 {
		for i := range p.Categories {
			c := &p.Categories[i]
			c.Description, c.Error = replies.Clip(c.Description, size), replies.Clip(c.Error, size)
		}
		for i := range p.Collections {
			c := &p.Collections[i]
			c.Description = replies.Clip(c.Description, size)
			for j := range c.Entries {
				c.Entries[j] = replies.Clip(c.Entries[j], size)
			}
			if most := size / 8; len(c.Entries) > most {
				c.Entries = append(c.Entries[:most], "…")
			}
		}
		text = replies.JSON(p)
	}
	return text
}
