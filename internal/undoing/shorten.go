package undoing

// Structured content has no more room than the text has: it names as many files as that, and counts
// the others.

// shorter are data of a reply that can do with less.
type shorter interface {
	// shorten leaves something out and tells of it, or returns false if there is nothing to leave out.
	shorten() bool
}

// diffLeftOut is the warning of a reply whose difference stands in its text alone.
const diffLeftOut = "there is too little room for the difference, which the text has"

func (d *listData) shorten() bool {
	short := false
	for i := range d.Changes {
		short = shortenFiles(&d.Changes[i].Files, &d.Changes[i].More) || short
	}
	switch n := len(d.Changes); {
	case short:
		return true
	case n > 1:
		d.Changes, d.More = d.Changes[:n*3/4], true
		return true
	}
	return false
}

func (d *changeData) shorten() bool {
	return shortenDiff(&d.Diff, &d.Missing) || shortenFiles(&d.Files, &d.More)
}

func (d *undoData) shorten() bool {
	return shortenDiff(&d.Diff, &d.Warnings) || shortenFiles(&d.Files, &d.More)
}

// shortenFiles leaves as many files as the text names, and counts the others.
func shortenFiles(files *[]fileData, more *int) bool {
	left := len(*files) - maxFiles
	if left <= 0 {
		return false
	}
	*files, *more = (*files)[:maxFiles], *more+left
	return true
}

// shortenDiff leaves the difference out.
func shortenDiff(diff *string, warnings *[]string) bool {
	if *diff == "" {
		return false
	}
	*diff, *warnings = "", append((*warnings)[:len(*warnings):len(*warnings)], diffLeftOut)
	return true
}
