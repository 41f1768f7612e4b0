package config

import (
	"context"
	"fmt"

	"github.com/sectile/sectile/headings"
	"github.com/sectile/sectile/internal/yamltree"
)

// Which lines are headings is the user's to say: sections are found and changed by it.

// readHeadings reads the user's own markers of headings.
func (f *file) readHeadings(n *yamltree.Node) {
	if n != nil && len(n.Items) > headings.MaxPatterns {
		f.problem(n.Start, "headings", fmt.Sprintf("it has %d patterns and at most %d; take some out, or make one of several with |", len(n.Items), headings.MaxPatterns))
		return
	}
	f.headings = f.texts(n, "headings", checkHeading)
}

// checkHeading tells what is wrong with a marker of headings.
func checkHeading(pattern string) string {
	if _, err := headings.Compile(pattern); err != nil {
		return err.Error()
	}
	return ""
}

// Headings returns the markers of headings that the user's file has, and looks at nothing of a
// project's. The error, an *Error or *fileerror.Error, is what is wrong with them; of what else is
// wrong in the file only that it can't be read at all, and may have some. A file of somebody
// else, or that the user may not read, has none.
func (l *Loader) Headings(ctx context.Context) ([]string, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	user, err := l.readUser(l.UserFile())
	if isForOthers(err) {
		return nil, nil
	}
	if err == nil {
		err = user.wrongIn("headings")
	}
	if err != nil || user == nil {
		return nil, err
	}
	return user.headings, nil
}
