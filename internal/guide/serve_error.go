package guide

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/config"
)

// Why a request could not be answered: what was asked for, and the nearest names
// that exist. Folders are named as the configuration writes them, if that is not a
// path of the host.

const (
	maxNearest  = 5    // names that an error gives
	maxNamed    = 200  // characters of a name in an error
	maxListed   = 500  // characters of the names or reasons that an error lists
	maxFailures = 1200 // characters of what was left out, or of the failures of a collection's categories
	maxCompared = 2000 // files whose paths are compared with a pattern
)

// NoProject is the error for a request without a project.
func NoProject() *Error { return NoProjectIn(&config.Loaded{}) }

// NoProjectIn is NoProject for a configuration, whose file may only have another name.
func NoProjectIn(c *config.Loaded) *Error {
	wayOut := "start in a project, or make .sectile.yaml with 'sectile guide init'"
	if c.Misnamed != "" {
		wayOut = misnamed(c)
	}
	return &Error{Type: NoSession, Message: "there is no project: no .sectile.yaml, .jj or .git in this folder or above it; " + wayOut}
}

// misnamed says that the configuration has another name than it must have.
func misnamed(c *config.Loaded) string {
	return fmt.Sprintf("there is a file %s, which is not read: rename it to %s", c.Misnamed, config.Name)
}

// notFound is the error for a name that nothing has.
func notFound(c *config.Loaded, name string) *Error {
	var names []string
	for i := range c.Categories {
		names = append(names, c.Categories[i].Name)
	}
	for i := range c.Collections {
		names = append(names, c.Collections[i].Name)
	}
	message := fmt.Sprintf("there is no category %s", quoted(name)) + nameHint(c, name)
	if c.Misnamed != "" {
		message += "; " + misnamed(c)
	}
	switch {
	case len(names) > 0:
		message += nameList("there are", likeliest(names, name), len(names))
	case c.Misnamed == "":
		message += "; none is configured, 'sectile guide init' makes a start"
	}
	return &Error{Type: NotFound, Message: message}
}

// missingFolder is the error for a category whose folder isn't there.
func missingFolder(category *config.Category) *Error {
	return &Error{Type: IOError, Message: fmt.Sprintf(
		"the folder %sof the category %s is missing, or is no folder; make it, or correct dir in the configuration", displayFolder(category), quoted(category.Name))}
}

// displayFolder returns the folder as it is written with a space after it, empty if
// that is a path of the host.
func displayFolder(category *config.Category) string {
	if category.Scope == config.User && (strings.HasPrefix(category.Dir, "~") || path.IsAbs(category.Dir)) || strings.ContainsAny(category.Dir, `\:`) {
		return ""
	}
	return quoted(category.Dir) + " "
}

// within says in an error which category it is about.
func within(name string, e *Error) *Error {
	return &Error{Type: e.Type, Message: fmt.Sprintf("category %s: %s", quoted(name), e.Message), Err: e}
}

// patternError is the error for a pattern of the request.
func patternError(name string, err error) error {
	if e, ok := errors.AsType[*Error](err); ok {
		return within(name, e)
	}
	return err
}

// allFailed is the error for a collection of which nothing could be looked at.
func (s *serving) allFailed() *Error {
	first := s.failed[0]
	messages := make([]string, 0, len(s.failed))
	for _, e := range s.failed {
		messages = append(messages, e.Message)
		if e.Type != NoSession { // one without a project is one of several
			first = e
		}
	}
	return &Error{Type: first.Type, Message: fmt.Sprintf("nothing of the collection %s can be read: %s", quoted(s.name), some(messages, maxFailures)), Err: first}
}

// nothingRead is the error for files that match and can't be read.
func (s *serving) nothingRead() *Error {
	what := "the one file that matches in %s can't be served: %s"
	if s.reply.Matched != 1 {
		what = strconv.Itoa(s.reply.Matched) + " files match in %s, and none can be served: %s"
	}
	return &Error{Type: IOError, Message: fmt.Sprintf(what, s.asked(), s.reasons(maxFailures))}
}

// reasons says why files were skipped. The fewer there are, the more is said of
// each: the way out often stands at the end.
func (s *serving) reasons(room int) string {
	texts := make([]string, len(s.reply.Skipped))
	for i, skipped := range s.reply.Skipped {
		texts[i] = quoted(skipped.Path) + " (" + skipped.Reason
		if skipped.Detail != "" {
			texts[i] += ": " + clip(skipped.Detail, max(maxNamed, room/len(texts)))
		}
		texts[i] += ")"
	}
	return some(texts, room)
}

// asked names what was asked for.
func (s *serving) asked() string {
	what := "the category "
	if s.collection {
		what = "the collection "
	}
	what += quoted(s.name)
	if s.pattern != "" {
		what += " for the pattern " + quoted(s.pattern)
	}
	return what
}

// noMatches is the error for a request that no file matches. If the context has
// ended, it is that of the context.
func (s *serving) noMatches(ctx context.Context, sources []source) error {
	var message string
	switch own := ownPatterns(sources); {
	case s.pattern != "":
		message = "no file matches in " + s.asked()
	case own == "":
		message = s.asked() + " has no patterns of its own; ask with a pattern"
	default:
		message = "no file matches in " + s.asked() + ", whose patterns are " + own
	}
	hint, err := s.patternHint(ctx, sources)
	if err != nil {
		return err
	}
	paths, err := s.paths(ctx)
	if err != nil {
		return err
	}
	message += hint
	if folder := strings.TrimSuffix(s.pattern, "/"); slices.ContainsFunc(paths, func(p string) bool { return strings.HasPrefix(p, folder+"/") }) {
		message += fmt.Sprintf("; it is a folder, and %s means all in it", quoted(folder+"/**"))
	}
	if near := likeliest(paths, s.pattern); len(near) > 0 {
		total := len(paths)
		if total == maxCompared { // how many more there are is not known
			total = len(near)
		}
		message += nameList("nearest:", near, total)
	} else {
		message += "; no file is there at all"
	}
	if len(s.reply.Skipped) > 0 {
		message += "; not looked at: " + s.reasons(maxListed)
	}
	return &Error{Type: NoMatches, Message: message}
}

// ownPatterns names the patterns of sources, empty if none has any.
func ownPatterns(sources []source) string {
	var texts []string
	for i := range sources {
		for _, p := range sources[i].patterns {
			if text := quoted(p.String()); !slices.Contains(texts, text) {
				texts = append(texts, text)
			}
		}
	}
	return some(texts, maxListed)
}

// paths returns the paths of files that a pattern could mean, some of them if there
// are many.
func (s *serving) paths(ctx context.Context) ([]string, error) {
	sources, err := sourcesOf(s.config, s.name, "**")
	if err != nil {
		return nil, nil //nolint:nilerr // the request has been answered without them
	}
	var paths []string
	seen := map[string]bool{}
	for i := range sources {
		request, failure := sources[i].request(s.config, Options{})
		if failure != nil {
			continue
		}
		request.MaxFiles, request.Names = maxCompared, true
		found, err := s.options.Memory.discover(ctx, request)
		if err != nil && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			continue
		}
		for j := range found.Files {
			if p := found.Files[j].Path; !seen[p] && len(paths) < maxCompared {
				seen[p] = true
				paths = append(paths, p)
			}
		}
	}
	return paths, nil
}

// nameList returns the end of a sentence: a label, names, and how many more there are.
func nameList(label string, names []string, total int) string {
	shown := make([]string, total) // no more than the names are looked at
	for i, name := range names {
		shown[i] = quoted(name)
	}
	return "; " + label + " " + listed(shown, len(names), maxListed)
}

// some joins as many of the texts as there is room for, the first one always, and
// says how many more there are.
func some(texts []string, room int) string { return listed(texts, len(texts), room) }

// listed joins at most `most` of the texts, and says how many more there are.
func listed(texts []string, most, room int) string {
	var b strings.Builder
	for i, text := range texts {
		if room -= utf8.RuneCountInString(text); i > 0 && (i >= most || room < 0) {
			fmt.Fprintf(&b, " and %d more", len(texts)-i)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(text)
	}
	return b.String()
}

// quoted returns a name in quotes, in which every character shows itself or is
// escaped, and which is not too long.
func quoted(name string) string {
	for limit := maxNamed; ; limit /= 2 {
		if text := strconv.Quote(clip(name, limit)); limit < 2 || utf8.RuneCountInString(text) <= maxNamed+len(`"…"`) {
			return text
		}
	}
}

// clip returns a text cut to limit characters and an ellipsis.
func clip(text string, limit int) string {
	n := 0
	for i := range text {
		if n == limit {
			return text[:i] + "…"
		}
		n++
	}
	return text
}
