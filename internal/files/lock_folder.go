package files

import (
	"context"
	"os"
)

// FolderLock is a lock on a folder that somebody holds.
type FolderLock struct{ lock *lock }

// Release gives the lock to the next. It is called once.
func (l *FolderLock) Release() { l.lock.release() }

// File returns the open file whose lock it is, or nil where the system has no such
// thing (Windows). It is the lock's and must not be closed. A process that inherits it
// keeps others out until it has ended too, though this process ends before it.
func (l *FolderLock) File() *os.File { return l.lock.hold.file() }

// LockFolder locks the folder at dir, a path of the host, for work on it that is
// not Update's: until the lock is released no Update of a file right in the folder
// runs and nobody else holds this lock, in this process or another. The lock ends
// with the process, and with those that inherit its File. Where the folder lies is up
// to the caller; nothing in it is made or read.
//
// The error is the context's, if that is cancelled before the lock is there, or an
// *Error: NotFound (no such folder), NotAFile, Permission, IOError. A lock that is not
// there after 10 s, or shortly before the context's deadline, is an IOError that says
// who has it, and is context.DeadlineExceeded.
func LockFolder(ctx context.Context, dir string) (*FolderLock, error) {
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
	return &FolderLock{l}, nil
}
