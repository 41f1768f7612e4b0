package filesystem

import "errors"

// ErrNoKey says that a folder is encrypted and that its key isn't there: the names in it aren't found, though
// the files are, and none can be made.
var ErrNoKey = errors.New("the folder is encrypted, and its key isn't there")
