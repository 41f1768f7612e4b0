package files

import (
	"context"
	"os"
)

// LockFolder locks the folder at dir, a path of the host, for work on it that is
// not Update's: until release is called no Update of a file right in the folder
// runs and nobody else holds this lock, in this process or another. The lock ends
// with the process. Where the folder lies is up to the caller; nothing in it is
// made or read.
//
// The error is the context's, if that ends before the lock is there, or an *Error:
// NotFound (no such folder), NotAFile, Permission, IOError.
func LockFolder(ctx context.Context, dir string) (release func(), err error) {
	folder, err := os.OpenRoot(dir)
	if err != nil {
		return nil, systemFailure(dir, err)
	}
	p := &place{path: dir, folder: folder}
	if p, err = p.identified(); err != nil {
		return nil, err
	}
	defer p.close() // the lock has a handle of its own
	l, err := acquire(ctx, p)
	if err != nil {
		return nil, err
	}
	return l.release, nil
}
