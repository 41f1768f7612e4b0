package config

// Journal says what is kept of changes, as the user's file has it.
type Journal struct {
	Days  int   // 0 if nothing is written down
	Bytes int64 // of all changes together
}

// defaultJournal is what is kept where the user's file doesn't say.
var defaultJournal = Journal{Days: 30, Bytes: 200 << 20}

// Journal returns what is kept of changes. It doesn't depend on the project, nor on what else
// is wrong in the user's file; where that can't be read, it is as usual.
func (l *Loader) Journal() Journal {
	user, err := l.readUser(l.userFile())
	if err != nil {
		return defaultJournal
	}
	return user.journal()
}

// journal returns what a user's file, or nil, says of the journal.
func (f *file) journal() Journal {
	j := defaultJournal
	if f == nil {
		return j
	}
	if days, ok := f.settings["days"]; ok {
		j.Days = int(days)
	}
	if bytes, ok := f.settings["bytes"]; ok {
		j.Bytes = bytes
	}
	return j
}
