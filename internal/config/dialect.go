package config

import "context"

// Dialect returns the name of the dialect of anchors that the configuration sets, "" for the
// usual one. What else is wrong in a file doesn't count: the error is that of a file that has
// the word or can't be read at all. One that is somebody else's, or that the user may not read, sets
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
	if user.mayHave("dialect") || project.mayHave("dialect") {
		return "", err
	}
	return "", nil
}
