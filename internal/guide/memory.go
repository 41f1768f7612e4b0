package guide

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
)

// Memory keeps what was found in categories without reading it, for who asks about many
// collections that share entries and may take the files for unchanged meanwhile. The nil one
// keeps nothing. It must not be used by several goroutines at once.
type Memory struct {
	kept map[[sha256.Size]byte]discovery
	size int // bytes that it takes, roughly
}

// discovery is what Discover returned.
type discovery struct {
	found *Found
	err   *Error
}

const (
	maxMemory  = 64 << 20 // bytes beyond which nothing more is kept
	eachMemory = 250      // bytes that a file, or what was left out, takes
)

// discover is Discover, which may return what it returned before. Found must not be changed.
func (m *Memory) discover(ctx context.Context, r Request) (*Found, error) {
	if m == nil || r.Content {
		return Discover(ctx, r)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	key := r.key()
	if d, ok := m.kept[key]; ok {
		switch {
		case d.err != nil:
			return nil, d.err
		case len(d.found.Files) <= r.MaxFiles:
			return d.found, nil
		}
	}
	found, err := Discover(ctx, r)
	failed, ok := errors.AsType[*Error](err)
	if err != nil && !ok || err == nil && found.Truncated {
		return found, err
	}
	size := eachMemory
	if found != nil {
		size *= 1 + len(found.Files) + len(found.Skipped)
	}
	if m.size+size <= maxMemory {
		if m.kept == nil {
			m.kept = map[[sha256.Size]byte]discovery{}
		}
		m.kept[key], m.size = discovery{found, failed}, m.size+size
	}
	return found, err
}

// key returns what tells requests apart for which nothing is read, but for the number of files.
func (r *Request) key() [sha256.Size]byte {
	texts := []string{fmt.Sprint(r.Names, r.Roots != nil, r.MaxDepth, len(r.Patterns)), r.Dir, r.Within}
	for i := range r.Patterns {
		texts = append(texts, r.Patterns[i].String())
	}
	for i := range r.Filter {
		texts = append(texts, r.Filter[i].String())
	}
	return keyOf(texts)
}

// keyOf returns what tells lists of texts apart, none of which has a NUL in it.
func keyOf(texts []string) [sha256.Size]byte {
	return sha256.Sum256([]byte(strings.Join(texts, "\x00")))
}
