// Package filesystem does what systems do in ways of their own: files that change places,
// their owners, folders that outlast a crash, and what the errors of all that mean.
//
// Which file holds what:
//
//   - exchange.go, exchange_*.go: files that change places, or get another name; rename.go: whether one has got it
//   - owner_*.go: owners, errors, and folders that are synced; rights.go: modes and owners that a file system ignores
//   - folder_*.go: folders that are listed; rmdir.go: that are removed; retry_unix.go: system calls that are interrupted
//   - missing.go: names that stand for nothing
//   - key.go, key_*.go: encrypted folders whose key is away
//   - step.go: tests between two calls that change something; sync.go: files that outlast a crash
package filesystem
