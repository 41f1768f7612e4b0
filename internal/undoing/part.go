package undoing

import (
	"cmp"
	"path/filepath"

	"github.com/sectile/sectile/internal/journal"
	"github.com/sectile/sectile/internal/replies"
)

// Of a change all files are taken back, or those that are named.

// undoable says why a change can't be taken back.
func undoable(c *seen) error {
	refuse := func(code string, message replies.Sentence) error {
		return &replies.Error{Code: code, Message: message}
	}
	switch {
	case c.Problem != "":
		return refuse("io_error", replies.Say("change %s can't be undone, for what the journal has of it can't be believed: %s; name an older change by its identifier, from the list of changes", c.ID, c.Problem))
	case c.State != journal.Committed:
		return refuse("no_change", replies.Say("change %s was interrupted and is taken back already", c.ID))
	}
	return nil
}

// selectFiles chooses the files that are to be put back.
func (u *undoing) selectFiles() error {
	c := u.change
	if err := undoable(c); err != nil {
		return err
	}
	part, err := u.part()
	if err != nil {
		return err
	}
	if c.hidden > 0 && len(u.req.Paths) == 0 {
		return &replies.Error{Code: "permission", Message: replies.Say(
			"change %s has %s that can't be opened from here, and is undone as a whole, or in files that are named", c.ID, replies.Plural(c.hidden, "file"))}
	}
	for i := range c.Entries {
		if !part[i] {
			continue
		}
		f := restored{name: c.names[i], entry: &c.Entries[i], path: c.Entries[i].Path, isBack: c.back[i]}
		if u.docs.Workspace != nil {
			f.path = f.name
		}
		u.files = append(u.files, f)
	}
	return nil
}

// part returns which files of the change the request names. Those that come and those that go
// are taken back together: a document that has moved is both, and one of them alone would have
// it twice, or lose it.
func (u *undoing) part() (chosen []bool, err error) {
	c := u.change
	chosen = make([]bool, len(c.Entries))
	for i := range chosen {
		chosen[i] = len(u.req.Paths) == 0
	}
	for _, path := range u.req.Paths {
		docs := u.docs
		docs.Paths = []string{path}
		s, err := scopeOf(&docs, true)
		if err != nil {
			return nil, err
		}
		found, in := false, ""
		for i, name := range c.names {
			if path == "" || name == "" || !s.isAbout(c.Entries[i].Path) {
				continue
			}
			if root := c.Entries[i].Root; found && root != in && !filepath.IsAbs(path) {
				return nil, &replies.Error{Code: replies.CodeInvalidArgument, Path: path, Message: replies.Say("change %s has such a file in more than one root; give the absolute path", c.ID)}
			}
			chosen[i], found, in = true, true, c.Entries[i].Root
		}
		if !found {
			return nil, &replies.Error{Code: "not_found", Path: path, Message: replies.Say("change %s has no such file; it has %s", c.ID, c.filesLike(path))}
		}
	}
	var left []string // that come or go and aren't named
	created, removed, named := false, false, false
	for i := range c.Entries {
		switch c.Entries[i].Kind() {
		case journal.Created:
			created = true
		case journal.Removed:
			removed = true
		default:
			continue
		}
		if named = named || chosen[i]; !chosen[i] {
			left = append(left, cmp.Or(c.names[i], "one that can't be opened from here"))
		}
	}
	if created && removed && named && len(left) > 0 {
		return nil, &replies.Error{Code: replies.CodeInvalidArgument, Message: replies.Say(
			"change %s has moved documents, which goes back as a whole; name these too: %s", c.ID, firstNames(left, maxFiles))}
	}
	return chosen, nil
}

// maxCandidates is how many files of a change are named when one isn't among them.
const maxCandidates = 10

// filesLike names files of the change, first those with the last name of a path.
func (c *seen) filesLike(path string) string {
	var like, others []string
	for _, name := range c.names {
		switch {
		case name == "":
		case filepath.Base(name) == filepath.Base(path):
			like = append(like, name)
		default:
			others = append(others, name)
		}
	}
	return firstNames(append(like, others...), maxCandidates)
}

// isPart reports whether the change is taken back in some of its files alone.
func (u *undoing) isPart() bool { return len(u.files) < len(u.change.Entries) }
