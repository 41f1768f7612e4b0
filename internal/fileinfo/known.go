package fileinfo

import (
	"io/fs"
	"os"
	"sync"
	"time"
)

// KnownFolders keeps what was found in folders for as long as these are unchanged, which
// the system notes by a time that nobody can set: one with 100,000 files is listed once.
// The zero value knows none.
type KnownFolders struct {
	mu sync.Mutex
	at map[string]knownFolder
}

type knownFolder struct {
	info  fs.FileInfo
	names []string
}

// Settled is how long ago a folder must have been changed for its time to tell of the next
// change.
const Settled = 2 * time.Second

// Names returns what Keep has kept of a folder that is as it was then.
func (k *KnownFolders) Names(path string, now fs.FileInfo) (names []string, known bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	was, ok := k.at[path]
	if !ok || !os.SameFile(was.info, now) || !ChangeTime(was.info).Equal(ChangeTime(now)) {
		return nil, false
	}
	return was.names, true
}

// Keep keeps names for a folder that was so before they were found in it.
func (k *KnownFolders) Keep(path string, before fs.FileInfo, names []string) {
	changed := ChangeTime(before)
	if changed.IsZero() || time.Since(changed) < Settled {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.at == nil {
		k.at = map[string]knownFolder{}
	}
	k.at[path] = knownFolder{before, names}
}
