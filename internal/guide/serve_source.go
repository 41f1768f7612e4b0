package guide

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/config"
	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/files"
)

// source is a category, and which of its files are asked for: those that match one
// of the patterns and all of the filter.
type source struct {
	category *config.Category
	patterns []Pattern
	filter   []Pattern
}

// maxSources is the number of sources that a collection may have, those of the
// collections in it included: they multiply.
const maxSources = 1000

// maxNested is the number of collections that may lie in one another. A chain of thousands would be
// gone through anew for each of its collections, and each has the filters of all before it.
const maxNested = 100

// sourcesOf returns what stands for the category or collection of the name. A
// pattern takes the place of the category's own; of what an entry of a collection
// asks for it is a filter.
func sourcesOf(c *config.Loaded, name, pattern string) ([]source, error) {
	switch {
	case c.Root == "" && !c.HasUser:
		return nil, NoProjectIn(c)
	case c.Category(name) == nil && c.Collection(name) == nil:
		return nil, notFound(c, name)
	}
	var request *Pattern
	if pattern != "" {
		p, err := ParsePattern(pattern)
		if err != nil {
			return nil, patternError(name, err)
		}
		request = &p
	}
	e := gathering{config: c, asked: name, seen: map[[sha256.Size]byte]bool{}}
	if err := e.add(name, request, nil, 0); err != nil {
		return nil, err
	}
	return e.sources, nil
}

// gathering makes sources of entries.
type gathering struct {
	config  *config.Loaded
	asked   string
	seen    map[[sha256.Size]byte]bool // what was added: another time gives nothing new
	sources []source
}

// add adds what an entry stands for, in a number of collections: a category, or a collection's entries.
func (e *gathering) add(name string, request *Pattern, filter []Pattern, in int) error {
	key := entryKey(name, request, filter)
	if e.seen[key] {
		return nil
	}
	if e.seen[key] = true; len(e.seen) > maxSources {
		return &Error{Type: ValidationError, Message: fmt.Sprintf(
			"the collection %s has more than %d entries, with those of the collections in it; name fewer", quoted(e.asked), maxSources)}
	}
	if category := e.config.Category(name); category != nil {
		return e.addCategory(category, request, filter)
	}
	if in == maxNested {
		return &Error{Type: ValidationError, Message: fmt.Sprintf(
			"in the collection %s more than %d collections lie in one another; have %s, or one above it, name categories instead", quoted(e.asked), maxNested, quoted(name))}
	}
	collection := e.config.Collection(name)
	for _, entry := range collection.Entries {
		if e.config.Category(entry.Name) == nil && e.config.Collection(entry.Name) == nil { // of the user's file one may name what another project has
			return &Error{Type: NotFound, Message: fmt.Sprintf(
				"the collection %s names %s, which this project doesn't have; add it, or take the entry out", quoted(collection.Name), quoted(entry.Name))}
		}
		inner, outer := request, filter
		if entry.Pattern != "" {
			p, err := ParsePattern(entry.Pattern)
			if err != nil {
				return unusable("collections."+collection.Name, err)
			}
			inner = &p
			if request != nil {
				outer = append(slices.Clip(filter), *request)
			}
		}
		if err := e.add(entry.Name, inner, outer, in+1); err != nil {
			return err
		}
	}
	return nil
}

// entryKey returns what tells entries apart.
func entryKey(name string, request *Pattern, filter []Pattern) [sha256.Size]byte {
	texts := []string{name}
	if request != nil {
		texts = append(texts, request.String())
	}
	for i := range filter {
		texts = append(texts, filter[i].String())
	}
	return keyOf(texts)
}

func (e *gathering) addCategory(category *config.Category, request *Pattern, filter []Pattern) error {
	src := source{category: category, filter: filter}
	if request != nil {
		src.patterns = []Pattern{*request}
	} else {
		for _, text := range category.Patterns {
			p, err := ParsePattern(text)
			if err != nil {
				return unusable("categories."+category.Name+".patterns", err)
			}
			src.patterns = append(src.patterns, p)
		}
	}
	e.sources = append(e.sources, src)
	return nil
}

// unusable is the error for a pattern of the configuration.
func unusable(field string, err error) error {
	message := err.Error()
	if e, ok := errors.AsType[*Error](err); ok {
		message = e.Message
	}
	return &Error{Type: ValidationError, Message: field + ": " + message, Err: err}
}

// request returns what is asked of Discover for the source, without the limits of
// the reply.
func (src *source) request(c *config.Loaded, o Options) (Request, *Error) {
	dir, root, err := folder(c, src.category)
	var roots *files.Roots
	if src.category.Scope == config.Project { // the user's own may lie elsewhere
		roots = c.Roots
	}
	return Request{
		Dir: dir, Within: root, Roots: roots, Patterns: src.patterns, Filter: src.filter,
		MaxDepth: c.Guide.MaxDepth, MaxFileBytes: c.Guide.MaxFileBytes,
		Content: o.Content, Vars: vars(c, src.category, o.Date), Log: o.Log,
	}, err
}

// folder returns the folder of a category, an absolute path, and the one that it
// must not leave, if any. A category of the user's lies where the user says; but
// what is written relative to a project stays in the project, for its links are the
// project's.
func folder(c *config.Loaded, category *config.Category) (dir, root string, err *Error) {
	dir = filepath.FromSlash(category.Dir)
	if category.Scope == config.User {
		rest, home := strings.CutPrefix(category.Dir, "~/")
		switch {
		case home || category.Dir == "~":
			at, err := fileinfo.HomeDir()
			if err != nil {
				return "", "", &Error{Type: IOError, Message: fmt.Sprintf(
					"the folder %sof the category %s can't be found, for the home folder is not known; set HOME", displayFolder(category), quoted(category.Name)), Err: err}
			}
			return filepath.Join(at, filepath.FromSlash(strings.TrimPrefix(rest, "~"))), "", nil
		case filepath.IsAbs(dir):
			return filepath.Clean(dir), "", nil
		}
	}
	if c.Root == "" {
		return "", "", &Error{Type: NoSession, Message: fmt.Sprintf(
			"the folder %s of the category %s is relative to a project, and there is none here: no .sectile.yaml, .jj or .git in this folder or above it",
			quoted(category.Dir), quoted(category.Name))}
	}
	return filepath.Join(c.Root, dir), c.Root, nil
}

// vars are the variables of the templates of a category. Without a project its
// name and root are empty, so that a template can ask whether there is one. What of
// its name is no UTF-8, which no text can hold, is a replacement character.
func vars(c *config.Loaded, category *config.Category, date string) map[string]any {
	project := map[string]any{"name": "", "root": ""}
	if c.Root != "" {
		root := strings.ToValidUTF8(c.Root, "\uFFFD")
		project = map[string]any{"name": filepath.Base(root), "root": root}
	}
	v := maps.Clone(category.Vars)
	if v == nil {
		v = map[string]any{}
	}
	v["project"], v["category"], v["date"] = project, map[string]any{"name": category.Name}, date
	return v
}
