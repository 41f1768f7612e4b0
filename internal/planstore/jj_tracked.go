package planstore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/sectile/sectile/internal/repofiles"
	"github.com/sectile/sectile/internal/repoproof"
)

// Before Jujutsu takes a snapshot it looks at each file that it tracks in an ignored folder, by its
// path and without a look at the folders above it: through a link in the place of one of these it
// takes the text of a file anywhere for that of the file, and whoever sees the difference, sees it.
//
// What it tracks is known, unless it takes up first what git is at. No other program can say which
// files that has: HEAD, objects and commits may be made so that git reads other ones there than
// Jujutsu. So then there must be no link out of the project at all.

// checkTracked returns an error if a link stands in the place of a folder in which Jujutsu tracks
// files, or may come to track some.
func (s *jjStore) checkTracked(ctx context.Context, at *repoproof.JJPlace, v jjVersion) error {
	if at.Reads == nil { // the user lets the repository lie anywhere
		return nil
	}
	timed, cancel := context.WithTimeout(ctx, s.program.timeout)
	defer cancel()
	err := s.checkKnown(timed, at)
	if err == nil && s.mayTakeUp(timed, at, v) {
		err = s.checkTree(timed, at)
	}
	switch {
	case err == nil || ctx.Err() != nil:
		return err
	case errors.Is(err, repoproof.ErrTooMany) || timed.Err() != nil:
		return &Error{
			Type: TypeUntrusted, Unwritten: true,
			Message: "whether Jujutsu would look for its files behind links can't be told, for there are too many folders and links in the project, or in what it says that it tracks, or looking takes too long",
			Hint:    trustHint,
		}
	}
	return err
}

const trustHint = "if the repository is yours, name the project's folder under `trust.repositories` in your own configuration, which `sectile doctor` finds"

// checkKnown is checkTracked for what Jujutsu tracks.
func (s *jjStore) checkKnown(ctx context.Context, at *repoproof.JJPlace) error {
	folders := repoproof.FoldersOf(at.Folder, ctx.Err)
	state, err := openTreeState(at.Folder)
	if err == nil {
		defer state.Close() //nolint:errcheck // nothing was written
		err = repofiles.TrackedFiles(&asked{ctx, state}, func(path string) error {
			end := strings.LastIndexByte(path, '/')
			if end < 0 {
				return nil
			}
			link, err := folders.LinkIn(path[:end])
			if err == nil && link != "" {
				err = &Error{
					Type: TypeUntrusted, Unwritten: true,
					Message: "a folder with files that Jujutsu tracks is a link now, " + code(link) + ", and it may look for them where that leads",
					Hint:    "take the link away or, if it is meant, have Jujutsu know of it first with " + code("jj status") + "; in an ignored folder, with " + code("jj file untrack"),
				}
			}
			return err
		})
	}
	if _, ours := errors.AsType[*Error](err); err != nil && !ours && ctx.Err() == nil && !errors.Is(err, repoproof.ErrTooMany) {
		err = ofProof(repoproof.Unreadable("`.jj/working_copy/tree_state`", err))
	}
	return err
}

// mayTakeUp reports whether git may be at another commit than the one that Jujutsu has taken up.
func (s *jjStore) mayTakeUp(ctx context.Context, at *repoproof.JJPlace, v jjVersion) bool {
	for _, git := range at.Heads {
		head, told := git.Head()
		taken, known := repofiles.HeadTakenUp(at.Repo, at.Folder, v.before(headsJJ))
		if !told || !known || head != taken || head != "" && !s.isCommit(ctx, head) {
			return true
		}
	}
	return false
}

// isCommit reports whether Jujutsu finds a commit by an identifier. Of a tag it takes up the commit
// that this is about, which is then another one than it has, each time; and an object may be a tag
// that bears the name of a commit, for no program compares the two.
func (s *jjStore) isCommit(ctx context.Context, id string) bool {
	_, err := s.run(ctx, &call{args: []string{"debug", "object", "commit", id, ignoreWorkingCopy}})
	return err == nil
}

// checkTree is checkTracked for whatever Jujutsu may come to track.
func (*jjStore) checkTree(ctx context.Context, at *repoproof.JJPlace) error {
	link, err := repoproof.LinkOut(at.Folder, ctx.Err)
	switch {
	case link != "":
		return &Error{
			Type: TypeUntrusted, Unwritten: true,
			Message: fmt.Sprintf("git is at another commit than Jujutsu knows of, or where it is can't be told; %s is a link out of the project or to a protected place, and Jujutsu would look there for files of that commit", code(link)),
			Hint:    "take the link away or, if it is meant and the repository is yours, have Jujutsu know of the commit first with " + code("jj status") + ", or leave the branch with " + code("jj new"),
		}
	case err != nil && ctx.Err() == nil && !errors.Is(err, repoproof.ErrTooMany):
		return ofProof(repoproof.Unreadable("a folder of the project", err))
	}
	return err
}

// asked is a reader that ends with a call.
type asked struct {
	ctx  context.Context //nolint:containedctx // that of the one call which reads
	from io.Reader
}

// Read reads until nobody waits any longer.
func (a *asked) Read(p []byte) (int, error) {
	if err := a.ctx.Err(); err != nil {
		return 0, err
	}
	return a.from.Read(p)
}
