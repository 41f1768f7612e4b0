package guiding

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/sectile/sectile/internal/config"
	"github.com/sectile/sectile/internal/replies"
)

// completionTime is how long a completion may look at files.
const completionTime = 2 * time.Second

// CompleteGuide returns the names of categories and collections that begin with
// what is typed, or after such a name the files that it holds.
func CompleteGuide(g *Guides, args []string, typed string) []replies.Completion {
	switch len(args) {
	case 0:
		return CompleteGuideName(g, args, typed)
	case 1:
		return g.completeFile(args[0], typed)
	}
	return nil
}

// CompleteGuideName returns the names alone.
func CompleteGuideName(g *Guides, args []string, typed string) []replies.Completion {
	loaded, err := g.Loader.Load(context.Background())
	if err != nil || len(args) > 0 {
		return nil
	}
	var found []replies.Completion
	add := func(name, description, otherwise string) {
		if description == "" {
			description = otherwise
		}
		if strings.HasPrefix(name, typed) {
			found = append(found, replies.Completion{Selector: name, Description: replies.Described(description)})
		}
	}
	for i := range loaded.Categories {
		add(loaded.Categories[i].Name, loaded.Categories[i].Description, loaded.Categories[i].Dir)
	}
	for i := range loaded.Collections {
		add(loaded.Collections[i].Name, loaded.Collections[i].Description, "collection")
	}
	return found
}

// CompleteGuideChange returns a completion of the names that are configured in the
// user's file, or in the project's.
func CompleteGuideChange(user bool) func(g *Guides, args []string, typed string) []replies.Completion {
	return func(g *Guides, args []string, typed string) []replies.Completion {
		loaded, err := g.Loader.Load(context.Background())
		if err != nil {
			return nil
		}
		return slices.DeleteFunc(CompleteGuideName(g, args, typed), func(c replies.Completion) bool {
			if category := loaded.Category(c.Selector); category != nil {
				return (category.Scope == config.User) != user
			}
			collection := loaded.Collection(c.Selector)
			return collection != nil && (collection.Scope == config.User) != user
		})
	}
}

// CompleteGuideEntry returns names for an entry of a collection.
func CompleteGuideEntry(g *Guides, _ []string, typed string) []replies.Completion {
	return CompleteGuideName(g, nil, typed)
}

// completeFile returns the patterns for single files.
func (g *Guides) completeFile(name, typed string) []replies.Completion {
	ctx, cancel := context.WithTimeout(context.Background(), completionTime)
	defer cancel()
	files, err := g.Files(ctx, name, "")
	if err != nil { // the category may have no pattern of its own
		files, err = g.Files(ctx, name, "**")
	}
	if err != nil {
		return nil
	}
	var found []replies.Completion
	for i := range files.Files {
		path := files.Files[i].Path
		pattern := literalPattern(path)
		if replies.Safe(path) != path || !strings.HasPrefix(pattern, typed) {
			continue
		}
		c := replies.Completion{Selector: pattern, Description: replies.Described(replies.Plural(int(files.Files[i].Bytes), "byte"))}
		if !slices.Contains(found, c) {
			found = append(found, c)
		}
	}
	return found
}

// literalPattern returns the pattern for the file at a path. What is special in a
// pattern stands for itself in brackets, and unlike after a backslash at the start
// too. So does a colon behind a letter at the start, for a pattern has no drive of
// Windows.
func literalPattern(path string) string {
	pattern := strings.NewReplacer(`\`, `[\\]`, "*", "[*]", "?", "[?]", "[", "[[]", "{", "[{]", "}", "[}]").Replace(path)
	if len(pattern) > 1 && pattern[0] >= 'A' && pattern[1] == ':' {
		pattern = pattern[:1] + "[:]" + pattern[2:]
	}
	return pattern
}
