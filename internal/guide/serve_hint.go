package guide

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/sectile/sectile/internal/config"
)

// Hints: what was asked for in the wrong place. Each begins with a semicolon, or is
// empty.

// nameHint tells how to ask for what a name holds besides a category's.
func nameHint(c *config.Loaded, name string) string {
	if isLocation(name) {
		return locationHint(name)
	}
	head, rest, ok := strings.Cut(name, "/")
	switch {
	case !ok || c.Category(head) == nil && c.Collection(head) == nil:
		return ""
	case rest == "":
		return fmt.Sprintf("; write category %s, without the slash", quoted(head))
	}
	return askHint(head, rest)
}

// askHint tells to ask with a category and a pattern.
func askHint(category, pattern string) string {
	return "; " + askWith(category, pattern)
}

// askWith is what a category and a pattern are asked for with.
func askWith(category, pattern string) string {
	return fmt.Sprintf("ask with category %s, pattern %s", quoted(category), quoted(pattern))
}

// isLocation reports whether a text is meant as the URI of a file of a category.
func isLocation(text string) bool {
	scheme, _, ok := strings.Cut(text, "://")
	return ok && strings.EqualFold(scheme, locationScheme)
}

// locationHint tells how to ask for what a URI stands for.
func locationHint(uri string) string {
	category, path, anchor, err := ParseLocation(uri)
	if err != nil {
		return "; it is a URI: write the name of the category and the path of the file as two arguments, or read it as a resource"
	}
	hint := "; it is a URI: read it as a resource, or " + askWith(category, path)
	if anchor != "" {
		hint += " for the whole file"
	}
	return hint
}

// patternHint tells what a pattern that matches nothing might have been meant as. The
// error is that of the context.
func (s *serving) patternHint(ctx context.Context, sources []source) (string, error) {
	if isLocation(s.pattern) {
		return locationHint(s.pattern), nil
	}
	if p, err := ParsePattern(s.pattern); err == nil {
		if reason := p.protection(); reason != "" {
			return "; " + reason, nil
		}
	}
	pattern, anchor, hasAnchor := strings.Cut(s.pattern, "#")
	if hasAnchor {
		return s.sectionHint(pattern, anchor), nil
	}
	for i := range sources {
		category := sources[i].category
		for _, folder := range [...]string{category.Name, strings.Trim(strings.TrimPrefix(category.Dir, "./"), "/")} {
			rest, ok := strings.CutPrefix(strings.TrimPrefix(s.pattern, "./"), folder+"/")
			if !ok || folder == "" || rest == "" {
				continue
			}
			matches, err := s.matches(ctx, category.Name, rest)
			if err != nil {
				return "", err
			}
			if matches {
				return askHint(category.Name, rest) + ", for patterns begin in the category's folder", nil
			}
		}
	}
	return "", nil
}

// sectionHint tells how the section is read that a pattern ends with.
func (s *serving) sectionHint(pattern, anchor string) string {
	form := locationScheme + "://" + locationHost + "/NAME/PATH#ANCHOR"
	if !s.collection && pattern != "" && !strings.ContainsAny(pattern, `*?[]{}\`) {
		if uri := Location(s.name, pattern) + "#" + url.PathEscape(anchor); len(uri) <= maxNamed {
			form = uri
		}
	}
	return "; a pattern has no #ANCHOR: leave it out for the whole file, or read the section as the resource " + form
}

// matches reports whether a pattern means any file of a category. The error is that
// of the context.
func (s *serving) matches(ctx context.Context, category, pattern string) (bool, error) {
	sources, err := sourcesOf(s.config, category, pattern)
	if err != nil {
		return false, nil //nolint:nilerr // it is no hint then
	}
	found, err := sources[0].look(ctx, s.config, 1, Options{Memory: s.options.Memory})
	if err != nil {
		return false, ctx.Err()
	}
	return found.Matched > 0, nil
}
