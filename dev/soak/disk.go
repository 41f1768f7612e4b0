package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// diskSize is the size of the file system that is filled. The documents of a round, a copy
// of one of them, and plans with their history must fit.
const diskSize = "16m"

// page is the size of a page of memory in bytes, or a part of it.
const page = 4096

// mountSmall mounts a small file system below the folder, which takes the right to do
// so: scripts/soak gives it in a name space of its own.
func mountSmall(dir string) (path string, err error) {
	path = filepath.Join(dir, "disk")
	if err := os.MkdirAll(path, 0o755); err != nil {
		return "", err
	}
	out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size="+diskSize, "tmpfs", path).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("a small file system can't be mounted here: %w %s", err, strings.TrimSpace(string(out)))
	}
	return path, nil
}

// unmount undoes mountSmall. What is kept of it for whoever looks for a wrong is copied
// before.
func unmount(path string) {
	if rounds, _ := filepath.Glob(filepath.Join(path, "[0-9]*")); len(rounds) > 0 {
		_ = os.CopyFS(path+".kept", os.DirFS(path)) // as much as can be had
	}
	_ = exec.Command("umount", "-l", path).Run() // what is left goes with the name space
}

// limitLine is the line of the table that counts processes with a limit of file size.
const limitLine = "processes with a limit of file size for a full disk"

// fileLimits are limits of file size, in the blocks that a shell counts in, of 512 or
// 1,024 bytes: some of them less than a document has at first.
var fileLimits = []string{"4", "16", "64", "1000"}

// smallDisk is the part that edits on a disk that is filled and emptied meanwhile. Where
// none can be mounted, processes find no room because of a limit of file size.
type smallDisk struct {
	*part

	mounted bool
	kinds   []string // of stores of plans
}

// prepare mounts the disk.
func (d *smallDisk) prepare() (undo func(), err error) {
	path, err := mountSmall(d.dir)
	if err == nil {
		d.mounted, d.must = true, append(d.must, "times the disk was filled", "plan writes refused: disk full", "plan marks acknowledged")
		d.kinds = []string{"file"}
		if _, err := storeProgram("git"); err != nil {
			d.without = "plans in git: " + err.Error()
		} else {
			d.kinds = append(d.kinds, "git")
		}
		return func() { unmount(path) }, nil
	}
	if shellErr := exec.Command("/bin/sh", "-c", "ulimit -f 4").Run(); shellErr != nil {
		return nil, fmt.Errorf("%w; and no shell limits the size of files: %w", err, shellErr)
	}
	d.must, d.without = append(d.must, limitLine), "plans: "+err.Error()
	return func() {}, nil
}

// round is edits on the disk, and where it is mounted writes to plans as well: what git
// writes is too small for a limit.
func (d *smallDisk) round(ctx context.Context, dir string, random *rand.Rand) error {
	a := &arena{run: d.run, dir: filepath.Join(dir, "documents"), docs: newDocuments(), full: true}
	if err := os.Mkdir(a.dir, 0o755); err != nil {
		return err
	}
	if !d.mounted {
		a.limits = fileLimits
		return a.soak(ctx, random)
	}
	var projects []*project
	for _, kind := range d.kinds {
		below := filepath.Join(dir, kind)
		if err := os.Mkdir(below, 0o755); err != nil {
			return err
		}
		p, err := d.newProject(below, kind)
		if err != nil {
			return err
		}
		p.full = true
		projects = append(projects, p)
	}
	ctx = d.filling(ctx, filepath.Join(filepath.Dir(dir), "filler"), newChance(random))
	var planning sync.WaitGroup
	for _, p := range projects {
		own := newChance(random)
		planning.Go(func() {
			if err := p.soak(ctx, own); err != nil {
				d.fail("plans in %s on a full disk: %v", p.kind, err)
			}
		})
	}
	defer planning.Wait()
	return a.soak(ctx, random)
}

// filling fills the disk and empties it until the context ends. The one that it returns
// ends when there is room again.
func (d *smallDisk) filling(ctx context.Context, filler string, random *rand.Rand) context.Context {
	empty, cancel := context.WithCancel(context.WithoutCancel(ctx))
	go func() {
		defer cancel()
		for ctx.Err() == nil {
			if err := fill(filler, random.IntN(3)); err != nil {
				d.fail("filling the disk: %v", err)
				return
			}
			d.tally.add("times the disk was filled", 1)
			pause(ctx, random, 300*time.Millisecond)
			_ = os.Remove(filler) // it is ours
			pause(ctx, random, 300*time.Millisecond)
		}
	}()
	return empty
}

// fill writes a file until the disk is full, but for so many pages.
func fill(path string, pages int) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // whether it is complete is of no interest
	size := 0
	for step := 64 * page; step >= page; step /= 2 {
		for {
			n, err := f.Write(make([]byte, step))
			size += n
			if errors.Is(err, syscall.ENOSPC) {
				break
			}
			if err != nil {
				return err
			}
		}
	}
	return f.Truncate(int64(max(0, size-pages*page)))
}
