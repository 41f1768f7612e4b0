// Package filelock locks folders and files among the processes of one host.
//
// A lock on a folder has two halves. Within the process one waits in a queue, which costs a
// goroutine and no thread; whoever is at its head takes the system's lock, which keeps out
// other processes and ends with ours, however that ends. Folders are told apart by what they
// are and not by their names, so that roots within each other, links and mounts make no
// difference.
//
// Which file holds what:
//
//   - lock.go: a lock on a folder, and how long it is waited for; queue.go: who waits for it
//     in this process; file.go: locks on files, which nobody waits for
//   - flock.go, lock_windows.go, lock_other.go: the system's locks; id_*.go: what tells
//     folders apart; holder_*.go: who has a lock
package filelock
