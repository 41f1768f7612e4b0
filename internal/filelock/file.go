package filelock

import "os"

// TryFile locks an open file until it is closed, and waits for nobody: the error is ErrHeld
// if another handle has it, of this process or another one. With shared, others may share
// the lock.
func TryFile(f *os.File, shared bool) error { return lockFile(f, shared) }
