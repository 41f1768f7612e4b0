package guide

import (
	"context"
	"errors"
	"fmt"

	"github.com/sectile/sectile/internal/config"
)

// What is asked about a single category: how many files count, one of them, which
// there are.

// Count returns the number of files that count in a category. The error is an
// *Error, or that of the context.
func Count(ctx context.Context, c *config.Loaded, category string, o Options) (int, error) {
	o.Content = false
	src, err := categorySource(c, category)
	if err != nil {
		return 0, err
	}
	found, err := src.look(ctx, c, 1, o)
	if err != nil {
		return 0, err
	}
	return found.Matched, nil
}

// Paths returns at most limit paths of files that count in a category, in their
// order; if it has no patterns, of those that a pattern could mean. The error is an
// *Error, or that of the context.
func Paths(ctx context.Context, c *config.Loaded, category string, limit int) ([]string, error) {
	src, err := categorySource(c, category)
	if err != nil {
		return nil, err
	}
	if len(src.patterns) == 0 {
		every, err := ParsePattern("**")
		if err != nil {
			return nil, err
		}
		src.patterns = []Pattern{every}
	}
	found, err := src.look(ctx, c, limit, Options{})
	if err != nil {
		return nil, err
	}
	paths := make([]string, len(found.Files))
	for i := range found.Files {
		paths[i] = found.Files[i].Path
	}
	return paths, nil
}

// Document returns the file of a category at the path, whatever the category's own
// patterns are: what Location names. The error is an *Error, or that of the context.
func Document(ctx context.Context, c *config.Loaded, category, path string, o Options) (*Part, error) {
	o.Content = true
	src, err := categorySource(c, category)
	if err != nil {
		return nil, err
	}
	literal, err := Literal(path)
	if err != nil {
		return nil, patternError(category, err)
	}
	src.patterns = []Pattern{literal}
	reply, err := newServing(c, category, path, o).serve(ctx, []source{*src})
	if err != nil {
		return nil, err
	}
	return &reply.Parts[0], nil
}

// categorySource returns the files that count in a category, which must not be a
// collection.
func categorySource(c *config.Loaded, name string) (*source, error) {
	sources, err := sourcesOf(c, name, "")
	if err != nil {
		return nil, err
	}
	if c.Category(name) == nil {
		return nil, &Error{Type: NotFound, Message: fmt.Sprintf(
			"%s is a collection; name the category that the file lies in, such as %s", quoted(name), quoted(firstCategory(sources)))}
	}
	return &sources[0], nil
}

// firstCategory returns the name of a category among the sources.
func firstCategory(sources []source) string {
	if len(sources) == 0 {
		return "NAME"
	}
	return sources[0].category.Name
}

// look finds at most so many files of the source.
func (src *source) look(ctx context.Context, c *config.Loaded, limit int, o Options) (*Found, error) {
	request, failure := src.request(c, o)
	if failure != nil {
		return nil, failure
	}
	request.MaxFiles, request.Names = limit, true
	found, err := o.Memory.discover(ctx, request)
	if e, ok := errors.AsType[*Error](err); ok {
		return nil, within(src.category.Name, e)
	}
	if err == nil && found.NoFolder {
		return nil, missingFolder(src.category)
	}
	return found, err
}
