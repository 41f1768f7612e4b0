package files

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/filelock"
)

// lock locks the folders of the transaction, each once, in an order that is the
// same for all, so that no two wait for each other.
func (t *Tx) lock(ctx context.Context) error {
	order := slices.Clone(t.order)
	slices.SortFunc(order, func(a, b *target) int {
		return cmp.Or(cmp.Compare(a.id.Device, b.id.Device), cmp.Compare(a.id.File, b.id.File))
	})
	for i, f := range order {
		if i > 0 && order[i-1].id == f.id {
			continue
		}
		l, err := acquire(ctx, f.place)
		if err != nil {
			return err
		}
		t.locks = append(t.locks, l)
	}
	return nil
}

// acquire waits for the lock on the folder of a place, as filelock.Acquire does. The error is
// the context's or a *fileerror.Error.
func acquire(ctx context.Context, p *place) (*filelock.Lock, error) {
	l, err := filelock.Acquire(ctx, p.folder, p.id)
	failed, ok := errors.AsType[*filelock.Error](err)
	switch {
	case !ok:
		return l, err
	case failed.Reason != "":
		return nil, &fileerror.Error{Code: fileerror.IOError, Path: p.path, Reason: failed.Reason, Hint: failed.Hint, Err: failed.Err}
	case failed.Opening:
		return nil, systemFailure(p.path, failed.Err)
	}
	e := writeFailure(p.path, failed.Err)
	if e.Code == fileerror.IOError {
		e.Reason, e.Hint = "its folder can't be locked: "+bare(failed.Err).Error(), "move it to a file system that has locks"
	}
	return nil, e
}

// LockFolder locks the folder at dir, a path of the host, for work on it that is
// not Update's: until the lock is released no Update of a file right in the folder
// runs and nobody else holds this lock, in this process or another. The lock ends
// with the process, and with those that inherit its File. Where the folder lies is up
// to the caller; nothing in it is made or read.
//
// The error is the context's, if that is cancelled before the lock is there, or an
// *fileerror.Error: NotFound (no such folder), NotAFile, Permission, IOError. A lock that is not
// there after 10 s, or shortly before the context's deadline, is an IOError that says
// who has it, and is context.DeadlineExceeded.
func LockFolder(ctx context.Context, dir string) (*filelock.Lock, error) {
	folder, err := fileinfo.OpenFolder(dir)
	if err != nil {
		return nil, systemFailure(dir, err)
	}
	p := &place{path: dir, folder: folder}
	if p, err = p.identified(); err != nil {
		return nil, err
	}
	defer p.close() // the lock has a handle of its own
	return acquire(ctx, p)
}
