package main

import (
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// changer changes one file.
type changer struct {
	run     *run
	history *history
	path    string
	outside string // a file outside of the root
	random  *rand.Rand
	n       int
}

// change puts something in the place of the file.
func (c *changer) change() error {
	c.n++
	c.run.tally.add("changes under readers", 1)
	time.Sleep(time.Duration(c.random.IntN(1500)) * time.Microsecond)
	name := filepath.Base(c.path)
	text := version(name, c.n)
	nothing := state{none: true}
	switch c.random.IntN(12) {
	case 0:
		outside := state{name: outsideName, none: true}
		return c.instead(outside, func(path string) error { return os.Symlink(c.outside, path) })
	case 1:
		return c.instead(state{name: otherName, version: 1}, func(path string) error { return os.Symlink(otherName, path) })
	case 2:
		return c.instead(nothing, func(path string) error {
			if err := exec.Command("mkfifo", path).Run(); err != nil {
				return os.Mkdir(path, 0o755) // a system without pipes
			}
			return nil
		})
	case 3:
		return c.instead(nothing, func(path string) error { return os.Mkdir(path, 0o755) })
	case 4:
		return c.instead(nothing, func(path string) error { return os.WriteFile(path, []byte("# A\n\x00\n"), 0o600) })
	case 5:
		return c.instead(nothing, func(path string) error { return os.WriteFile(path, []byte("# A\n\xff\xfe\n"), 0o600) })
	case 6:
		c.history.begin(change{to: nothing})
		defer c.history.end()
		return os.RemoveAll(c.path)
	case 7, 8:
		c.history.begin(change{to: state{name: name, version: c.n}, inPlace: true})
		defer c.history.end()
		return c.inPlace(text)
	}
	return c.instead(state{name: name, version: c.n}, func(path string) error { return os.WriteFile(path, []byte(text), 0o600) })
}

// instead puts what is made in the place of the file in one step, where there is one.
func (c *changer) instead(to state, put func(path string) error) error {
	next := c.path + ".next" // which is no document by its name
	if err := errors.Join(os.RemoveAll(next), put(next)); err != nil {
		return err
	}
	c.history.begin(change{to: to})
	defer c.history.end()
	if os.Rename(next, c.path) == nil {
		return nil
	}
	// A folder takes no file's place, and no file a folder's.
	c.history.gap()
	return errors.Join(os.RemoveAll(c.path), os.Rename(next, c.path))
}

// inPlace writes the file anew without another one: it is empty for a moment, and then
// there is half of it.
func (c *changer) inPlace(text string) error {
	info, err := os.Lstat(c.path)
	if err != nil || !info.Mode().IsRegular() {
		c.history.gap()
		if err := os.RemoveAll(c.path); err != nil {
			return err
		}
	}
	f, err := os.Create(c.path)
	if err != nil {
		return err
	}
	_, first := f.WriteString(text[:halfOf(text)])
	time.Sleep(time.Duration(c.random.IntN(300)) * time.Microsecond)
	_, second := f.WriteString(text[halfOf(text):])
	return errors.Join(first, second, f.Close())
}
