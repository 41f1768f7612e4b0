package config

import (
	"context"
	"slices"

	"github.com/sectile/sectile/internal/yamltree"
)

// Dialect returns the name of the dialect of anchors that the configuration sets, "" for the
// usual one. What else is wrong in a file doesn't count: the error is that of a file that may
// have meant one, or can't be read at all. One that is somebody else's, or that the user may not read, sets
// nothing, and the other file counts.
func (l *Loader) Dialect(ctx context.Context) (string, error) {
	loaded, err := l.Load(ctx)
	if err == nil {
		return loaded.Links.Dialect, nil
	}
	dir, startErr := l.start()
	if ctx.Err() != nil || startErr != nil {
		return "", ctx.Err()
	}
	user, userErr := l.readUser(l.UserFile())
	_, project, projectErr := l.ofLinks(dir, user)
	for _, err := range []error{userErr, projectErr} {
		if err != nil && !isForOthers(err) {
			return "", err
		}
	}
	if merged, mergeErr := l.merge(project, user); mergeErr == nil { // what is obeyed is right
		return merged.config.Links.Dialect, nil
	}
	if user.mayHaveDialect() || project.mayHaveDialect() {
		return "", err
	}
	return "", nil
}

// mayHaveDialect reports whether a file, or nil, with which something is wrong may set a dialect: by a
// key wherever it stands, or by a value of links that is no mapping.
func (f *file) mayHaveDialect() bool {
	const key = "dialect"
	if f == nil || f.root == nil {
		return f.mayHaveMeant(key)
	}
	links := f.root.Get("links")
	return hasKey(f.root, key) || links != nil && (links.Value.Kind == yamltree.Scalar || links.Value.Kind == yamltree.List)
}

// hasKey reports whether a value has a key that may have been written for a setting, at any depth.
func hasKey(n *yamltree.Node, setting string) bool {
	return slices.ContainsFunc(keysIn(n), func(key string) bool { return mayMean(key, setting, false) })
}
